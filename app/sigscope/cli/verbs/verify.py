"""Was it fixed? Lay a new recording of the same conversation beside the old one.

  sigscope verify before.har after.har
  sigscope verify zed-copilot-attempt-1 zed-copilot-final-fix
  sigscope verify OLD NEW --json

Steps are found again by what they say, not by ids: word for word, or, where the model
answered otherwise, by what the user said and which functions were called. A finding is
gone where the step was recorded again, the service took it, and no rule says it any
more; what the new recording does not reach cannot be told.

Errors count; warnings count where OLD has no errors, or with --strict.
Exit code 0 if all that counts is gone; 1 if something is left, is new, or cannot be
told.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from sigscope.cli.console import Console
from sigscope.cli.options import add_dialect, add_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sigscope.engine.sessions.document import Document
    from sigscope.verification import Verification
    from sigscope.verification.records import ReviewedFinding, ReviewedSignature

HELP = "was it fixed: what is gone, left, new in a new recording"
_STYLES = {"gone": "good", "left": "bad", "new": "bad", "cannot be told": "warn"}
_TRAVEL_STYLES = {
    "travels now": "good",
    "still lost": "bad",
    "cannot be told": "warn",
}
_VERDICT_STYLES = {
    "fixed": "good",
    "nothing was wrong": "good",
    "cannot be told": "warn",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """OLD, NEW, --format, --dialect, --strict, --json."""
    parser.add_argument(
        "file", metavar="OLD", help="the recording in which something was wrong"
    )
    parser.add_argument(
        "new", metavar="NEW", help="the same conversation with the changed client"
    )
    parser.add_argument(
        "--format", metavar="NAME", help="take OLD as this format, whatever it holds"
    )
    add_dialect(parser)
    parser.add_argument(
        "--strict", action="store_true", help="warnings count beside errors, too"
    )
    add_json(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Print what became of everything; 0 if it was fixed."""
    from sigscope.cli.documents import open_document, open_other, refuse_stdin_twice
    from sigscope.cli.reservations import print_reservations
    from sigscope.engine.engine import Engine
    from sigscope.engine.sessions.verifications import verification_table

    refuse_stdin_twice(args.file, args.new)
    old = open_document(args, console)
    new = open_other(args.new, args, console)
    found = _without_keys(Engine().verify(old, new, is_strict=args.strict), old, new)
    console.verdict = 0 if found.is_fine else 1
    if args.json:
        console.json(verification_table(found))
    else:
        _print(found, console)
        print_reservations(old, None, console, of="OLD")
        print_reservations(new, None, console, of="NEW")
    return console.verdict


def _without_keys(found: Verification, old: Document, new: Document) -> Verification:
    """Findings without the keys of the refusals that they quote; each is of the old
    recording, if it is there."""
    from sigscope.cli.keymask import KeyMask

    masks = KeyMask(old), KeyMask(new)

    def masked(row: ReviewedFinding) -> ReviewedFinding:
        (finding,) = masks[not row.old].findings((row.finding,))
        return replace(row, finding=finding)

    return replace(found, findings=tuple(map(masked, found.findings)))


def _print(found: Verification, console: Console) -> None:
    from sigscope.engine.sessions.verifications import matched_words

    console.data(matched_words(found.match))
    for alike in _alike(found.findings):
        _print_finding(alike, console)
    for signature in found.signatures:
        _print_signature(signature, console)
    word = console.style(
        found.verdict.value, _VERDICT_STYLES.get(found.verdict.value, "bad")
    )
    console.data(f"{word}: {found.why}")


def _alike(rows: Iterable[ReviewedFinding]) -> list[list[ReviewedFinding]]:
    """Findings of one rule that had one fate, for the same reason, together."""
    found: dict[tuple[str, ...], list[ReviewedFinding]] = {}
    for row in rows:
        key = (row.state, row.finding.rule, row.finding.severity, row.why)
        found.setdefault(key, []).append(row)
    return list(found.values())


def _print_finding(alike: list[ReviewedFinding], console: Console) -> None:
    row, *others = alike
    finding = row.finding
    state = console.style(row.state.value, _STYLES[row.state.value])
    aside = "" if row.counts else " (does not count; --strict makes it)"
    console.data(f"{state} {finding.severity}[{finding.rule}] {finding.message}{aside}")
    places = [
        f"{side} step{'s' * (len(steps) != 1)} {', '.join(map(str, steps))}"
        for side, steps in (("old", row.old), ("new", row.new))
        if steps
    ]
    console.data(f"  --> {', '.join(places)}, {finding.pointer or '(whole body)'}")
    if row.why:
        console.data(f"   = {row.why}")
    if others:
        steps = sorted({(each.old or each.new)[0] for each in others})
        side = "old" if row.old else "new"
        numbers = ", ".join(map(str, steps))
        console.data(
            f"   = likewise: {len(others)} more like it, in {side}"
            f" step{'s' * (len(steps) != 1)} {numbers}"
        )


def _print_signature(row: ReviewedSignature, console: Console) -> None:
    state = console.style(row.state.value, _TRAVEL_STYLES[row.state.value])
    grade = "" if row.is_required else ", optional"
    was = f"{row.old} {row.old_fate}{grade} in old step {row.old_step}"
    now = ""
    if row.new:
        now = f"; now {row.new}"
        if row.new_fate is not None:
            now += f" {row.new_fate} in new step {row.new_step}"
    why = f" ({row.why})" if row.why else ""
    console.data(f"{state} signature of {row.anchor}: {was}{now}{why}")
