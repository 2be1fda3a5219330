"""Gather live runs that were answered otherwise than foretold, to attach to an issue.

  sigscope calibrate                               from all sessions of yours
  sigscope calibrate FILE OTHER --out cases.session.jsonl

A live service is the judge; where it decides otherwise than the simulator or the rules
foretold, one of them is wrong, and such a run shows which. This writes these runs, with
the conversation before them, into one session file: without keys, signatures, texts,
titles, notes, headers, private hosts, or ids of users. Error answers stay as they came;
read the file before you attach it. Nothing is sent.

Exit code 0, also where nothing disagrees (then nothing is written); 1 if the redacted
file does not tell the same as the runs do.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from sigscope.cli.console import Console
from sigscope.cli.options import add_json

if TYPE_CHECKING:
    from sigscope.engine.engine import Engine
    from sigscope.engine.sessions.calibration import Calibration
    from sigscope.engine.sessions.document import Document

HELP = "gather live runs that disagree with the prediction, to report them"
OUT = "calibration.session.jsonl"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE ..., --out, --force, --json."""
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="sessions and recordings (default: those opened lately, and runs kept)",
    )
    parser.add_argument(
        "--out", metavar="PATH", default=OUT, help=f"the file to write ({OUT})"
    )
    parser.add_argument("--force", action="store_true", help="replace an existing file")
    add_json(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Write the file, say what is in it and what is not."""
    from sigscope.engine.engine import Engine
    from sigscope.engine.sessions.calibration import calibrate, calibration_table

    engine = Engine()
    found = calibrate(_documents(args.files, engine, console))
    removed: Counter[str] = Counter()
    other: tuple[str, ...] = ()
    out = Path(args.out)
    if found.session is not None:
        removed, other = engine.write_calibration(
            found.session, out, known=found.keys, force=args.force
        )
    if args.json:
        file = str(out) if found.session else None
        console.json(calibration_table(found, file, removed, other))
    else:
        _tell(found, out, removed, console)
    for line in other:
        console.talk(f"the file does not tell the same: {line}")
    return 1 if other else 0


def _documents(
    names: list[str], engine: Engine, console: Console
) -> list[tuple[str, Document]]:
    """What is named has to be readable; of what lies about, what is."""
    from sigscope.cli.documents import refuse_stdin_twice
    from sigscope.cli.names import STDIN, STDIN_NAME, find_recording
    from sigscope.engine.sessions.library import Library
    from sigscope.errors import InputError

    if names:
        refuse_stdin_twice(*names)
        called = [STDIN_NAME if name == STDIN else name for name in names]
        return [
            (known, engine.open(find_recording(name), called=known))
            for name, known in zip(names, called, strict=True)
        ]
    found = []
    for path in Library().recent():
        try:
            found.append((path.name, engine.open(path)))
        except InputError as error:
            console.talk(f"left out: {error}")
    return found


def _tell(
    found: Calibration, out: Path, removed: Counter[str], console: Console
) -> None:
    from sigscope.export.figures import count

    if found.session is None:
        looked = count(found.looked, "live run")
        console.data(
            f"nothing disagrees with its prediction ({looked} looked at);"
            " nothing was written"
        )
        return
    console.data(f"{out}: {count(len(found.cases), 'run')}; nothing was sent")
    for case in found.cases:
        console.data(
            f"   {case.source}: run {case.run} of step {case.step}: {case.said}"
        )
    for kind, number in sorted((found.removed + removed).items()):
        console.data(f"   removed {number} × {kind}")
    console.data(
        "   error answers stay as they came: read the file before you attach it"
    )
