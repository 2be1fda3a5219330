"""Gemini spoken to as OpenAI is: recognised, assembled, and where its signature goes.

Each way in which an accumulator is known to lose a signature is a test of ours.
"""

from __future__ import annotations

from typing import Any

import pytest

from sigscope.conversation import Message, Part, PartKind, Role
from sigscope.dialects.base import Match, Probe
from sigscope.dialects.gemini_openai import GeminiOpenAI
from sigscope.dialects.homes import Delivery
from sigscope.dialects.registry import recognise

STUDIO = "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions"
VERTEX = (
    "https://aiplatform.googleapis.com/v1/projects/p/locations/global/endpoints/openapi"
    "/chat/completions"
)
CHAT = {"model": "gemini-3-pro-preview", "messages": []}
ERROR = {"error": {"code": 400, "message": "no", "status": "INVALID_ARGUMENT"}}


def signed(value: str = "EhkK") -> dict[str, Any]:
    return {"extra_content": {"google": {"thought_signature": value}}}


def call(name: str, **more: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": "{}"}
    return {"id": f"id_{name}", "type": "function", "function": function} | more


def assembled(*deltas: dict[str, Any]) -> list[Any]:
    """The calls that an assembler makes of these deltas."""
    assembler = GeminiOpenAI().assembler()
    for number, delta in enumerate(deltas, start=1):
        assembler.feed(number, {"choices": [{"index": 0, "delta": delta}]})
    calls: list[Any] = assembler.body["choices"][0]["message"]["tool_calls"]
    return calls


@pytest.mark.parametrize(
    ("url", "request_body", "response", "match", "service"),
    [
        (STUDIO, CHAT, None, Match.HOST, "ai-studio"),
        (VERTEX, CHAT, None, Match.HOST, "vertex"),
        ("http://127.0.0.1:1/v1beta/openai/chat/completions", CHAT, None, Match.PATH,
         "ai-studio"),
        ("/v1beta/openai/chat/completions", CHAT, None, Match.PATH, "ai-studio"),
        ("", CHAT, [ERROR], Match.ANSWERED, None),
        ("", CHAT, {"choices": [{"message": {"tool_calls": [call("ls", **signed())]}}]},
         Match.ANSWERED, None),
        ("", {"messages": [{"role": "assistant", "tool_calls":
                            [call("ls", **signed())]}]}, None, Match.ASKED, None),
        ("", CHAT | {"extra_body": {"google": {}}}, None, Match.ASKED, None),
    ],
)  # fmt: skip
def test_it_is_known_by_host_path_and_marks(
    url: str, request_body: Any, response: Any, match: Match, service: str | None
) -> None:
    given = Probe(url=url, request=lambda: request_body, response=lambda: response)
    dialect, found = recognise(given)
    assert dialect is not None
    assert (dialect.name, found) == ("gemini-openai", match)
    assert dialect.service(given) == service


def test_calls_without_an_index_in_chunks_of_their_own_stay_two() -> None:
    made = assembled(
        {"tool_calls": [call("ls", **signed())]}, {"tool_calls": [call("cat")]}
    )
    assert [one["function"]["name"] for one in made] == ["ls", "cat"]
    assert [one["function"]["arguments"] for one in made] == ["{}", "{}"]
    assert ["extra_content" in one for one in made] == [True, False]


def test_calls_whose_ids_have_no_length_stay_two() -> None:
    made = assembled(
        {"tool_calls": [call("ls", **signed()) | {"id": ""}]},
        {"tool_calls": [call("cat") | {"id": ""}]},
    )
    assert [one["function"]["name"] for one in made] == ["ls", "cat"]


def test_a_later_delta_without_the_signature_does_not_take_it_away() -> None:
    made = assembled(
        {"tool_calls": [call("ls", index=0, **signed())]},
        {"tool_calls": [{"index": 0, "function": {"arguments": ""}}]},
    )
    assert made == [call("ls", **signed())]


def test_a_delta_with_the_signature_alone_belongs_to_the_call_before() -> None:
    made = assembled({"tool_calls": [call("ls")]}, {"tool_calls": [signed()]})
    assert made == [call("ls", **signed())]


def test_an_error_in_a_list_of_one_is_an_error() -> None:
    assert GeminiOpenAI().reply([ERROR]).has_error
    assert not GeminiOpenAI().reply([ERROR, ERROR]).has_error


@pytest.mark.parametrize("word", ["google", "vertex"])
def test_a_signature_goes_back_under_the_word_it_came_with(word: str) -> None:
    part = Part(kind=PartKind.CALL, pointer="/messages/1/tool_calls/0")
    message = Message(role=Role.ASSISTANT, pointer="/messages/1", parts=(part,))
    home = GeminiOpenAI.home.of(
        Delivery(
            value="EhkK",
            message=message,
            part=part,
            carrier=f"gemini-openai.{word}.thought_signature",
        )
    )
    assert home is not None
    assert home.at == part.pointer
    assert home.path == f"extra_content/{word}/thought_signature"
