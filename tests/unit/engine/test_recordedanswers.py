"""Which recorded answer a request gets, and how it is played."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from sigscope.engine.engine import Engine
from sigscope.engine.sending.recordedanswers import RecordedAnswers
from sigscope.engine.sending.simulation import genuine_signatures
from sigscope.engine.sessions.document import Document
from sigscope.upstreams.simulator import SimConfig, create_app
from sigscope.upstreams.simulator.arrival import Incoming
from sigscope.upstreams.simulator.prompter import Cue
from sigscope.upstreams.simulator.transport import fetch

SESSIONS = Path(__file__).parents[3] / "sessions"


def opened(name: str) -> Document:
    return Engine().open(SESSIONS / f"{name}.session.jsonl")


class Client:
    """Asks a simulator that has the answers of a session."""

    def __init__(self, document: Document) -> None:
        config = SimConfig(genuine=genuine_signatures(document), pace_ms=0)
        self.cues: list[Cue] = []
        self.prompter = RecordedAnswers(document, config, is_paced=False)
        self.app = create_app(
            config,
            prompter=self.prompter,
            on_cue=lambda incoming, cue, status: self.cues.append(cue),
        )

    def send(
        self, document: Document, step: int, body: bytes = b""
    ) -> tuple[int, bytes]:
        reading = document.reading(step)
        request = reading.exchange.request
        assert request is not None
        sent = body or reading.request_body.data
        answer = fetch(self.app, "POST", request.url, request.headers, sent)
        head, data = asyncio.run(answer)
        return head.status, data


@pytest.mark.parametrize(
    "name",
    [
        "zed-copilot-final-fix",
        "gemini-parallel",
        "claude-code-tool-loop",
        "zed-openrouter-fixed",
        "zoo-litellm-per-call-echo",
    ],
)
def test_every_accepted_step_gets_its_own_answer_again(name: str) -> None:
    document = opened(name)
    client = Client(document)
    for reading in document.readings:
        if reading.is_accepted and reading.has_messages:
            status, data = client.send(document, reading.number)
            assert status == reading.status
            assert data == reading.response_body.data
            assert client.cues[-1].step == reading.number
            assert "word for word" in client.cues[-1].words


def test_a_request_that_breaks_a_rule_is_refused() -> None:
    document = opened("zed-copilot-final-fix")
    body = json.loads(document.reading(2).request_body.data)
    for message in body["messages"]:
        message.pop("reasoning_opaque", None)
    client = Client(document)
    status, _ = client.send(document, 2, json.dumps(body).encode())
    assert status == 400
    assert "breaks CPC-1" in client.cues[-1].words


def test_a_recorded_refusal_is_not_given_to_a_request_that_is_right() -> None:
    document = opened("zed-copilot-attempt-1")
    fixes = [edit for found in document.findings for edit in found.fix or ()]
    body = document.edited(2, fixes).body.raw
    client = Client(document)
    status, _ = client.send(document, 2, body)
    assert status == 200
    assert client.cues[-1].answer is None
    assert "has no answer to give (400)" in client.cues[-1].words


def test_a_question_asked_otherwise_is_answered_by_order() -> None:
    document = opened("zed-copilot-final-fix")
    body = json.loads(document.reading(1).request_body.data)
    for message in body["messages"]:
        if message["role"] == "user":
            message["content"] = "Say it in another way."
    client = Client(document)
    status, data = client.send(document, 1, json.dumps(body).encode())
    assert (status, client.cues[-1].step) == (200, 1)
    assert client.cues[-1].words.endswith("by order")
    assert data == document.reading(1).response_body.data


def test_what_is_further_than_the_recording_is_answered_by_the_simulator() -> None:
    document = opened("zed-copilot-final-fix")
    short = Document(replace(document.session, steps=document.steps[:1]))
    client = Client(short)
    request = document.reading(2).exchange.request
    assert request is not None
    answer = fetch(client.app, "POST", request.url, request.headers, request.body.raw)
    head, _ = asyncio.run(answer)
    assert "no recorded step fits it" in client.cues[-1].words
    assert head.status in (200, 400)


def test_a_stream_is_played_as_it_came() -> None:
    document = opened("zed-copilot-final-fix")
    reading = document.reading(1)
    request = reading.exchange.request
    assert request is not None
    prompter = RecordedAnswers(document, SimConfig())
    incoming = Incoming.build(
        "POST", request.url, request.headers, reading.request_body.data
    )
    answer = prompter.cue(incoming, None).answer
    assert answer is not None
    assert b"".join(answer.pieces) == reading.response_body.data
    assert len(answer.pieces) == len(answer.pauses) == len(reading.chunks)
    assert sum(answer.pauses) * 1000 == pytest.approx(reading.chunks[-1].at_ms)


def test_what_is_no_conversation_is_left_to_the_simulator() -> None:
    prompter = RecordedAnswers(opened("zed-copilot-final-fix"), SimConfig())
    incoming = Incoming.build("POST", "/chat/completions", (), b"{}")
    cue = prompter.cue(incoming, None)
    assert cue.answer is None
    assert cue.words.startswith("no conversation")
