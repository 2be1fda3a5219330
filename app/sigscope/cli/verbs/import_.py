"""Turn a recording of another tool into a session file.

  sigscope import capture.har --out bug.session.jsonl

What FILE is, is seen from what it holds. Secrets are removed on the way; what was
removed is printed, and what could not be read, or not as it was on the wire.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from sigscope.characters import printable
from sigscope.cli.console import Console
from sigscope.cli.options import add_file, add_json

HELP = "turn a recording of another tool into a session file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE, --out, --title, --force, --json; the formats come from their registry."""
    from sigscope.capture.detect import accepted

    parser.epilog = accepted()
    add_file(parser)
    parser.add_argument(
        "--out", metavar="PATH", help="the file to write (default: beside FILE)"
    )
    parser.add_argument("--title", help="what to call the session")
    parser.add_argument("--force", action="store_true", help="replace an existing file")
    add_json(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Read, write, say what was done."""
    from sigscope.cli.documents import open_document
    from sigscope.cli.reservations import print_reservations
    from sigscope.engine.engine import Engine
    from sigscope.engine.sessions.reservations import reservations, rows
    from sigscope.engine.sessions.tables import unjudged_rows

    document = open_document(args, console)
    engine = Engine()
    out = Path(args.out) if args.out else _beside(args.file)
    removed = engine.save_as(document, out, title=args.title, force=args.force)
    session = document.session
    if args.json:
        console.json(
            {
                "format": 1,
                "file": str(out),
                "from": session.format,
                "steps": len(session.steps),
                "removed": dict(removed),
                "problems": rows(reservations(document)),
                "not_judged": unjudged_rows(document),
            }
        )
        return 0
    count = len(session.steps)
    steps = f"{count} step" if count == 1 else f"{count} steps"
    left_out = f"; {_parts(len(session.problems))}" if session.problems else ""
    console.data(f"{out}: {steps} from {session.format}{left_out}")
    for kind, count in sorted(removed.items()):
        console.data(f"   removed {count} × {kind}")
    for group in document.unjudged:
        console.data(f"   {printable(str(group))}")
    print_reservations(document, None, console)
    return 0


def _parts(count: int) -> str:
    return f"{count} problem, above" if count == 1 else f"{count} problems, above"


def _beside(name: str) -> Path:
    path = Path(name if name != "-" else "stdin")
    stem = path.name.partition(".")[0] or path.name
    return path.with_name(f"{stem}.session.jsonl")
