"""Every signature of a session: where it was received, what later requests did with it.

sigscope ledger capture.har
sigscope ledger capture.har --json | jq '.signatures[].fates'
sigscope ledger long.session.jsonl --json --compact | jq '.signatures[].stretches'
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sigscope.characters import printable
from sigscope.cli.console import Console
from sigscope.cli.options import add_file, add_json

if TYPE_CHECKING:
    from sigscope.ledger.opaque_fields import OpaqueField

HELP = "list every signature and its fate in each later request"
BRIEF = 4
"""Steps up to which each has a line of its own."""
STYLES = {
    "exact": "good",
    "dropped": "bad",
    "altered": "bad",
    "cut": "bad",
    "moved": "warn",
    "bypass": "warn",
    "earlier": "info",
    "stored": "good",
    "foreign": "warn",
    "duplicated": "warn",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE, --json, --compact."""
    add_file(parser)
    add_json(parser)
    parser.add_argument(
        "--compact",
        action="store_true",
        help="with --json: steps that did the same with a signature told together,"
        ' {"steps": [[5, 1000]], "fate": "exact", ...}',
    )


def run(args: argparse.Namespace, console: Console) -> int:
    from sigscope.cli.documents import open_document
    from sigscope.cli.reservations import print_reservations
    from sigscope.engine.sessions.tables import ledger_table
    from sigscope.ledger.unjudged import BY_SHAPE

    document = open_document(args, console)
    is_compact = args.compact or not args.json
    # A row at a time: all rows of a chain of answers take the square of its steps.
    table = ledger_table(document, is_compact=is_compact, is_lazy=True)
    if args.json:
        console.json(table)
        return 0
    for step in table["steps"]:
        console.data(step_line(step, console))
    for signature in table["signatures"]:
        console.data()
        _print_signature(signature, console)
    if document.opaque_fields:
        console.data()
        console.data(console.style(f"Opaque fields ({BY_SHAPE}):", "dim"))
    for field in document.opaque_fields:
        _print_field(field, console)
    for loss in table.get("hop_losses", ()):
        console.data(f"{console.style('between the hops', 'bad')}  {loss['note']}")
    if document.unjudged:
        console.data()
        for group in document.unjudged:
            console.data(console.style(printable(str(group)), "warn"))
        for advice in dict.fromkeys(group.advice for group in document.unjudged):
            console.data(console.style(f"  = {advice}", "dim"))
    is_judged = any(step["dialect"] for step in table["steps"])
    if not document.ledger.signatures and (is_judged or not document.unjudged):
        among = " of the steps that are judged" if document.unjudged else ""
        told = f"No signatures: no response{among} issued one and no request sent one."
        if not is_judged:
            told = "Nothing was looked for: no step is known as a call of a model."
        console.data()
        console.data(told)
    print_reservations(document, None, console)
    return 0


def _print_field(field: OpaqueField, console: Console) -> None:
    from sigscope.ledger.opaque_fields import spot_words

    what = printable(field.value) if field.is_reference else field.id
    origin = "received in no recorded response"
    if field.received:
        origin = f"received in {spot_words(field.received[0])}"
    console.data(
        f"{console.style(f'◇ {what}', 'mark')}  {field.name},"
        f" {len(field.value):,} chars, {origin}"
    )
    for spot in field.sent:
        same = "named" if field.is_reference else "the same bytes"
        console.data(f"   step {spot.step:>3}  {same} at {spot.pointer}")
    if not field.sent:
        console.data("   in no later request")


def step_line(step: dict, console: Console) -> str:  # type: ignore[type-arg]
    """One step as a line: number, status, thread, dialect, model, events."""
    status = step["status"]
    style = "dim" if status is None else "good" if 200 <= status < 300 else "bad"
    shown = console.style(f"{status or '—':>4}", style)
    thread = f"thread {step['thread']}"
    events = f"{step['events']} events" if step["streamed"] else "not streamed"
    known = "dialect not known" if not step["judged"] else "no dialect"
    name = step["dialect"] or known
    model = step["model"] or ""
    if step["mended"]:
        events += "  " + console.style(f"mended: {printable(step['mended'])}", "info")
    if step.get("hop_of"):
        thread += f", made by the gateway for step {step['hop_of']}"
    return f"step {step['step']:>3} {shown}  {thread}  {name}  {model}  {events}"


def _print_signature(signature: dict, console: Console) -> None:  # type: ignore[type-arg]
    name = console.style(f"◆ {signature['id']}", "mark")
    chars = f"{signature['chars']:,} chars"
    console.data(f"{name}  {signature['kind']}, {chars}, {_origin(signature)}")
    from sigscope.fingerprints import Hint, told

    hints = told([Hint(**row) for row in signature["hints"]])
    if hints:
        console.data(f"   {console.style(f'hint: {hints}', 'dim')}")
    rows = [
        (runs, part) for part in signature["stretches"] for runs in _told(part["steps"])
    ]
    for (first, last), fate in sorted(rows, key=lambda row: row[0]):
        word = console.style(fate["fate"], STYLES.get(fate["fate"], "info"))
        note = f"  {console.style(fate['note'], 'dim')}" if fate["note"] else ""
        steps = f"step {first:>3}" if first == last else f"steps {first:,}-{last:,}"
        console.data(f"   {steps}  {word} · {fate['grade']}{note}")


def _told(runs: list[list[int]]) -> list[tuple[int, int]]:
    """What is told in one line: a few steps one by one, many together."""
    told = []
    for first, last in runs:
        if last - first < BRIEF:
            told += [(step, step) for step in range(first, last + 1)]
        else:
            told.append((first, last))
    return told


def _origin(signature: dict) -> str:  # type: ignore[type-arg]
    received = signature["received"]
    if received is None:
        from sigscope.ledger.records import UNSEEN, Origin

        return UNSEEN[Origin(signature["origin"])]
    event = f", event {received['event']}" if received["event"] else ""
    return f"received in step {received['step']}{event} at {received['pointer']}"
