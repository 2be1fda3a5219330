"""Running every rule over a session, and weighing what they say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sigscope import extensions
from sigscope.ledger import Ledger
from sigscope.reader import Reading
from sigscope.refusals import Refusal, RefusalMatch
from sigscope.refusals.kinship import KIN
from sigscope.rules.base import Confidence, Finding, Rule, Severity, Subject
from sigscope.rules.registry import RULES
from sigscope.rules.retries import Retry, accepted_again
from sigscope.rules.words import named, short

LONGEST = 600
"""Characters of the service's sentence in a message."""
ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


def check_session(
    readings: Sequence[Reading],
    ledger: Ledger,
    refusals: Mapping[int, Refusal],
    rules: Sequence[Rule] = RULES,
) -> tuple[Finding, ...]:
    """Findings of all steps, by step, the worst first."""
    found: list[Finding] = []
    for subject in subjects_of(readings, ledger, refusals, {}):
        found.extend(check_step(subject, rules))
    return tuple(found)


def check_alone(
    step: int,
    readings: Sequence[Reading],
    ledger: Ledger,
    refusals: Mapping[int, Refusal],
) -> tuple[Finding, ...]:
    """What is said of one of the steps, the worst first."""
    subjects = subjects_of(readings, ledger, refusals, {})
    subject = next(each for each in subjects if each.step == step)
    return tuple(check_step(subject))


def subjects_of(
    readings: Sequence[Reading],
    ledger: Ledger,
    refusals: Mapping[int, Refusal],
    shared: dict[object, object],
) -> Iterator[Subject]:
    """Each step, as rules look at it; `shared` is that of `Subject`."""
    by_number = {reading.number: reading for reading in readings}
    for reading in readings:
        yield Subject(
            reading=reading,
            ledger=ledger,
            readings=by_number,
            error=refusals.get(reading.number),
            shared=shared,
        )


def check_step(subject: Subject, rules: Sequence[Rule] = RULES) -> list[Finding]:
    """Findings of one step, weighed against its answer, the worst first."""
    unique: dict[tuple[str, str, str | None], Finding] = {}
    failed: list[Finding] = []
    """Of rules that crashed: the answer's words are none of theirs."""
    for rule in _asked(rules, subject):
        for finding in _run(rule, subject, failed):
            place = (finding.rule, finding.pointer, finding.signature)
            unique.setdefault(place, weigh(finding, subject))
    found = _with_answer(subject, rules, list(unique.values()))
    if not _is_explained(subject, found):
        subject = replace(subject, suspects=_suspects(found))
        for rule in rules:
            if rule.is_last_word and _concerns(rule, subject):
                found.extend(_run(rule, subject, failed))
    return sorted([*found, *failed], key=lambda f: ORDER[f.severity])


def said_by(rules: Sequence[Rule], subject: Subject) -> tuple[Finding, ...]:
    """What some rules say of a step before it is weighed; they are none of those that
    others make silent."""
    failed: list[Finding] = []
    concerned = (rule for rule in rules if _concerns(rule, subject))
    found = [f for rule in concerned for f in _run(rule, subject, failed)]
    return (*found, *failed)


def _asked(rules: Sequence[Rule], subject: Subject) -> list[Rule]:
    """Those that speak of a step, but for the ones that have the last word."""
    concerned = [r for r in rules if not r.is_last_word and _concerns(r, subject)]
    silent = {code for r in concerned if _is_its(r, subject) for code in r.instead_of}
    return [rule for rule in concerned if rule.code not in silent]


def _suspects(found: Sequence[Finding]) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            finding.rule
            for finding in found
            if finding.severity is not Severity.INFO and not finding.in_response
        )
    )


def _concerns(rule: Rule, subject: Subject) -> bool:
    if subject.wire in rule.dialects:
        return True
    return rule.hears_all_errors and subject.error is not None


def _is_its(rule: Rule, subject: Subject) -> bool:
    """Whether the service that has a rule of its own is asked, or heard."""
    is_asked = bool(rule.service) and rule.service == subject.reading.service
    return is_asked or rule.code in subject.heard


def _run(rule: Rule, subject: Subject, failed: list[Finding]) -> Iterator[Finding]:
    """A rule that crashes becomes a finding: one bad rule must not hide the others, nor
    may what it would have said be taken for nothing. One of somebody's extension is a
    remark: it says nothing about the client."""
    try:
        yield from rule.findings(subject)
    except Exception as error:  # noqa: BLE001 - see above
        maker = extensions.maker(rule) if extensions.blamed(rule, error) else None
        whose = f", of the extension {maker}," if maker else ""
        where = "to its author" if maker else "with the session"
        failed.append(
            Finding(
                rule=rule.code,
                severity=Severity.INFO if maker else Severity.WARNING,
                confidence=Confidence.INFERRED,
                step=subject.step,
                pointer="",
                message=f"this rule{whose} failed on this step"
                f" ({type(error).__name__}: {error}), so it judged nothing here; please"
                f" report it {where}",
            )
        )


