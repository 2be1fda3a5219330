"""Clients of the Responses API, right and wrong, against its simulator."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.converse.rehearsals import body, changed, hold, statuses
from tests.unit.dialects.test_responses import EARLY, FINAL, stream
from tests.unit.rules.cases import bench

from sigscope.converse.loader import load_policy
from sigscope.converse.policy import Read
from sigscope.converse.readers.responses import ResponsesReader
from sigscope.ledger import Fate
from sigscope.ledger.records import LOST, Grade
from sigscope.rules.base import Severity

Json = Any


def conversation(policy: str, **config: Any) -> list[Any]:
    service = load_policy(policy).service
    return hold(policy, service=service, **config)


RIGHT = (
    "faithful-responses",
    "codex",
    "vscode-copilot-responses",
    "copilot-cli",
    "openai-responses-stateless",
    "openai-responses-stored",
)
WRONG = {
    "responses-drops-reasoning": ("RSP-2", 2),
    "responses-ids-without-blobs": ("RSP-4", 2),
    "responses-early-blob": ("RSP-3", 2),
    "responses-renamed-items": ("RSP-5", 2),
    "responses-sorted-items": ("RSP-1", 2),
    "responses-cut": ("RSP-3", 2),
    "responses-gemini-on-copilot": ("CPC-4", 1),
}
"""Client → the rule that says why it is refused, and in which step."""


@pytest.mark.parametrize("policy", RIGHT)
def test_a_right_client_is_answered_and_left_alone(policy: str) -> None:
    held = conversation(policy)
    assert set(statuses(held)) == {200}
    found = bench([taken.step.exchange for taken in held])
    assert found.all_findings() == []
    for signature in found.ledger.signatures:
        for fate in signature.fates:
            is_lost = fate.fate in LOST and fate.grade is not Grade.SUPERSEDED
            assert not is_lost, (signature.id, fate)


@pytest.mark.parametrize("policy", WRONG)
def test_a_wrong_client_is_refused_and_the_rule_says_why(policy: str) -> None:
    rule, step = WRONG[policy]
    held = conversation(policy)
    assert len(held) == step
    assert held[-1].status in (400, 404)
    found = bench([taken.step.exchange for taken in held]).findings(step)
    errors = [finding for finding in found if finding.severity is Severity.ERROR]
    assert [finding.rule for finding in errors] == [rule]
    assert errors[0].is_confirmed
    assert errors[0].fix


@pytest.mark.parametrize(
    "policy", ["responses-early-blob", "responses-ids-without-blobs"]
)
def test_a_mended_client_goes_on(policy: str) -> None:
    mended = load_policy("codex" if "early" in policy else "faithful-responses")
    held = conversation(policy, then=mended)
    assert next(status for status in statuses(held) if status != 200) in (400, 404)
    assert held[-1].status == 200


def test_copilot_cli_makes_ids_of_its_own_and_keeps_those_of_reasoning() -> None:
    held = conversation("copilot-cli")
    items = body(held[-1])["input"]
    given = [taken.heard for taken in held]
    thoughts = [item for item in items if item.get("type") == "reasoning"]
    assert [item["id"] for item in thoughts] == [
        one.entry["id"] for heard in given for one in heard.captured if one.entry
    ][: len(thoughts)]
    calls = [item for item in items if item.get("type") == "function_call"]
    assert calls
    assert all(item["id"] == f"fc_{item['call_id']}" for item in calls)
    texts = [item for item in items if item.get("type") == "message"]
    assert len({item["id"] for item in texts}) == len(texts) > 0


def test_copilot_cli_continued_leaves_out_reasoning_of_the_turns_before() -> None:
    held = conversation("copilot-cli-continue")
    assert set(statuses(held)) == {200}
    last = next(taken for taken in held if taken.turn == 2)
    before = next(t for t in held if t.turn == 1 and t.round == 2)
    kinds = [item.get("type") for item in body(before)["input"]]
    assert "reasoning" in kinds
    assert "reasoning" not in [item.get("type") for item in body(last)["input"]]
    found = bench([taken.step.exchange for taken in held])
    assert [f.severity for f in found.all_findings() if f.severity != "info"] == []
    fates = [
        fate.fate
        for signature in found.ledger.signatures
        for fate in signature.fates
        if not signature.is_provisional and fate.step == last.step.number
    ]
    assert set(fates) == {Fate.DROPPED}


def test_a_stored_conversation_sends_only_what_is_new() -> None:
    held = conversation("openai-responses-stored")
    second = body(held[1])
    assert [item["type"] for item in second["input"]] == ["function_call_output"]
    assert second["previous_response_id"].startswith("resp_")
    found = bench([taken.step.exchange for taken in held]).ledger
    assert [thread.steps for thread in found.threads] == [(1, 2, 3)]


def test_sealed_values_of_a_stored_conversation_are_kept_not_lost() -> None:
    policy = changed("openai-responses-stored", items={"include": True})
    held = hold(policy)
    found = bench([taken.step.exchange for taken in held]).ledger
    first = [s for s in found.signatures if s.step == 1 and not s.is_provisional]
    assert {fate.fate for fate in first[0].fates} == {Fate.STORED}


def read(item: str, events: list[Json]) -> Any:
    reader = ResponsesReader(Read(item=item))  # type: ignore[arg-type]
    for event in events:
        reader.feed(event)
    return reader.heard()


def test_the_reader_keeps_what_its_event_brings() -> None:
    for item, value in (("done", FINAL), ("added", EARLY), ("completed", "other")):
        heard = read(item, stream(blob="other"))
        assert [one.value for one in heard.captured] == [value]
        assert [piece.kind for piece in heard.pieces] == ["text", "call"]
        assert heard.captured[0].piece == 0


def test_an_end_without_items_is_no_empty_answer() -> None:
    events = stream(ends=False)
    heard = read("done", events)
    assert heard.calls[0].call_id == "call_1"
