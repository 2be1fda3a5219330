"""Findings of one fault are told once."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from sigscope.edits.notation import parse
from sigscope.rules import groups
from sigscope.rules.base import Claim, Subject
from sigscope.rules.findings import Confidence, Finding, Severity
from sigscope.rules.groups import ALIKE, group_findings
from sigscope.rules.losses import told_as_one


def finding(step: int, message: str, severity: Severity = Severity.WARNING) -> Finding:
    return Finding(
        rule="CPC-1",
        severity=severity,
        confidence=Confidence.REPORTED,
        step=step,
        pointer=f"/messages/{step}",
        message=message,
    )


def lost(step: int) -> Finding:
    return finding(step, f"reasoning_opaque {step:06x} is missing ({step}. block)")


def test_what_differs_by_ids_and_numbers_is_one_group() -> None:
    (group,) = group_findings(map(lost, range(2, 40)))
    assert group.first.step == 2
    assert group.steps == tuple(range(3, 40))
    assert group.likewise == "37 more like it, in steps 3-39"


def test_a_message_that_comes_in_each_step_is_looked_through_once() -> None:
    before = groups._common_words.cache_info().misses
    again = [finding(step, f"block {step % 10} of 10,000 lost") for step in range(500)]
    (group,) = group_findings(again)
    assert len(group.others) == 499
    assert groups._common_words.cache_info().misses - before <= 10


def test_a_fingerprint_of_letters_is_an_id_too() -> None:
    odd = finding(40, "reasoning_opaque abebaf is missing (40. block)")
    (group,) = group_findings([*map(lost, range(2, 40)), odd])
    assert group.steps[-1] == 40


def test_a_few_are_told_one_by_one() -> None:
    groups = group_findings(map(lost, range(2, 1 + ALIKE)))
    assert [group.first.step for group in groups] == [2, 3, 4]
    assert not any(group.others or group.likewise for group in groups)


def test_another_fault_stands_alone_where_it_was_found() -> None:
    other = finding(5, "content is an empty list", Severity.ERROR)
    found = [*map(lost, range(2, 6)), other, *map(lost, range(6, 20))]
    groups = group_findings(found)
    assert [group.first for group in groups] == [found[0], other]


def test_errors_are_not_hidden_behind_warnings() -> None:
    warned = [lost(step) for step in range(2, 9)]
    refused = finding(9, warned[0].message, Severity.ERROR)
    groups = group_findings([*warned, refused])
    assert [group.first for group in groups] == [warned[0], refused]


def test_no_finding_is_left_out() -> None:
    found = [*map(lost, range(2, 30)), finding(7, "something else entirely")]
    groups = group_findings(found)
    told = [each for group in groups for each in (group.first, *group.others)]
    assert sorted(map(id, told)) == sorted(map(id, found))


def test_what_is_said_of_ever_more_messages_is_one_group() -> None:
    subject = SimpleNamespace(
        is_accepted=True, once_in_session=lambda look: look(subject)
    )
    found = []
    for step in range(2, 9):
        claims = [Claim(f"/messages/{n}", lost(n).message) for n in range(1, step)]
        (told,) = told_as_one(cast(Subject, subject), claims)
        found.append(finding(step, told.said))
    assert len({one.message.count("/messages/") for one in found}) == 3
    (group,) = group_findings(found)
    assert group.likewise == "6 more like it, in steps 3-8"


@pytest.mark.parametrize(
    ("finding", "has_none"),
    [
        (finding(1, "x"), True),
        (replace(finding(1, "x"), fix=(parse("drop /x"),)), False),
        (replace(finding(1, "x"), in_response=True), False),
        (finding(1, "x", Severity.INFO), False),
    ],
)
def test_a_fault_of_a_request_without_a_sure_fix_has_no_cure(
    finding: Finding, has_none: bool
) -> None:
    assert finding.has_no_cure is has_none
