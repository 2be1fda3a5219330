"""Every rule against the sessions in which it speaks and in which it is silent."""

from __future__ import annotations

import pytest
from tests.unit.rules import refusal_cases, session_cases
from tests.unit.rules.cases import Bad, Bench, Good, bench, mended
from tests.unit.rules.tables import DIALECT_TABLES

from sigscope.conversation import Json
from sigscope.rules.base import Finding, Severity
from sigscope.rules.edits import node
from sigscope.rules.registry import RULES, rule_named

TABLES = (*DIALECT_TABLES, session_cases, refusal_cases)
BAD = [case for table in TABLES for case in table.BAD]
GOOD = [case for table in TABLES for case in table.GOOD]


def bad_id(case: Bad) -> str:
    return f"{case.rule}: {case.id}"


def the_finding(case: Bad, found: Bench) -> Finding:
    findings = [f for f in found.findings(case.step) if f.rule == case.rule]
    there = [f for f in findings if f.pointer == case.pointer]
    assert there, [(f.pointer, f.message) for f in findings] or [
        (f.rule, f.pointer, f.message) for f in found.findings(case.step)
    ]
    return there[0]


VERBS = (
    "take",
    "put",
    "set",
    "restore",
    "insert",
    "move",
    "make",
    "say",
    "send",
    "write",
    "stay",
)


def a_fix_says_what_it_does(case: Bad, found: Bench) -> None:
    """A verb begins it: it is offered as "f take away the result that ..."."""
    for edit in the_finding(case, found).fix or ():
        assert edit.label.split()[0] in VERBS, edit.label


def a_rule_names_the_node_and_the_case(case: Bad, found: Bench) -> None:
    finding = the_finding(case, found)
    for piece in case.says:
        assert piece in finding.message
    assert finding.severity is case.severity
    assert (finding.in_response, finding.event) == (case.in_response, case.event)
    assert finding.is_confirmed == case.is_confirmed


def a_finding_points_at_something_that_is_there(case: Bad, found: Bench) -> None:
    for finding in found.findings(case.step):
        reading = found.readings[case.step - 1]
        body: Json = reading.request_json
        if finding.event is not None:
            body = reading.event_data[finding.event - 1]
        elif finding.in_response:
            body = reading.response_json
        assert (
            finding.pointer == ""
            or node(body, finding.pointer) is not None
            or (_is_null(body, finding.pointer))
        )


def _is_null(body: Json, pointer: str) -> bool:
    above, _, key = pointer.rpartition("/")
    holder = node(body, above)
    return isinstance(holder, dict) and key in holder


def a_fix_applies_and_removes_its_finding(case: Bad, found: Bench) -> None:
    finding = the_finding(case, found)
    if not case.has_fix:
        assert finding.fix is None
        return
    assert finding.fix
    after = bench(mended(case.exchanges, case.step, finding.fix))
    rule = rule_named(case.rule)
    assert rule is not None
    left = [f.pointer for f in rule.check(after.subject(case.step))]
    assert finding.pointer not in left


def all_fixes_of_a_step_apply_together_and_leave_nothing(
    case: Bad, found: Bench
) -> None:
    findings = [f for f in found.findings(case.step) if not f.in_response]
    if not findings or any(f.fix is None for f in findings):
        return
    edits = [edit for finding in findings for edit in finding.fix or ()]
    after = bench(mended(case.exchanges, case.step, edits))
    subject = after.subject(case.step)
    left = [
        (finding.rule, finding.message)
        for rule in RULES
        if subject.wire in rule.dialects
        for finding in rule.check(subject)
        if not finding.in_response
    ]
    assert left == []


def an_exchange_answered_200_earns_no_error(case: Bad, found: Bench) -> None:
    for reading in found.readings:
        if reading.status == 200 and not reading.reply.has_error:
            findings = found.findings(reading.number)
            assert Severity.ERROR not in {f.severity for f in findings}


@pytest.mark.parametrize("case", BAD, ids=bad_id)
def test_of_a_case_in_which_a_rule_speaks(case: Bad) -> None:
    """The session is read once for all that is asked of it."""
    found = bench(case.exchanges)
    a_fix_says_what_it_does(case, found)
    a_rule_names_the_node_and_the_case(case, found)
    a_finding_points_at_something_that_is_there(case, found)
    a_fix_applies_and_removes_its_finding(case, found)
    all_fixes_of_a_step_apply_together_and_leave_nothing(case, found)
    an_exchange_answered_200_earns_no_error(case, found)


@pytest.mark.parametrize("case", GOOD, ids=lambda case: case.id)
def test_a_healthy_session_is_left_alone(case: Good) -> None:
    findings = bench(case.exchanges).all_findings()
    if case.rules:
        said = [f.message for f in findings if f.rule in case.rules]
    else:
        said = [f.message for f in findings if f.severity is not Severity.INFO]
    assert said == []


def test_every_rule_has_a_case_in_which_it_speaks() -> None:
    assert {case.rule for case in BAD} == {rule.code for rule in RULES}
