"""Reads a recording as the program does, without a session around it."""

from __future__ import annotations

from pathlib import Path

from sigscope.capture.base import Imported
from sigscope.capture.detect import detect, read
from sigscope.capture.source import Source


def import_path(path: Path, wanted: str | None = None) -> tuple[str, Imported]:
    """The format's name, and what is read of it."""
    source = Source(path)
    name = detect(source, wanted)
    return name, read(source, name)
