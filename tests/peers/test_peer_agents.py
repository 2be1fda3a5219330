"""Claude Code, Codex and Copilot CLI (Responses) on the strict simulator.

Each right, through `sigscope run`; and each wrong: a proxy of the tests, before the
recorder, drops or alters what the agent sent back well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.peers import peering
from tests.peers.agents import (
    CLAUDE_CODE,
    CLAUDE_CODE_LATER,
    CODEX,
    COPILOT_CLI,
    QUESTION,
    Agent,
)
from tests.peers.meddler import Change, meddling
from tests.peers.peering import calls, dialects, errors, only, replays, statuses

from sigscope.engine.sessions.document import Document
from sigscope.pointer import resolve

SEALED = (
    "ANTHROPIC_MAGIC_STRING_TRIGGER_REDACTED_THINKING"
    "_46C9A13E193C177646C7398A98432ECCCE4C1253D5E2D82641AC0E52CC2876CB"
)
"""Has Claude's thinking redacted: docs.claude.com, "Thinking redaction"."""
MORE = "Read notes.md once more"
WEBSOCKET = 426


def run(folder: Path, agent: Agent, *questions: str) -> Document:
    """One turn for each question, in one conversation, recorded by `sigscope run`."""
    program = agent.settle(folder)
    file = folder / peering.RECORDED
    with peering.simulating(folder, agent.dialect) as simulator:
        for question in questions:
            again = question != questions[0]
            done = peering.sigscope(
                folder,
                *("run", "--upstream", f"{agent.service}={simulator}{agent.base}"),
                *("--check", "--out", file, *["--append"] * again),
                *("--", *agent.line(program, question, again=again)),
                surroundings=True,
                **agent.variables,
            )
            assert done.code == 0, done.told
    document = peering.load(file)
    assert set(dialects(document)) == {agent.dialect}
    assert document.findings == ()
    assert peering.KEYS["ANTHROPIC_API_KEY"] not in file.read_text()
    assert peering.KEYS["OPENAI_API_KEY"] not in file.read_text()
    answers = zip(document.session.steps, statuses(document), strict=True)
    # Codex asks for a WebSocket first and does without where it gets none.
    asked = [step for step, status in answers if status != WEBSOCKET]
    assert b"Buy milk." in document.readings[-1].request_body.data
    return only(document, asked)


PLACES = [
    (CLAUDE_CODE, "/messages/1/content/0/signature", "/messages/3/content/0/signature"),
    (CODEX, "/input/4/encrypted_content", "/input/8/encrypted_content"),
    (COPILOT_CLI, "/input/1/encrypted_content", "/input/5/encrypted_content"),
]
"""Where the first answer's signature stands in requests, and the second's."""


def name_of(value: object) -> str | None:
    return value.peer if isinstance(value, Agent) else None


@pytest.mark.parametrize(("agent", "first", "second"), PLACES, ids=name_of)
def test_a_tool_loop_loses_nothing(
    tmp_path: Path, agent: Agent, first: str, second: str
) -> None:
    document = run(tmp_path, agent, QUESTION)
    assert statuses(document) == [200, 200, 200]
    assert calls(document) == [1, 2, 0]
    assert replays(document) == [
        (1, [(2, first), (3, first)]),
        (2, [(3, second)]),
        (3, []),
    ]


@pytest.mark.parametrize("agent", [CLAUDE_CODE, CODEX], ids=name_of)
def test_the_next_turn_of_a_conversation_loses_nothing(
    tmp_path: Path, agent: Agent
) -> None:
    document = run(tmp_path, agent, QUESTION, MORE)
    assert statuses(document) == [200] * 5
    assert calls(document) == [1, 2, 0, 1, 0]
    steps = [[step for step, _ in places] for _, places in replays(document)]
    assert steps == [[2, 3, 4, 5], [3, 4, 5], [4, 5], [5], []]


def test_claude_code_s_system_messages_are_taken(tmp_path: Path) -> None:
    document = run(tmp_path, CLAUDE_CODE_LATER, QUESTION)
    assert statuses(document) == [200, 200, 200]
    assert calls(document) == [1, 2, 0]
    asked = document.reading(3).request_json
    assert isinstance(asked, dict)
    assert "system" in {message["role"] for message in asked["messages"]}
    steps = [[step for step, _ in places] for _, places in replays(document)]
    assert steps == [[2, 3], [3], []]


def test_copilot_cli_sends_no_reasoning_of_the_turns_before_continue(
    tmp_path: Path,
) -> None:
    """Its own fault, and one that nothing refuses: it gives the items new ids."""
    document = run(tmp_path, COPILOT_CLI, QUESTION, MORE)
    assert statuses(document) == [200] * 5
    first, second, third, fourth, _ = (
        [(fate.step, str(fate.fate), str(fate.grade)) for fate in signature.fates]
        for signature in document.ledger.signatures
        if not signature.is_provisional
    )
    gone = [(step, "dropped", "optional") for step in (4, 5)]
    kept = [(step, "exact", "optional") for step in (2, 3)]
    assert [first, second, third] == [[*kept, *gone], [*kept[1:], *gone], gone]
    assert fourth == [(5, "exact", "optional")]


def test_sealed_thinking_comes_back_from_claude_code(tmp_path: Path) -> None:
    document = run(tmp_path, CLAUDE_CODE, f"{QUESTION} {SEALED}")
    first, second = "/messages/1/content/0/data", "/messages/3/content/0/data"
    assert replays(document) == [
        (1, [(2, first), (3, first)]),
        (2, [(3, second)]),
        (3, []),
    ]


