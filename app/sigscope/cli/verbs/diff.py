"""Show how the request of a step differs from another one.

  sigscope diff FILE --step 2 --run 3        what the run changed
  sigscope diff FILE --step 2 --against 4    two steps of a session
  sigscope diff FILE --step 2 --other OTHER.har --against 2

Exit code 1 if they differ.
"""

from __future__ import annotations

import argparse

from sigscope.cli.console import Console
from sigscope.cli.options import add_file, add_json, add_step

HELP = "compare the requests of two steps, or of a step and a run"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE, --step, --run or --against, --other, --json."""
    add_file(parser)
    add_step(parser, required=True)
    parser.add_argument("--run", type=int, metavar="N", help="compare with this run")
    parser.add_argument(
        "--against", type=int, metavar="N", help="compare with this step"
    )
    parser.add_argument("--other", metavar="FILE", help="take --against from this file")
    add_json(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Print the differences as edits; 1 if there are some."""
    from pathlib import Path

    from sigscope.cli.documents import open_document
    from sigscope.edits.apply import diff
    from sigscope.edits.notation import describe, to_json
    from sigscope.engine.document import Document
    from sigscope.engine.opening import open_file
    from sigscope.errors import UsageError

    document = open_document(args, console)
    old = document.reading(args.step).request_body.data
    if args.run is not None:
        new = document.run_reading(document.run(args.run)).request_body.data
    elif args.against is not None:
        other = Document(open_file(Path(args.other))) if args.other else document
        new = other.reading(args.against).request_body.data
    else:
        raise UsageError("say what to compare with: --run N or --against N")
    edits = diff(old, new)
    if args.json:
        console.json({"format": 1, "edits": [to_json(edit) for edit in edits]})
    else:
        for edit in edits:
            console.data(describe(edit))
        if not edits:
            console.data("no difference" if old == new else "only spelling differs")
    return 1 if edits else 0
