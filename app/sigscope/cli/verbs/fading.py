"""Quiet damage: does readable reasoning fade, from where on, why, and what to change.

  sigscope fading zoo-litellm-dummy
  sigscope fading capture.har --html fading.html
  sigscope fading FILE --json

A conversation that does not give its signatures back may go on without any error and
get worse: summaries shrink, raw thinking moves into the answers. Printed per turn:
characters of readable reasoning and of the answers, reasoning tokens as the service
counted them, and of the signatures that belong into its last request how many went
back as received, were replaced by a bypass, or were lost.

Exit code 1 if it fades and signatures were lost before; 0 if it does not fade, if that
cannot be told (fewer than three answers of one kind with readable reasoning: said), or
if no signature was lost (then the cause is another one, and that is said).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from sigscope.cli.console import Console
from sigscope.cli.options import add_file, add_json

if TYPE_CHECKING:
    from sigscope.timeline.decline import Decline

HELP = "does readable reasoning fade, from where on, and why"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE, --html, --force, --json."""
    add_file(parser)
    parser.add_argument(
        "--html", metavar="OUT", help="write the report as one page with its plot"
    )
    parser.add_argument(
        "--force", action="store_true", help="replace OUT if it is there already"
    )
    add_json(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Print the report; 1 if something was lost by which it fades."""
    from sigscope.cli.documents import open_document
    from sigscope.cli.reservations import print_reservations
    from sigscope.cli.unjudged import print_unjudged
    from sigscope.engine.engine import TOOL, Engine
    from sigscope.engine.export.newfile import write_new
    from sigscope.export.decline import decline_page, decline_table

    document = open_document(args, console)
    found = Engine().decline(document)
    console.verdict = 1 if found.is_against else 0
    if args.html:
        title = document.session.title or "A session without a title"
        write_new(Path(args.html), decline_page(found, title, TOOL), force=args.force)
        console.talk(f"written: {args.html}")
    if args.json:
        console.json(decline_table(found))
    else:
        _print(found, console)
        print_unjudged(document, None, console)
        print_reservations(document, None, console)
    return console.verdict


def _print(found: Decline, console: Console) -> None:
    from sigscope.export.decline import HEAD, rows, told, why

    table = [HEAD, *rows(found)]
    widths = [max(len(row[at]) for row in table) for at in range(len(HEAD))]
    for at, row in enumerate(table):
        line = "  ".join(c.rjust(w) for c, w in zip(row, widths, strict=True))
        is_change = bool(at) and found.turns[at - 1].figures.turn == found.turn
        mark = console.style("  <-- fades from here on", "bad") if is_change else ""
        console.data(console.style(line, "dim") if not at else line + mark)
    console.data()
    if found.fading is None:
        console.data(told(found))
        return
    style = "bad" if found.is_against else "warn"
    console.data(console.style(told(found), style))
    console.data(f"cause, {why(found)}")
    for line in found.advice:
        console.data(f"change: {line}")
