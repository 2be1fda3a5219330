"""Write a copy of a session that can be shared.

  sigscope redact FILE --out shared.session.jsonl
  sigscope redact FILE --level secrets --out mine.session.jsonl

Level `secrets` (keys, tokens, cookies, in headers, URLs and bodies) is always applied.
Level `signatures`, the default, also replaces every signature by a stand-in of the same
length and alphabet, so that ledger and findings stay what they were.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from sigscope.cli.console import Console
from sigscope.cli.options import add_file, add_json

HELP = "write a copy of a session without secrets and signatures"

LEVELS = ("secrets", "signatures")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE, --level, --out, --force, --json."""
    add_file(parser)
    parser.add_argument(
        "--level",
        choices=LEVELS,
        default="signatures",
        help="what to take out; each level includes those before it (signatures)",
    )
    parser.add_argument(
        "--out",
        metavar="PATH",
        help="the file to write (default: FILE's name with .redacted, in this folder)",
    )
    parser.add_argument("--force", action="store_true", help="replace an existing file")
    add_json(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Write the copy, say what was removed."""
    from sigscope.cli.documents import open_document
    from sigscope.engine.engine import Engine
    from sigscope.engine.exporting import SESSION

    engine = Engine()
    document = open_document(args, console)
    out = Path(args.out) if args.out else _named_like(args.file)
    told = engine.export(
        document,
        out,
        format=SESSION,
        force=args.force,
        stand_ins=args.level == "signatures",
    )
    if args.json:
        console.json(
            {
                "format": 1,
                "file": told.path,
                "level": args.level,
                "bytes": told.size,
                "removed": dict(told.removed),
            }
        )
        return 0
    console.data(str(told))
    return 0


def _named_like(name: str) -> Path:
    path = Path("stdin" if name == "-" else name)
    stem = path.name.partition(".")[0] or path.name
    return Path(f"{stem}.redacted.session.jsonl")
