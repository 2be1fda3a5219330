"""Clients of Messages: what each makes of a reply, and what the service says to it.

The wrong accumulators are those of docs/wire/accumulators.md that concern blocks.
"""

from __future__ import annotations

from typing import Any

import pytest
from rehearsals import READ, THANKS, body, changed, hold, statuses

from sigscope.converse.loader import load_policy
from sigscope.converse.memory import Heard
from sigscope.converse.policy import Read
from sigscope.converse.readers.messages import MessagesReader
from sigscope.ledger import build_ledger
from sigscope.reader import read_steps
from sigscope.rules.base import Finding, Severity, Subject
from sigscope.rules.runner import check_step

ALL = Read(keep="all")
SEALING = (
    "Read README.md ANTHROPIC_MAGIC_STRING_TRIGGER_REDACTED_THINKING"
    " (only make ONE tool call)"
)


def start(index: int, **block: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, **fields: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": fields}


EVENTS = (
    {"type": "message_start", "message": {"content": []}},
    start(0, type="thinking", thinking="", signature=""),
    delta(0, thinking="I "),
    delta(0, thinking="look."),
    delta(0, signature="S1"),
    start(1, type="redacted_thinking", data="D1"),
    start(2, type="text", text=""),
    delta(2, text="See."),
    start(3, type="tool_use", id="t1", name="ls", input={}),
    delta(3, partial_json='{"path'),
    delta(3, partial_json='": "."}'),
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
)


def hear(read: Read, *events: Any) -> Heard:
    reader = MessagesReader(read)
    for event in events or EVENTS:
        reader.feed(event)
    return reader.heard()


def told(heard: Heard) -> list[tuple[str, str]]:
    return [(piece.kind, piece.text or piece.arguments) for piece in heard.pieces]


def test_blocks_are_pieces_and_signatures_stay_on_theirs() -> None:
    heard = hear(ALL)
    assert told(heard) == [
        ("thought", "I look."),
        ("thought", ""),
        ("text", "See."),
        ("call", '{"path": "."}'),
    ]
    assert [(one.value, one.piece) for one in heard.captured] == [("S1", 0), ("D1", 1)]
    assert heard.finish == "tool_use"


def test_a_whole_message_is_heard_like_its_stream() -> None:
    whole = {
        "type": "message",
        "stop_reason": "tool_use",
        "content": [
            {"type": "thinking", "thinking": "I look.", "signature": "S1"},
            {"type": "redacted_thinking", "data": "D1"},
            {"type": "text", "text": "See."},
            {"type": "tool_use", "id": "t1", "name": "ls", "input": {"path": "."}},
        ],
    }
    heard = hear(ALL, whole)
    assert told(heard)[:3] == told(hear(ALL))[:3]
    assert heard.captured == hear(ALL).captured


@pytest.mark.parametrize(
    ("read", "texts", "values"),
    [
        (Read(keep="all", merge_entries="fragments"), ["I ", "look.", ""],
         ["S1", "S1", "D1"]),
        (Read(keep="all", merge_entries="last"), ["look.", ""], ["S1", "D1"]),
        (Read(keep="all", signed_parts=("thought",)), ["I look.", ""], ["S1"]),
        (Read(keep="last"), ["I look.", ""], ["D1"]),
        (Read(keep="first"), ["I look.", ""], ["S1"]),
    ],
)  # fmt: skip
def test_wrong_accumulators_hear_something_else(
    read: Read, texts: list[str], values: list[str]
) -> None:
    heard = hear(read)
    assert [p.text for p in heard.pieces if p.kind == "thought"] == texts
    assert [one.value for one in heard.captured] == values


def test_an_error_in_the_stream_is_heard() -> None:
    assert hear(ALL, {"type": "error", "error": {}}, 5, {"type": "ping"}).is_error


def findings(policy: Any, turns: Any) -> tuple[list[int], list[Finding]]:
    held = hold(policy, turns)
    readings = read_steps([taken.step for taken in held])
    subject = Subject(
        reading=readings[-1],
        ledger=build_ledger(readings),
        readings={reading.number: reading for reading in readings},
    )
    return statuses(held), [
        found for found in check_step(subject) if found.severity is not Severity.INFO
    ]


@pytest.mark.parametrize(
    ("policy", "rule", "question"),
    [
        ("anthropic-sdk-calls-only", "ANT-2", READ),
        ("anthropic-split-reply", "ANT-2", READ),
        ("anthropic-drops-sealed", "ANT-2", SEALING),
        ("anthropic-trimmed-thinking", "ANT-3", READ),
        ("anthropic-shortened-thinking", "ANT-3", READ),
        ("anthropic-fragments", "ANT-3", READ),
        ("anthropic-last-fragment", "ANT-3", READ),
        ("anthropic-no-signature-delta", "ANT-4", READ),
        ("anthropic-stripped-thinking", "ANT-5", READ),
    ],
)
def test_a_wrong_client_is_refused_and_its_rule_says_why(
    policy: str, rule: str, question: str
) -> None:
    found_statuses, found = findings(policy, [question, THANKS])
    assert found_statuses == [200, 400]
    assert {one.rule for one in found} == {rule}
    assert all(one.fix for one in found)


def test_a_cut_signature_is_refused_under_ant_1() -> None:
    cut = changed("faithful-anthropic", value={"form": "cut"})
    found_statuses, found = findings(cut, [READ, THANKS])
    assert found_statuses == [200, 400]
    assert {one.rule for one in found} == {"ANT-1"}


@pytest.mark.parametrize("policy", ["faithful-anthropic", "claude-code"])
def test_a_right_client_keeps_sealed_blocks_too(policy: str) -> None:
    found_statuses, found = findings(policy, [SEALING, THANKS])
    assert (set(found_statuses), found) == ({200}, [])


BROKEN = {"value": {"form": "cut"}}


def test_claude_code_s_own_cure_is_refused_with_a_budget() -> None:
    cured = load_policy("claude-code-unthought")
    held = hold(changed("claude-code", **BROKEN), [READ], then=cured)
    assert statuses(held) == [200, 400, 400]
    assert body(held[2])["thinking"]["type"] == "enabled"
    said = [taken.step.exchange.response.body.raw.decode() for taken in held[1:]]  # type: ignore[union-attr]
    assert "Invalid `signature` in `thinking` block" in said[0]
    assert "Expected `thinking` or `redacted_thinking`" in said[1]


def test_claude_code_s_own_cure_helps_where_thinking_is_adaptive() -> None:
    adaptive = {"client": {"body": {"thinking": {"type": "adaptive"}}}}
    cured = changed("claude-code-unthought", **adaptive)
    held = hold(changed("claude-code", **BROKEN, **adaptive), [READ], then=cured)
    assert statuses(held)[:3] == [200, 400, 200]


def test_a_request_is_what_the_service_documents() -> None:
    held = hold("claude-code", [READ, THANKS])
    first, second = body(held[0]), body(held[1])
    assert first["thinking"] == {"type": "enabled", "budget_tokens": 2048}
    assert "input_schema" in first["tools"][0]
    kinds = [block["type"] for block in second["messages"][1]["content"]]
    assert kinds == ["thinking", "tool_use"]
    (result,) = second["messages"][2]["content"]
    assert result["tool_use_id"] == second["messages"][1]["content"][1]["id"]
