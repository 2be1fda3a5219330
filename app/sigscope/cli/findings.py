"""Findings as a compiler prints them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sigscope.cli.console import Console
from sigscope.cli.excerpt import excerpt_at
from sigscope.cli.keymask import KeyMask
from sigscope.edits.notation import describe
from sigscope.engine.sessions.document import Document
from sigscope.jsontext import JsonText
from sigscope.ledger.unjudged import NO_REQUEST
from sigscope.reader import Reading
from sigscope.rules.findings import Finding, Severity
from sigscope.rules.groups import FindingGroup

STYLES = {"error": "bad", "warning": "warn", "info": "info"}


def print_group(
    group: FindingGroup,
    document: Document,
    name: str,
    console: Console,
    mask: KeyMask,
) -> None:
    """The first finding, and how many more there are like it, and where. `mask`: for
    what stands at its place; its own words are masked already."""
    print_finding(group.first, document, name, console, mask, group.likewise)


def print_finding(
    finding: Finding,
    document: Document,
    name: str,
    console: Console,
    mask: KeyMask,
    likewise: str = "",
) -> None:
    """File, step, pointer, excerpt, message, fix."""
    reading = document.reading(finding.step)
    word = console.style(
        f"{finding.severity}[{finding.rule}]", STYLES[finding.severity]
    )
    console.data(f"{word} {console.style(finding.message, 'bold')}")
    place = finding.pointer or "(whole body)"
    console.data(f"  --> {name}: step {finding.step}, {_side(finding)} {place}")
    text = _text(finding, reading)
    if text is not None:
        found = excerpt_at(text, finding.pointer, mask.body)
        if found is not None and found.line.strip():
            console.data(f"   | {found.line}")
            carets = console.style(found.carets, STYLES[finding.severity])
            console.data(f"   | {carets}")
    if finding.candidates:
        others = ", ".join(finding.candidates)
        console.data(f"   = or: {others}")
    console.data(f"   = basis: {finding.basis}")
    for edit in finding.fix or ():
        console.data(f"   = fix: {edit.label or describe(edit)}")
    if finding.has_no_cure:
        console.data("   = fix: none is certain from this recording")
    if likewise:
        console.data(f"   = likewise: {likewise} (--each shows them all)")
    console.data(f"   = more: sigscope explain {finding.rule}")
    console.data()


def _side(finding: Finding) -> str:
    if not finding.in_response:
        return "request"
    return "response" if finding.event is None else f"event {finding.event}"


def _text(finding: Finding, reading: Reading) -> JsonText | None:
    """The JSON that the pointer names a node of; None where it is no single text."""
    if not finding.in_response:
        return reading.request_text
    if finding.event is not None:
        return JsonText(reading.events[finding.event - 1].data)
    return None if reading.is_streamed else reading.response_text


def summary(findings: Sequence[Finding], document: Document, console: Console) -> str:
    """The last line: counts, and what was looked at."""
    counts = Counter(finding.severity for finding in findings)
    steps = len(document.steps)
    known = sum(1 for reading in document.readings if reading.dialect)
    words = [
        console.style(
            f"{counts[severity]} {severity}{'s' * (counts[severity] != 1)}",
            STYLES[severity],
        )
        for severity in Severity
        if counts[severity]
    ]
    left = sum(len(group.steps) for group in document.unjudged)
    bare = {
        step for g in document.unjudged if g.reason in NO_REQUEST for step in g.steps
    }
    seen = f"{steps} step{'s' * (steps != 1)}, {known} of a known dialect"
    if left:
        seen += f", {console.style(f'{left} not judged', 'warn')}"
    nothing = "no findings" if known > len(bare) else "nothing was judged"
    if steps and not (words or known or left):
        seen = f"{steps} step{'s' * (steps != 1)}, none of them a call of a model"
    return f"{', '.join(words) or nothing} in {seen}"
