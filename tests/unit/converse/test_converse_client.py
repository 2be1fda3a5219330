"""The client as a whole: its memory, its answers read anew."""

from __future__ import annotations

import gzip
import json

import pytest
from rehearsals import READ, hold

from sigscope.converse.client import Client, read_answer
from sigscope.converse.loader import load_policy
from sigscope.converse.memory import RememberedReply, Results, Words
from sigscope.errors import UsageError
from sigscope.exchange import Body, Exchange, Response

COPILOT = load_policy("faithful-copilot-chat")


def answer(body: bytes, *headers: tuple[str, str]) -> Exchange:
    response = Response(status=200, headers=headers, body=Body(body), ending="complete")
    return Exchange(response=response)


def test_a_policy_is_not_held_to_an_api_it_does_not_speak() -> None:
    with pytest.raises(UsageError, match="speaks copilot-chat, not gemini"):
        Client(COPILOT, "gemini")


def test_the_model_asked_for_overrules_the_policy_s() -> None:
    client = Client(COPILOT, model="gemini-2.5-pro")
    client.say("x")
    assert json.loads(client.request("id").body.raw)["model"] == "gemini-2.5-pro"


def test_its_memory_is_words_replies_and_results() -> None:
    client = Client(COPILOT)
    client.say(READ)
    client.hear(hold(COPILOT, [READ])[0].step.exchange)
    assert client.run_tools()
    assert [type(entry) for entry in client.entries] == [
        Words,
        RememberedReply,
        Results,
    ]
    assert not client.run_tools(), "results are no reply"


def test_an_answer_without_calls_runs_no_tools() -> None:
    client = Client(COPILOT)
    client.hear(answer(b'{"choices":[{"message":{"content":"x"}}]}'))
    assert not client.run_tools()


def test_content_codings_are_taken_off() -> None:
    data = gzip.compress(b'{"choices":[{"message":{"content":"x"}}]}')
    coded = answer(data, ("content-encoding", "gzip"))
    assert read_answer(coded, COPILOT, "copilot-chat").text == "x"


def test_a_chunk_list_is_read_like_a_stream() -> None:
    one = '{"choices":[{"index":0,"delta":{"content":"a"}}]}'
    listed = answer(f"[{one},{one}]".encode())
    assert read_answer(listed, COPILOT, "copilot-chat").text == "aa"


@pytest.mark.parametrize("body", [b"", b"nonsense", b"data: {\n\n", b"[[[", b"\xff"])
def test_an_answer_that_is_none_is_heard_as_nothing(body: bytes) -> None:
    assert read_answer(answer(body), COPILOT, "copilot-chat").pieces == ()


def test_an_answer_that_is_missing_is_heard_as_nothing() -> None:
    assert read_answer(Exchange(), COPILOT, "copilot-chat").pieces == ()


def test_reliving_reads_the_answers_under_another_policy() -> None:
    held = hold("copilot-missing-signature", [READ])
    client = Client(load_policy("zoo-litellm-dummy"))
    deaf = Client(load_policy("zed-copilot-final-fix"))
    deaf.say(READ)
    deaf.hear(held[0].step.exchange)
    deaf.run_tools()
    other = deaf.relive(COPILOT, [held[0].step.exchange])
    assert [type(entry) for entry in other.entries] == [Words, RememberedReply, Results]
    thoughts = [p for p in other.entries[1].pieces if p.kind == "thought"]  # type: ignore[union-attr]
    assert thoughts, "the other policy reads reasoning text"
    assert client.entries == []


def test_lone_surrogates_of_the_user_reach_the_wire_as_escapes() -> None:
    client = Client(COPILOT)
    client.say("a\ud800b")
    assert b"a\\ud800b" in client.request("id").body.raw