# --- Wrong: a proxy of the tests changes what the agent sends -------------------------


def wrong(folder: Path, agent: Agent, change: Change, question: str) -> Document:
    """An agent whose requests are changed on their way to the recorder."""
    with (
        peering.simulating(folder, agent.dialect) as simulator,
        peering.recording(folder, "--upstream", simulator) as recorder,
        meddling(recorder.url, change) as address,
    ):
        said = agent.ask(folder, address, question)
        document = recorder.document()
    assert set(dialects(document)) == {agent.dialect}, said
    return document


def blocks(body: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """The content lists of a Messages request's assistant."""
    for message in body.get("messages", ()):
        if message["role"] == "assistant" and isinstance(message["content"], list):
            yield message["content"]


def drop_thinking(body: dict[str, Any]) -> None:
    for content in blocks(body):
        content[:] = [block for block in content if block["type"] != "thinking"]


def drop_redacted(body: dict[str, Any]) -> None:
    for content in blocks(body):
        content[:] = [b for b in content if b["type"] != "redacted_thinking"]


def cut_signatures(body: dict[str, Any]) -> None:
    for content in blocks(body):
        for block in content:
            if "signature" in block:
                block["signature"] = block["signature"][:-8]


def rebuild_thinking(body: dict[str, Any]) -> None:
    for content in blocks(body):
        for block in content:
            if block["type"] == "thinking":
                block["thinking"] = "I looked at the notes."


def sealed(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The reasoning items of a Responses request."""
    return [item for item in body.get("input", ()) if item["type"] == "reasoning"]


def drop_blobs(body: dict[str, Any]) -> None:
    for item in sealed(body):
        item.pop("encrypted_content", None)


def cut_blobs(body: dict[str, Any]) -> None:
    for item in sealed(body):
        item["encrypted_content"] = item["encrypted_content"][:-8]


def put_reasoning_last(body: dict[str, Any]) -> None:
    thoughts = sealed(body)
    others = [item for item in body.get("input", ()) if item not in thoughts]
    body["input"] = [*others, *thoughts]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """A change, and what becomes of the request behind the first answer."""

    change: Change
    status: int = 400
    said: str
    rule: str
    pointer: str
    """As a regular expression."""
    question: str = QUESTION


OF_MESSAGES = [
    Wrong(
        change=drop_thinking,
        said="messages.1.content.0.type: Expected `thinking` or `redacted_thinking`,",
        rule="ANT-2",
        pointer="/messages/1",
    ),
    Wrong(
        change=drop_redacted,
        question=f"{QUESTION} {SEALED}",
        said="messages.1.content.0.type: Expected `thinking` or `redacted_thinking`,",
        rule="ANT-2",
        pointer="/messages/1",
    ),
    Wrong(
        change=cut_signatures,
        said="messages.1.content.0: Invalid `signature` in `thinking` block",
        rule="ANT-1",
        pointer="/messages/1/content/0/signature",
    ),
    Wrong(
        change=rebuild_thinking,
        said="messages.1.content.0: `thinking` or `redacted_thinking` blocks in the"
        " latest assistant message cannot be modified.",
        rule="ANT-3",
        pointer="/messages/1/content/0",
    ),
]
OF_RESPONSES = [
    Wrong(
        change=drop_blobs,
        status=404,
        said="Items are not persisted when `store` is set to false.",
        rule="RSP-4",
        pointer=r"/input/\d+",
    ),
    Wrong(
        change=cut_blobs,
        said="could not be verified. Reason: Encrypted content could not be decrypted",
        rule="RSP-3",
        pointer=r"/input/\d+/encrypted_content",
    ),
    Wrong(
        change=put_reasoning_last,
        said="of type 'reasoning' was provided without its required following item.",
        rule="RSP-1",
        pointer=r"/input/\d+",
    ),
]
WRONGS = [
    *((CLAUDE_CODE, case) for case in OF_MESSAGES),
    *((agent, case) for agent in (CODEX, COPILOT_CLI) for case in OF_RESPONSES),
]


@pytest.mark.parametrize(
    ("agent", "case"),
    WRONGS,
    ids=[f"{agent.peer}-{case.change.__name__}" for agent, case in WRONGS],
)
def test_an_agent_behind_a_proxy_that_spoils_its_requests_is_refused_and_mended(
    tmp_path: Path, agent: Agent, case: Wrong
) -> None:
    document = wrong(tmp_path, agent, case.change, case.question)
    assert statuses(document)[:2] == [200, case.status]
    assert case.said in document.reading(2).response_body.data.decode()
    (found,) = (f for f in document.findings if f.step == 2 and f.severity == "error")
    assert found.rule == case.rule
    assert re.fullmatch(case.pointer, found.pointer)
    named = resolve(document.reading(2).request_json, found.pointer)
    if agent.dialect == "responses" and isinstance(named, dict):
        assert named["type"] == "reasoning"
    assert peering.confirmed(tmp_path, 2)


def test_claude_code_takes_refused_thinking_out_and_is_refused_for_that(
    tmp_path: Path,
) -> None:
    """Its own cure for a bad signature does not help with a budget of thinking."""
    document = wrong(tmp_path, CLAUDE_CODE, cut_signatures, QUESTION)
    assert errors(document)[:2] == [(2, "ANT-1"), (3, "ANT-2")]
    assert peering.confirmed(tmp_path, 3)
