"""Edits from the command line."""

from __future__ import annotations

import argparse

from sigscope.bisect import Factor
from sigscope.cli.console import Console
from sigscope.edits.records import Edit
from sigscope.engine.sending import choices
from sigscope.engine.sending.factors import fix_factors
from sigscope.engine.sessions.document import Document

TITLE_LENGTH = 120


def collect_edits(document: Document, args: argparse.Namespace) -> tuple[Edit, ...]:
    """--apply-fix, --ready and --edit, in this order."""
    return choices.gathered(
        document,
        args.step,
        fixes=args.apply_fix,
        ready=args.ready,
        texts=args.edit,
        run=args.run,
    )


def warn_of_the_uncured(
    document: Document, args: argparse.Namespace, console: Console
) -> None:
    """Say which of the findings to be mended offer no fix, or one that gives way to
    another: the request may be refused for them still."""
    for left in choices.cure(document, args.step, args.apply_fix, args.run).set_aside:
        console.talk(left.words)
    for code in args.apply_fix:
        for finding in choices.found_by(document, args.step, code):
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
        fixed.extend(
            f.rule for f in choices.found_by(document, args.step, code) if f.fix
        )
    words = [*dict.fromkeys(fixed), *args.ready, *args.edit]
    return " + ".join(words)[:TITLE_LENGTH]


def chosen_fixes(document: Document, step: int, code: str) -> tuple[Factor, ...]:
    """The fixes of a rule's findings, each on its own. Raises UsageError."""
    fixed = choices.fixed(document, step, code)
    edits = {edit for finding in fixed for edit in finding.fix or ()}
    return tuple(f for f in fix_factors(document, step) if edits.issuperset(f.edits))


def list_ready(document: Document, step: int, console: Console) -> None:
    """The ready-made edits that fit a step."""
    from sigscope.engine.sending.ready import applicable_to

    for ready, edits in applicable_to(document, step):
        count = f"{len(edits)} edit{'s' * (len(edits) != 1)}"
        console.data(f"{ready.name:44} {ready.kind:8} {count:9} {ready.title}")
