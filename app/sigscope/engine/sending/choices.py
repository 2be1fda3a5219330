"""Edits as users name them: fixes of rules, ready-made edits, and single ones."""

from __future__ import annotations

from collections.abc import Sequence

from sigscope.edits.notation import parse
from sigscope.edits.records import Edit
from sigscope.engine.sessions.document import Document
from sigscope.errors import UsageError
from sigscope.rules.cure import Cure, cure_of
from sigscope.rules.findings import Finding

ALL = "all"
"""In place of a rule: those of every finding."""


def gathered(
    document: Document,
    step: int,
    *,
    fixes: Sequence[str] = (),
    ready: Sequence[str] = (),
    texts: Sequence[str] = (),
    run: int | None = None,
) -> tuple[Edit, ...]:
    """Fixes, ready-made edits and those written out, in this order, each once.

    `run`: the run whose request is edited further. Raises UsageError and EditError.
    """
    from sigscope.engine.sending.ready import ready_edits

    raw = document.request(step, run).body.raw
    found: list[Edit] = list(cure(document, step, fixes, run).edits)
    for name in ready:
        found.extend(ready_edits(document, step, name))
    found.extend(parse(text, raw) for text in texts)
    return tuple(dict.fromkeys(found))


def cure(
    document: Document, step: int, fixes: Sequence[str], run: int | None = None
) -> Cure:
    """What these rules' fixes come to together. Raises UsageError."""
    if not fixes:
        return Cure(())
    chosen: dict[Finding, None] = {}
    for code in fixes:
        chosen.update(dict.fromkeys(fixed(document, step, code)))
    if run is None:
        reading = document.reading(step)
    else:
        reading = document.run_reading(document.run(run))
    return cure_of(chosen, reading.request_text)


def found_by(document: Document, step: int, code: str) -> list[Finding]:
    """The findings of a rule, or "all", in a step."""
    findings = document.findings_of(step)
    return [f for f in findings if code.lower() in (ALL, f.rule.lower())]


def fixed(document: Document, step: int, code: str) -> list[Finding]:
    """Those of them that offer a fix. Raises UsageError where there is none."""
    chosen = found_by(document, step, code)
    if not chosen and code.lower() != ALL:
        findings = document.findings_of(step)
        present = ", ".join(sorted({f.rule for f in findings})) or "none"
        raise UsageError(
            f"step {step} has no finding of {code}; its findings are: {present}"
        )
    offering = [finding for finding in chosen if finding.fix]
    if not offering:
        whose = "" if code.lower() == ALL else f" of {code}"
        raise UsageError(f"no finding{whose} in step {step} offers a fix")
    return offering
