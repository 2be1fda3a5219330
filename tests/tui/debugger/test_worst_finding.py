"""What a session opens on: what is worst in it, not what comes first."""

from __future__ import annotations

from dataclasses import replace

from tests.tui.debugger.desk import studied
from tests.tui.driving import MISSING

from sigscope.rules.findings import Confidence, Finding, Severity
from sigscope.tui.selection import begin_at, worst_finding

ERROR = Finding(
    rule="CPC-1",
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    step=7,
    pointer="/messages/2",
    message="it is missing",
    is_confirmed=True,
)
LIMIT = replace(ERROR, rule="REF-3", step=2, is_echo=True, in_response=True)
DOUBT = replace(ERROR, rule="CPC-4", step=1, severity=Severity.WARNING)
NOTE = replace(ERROR, rule="SES-1", step=1, severity=Severity.INFO)


def test_a_known_cause_comes_before_an_earlier_limit_or_doubt() -> None:
    assert worst_finding((NOTE, DOUBT, LIMIT, ERROR)) == ERROR
    assert worst_finding((DOUBT, LIMIT)) == LIMIT
    assert worst_finding((NOTE, DOUBT)) == DOUBT
    assert worst_finding((NOTE,)) is None


def test_what_the_answer_confirms_comes_first_then_what_is_earlier() -> None:
    unsure = replace(ERROR, step=3, is_confirmed=False)
    later = replace(ERROR, step=9)
    assert worst_finding((unsure, later, ERROR)) == ERROR


def test_a_refusal_that_nothing_explains_comes_before_a_doubt() -> None:
    found = begin_at((DOUBT,), [4, 5])
    assert found is not None
    assert (found.step, found.finding) == (4, None)
    found = begin_at((DOUBT,), [])
    assert found is not None
    assert (found.step, found.finding) == (1, DOUBT)
    assert begin_at((NOTE,), []) is None


def test_the_first_status_of_400_is_left_for_what_is_worse() -> None:
    found = begin_at((LIMIT, ERROR), [2, 7])
    assert found is not None
    assert (found.step, found.finding) == (7, ERROR)


def test_the_debugger_opens_on_the_finding_itself() -> None:
    model, _, _ = studied(MISSING)
    selection = model.selection
    assert selection is not None
    assert selection.step == 2
    assert selection.finding is not None
    assert selection.finding.rule == "CPC-1"
