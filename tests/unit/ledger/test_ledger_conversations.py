"""Whole conversations: a faithful client loses nothing, one mistake is found."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.converse.rehearsals import BOTH, ONE_BY_ONE, READ, THANKS, hold

from sigscope.exchange import Body, Exchange
from sigscope.ledger import Fate, FateAt, Grade, Ledger, Signature, build_ledger
from sigscope.pointer import parse
from sigscope.reader import Reading, read_steps
from sigscope.rules.base import Finding, Severity
from sigscope.rules.runner import check_session
from sigscope.session import Step

FAITHFUL = (
    "faithful-copilot-chat",
    "faithful-openrouter",
    "faithful-litellm",
    "faithful-gemini",
    "faithful-vertex",
    "codecompanion-copilot-merged",
    "zed-copilot-final-fix",
    "zed-openrouter-option-c",
    "zoo-litellm-per-call-echo",
    "openai-litellm",
    "gemini-url-safe",
)
TURNS = (READ, BOTH, ONE_BY_ONE, THANKS)


@cache
def held(policy: str, turns: tuple[str, ...], seed: str) -> tuple[Step, ...]:
    return tuple(taken.step for taken in hold(policy, turns, seed=seed))


conversations = st.builds(
    held,
    st.sampled_from(FAITHFUL),
    st.lists(st.sampled_from(TURNS), min_size=1, max_size=4).map(tuple),
    st.sampled_from(["test", "other", "third"]),
)


def judged(steps: Sequence[Step]) -> tuple[tuple[Reading, ...], Ledger]:
    readings = read_steps(steps)
    return readings, build_ledger(readings)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(conversations)
def test_a_faithful_client_loses_nothing_and_is_not_complained_about(
    steps: tuple[Step, ...],
) -> None:
    readings, ledger = judged(steps)
    assert all(reading.is_accepted for reading in readings)
    assert {thread.kind for thread in ledger.threads} <= {"main", "side"}
    for signature in ledger.signatures:
        assert signature.received, "nothing was invented"
        for fate in signature.fates:
            assert fate.fate is Fate.EXACT or fate.grade is not Grade.REQUIRED
    findings = check_session(readings, ledger, {})
    assert [f for f in findings if f.severity is Severity.ERROR] == []


MISTAKES = {
    "dropped": lambda value: None,
    "cut": lambda value: value[: len(value) * 2 // 3],
    "altered": lambda value: value[:-12] + "AAAAAAAAAAA=",
}


def with_mistake(step: Step, value: str, mistake: str) -> Step:
    """The step with one signature spoilt wherever it stands, and no answer."""
    request = step.exchange.request
    assert request is not None
    new = MISTAKES[mistake](value)
    body = spoilt(json.loads(request.body.raw), value, new)
    raw = json.dumps(body, ensure_ascii=False).encode()
    exchange = Exchange(request=replace(request, body=Body(raw)))
    return replace(step, exchange=exchange)


def spoilt(body: Any, value: str, new: str | None) -> Any:
    if isinstance(body, dict):
        return {
            key: spoilt(inner, value, new)
            for key, inner in body.items()
            if not (new is None and inner == value)
        }
    if isinstance(body, list):
        return [spoilt(inner, value, new) for inner in body]
    if isinstance(body, str) and value in body:
        separator = "__thought__" if new is None else ""
        return body.replace(separator + value, new or "")
    return body


def insisted(ledger: Ledger) -> list[tuple[Signature, FateAt]]:
    """Exact fates that a mistake can be made with: those in a current turn."""
    return [
        (signature, fate)
        for signature in ledger.signatures
        for fate in signature.fates
        if fate.fate is Fate.EXACT
        and (
            fate.grade is Grade.REQUIRED
            or (signature.call_ids and "turn is over" not in fate.note)
        )
    ]


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(conversations, st.data(), st.sampled_from(sorted(MISTAKES)))
def test_one_mistake_is_found_where_it_was_made(
    steps: tuple[Step, ...], data: Any, mistake: str
) -> None:
    _, ledger = judged(steps)
    chances = insisted(ledger)
    if not chances:
        return
    signature, old = data.draw(st.sampled_from(chances))
    sent = ledger.sent_in(old.step, signature)
    value = sent[0].value
    broken = [
        with_mistake(step, value, mistake) if step.number == old.step else step
        for step in steps
        if step.number <= old.step
    ]
    readings, after = judged(broken)
    found = after.received_in(signature.step or 0)
    (same,) = [s for s in found if s.sha256 == signature.sha256]
    fate = same.fate_in(old.step)
    assert fate is not None
    assert str(fate.fate) == mistake
    assert fate.grade is old.grade
    if old.grade is not Grade.REQUIRED:
        return
    findings = check_session(readings, after, {})
    assert [f for f in findings if f.step == old.step and is_at(f, sent[0].pointer)]


def is_at(finding: Finding, pointer: str) -> bool:
    """Whether a finding is about the message that should hold the signature."""
    depth = 3 if pointer.startswith("/request/") else 2
    message = parse(pointer)[:depth]
    return tuple(parse(finding.pointer)[:depth]) == tuple(message)
