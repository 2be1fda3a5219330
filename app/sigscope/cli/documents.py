"""Opening what the command line names."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from sigscope.cli.console import Console
from sigscope.engine.document import Document
from sigscope.engine.opening import open_file
from sigscope.engine.places import shipped

STDIN = "-"


def open_document(args: argparse.Namespace, console: Console) -> Document:
    """Open FILE; say on stderr what of it could not be read. Raises InputError."""
    document = Document(open_file(find(args.file), getattr(args, "format", None)))
    for problem in document.session.problems:
        where = f"{problem.where}: " if problem.where else ""
        console.talk(f"{args.file}: {where}{problem.message}")
    return document


def find(name: str) -> Path:
    """A path as given; else the bundled session of that name."""
    if name == STDIN:
        return _stdin()
    path = Path(name)
    if not path.exists() and "/" not in name:
        bundled = shipped("sessions") / f"{name.removesuffix('.session.jsonl')}"
        bundled = bundled.with_name(bundled.name + ".session.jsonl")
        if bundled.is_file():
            return bundled
    return path


def _stdin() -> Path:
    """Standard input as a file, which importers can read twice."""
    with tempfile.NamedTemporaryFile(
        prefix="stdin-", suffix=".sigscope", delete=False
    ) as file:
        while piece := sys.stdin.buffer.read(1 << 20):
            file.write(piece)
        return Path(file.name)
