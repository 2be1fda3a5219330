"""Messages, parts and signatures of the Messages API."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import (
    LS,
    SIG_CL,
    SIG_CL_B,
    blocks,
    claude,
    exchange,
    read,
    record,
    redacted,
    request_body,
    response_body,
    thinking,
    tool_results,
    tool_use,
    user,
)

from sigscope.conversation import Conversation, PartKind, Role, Usage
from sigscope.dialects.registry import named

Json = Any
ANTHROPIC = named("anthropic")
assert ANTHROPIC is not None


def conversation(*history: Json, url: str = "", **more: Json) -> Conversation:
    assert ANTHROPIC is not None
    body = {**request_body("anthropic", history), **more}
    return ANTHROPIC.conversation(body, url)


def parts(content: Json) -> list[tuple[str, str, str]]:
    (message,) = conversation({"role": "user", "content": content}).messages
    return [(part.kind.value, part.pointer, part.text) for part in message.parts]


def sent(*history: Json) -> list[tuple[str, str, bool]]:
    step = exchange("anthropic", request_body("anthropic", history), {})
    (reading,) = read([step])
    return [(s.value, s.pointer, s.is_read) for s in reading.sent]


def test_blocks_are_parts_at_their_pointers() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png",
                                         "data": "AAAA"}}  # fmt: skip
    at = "/messages/0/content"
    assert parts("hi") == [("text", at, "hi")]
    assert parts([{"type": "text", "text": "hi"}, image, redacted(), thinking()]) == [
        ("text", f"{at}/0", "hi"),
        ("media", f"{at}/1", "image/png"),
        ("opaque", f"{at}/2", "redacted thinking"),
        ("thought", f"{at}/3", "I look around."),
    ]


def test_calls_and_results_are_paired_by_id() -> None:
    made = conversation(user(), claude(LS), tool_results(LS), user("And now?"))
    _, assistant, result, question = made.messages
    (call,) = assistant.calls
    assert (call.call_id, call.name, call.arguments) == (LS[0], LS[1], '{"path": "."}')
    assert [(p.call_id, p.text) for p in result.results] == [(LS[0], "a.md")]
    assert result.role is Role.TOOL
    assert question.opens_turn
    assert made.turn_start == 3


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("plain", "plain"),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab"),
        ([{"type": "image", "source": {"type": "url", "url": "https://x/a.png"}}],
         "[image at https://x/a.png]"),
        (None, ""),
    ],
)  # fmt: skip
def test_a_result_is_told_as_text(content: Json, text: str) -> None:
    block = {"type": "tool_result", "tool_use_id": "t", "content": content}
    assert parts([block])[0][2] == text


def test_a_remark_beside_a_result_opens_no_turn() -> None:
    mixed = tool_results(LS)
    mixed["content"].append({"type": "text", "text": "Go on."})
    made = conversation(user(), claude(LS), mixed)
    assert made.messages[2].role is Role.USER
    assert made.turn_start == 0


def test_what_runs_at_the_service_is_no_call_of_the_client() -> None:
    search = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search",
              "input": {"query": "weather"}}  # fmt: skip
    found = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1",
             "content": [{"type": "web_search_result",
                          "encrypted_content": SIG_CL_B}]}  # fmt: skip
    history = [user(), blocks(thinking(), search, found, tool_use(LS))]
    message = conversation(*history).messages[1]
    assert [call.call_id for call in message.calls] == [LS[0]]
    assert message.parts[1].text == 'web_search {"query": "weather"}'
    assert sent(*history) == [
        (SIG_CL, "/messages/1/content/0/signature", True),
        (SIG_CL_B, "/messages/1/content/2/content/0/encrypted_content", True),
    ]


def test_every_signature_of_a_request_stands_at_its_pointer() -> None:
    history = [user(), blocks(thinking(), redacted(), tool_use(LS)), tool_results(LS)]
    assert sent(*history) == [
        (SIG_CL, "/messages/1/content/0/signature", True),
        (SIG_CL_B, "/messages/1/content/1/data", True),
    ]


def test_an_empty_thought_bears_a_signature_and_an_empty_signature_is_none() -> None:
    assert sent(user(), blocks(thinking(text=""))) == [
        (SIG_CL, "/messages/1/content/0/signature", True)
    ]
    assert sent(user(), blocks(thinking(""))) == []


@pytest.mark.parametrize(
    ("message", "pointer"),
    [
        (blocks({**tool_use(LS), "signature": SIG_CL}),
         "/messages/1/content/0/signature"),
        (blocks({"type": "text", "text": "a", "signature": SIG_CL}),
         "/messages/1/content/0/signature"),
        ({**claude(LS, signature=None), "signature": SIG_CL}, "/messages/1/signature"),
        ({**claude(LS, signature=None), "thinking_blocks": [thinking()]},
         "/messages/1/thinking_blocks/0/signature"),
        ({"role": "user", "content": [thinking()]}, "/messages/1/content/0/signature"),
    ],
)  # fmt: skip
def test_what_the_service_does_not_read_is_misplaced(
    message: Json, pointer: str
) -> None:
    assert sent(user(), message) == [(SIG_CL, pointer, False)]


@pytest.mark.parametrize(
    ("url", "model", "streams"),
    [
        ("https://x/publishers/anthropic/models/claude-4%4020250514:streamRawPredict",
         "claude-4@20250514", True),
        ("https://x/publishers/anthropic/models/claude-4:rawPredict",
         "claude-4", False),
        ("https://x/model/us.anthropic.claude-v1%3A0/invoke",
         "us.anthropic.claude-v1:0", False),
        ("https://x/model/us.anthropic.claude-v1%3A0/invoke-with-response-stream",
         "us.anthropic.claude-v1:0", True),
    ],
)  # fmt: skip
def test_where_the_body_names_no_model_the_path_does(
    url: str, model: str, streams: bool
) -> None:
    made = conversation(user(), url=url, model=None)
    assert (made.model, made.streams) == (model, streams)


def test_a_reply_tells_how_it_ended_and_what_it_took() -> None:
    assert ANTHROPIC is not None
    usage = {"input_tokens": 3, "cache_read_input_tokens": 90, "output_tokens": 7,
             "cache_creation_input_tokens": None,
             "output_tokens_details": {"thinking_tokens": 5}}  # fmt: skip
    body = {**response_body("anthropic", claude(LS)), "usage": usage}
    reply = ANTHROPIC.reply(body)
    assert reply.message is not None
    assert [part.kind for part in reply.message.parts] == [
        PartKind.THOUGHT,
        PartKind.CALL,
    ]
    assert (reply.finish, reply.response_id) == ("tool_use", "msg_1")
    assert reply.usage == Usage(prompt=93, completion=7, reasoning=5, cached=90)


def test_an_error_is_no_answer() -> None:
    assert ANTHROPIC is not None
    error = {"type": "invalid_request_error", "message": "no"}
    reply = ANTHROPIC.reply({"type": "error", "error": error})
    assert reply.message is None
    assert reply.has_error


@pytest.mark.parametrize("odd", [None, 1, "x", [], {}, [1, None], [{"type": 5}]])
def test_odd_bodies_are_read_without_complaint(odd: Json) -> None:
    assert ANTHROPIC is not None
    for body in (
        odd,
        {"messages": odd},
        {"messages": [{"content": odd}], "tools": odd},
    ):
        ANTHROPIC.conversation(body, "")
    for body in (odd, {"content": odd}, {"content": [], "usage": odd}):
        ANTHROPIC.reply(body)


def test_a_recorded_loop_is_accepted_and_its_signature_followed() -> None:
    history = [user(), claude(LS), tool_results(LS)]
    first, last = record("anthropic", history)
    assert first.dialect is ANTHROPIC
    assert [s.value for s in first.received] == [SIG_CL]
    assert [s.value for s in last.sent] == [SIG_CL]
    assert last.is_accepted
