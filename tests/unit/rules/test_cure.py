"""All fixes of a step go together, and cure what they claim to."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

import pytest
from tests.unit.rules.anthropic_cases import (
    assistant,
    loop,
    result,
    says,
    thought,
    use,
    user,
)
from tests.unit.rules.cases import bench, mended

from sigscope.edits.apply import apply
from sigscope.edits.records import Edit, Op
from sigscope.exchange import Exchange
from sigscope.rules.base import Confidence, Finding, Severity
from sigscope.rules.cure import Cure, cure_of

REPLY = (thought(), says("I look."), use("one"), use("two"))
WHOLE = (
    (result("one"), result("two")),
    (says("By the way."), result("one"), result("two")),
)
LACKING = ((result("two"),),)
"""A result that was never sent: nothing can mend that."""


def orders() -> Iterator[tuple[list[Any], ...]]:
    """A reply as clients rebuild it: blocks turned round or left out, in one message
    or in two."""
    altered = (thought(text="Something else."), *REPLY[1:])
    for blocks in (REPLY, REPLY[1:], (REPLY[0], *REPLY[2:]), altered):
        for order in permutations(blocks):
            yield (list(order),)
            for cut in range(1, len(order)):
                yield list(order[:cut]), list(order[cut:])


def sent(among: tuple[tuple[Any, ...], ...]) -> tuple[tuple[Exchange, ...], ...]:
    return tuple(
        loop(*(assistant(*each) for each in order), reply=REPLY, behind=user(*results))
        for order in orders()
        for results in among
    )


def serious(findings: Sequence[Finding]) -> list[Finding]:
    return [f for f in findings if f.severity is Severity.ERROR]


def rounds(
    exchanges: tuple[Exchange, ...], most: int = 3
) -> Iterator[tuple[tuple[Exchange, ...], list[Finding], Cure]]:
    """What is sent, what the rules say to it and their cure: as it was, and with each
    cure, as long as there is one."""
    for _ in range(most + 1):
        found = bench(exchanges)
        findings = list(found.findings(2))
        cure = cure_of(findings, found.readings[1].request_text)
        yield exchanges, findings, cure
        if not cure.edits:
            return
        exchanges = tuple(mended(exchanges, 2, cure.edits))


@pytest.mark.slow
def test_all_fixes_go_together_and_what_one_round_leaves_the_next_mends() -> None:
    """No rule asks again for what it promised, in an anthropic loop that puts calls
    first, thinking and text behind, among others. There is no cure for what was never
    sent, nor for a text behind the calls in a message of its own: the ledger does not
    know whose it is."""
    cases = [(one, 0) for one in sent(WHOLE)] + [(one, 1) for one in sent(LACKING)]
    for sent_first, never_sent in cases:
        (_, findings, cure), *later = rounds(sent_first)
        if later and not never_sent:
            owing = {f.rule for f in findings if not f.fix}
            broken = [f for f in serious(later[0][1]) if f.rule not in owing]
            assert not broken, (sent_first[1], findings, broken)
        if not never_sent:
            assert not cure.set_aside
        exchanges, left, _ = later[-1] if later else (sent_first, findings, cure)
        assert not [finding for finding in left if finding.fix]
        sent_last = json.loads(exchanges[1].request.body.raw)["messages"]
        if len(sent_last) == 3:
            assert len(serious(left)) == never_sent


# --- Which fix gives way --------------------------------------------------------------

BODY = b'{"a": [1, 2], "b": 3}'


def finding(rule: str, *edits: Edit, severity: Severity = Severity.ERROR) -> Finding:
    return Finding(
        rule=rule,
        severity=severity,
        confidence=Confidence.OBSERVED,
        step=1,
        pointer=edits[0].pointer if edits else "",
        message="",
        fix=edits or None,
    )


def put(pointer: str, value: str) -> Edit:
    return Edit(op=Op.SET, pointer=pointer, value=value)


def test_fixes_that_go_together_are_all_made_in_their_order() -> None:
    one, other = put("/a/1", "5"), put("/b", "4")
    cure = cure_of([finding("X-1", one), finding("X-2", other, one)], BODY)
    assert (cure.edits, cure.set_aside) == ((one, other), ())
    assert apply(cure.edits, BODY) == b'{"a": [1, 5], "b": 4}'


def test_the_graver_finding_has_its_way_and_the_other_is_set_aside_whole() -> None:
    whole, inside, beside = put("/a", "[]"), put("/a/1", "5"), put("/b", "4")
    warning = finding("X-1", inside, beside, severity=Severity.WARNING)
    error, clean = finding("X-2", whole), finding("X-3")
    cure = cure_of([warning, error, clean], BODY)
    assert cure.edits == (whole,)
    (left,) = cure.set_aside
    assert (left.finding, left.other) == (warning, error)
    assert left.words.startswith("the fix of X-1 at /a/1 gives way to that of X-2")


@pytest.mark.parametrize("turned", [False, True])
def test_of_two_equally_grave_ones_the_earlier_has_its_way(turned: bool) -> None:
    pair = [finding("X-1", put("/b", "1")), finding("X-2", put("/b", "2"))]
    pair = pair[::-1] if turned else pair
    cure = cure_of(pair, BODY)
    assert cure.edits == pair[0].fix
    assert [left.finding for left in cure.set_aside] == pair[1:]
