"""The evidence as one Markdown page: to paste into an issue, to attach to a mail.

Recorded text is fenced, so that nothing in it becomes markup of the page.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.edits.words import describe
from sigscope.export import facts
from sigscope.export.figures import joined
from sigscope.export.markup import code, fenced, prose, quoted, table
from sigscope.export.records import Evidence
from sigscope.refusals import Refusal
from sigscope.rules.findings import Finding, Severity
from sigscope.rules.groups import group_findings


def report_file(evidence: Evidence) -> bytes:
    blocks = [
        *_opening(evidence),
        *_errors(evidence),
        *_fixes(evidence),
        *_findings(evidence),
        *_runs(evidence),
        *_steps(evidence),
        *_signatures(evidence),
        *_fields(evidence),
        *_notes(evidence),
        *_making(evidence),
    ]
    text = "\n\n".join(block for block in blocks if block) + "\n"
    return text.encode("utf-8", "backslashreplace")


def _opening(evidence: Evidence) -> Iterator[str]:
    session = evidence.session
    yield f"# {prose(session.title) or 'A session without a title'}"
    if session.story.strip():
        yield quoted(session.story.strip())
    yield f"**In short:** {prose(facts.in_short(evidence))}"


# --- Errors ---------------------------------------------------------------------------


def _errors(evidence: Evidence) -> Iterator[str]:
    if not evidence.refusals:
        return
    yield "## The error" if len(evidence.refusals) == 1 else "## The errors"
    for step, refusal in evidence.refusals.items():
        yield from _error(evidence, step, refusal)


def _error(evidence: Evidence, step: int, refusal: Refusal) -> Iterator[str]:
    reading = evidence.reading(step)
    inside = f", in event {refusal.event} of the stream" if refusal.event else ""
    yield (
        f"**Step {step}**, {code(facts.asked(reading))}, was answered with"
        f" **{facts.status_of(reading)}**{inside}:"
    )
    yield fenced(refusal.text, "text")
    facts_known = [
        f"Code: {code(refusal.code)}." if refusal.code else "",
        f"Unwrapped from: {prose(' → '.join(refusal.layers))}."
        if refusal.layers
        else "",
        f"Raised by: {prose(refusal.provider)}." if refusal.provider else "",
    ]
    yield " ".join(filter(None, facts_known))
    found = list(facts.places(evidence, step, refusal))
    if not found:
        rules = ", ".join(dict.fromkeys(match.rule for match in refusal.matches))
        if rules:
            yield f"Its words are those of rule {rules}; they name no place."
    for place in found:
        lead = "It speaks of" if place.is_likeliest else "Or of"
        note = f" {prose(place.note)}." if place.note else ""
        rule = f" ({place.rule})" if place.rule else ""
        yield f"{lead} {code(place.pointer) or 'the whole body'}{rule}.{note}"
        if place.excerpt and place.is_likeliest:
            yield fenced(place.excerpt, "json")
    causes = [
        f"{code(finding.pointer) or 'the whole body'} ({finding.rule})"
        for finding in evidence.findings
        if finding.step == step
        and finding.severity is Severity.ERROR
        and not finding.in_response
        and not finding.is_echo
    ]
    if causes:
        yield f"The rules find the cause at {joined(list(dict.fromkeys(causes)))}."
    whole = facts.answer_text(evidence, step, refusal)
    if whole and whole.strip() != refusal.text.strip():
        yield "The answer as it came:"
        yield fenced(whole, "json")


# --- The fix --------------------------------------------------------------------------


def _fixes(evidence: Evidence) -> Iterator[str]:
    for step, fix in facts.fixes(evidence).items():
        judge = f"by {code(fix.run.upstream)}" if fix.is_live else "by the simulator"
        yield f"## The confirmed fix of step {step}"
        yield (
            f"Run {fix.run.number} sent the same request with these changes and was"
            f" accepted with **{fix.run.status}**, {judge}:"
        )
        yield fenced("\n".join(fix.lines), "diff")


# --- Findings and runs ----------------------------------------------------------------


def _findings(evidence: Evidence) -> Iterator[str]:
    yield "## Findings"
    for line in facts.not_judged(evidence):
        yield f"{prose(line[0].upper() + line[1:])}."
    for line in evidence.remarks:
        yield f"Read with a remark: {prose(line)}."
    if not evidence.findings:
        yield facts.no_findings(evidence)
    for group in group_findings(evidence.findings):
        yield _finding(group.first, group.likewise)


def _finding(finding: Finding, likewise: str) -> str:
    place = code(finding.pointer) or "the whole body"
    lines = [
        f"- **{finding.severity} {finding.rule}**, {facts.where(finding)}, {place}:"
        f" {prose(finding.message)}",
        f"  - Basis: {prose(finding.basis)}",
    ]
    if finding.candidates:
        others = ", ".join(code(pointer) for pointer in finding.candidates)
        lines.append(f"  - Or: {others}")
    for edit in finding.fix or ():
        label = f" ({prose(edit.label)})" if edit.label else ""
        lines.append(f"  - Fix: {code(describe(edit))}{label}")
    if likewise:
        lines.append(f"  - Likewise: {likewise}")
    return "\n".join(lines)


def _runs(evidence: Evidence) -> Iterator[str]:
    if not evidence.session.runs:
        return
    yield "## Runs"
    rows = [
        (*map(prose, row[:2]), code(row[2]), *map(prose, row[3:]))
        for row in facts.run_rows(evidence)
    ]
    yield table(facts.RUN_HEAD, rows)
    for run in evidence.session.runs:
        if run.contradiction:
            told = prose(run.contradiction)
            yield f"**Finding**: run {run.number} contradicts the prediction: {told}."
    for who, error in facts.told_errors(evidence):
        yield f"{who}\n\n{fenced(error, 'text')}"


# --- What was recorded ----------------------------------------------------------------


def _steps(evidence: Evidence) -> Iterator[str]:
    yield "## Steps"
    rows = [
        (row[0], prose(row[1]), *map(code, row[2:5]), *map(prose, row[5:]))
        for row in facts.step_rows(evidence)
    ]
    yield table(facts.STEP_HEAD, rows)


def _signatures(evidence: Evidence) -> Iterator[str]:
    yield "## Signatures"
    signatures = evidence.ledger.signatures
    if not signatures:
        yield facts.no_signatures(evidence)
        return
    rows = [
        (
            code(signature.id),
            str(signature.kind),
            f"{len(signature.value):,}",
            code(facts.received(signature)),
            prose(facts.hint_words(signature)),
            "<br>".join(prose(facts.fate_words(part)) for part in signature.worded),
        )
        for signature in signatures
    ]
    yield table(facts.SIGNATURE_HEAD, rows)


def _fields(evidence: Evidence) -> Iterator[str]:
    rows = [tuple(map(code, row)) for row in facts.field_rows(evidence)]
    if rows:
        yield f"## {facts.FIELDS_TITLE}"
        yield table(facts.FIELD_HEAD, rows)


def _notes(evidence: Evidence) -> Iterator[str]:
    if not evidence.session.notes:
        return
    yield "## Notes"
    for note in evidence.session.notes:
        about = f"step {note.step}, " if note.step else ""
        yield f"{prose(about + note.at)}:\n\n{quoted(note.text)}"


def _making(evidence: Evidence) -> Iterator[str]:
    yield "## How this was made"
    yield "\n".join(f"- {prose(line)}" for line in facts.making(evidence))
