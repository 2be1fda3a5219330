"""Printing: data to stdout, talk to stderr, colour only where it is read by eyes."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import Any, TextIO

STYLES = {
    "bad": "31",
    "good": "32",
    "warn": "33",
    "info": "36",
    "dim": "2",
    "bold": "1",
    "mark": "35",
}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Console:
    """One command's output."""

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self.out = out or sys.stdout
        self.err = err or sys.stderr
        self._coloured = _wants_colour(self.out)

    def data(self, text: str = "") -> None:
        """A line of what was asked for. Escape sequences in recorded text are shown,
        not obeyed; only `style` colours."""
        self.out.write(text + "\n")

    def json(self, value: Any) -> None:
        """A JSON document."""
        text = json.dumps(value, ensure_ascii=False, indent=2)
        self.out.write(printable(text, keep="\n") + "\n")

    def talk(self, text: str) -> None:
        """A remark on the way."""
        self.err.write(printable(text, keep="\n") + "\n")

    def fail(self, text: str) -> None:
        """Why there is no result."""
        self.talk(f"sigscope: {text}")

    def style(self, text: str, name: str) -> str:
        """Text in a style, if the output has colours."""
        return f"\x1b[{STYLES[name]}m{text}\x1b[0m" if self._coloured else text


def printable(text: str, keep: str = "") -> str:
    """Text with control characters shown as `\\x1b` and lone surrogates as `\\udcff`:
    recorded bytes must not drive the terminal."""

    def show(found: re.Match[str]) -> str:
        char = found[0]
        return char if char in keep else f"\\x{ord(char):02x}"

    shown = _CONTROL.sub(show, text)
    return shown.encode("utf-8", "backslashreplace").decode("utf-8")


def _wants_colour(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"
