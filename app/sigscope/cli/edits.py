"""Edits from the command line."""

from __future__ import annotations

import argparse

from sigscope.bisect import Factor
from sigscope.cli.console import Console
from sigscope.edits.notation import parse
from sigscope.edits.records import Edit
from sigscope.engine.sending.factors import fix_factors
from sigscope.engine.sessions.document import Document
from sigscope.errors import UsageError
from sigscope.rules.cure import Cure, cure_of
from sigscope.rules.findings import Finding

TITLE_LENGTH = 120


def collect_edits(document: Document, args: argparse.Namespace) -> tuple[Edit, ...]:
    """--apply-fix, --ready and --edit, in this order."""
    raw = document.request(args.step, args.run).body.raw
    found: list[Edit] = list(_cure(document, args).edits)
    for name in args.ready:
        found.extend(_ready(document, args.step, name))
    found.extend(parse(text, raw) for text in args.edit)
    return tuple(dict.fromkeys(found))


def _cure(document: Document, args: argparse.Namespace) -> Cure:
    """What --apply-fix names. Raises UsageError."""
    if not args.apply_fix:
        return Cure(())
    chosen: dict[Finding, None] = {}
    for code in args.apply_fix:
        chosen.update(dict.fromkeys(_fixed(document, args.step, code)))
    if args.run is None:
        reading = document.reading(args.step)
    else:
        reading = document.run_reading(document.run(args.run))
    return cure_of(chosen, reading.request_text)


def warn_of_the_uncured(
    document: Document, args: argparse.Namespace, console: Console
) -> None:
    """Say which of the findings to be mended offer no fix, or one that gives way to
    another: the request may be refused for them still."""
    for left in _cure(document, args).set_aside:
        console.talk(left.words)
    for code in args.apply_fix:
        for finding in _chosen(document, args.step, code):
            if finding.has_no_cure:
                place = finding.pointer or "the whole body"
                console.talk(
                    f"no fix is certain for {finding.rule} at {place}; the request may"
                    " still be refused for it"
                )


def title_of(document: Document, args: argparse.Namespace) -> str:
    """What a run with these edits is called: rules and names rather than "all"."""
    fixed: list[str] = []
    for code in args.apply_fix:
        fixed.extend(f.rule for f in _chosen(document, args.step, code) if f.fix)
    words = [*dict.fromkeys(fixed), *args.ready, *args.edit]
    return " + ".join(words)[:TITLE_LENGTH]


def _chosen(document: Document, step: int, code: str) -> list[Finding]:
    findings = document.findings_of(step)
    return [f for f in findings if code.lower() in ("all", f.rule.lower())]


def chosen_fixes(document: Document, step: int, code: str) -> tuple[Factor, ...]:
    """The fixes of a rule's findings, each on its own. Raises UsageError."""
    fixed = _fixed(document, step, code)
    edits = {edit for finding in fixed for edit in finding.fix or ()}
    return tuple(f for f in fix_factors(document, step) if edits.issuperset(f.edits))


def _fixed(document: Document, step: int, code: str) -> list[Finding]:
    """The findings of a rule that offer a fix. Raises UsageError without any."""
    findings = document.findings_of(step)
    chosen = _chosen(document, step, code)
    if not chosen and code.lower() != "all":
        present = ", ".join(sorted({f.rule for f in findings})) or "none"
        raise UsageError(
            f"step {step} has no finding of {code}; its findings are: {present}"
        )
    fixed = [finding for finding in chosen if finding.fix]
    if not fixed:
        whose = "" if code.lower() == "all" else f" of {code}"
        raise UsageError(f"no finding{whose} in step {step} offers a fix")
    return fixed


def _ready(document: Document, step: int, name: str) -> list[Edit]:
    from sigscope.engine.sending.ready import ready_edits

    return list(ready_edits(document, step, name))


def list_ready(document: Document, step: int, console: Console) -> None:
    """The ready-made edits that fit a step."""
    from sigscope.engine.sending.ready import applicable_to

    for ready, edits in applicable_to(document, step):
        count = f"{len(edits)} edit{'s' * (len(edits) != 1)}"
        console.data(f"{ready.name:44} {ready.kind:8} {count:9} {ready.title}")
