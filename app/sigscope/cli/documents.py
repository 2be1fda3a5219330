"""Opening what the command line names."""

from __future__ import annotations

import argparse
import atexit
import os
import sys
import tempfile
from io import BufferedReader
from pathlib import Path
from typing import cast

from sigscope.capture.source import LARGEST, too_large
from sigscope.cli.console import Console
from sigscope.engine.carriers import own_carriers
from sigscope.engine.document import Document
from sigscope.engine.keeping import recall
from sigscope.engine.opening import open_file
from sigscope.engine.places import shipped
from sigscope.errors import InputError

STDIN = "-"
STDIN_NAME = "standard input"


def open_document(args: argparse.Namespace, console: Console) -> Document:
    """Open FILE; say on stderr what of it could not be read. Raises InputError.

    Verbs that can be told a run get those that `replay` made of a recording before.
    """
    path = find(args.file)
    name = STDIN_NAME if args.file == STDIN else args.file
    session = open_file(path, getattr(args, "format", None), name)
    recall(session, runs=hasattr(args, "run"))
    document = name_dialects(Document(session), args, console)
    for told in own_carriers().problems:
        console.talk(f"a carrier is left out: {told}")
    for problem in document.session.problems:
        where = f"{problem.where}: " if problem.where else ""
        console.talk(f"{name}: {where}{problem.message}")
    return document


def open_other(name: str, args: argparse.Namespace) -> Document:
    """A second file, with the runs made from it; --dialect counts for it too where it
    names no steps, for those are FILE's. Raises InputError."""
    session = open_file(find(name), None, name)
    recall(session)
    return Document(session).named([t for t in args.dialect if ":" not in t])


def name_dialects(
    document: Document, args: argparse.Namespace, console: Console
) -> Document:
    """The document read as --dialect says. Raises UsageError."""
    texts: list[str] = getattr(args, "dialect", None) or []
    if not texts:
        return document
    made = document.named(texts)
    spoken = {
        r.dialect.name for r in made.readings if r.dialect and r.decision.is_named
    }
    for text in texts:
        name = text.partition(":")[0].strip()
        if name not in spoken:
            console.talk(
                f"--dialect {text}: no step has a body of that shape; name the steps"
                f" to read them so all the same ({name}:1)"
            )
    return made


def find(name: str) -> Path:
    """A path as given; else the bundled session of that name.

    What can be read only once (standard input, `<(command)`) is put into a file, which
    goes away with the program. Raises InputError.
    """
    if name == STDIN:
        if sys.stdin is None:
            raise InputError("it is closed; give a file", path=STDIN_NAME)
        return _kept(cast(BufferedReader, sys.stdin.buffer), STDIN_NAME)
    path = Path(name)
    if _is_stream(path):
        try:
            with path.open("rb") as stream:
                return _kept(stream, name)
        except OSError as error:
            reason = error.strerror or str(error)
            raise InputError(f"it cannot be read: {reason}", path=name) from error
    if not os.path.lexists(path) and "/" not in name:
        bundled = shipped("sessions") / f"{name.removesuffix('.session.jsonl')}"
        bundled = bundled.with_name(bundled.name + ".session.jsonl")
        if bundled.is_file():
            return bundled
    return path


def _is_stream(path: Path) -> bool:
    """Whether it is a pipe or a device."""
    try:
        return path.is_fifo() or path.is_char_device()
    except (OSError, ValueError):
        return False


def _kept(stream: BufferedReader, name: str) -> Path:
    """The rest of a stream in a file of its own. Raises InputError if it is endless."""
    with tempfile.NamedTemporaryFile(
        prefix="sigscope-", suffix=".input", delete=False
    ) as file:
        path = Path(file.name)
        atexit.register(path.unlink, missing_ok=True)
        size = 0
        # One read of the system at a time: Ctrl+C is heard between two.
        while piece := stream.read1(1 << 20):
            size += len(piece)
            if size > LARGEST:
                raise InputError(too_large(size), path=name)
            file.write(piece)
    return path
