"""What a FILE on the command line names; light, for every start pays for it."""

from __future__ import annotations

import atexit
import os
import re
import sys
from io import BufferedReader
from os.path import isfile
from pathlib import Path
from typing import cast

from sigscope.characters import printable
from sigscope.cli.interruption import pieces_of
from sigscope.engine.settings.places import SUFFIX, data_dir, shipped
from sigscope.errors import InputError, UsageError

STDIN = "-"
STDIN_NAME = "standard input"


def find(name: str) -> Path:
    """A path as given; else the session that `sigscope sessions` lists by that name:
    a bundled one, or a recent one.

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
        return _recent(name) or path
    return path


def find_recording(name: str) -> Path:
    """The same, of what has to be there. Raises InputError, which says where it was
    looked for and what is likely meant, and UsageError for an empty name."""
    if not name:
        raise UsageError("FILE is an empty text; was a variable not set?")
    path = find(name)
    if not _is_there(path):
        raise InputError(_missing(name, path), path=name)
    return path


def _is_there(path: Path) -> bool:
    try:
        return os.path.lexists(path)
    except ValueError:  # a NUL: reading says it
        return True


def _missing(name: str, path: Path) -> str:
    if match := _ADDRESS.match(name):
        if match["scheme"] == "file":
            return f"it is a URL; give the path alone: {name[match.end() :]}"
        return (
            "it is an address, and no file. To record what a client sends there:"
            " sigscope record --upstream URL"
        )
    from sigscope.cli.suggestions import likely_names, question

    if not path.parent.is_dir():
        folder = printable(str(path.parent))
        return f"there is no such file, for there is no folder {folder}"
    parent = printable(str(path.parent.absolute()))
    where = "" if path.is_absolute() else f" in {parent}"
    listed = "`sigscope sessions` lists those known by name" * ("/" not in name)
    hint = question(likely_names(name)) or listed
    return f"there is no such file{where}{hint and f'; {hint}'}"


_ADDRESS = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*)://", re.IGNORECASE)


def _recent(name: str) -> Path | None:
    from sigscope.cli.suggestions import recent_sessions

    wanted = name.removesuffix(SUFFIX)
    kept = data_dir() / "sessions" / f"{wanted}{SUFFIX}"
    recent = (kept, *recent_sessions())
    found = (path for path in recent if path.name.removesuffix(SUFFIX) == wanted)
    return next(filter(isfile, found), None)


def _is_stream(path: Path) -> bool:
    """Whether it is a pipe or a device."""
    try:
        return path.is_fifo() or path.is_char_device()
    except (OSError, ValueError):
        return False


def _kept(stream: BufferedReader, name: str) -> Path:
    """The rest of a stream in a file of its own. Raises InputError if it is endless."""
    # Dear to import, and seldom needed.
    from sigscope.capture.source import LARGEST, too_large
    from sigscope.store.inputfile import InputFile

    file = InputFile()
    atexit.register(file.close)
    size = 0
    for piece in pieces_of(stream):
        size += len(piece)
        if size > LARGEST:
            raise InputError(too_large(size), path=name)
        file.write(piece)
    return file.path
