"""The evidence as one HTML page that needs nothing from outside: no script, no font.

A policy in its head forbids the browser to load anything, so that even a hole in the
escaping of recorded text could not send it anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.edits.words import describe
from sigscope.export import facts
from sigscope.export.chat import badge, chats
from sigscope.export.elements import Child, Html, document, joined, table, tag
from sigscope.export.figures import joined as in_words
from sigscope.export.overview import overview_drawing
from sigscope.export.paths import paths_drawing
from sigscope.export.records import Evidence
from sigscope.export.story import story as rendered
from sigscope.export.style import CSS
from sigscope.export.timeline import timeline
from sigscope.ledger import Signature
from sigscope.ledger.unjudged import in_steps
from sigscope.refusals import Refusal
from sigscope.rules.findings import Finding
from sigscope.rules.groups import group_findings


def html_file(evidence: Evidence) -> bytes:
    title = evidence.session.title or "A session without a title"
    return document(title, evidence.tool, CSS, _body(evidence, title))


def _body(evidence: Evidence, title: str) -> Iterator[Child]:
    story = evidence.session.story.strip()
    yield tag("h1", title)
    if story:
        yield tag("div", rendered(story), class_="story")
    yield tag("p", facts.in_short(evidence), class_="short")
    strip = overview_drawing(evidence)
    if strip:
        yield tag("h2", "Overview")
        yield strip
    for step, refusal in evidence.refusals.items():
        yield from _error(evidence, step, refusal)
    yield from _fixes(evidence)
    yield tag("h2", "Findings")
    for line in facts.not_judged(evidence):
        yield tag("p", f"{line[0].upper()}{line[1:]}.")
    for line in evidence.remarks:
        yield tag("p", f"Read with a remark: {line}.")
    nothing = tag("p", facts.no_findings(evidence))
    groups = group_findings(evidence.findings)
    yield joined([_finding(g.first, g.likewise) for g in groups]) or nothing
    yield from _runs(evidence)
    drawn = timeline(evidence)
    if drawn:
        yield tag("h2", "Timeline")
        yield drawn
    paths = paths_drawing(evidence)
    if paths:
        yield tag("h2", "Paths of the signatures")
        yield paths
    yield tag("h2", "Steps")
    yield table(facts.STEP_HEAD, facts.step_rows(evidence))
    yield tag("h2", "Signatures")
    rows = [_signature(signature) for signature in evidence.ledger.signatures]
    nothing = tag("p", facts.no_signatures(evidence))
    yield table(facts.SIGNATURE_HEAD, rows) if rows else nothing
    fields = list(facts.field_rows(evidence))
    if fields:
        yield tag("h2", facts.FIELDS_TITLE)
        yield table(facts.FIELD_HEAD, fields)
    yield tag("h2", "Conversation")
    yield joined(chats(evidence))
    yield from _notes(evidence)
    yield tag("h2", "How this was made")
    yield tag("ul", [tag("li", line) for line in facts.making(evidence)])


def _error(evidence: Evidence, step: int, refusal: Refusal) -> Iterator[Html]:
    reading = evidence.reading(step)
    yield tag("h2", f"The error of step {step}")
    yield tag(
        "p",
        tag("code", facts.asked(reading)),
        " was answered with ",
        tag("b", facts.status_of(reading), class_="error-word"),
    )
    yield tag("pre", refusal.text, class_="error")
    if refusal.layers:
        yield tag("p", f"Unwrapped from: {' → '.join(refusal.layers)}", class_="faint")
    for place in facts.places(evidence, step, refusal):
        lead = "It speaks of " if place.is_likeliest else "Or of "
        note = f" {place.note}." if place.note else ""
        pointer = place.pointer or "the whole body"
        rule = f" ({place.rule})" if place.rule else ""
        yield tag("p", lead, tag("code", pointer), f"{rule}.{note}")
        if place.excerpt and place.is_likeliest:
            yield tag("pre", place.excerpt)
    whole = facts.answer_text(evidence, step, refusal)
    if whole and whole.strip() != refusal.text.strip():
        yield tag("details", tag("summary", "The answer as it came"), tag("pre", whole))


def _fixes(evidence: Evidence) -> Iterator[Html]:
    for step, fix in facts.fixes(evidence).items():
        judge = fix.run.upstream if fix.is_live else "the simulator"
        yield tag("h2", f"The confirmed fix of step {step}")
        yield tag(
            "p",
            f"Run {fix.run.number} sent the same request with these changes and was"
            " accepted with ",
            tag("b", str(fix.run.status), class_="good"),
            f", by {judge}:",
        )
        yield tag("pre", [_diff_line(line) for line in fix.lines])


def _diff_line(line: str) -> Html:
    kind = {"-": "del", "+": "ins", "@": "hunk"}.get(line[:1], "hunk")
    return tag("span", line, class_=kind)


def _finding(finding: Finding, likewise: str) -> Html:
    head = tag(
        "p",
        tag("b", f"{finding.severity} {finding.rule}"),
        f", {facts.where(finding)}, ",
        tag("code", finding.pointer or "the whole body"),
    )
    fix = [
        tag("li", edit.label and f"{edit.label}: ", tag("code", describe(edit)))
        for edit in finding.fix or ()
    ]
    return tag(
        "div",
        head,
        tag("p", finding.message),
        tag("p", f"Basis: {finding.basis}", class_="faint"),
        tag("p", f"Or: {', '.join(finding.candidates)}") if finding.candidates else "",
        joined(tag("p", "Fix:"), tag("ul", fix)) if fix else "",
        tag("p", f"Likewise: {likewise}") if likewise else "",
        class_=f"finding {finding.severity}",
    )


def _runs(evidence: Evidence) -> Iterator[Html]:
    if not evidence.session.runs:
        return
    yield tag("h2", "Runs")
    yield table(facts.RUN_HEAD, facts.run_rows(evidence))
    for run in evidence.session.runs:
        if run.contradiction:
            told = f"Run {run.number} contradicts the prediction: {run.contradiction}."
            yield tag("p", tag("b", "Finding"), f": {told}")
    for who, error in facts.told_errors(evidence):
        yield tag("p", who, class_="told")
        yield tag("pre", error, class_="error")


def _signature(signature: Signature) -> list[Child]:
    fates = [
        tag("div", f"{in_steps(part.steps)}: ", badge(signature, part.fate))
        for part in signature.worded
    ]
    return [
        tag("code", signature.id),
        str(signature.kind),
        f"{len(signature.value):,}",
        facts.received(signature),
        facts.hint_words(signature),
        joined(fates),
    ]


def _notes(evidence: Evidence) -> Iterator[Html]:
    if evidence.session.notes:
        yield tag("h2", "Notes")
    for note in evidence.session.notes:
        about = in_words([f"step {note.step}"] if note.step else [])
        yield tag("p", " ".join(filter(None, (about, note.at))), class_="faint")
        yield tag("div", rendered(note.text), class_="story")