def weigh(finding: Finding, subject: Subject) -> Finding:
    """Set a finding against the recorded answer.

    Accepted requests earn no error. A refusal in this rule's words makes an error of a
    finding about a contested or inferred fact too, and confirms it where it points at
    this node or at none. Without either, an inferred fact warns at most.
    """
    if finding.in_response:
        return finding
    if subject.is_accepted:
        return _at_most(finding, Severity.WARNING)
    retry = accepted_again(subject)
    if retry is not None and retry.is_same:
        return _came_through(finding, retry)
    heard = _heard(subject, finding.rule)
    if heard and finding.severity is not Severity.INFO:
        there = [match for match in heard if _points_at(match, finding.pointer)]
        said = replace(finding, severity=Severity.ERROR)
        if any(match.fits for match in there):
            return replace(said, is_confirmed=True)
        notes = dict.fromkeys(match.note for match in there if match.note)
        return replace(said, message="; ".join((finding.message, *notes)))
    if finding.confidence is Confidence.INFERRED:
        return _at_most(finding, Severity.WARNING)
    return finding


def _came_through(finding: Finding, retry: Retry) -> Finding:
    """What the service accepted when the very same request came again."""
    if finding.severity is not Severity.ERROR:
        return finding
    words = f"{finding.message}; {retry.words}"
    return replace(finding, severity=Severity.WARNING, message=words)


def _heard(subject: Subject, rule: str) -> list[RefusalMatch]:
    """What the answer says in this rule's words, or in those of its kin."""
    if subject.error is None:
        return []
    words = {rule, *KIN.get(rule, ())}
    return [match for match in subject.error.matches if match.rule in words]


def _points_at(match: RefusalMatch, pointer: str) -> bool:
    """Whether an error's words are about this node, one inside it, one around it, or
    another member of the same object."""
    if not match.pointers:
        return match.fits
    return any(
        there == pointer
        or there.startswith(pointer + "/")
        or pointer.startswith(there + "/")
        or _are_members_of_one(there, pointer)
        for there in match.pointers
    )


def _are_members_of_one(one: str, other: str) -> bool:
    above, _, name = one.rpartition("/")
    over, _, last = other.rpartition("/")
    return above == over and not (name.isdecimal() or last.isdecimal())


def _at_most(finding: Finding, severity: Severity) -> Finding:
    if ORDER[finding.severity] >= ORDER[severity]:
        return finding
    return replace(finding, severity=severity)


def _with_answer(
    subject: Subject, rules: Sequence[Rule], found: list[Finding]
) -> list[Finding]:
    """The findings, and what the service complained of and no rule found by itself.

    A finding in the very event that brought the error is the complaint. Else the words
    of the error are all there is: the nodes they point at, and no fix.
    """
    error = subject.error
    if error is None or _is_explained(subject, found):
        return found
    known = {rule.code: rule for rule in rules}
    for match in error.matches:
        if match.rule not in known:
            continue
        if error.event is not None:
            here = [f for f in found if _tells_of(f, match, error.event)]
            if here:
                told = [_passed_on(finding, subject) for finding in here]
                return [*told, *(f for f in found if f not in here)]
        subject = replace(subject, suspects=_suspects(found))
        finding = _echo(subject, known[match.rule], match, error)
        return [*found, _passed_on(finding, subject)]
    return found


def _is_explained(subject: Subject, found: Sequence[Finding]) -> bool:
    """Whether a finding tells the cause of the error: it points where the answer does,
    or where its words can only mean, though the place they name does not fit."""
    if any(finding.is_confirmed for finding in found):
        return True
    return any(
        finding.severity is Severity.ERROR and _points_at(match, finding.pointer)
        for finding in found
        for match in _heard(subject, finding.rule)
    )


def _tells_of(finding: Finding, match: RefusalMatch, event: int) -> bool:
    return finding.in_response and finding.rule == match.rule and finding.event == event


def _echo(subject: Subject, rule: Rule, match: RefusalMatch, error: Refusal) -> Finding:
    first, *others = match.pointers or ("",)
    return Finding(
        rule=rule.code,
        severity=Severity.ERROR,
        confidence=rule.confidence,
        step=subject.step,
        pointer=first,
        message=_words(error, match, subject.suspects),
        candidates=tuple(others),
        is_echo=True,
        spoken=tuple(match.rule for match in error.matches),
    )


def _passed_on(finding: Finding, subject: Subject) -> Finding:
    """A complaint of the service: an error, unless it came through when sent again."""
    said = replace(finding, severity=Severity.ERROR, is_confirmed=True)
    retry = accepted_again(subject)
    if retry is None:
        return said
    words = f"{finding.message}; {retry.words}"
    return replace(said, severity=Severity.WARNING, message=words)


def _words(error: Refusal, match: RefusalMatch, suspects: Sequence[str]) -> str:
    text = " ".join(error.text.split())
    perhaps = f", perhaps for what {named(suspects)} found" if suspects else ""
    said = f"the service refused this{perhaps}: {short(text, LONGEST)}"
    return f"{said} ({match.note})" if match.note else said
