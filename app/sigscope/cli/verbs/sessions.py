"""List the bundled sessions and those opened lately.

sigscope sessions
sigscope zed-copilot-attempt-1          opens one by its name
"""

from __future__ import annotations

import argparse

from sigscope.cli.console import Console
from sigscope.cli.options import add_json

HELP = "list bundled and recent sessions"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--json."""
    add_json(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Print a line per session."""
    from sigscope.engine.library import Library

    cards = Library().cards()
    if args.json:
        console.json({"format": 1, "sessions": [card.row() for card in cards]})
        return 0
    width = max((len(card.name) for card in cards), default=0)
    for card in cards:
        steps = f"{card.steps} steps"
        failed = f"{card.failed} failed" if card.failed else ""
        mark = console.style(f"{failed:9}", "bad") if failed else " " * 9
        title = console.style(card.title, "bold")
        console.data(
            f"{card.name:{width}}  {steps:>9}  {mark}  {card.shelf:7}  {title}"
        )
    if not cards:
        console.data("no sessions yet")
    return 0
