"""Running every rule over a session, and weighing what they say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from sigscope.ledger import Ledger
from sigscope.reading import Reading
from sigscope.refusals import Refusal, confirms
from sigscope.rules.base import Confidence, Finding, Rule, Severity, Subject
from sigscope.rules.registry import RULES

ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


def check_session(
    readings: Sequence[Reading],
    ledger: Ledger,
    refusals: Mapping[int, Refusal],
    rules: Sequence[Rule] = RULES,
) -> tuple[Finding, ...]:
    """Findings of all steps, by step, the worst first."""
    by_number = {reading.number: reading for reading in readings}
    found: list[Finding] = []
    for reading in readings:
        subject = Subject(
            reading=reading,
            ledger=ledger,
            readings=by_number,
            error=refusals.get(reading.number),
        )
        found.extend(check_step(subject, rules))
    return tuple(found)


def check_step(subject: Subject, rules: Sequence[Rule] = RULES) -> list[Finding]:
    """Findings of one step, weighed against its answer, the worst first."""
    raw = [
        finding
        for rule in rules
        if _concerns(rule, subject)
        for finding in _run(rule, subject)
    ]
    unique: dict[tuple[str, str, str | None], Finding] = {}
    for finding in raw:
        place = (finding.rule, finding.pointer, finding.signature)
        unique.setdefault(place, weigh(finding, subject))
    return sorted(unique.values(), key=lambda f: ORDER[f.severity])


def _concerns(rule: Rule, subject: Subject) -> bool:
    dialect = subject.reading.dialect
    if rule.needs_error:
        return subject.error is not None
    return dialect is not None and dialect.name in rule.dialects


def _run(rule: Rule, subject: Subject) -> Iterator[Finding]:
    """A rule that crashes becomes a finding: one bad rule must not hide the others."""
    try:
        yield from rule.check(subject)
    except Exception as error:  # noqa: BLE001 - see above
        yield Finding(
            rule=rule.code,
            severity=Severity.INFO,
            confidence=Confidence.INFERRED,
            step=subject.step,
            pointer="",
            message=f"this rule failed on this step ({type(error).__name__}: {error});"
            " please report it with the session",
        )


def weigh(finding: Finding, subject: Subject) -> Finding:
    """Set a finding against the recorded answer.

    Accepted requests earn no error. A refusal in this rule's words confirms it, and
    makes an error of a finding about a contested or inferred fact too. Without either,
    an inferred fact warns at most.
    """
    if finding.in_response:
        return finding
    if subject.reading.is_accepted:
        return _at_most(finding, Severity.WARNING)
    if subject.error and confirms(subject.error, finding.rule):
        return replace(finding, severity=Severity.ERROR, is_confirmed=True)
    if finding.confidence is Confidence.INFERRED:
        return _at_most(finding, Severity.WARNING)
    return finding


def _at_most(finding: Finding, severity: Severity) -> Finding:
    if ORDER[finding.severity] >= ORDER[severity]:
        return finding
    return replace(finding, severity=severity)


def worst(findings: Iterable[Finding]) -> Severity | None:
    """The worst severity among findings; None if there are none."""
    return min((f.severity for f in findings), key=ORDER.__getitem__, default=None)
