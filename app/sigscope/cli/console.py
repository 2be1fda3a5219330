"""Printing: data to stdout, talk to stderr, colour only where it is read by eyes."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import sys
from contextlib import suppress
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
_OURS = re.compile(rf"\x1b\[(?:{'|'.join(STYLES.values())}|0)m")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Console:
    """One command's output."""

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self.out = _tolerant(out or sys.stdout)
        self.err = _tolerant(err or sys.stderr)
        self._coloured = _wants_colour(self.out)
        self.verdict = 0
        """The exit code that is certain already, should the reader of the output go
        away before all of it is written (`| head`)."""

    def data(self, text: str = "") -> None:
        """A line of what was asked for. Escape sequences in recorded text are shown,
        not obeyed; only those that `style` writes stay, and only where it colours."""
        self.out.write(self._shown(text) + "\n")

    def _shown(self, text: str) -> str:
        if not self._coloured:
            return printable(text)
        pieces = _OURS.split(text)
        codes = (*_OURS.findall(text), "")
        return "".join(
            printable(piece) + code for piece, code in zip(pieces, codes, strict=True)
        )

    def raw(self, data: bytes) -> None:
        """Bytes of a body, exactly as they are."""
        self.out.flush()
        self.out.buffer.write(data)

    def json(self, value: Any) -> None:
        """A JSON document."""
        text = json.dumps(value, ensure_ascii=False, indent=2)
        safe = _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
        self.out.write(printable(safe) + "\n")

    def talk(self, text: str) -> None:
        """A remark on the way. Where nobody can hear it, that is no reason to stop."""
        with suppress(OSError, ValueError):
            self.err.write(printable(text, keep="\n") + "\n")
            self.err.flush()

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


class _Closed(io.TextIOWrapper):
    """In place of a stream that was closed before the program began: writing to it
    fails as writing to any closed file does."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8")

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))

    @property
    def buffer(self) -> io.BytesIO:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def _tolerant(stream: TextIO | None) -> TextIO:
    """The stream, showing as an escape what its encoding has no sign for."""
    if stream is None:
        return _Closed()
    if isinstance(stream, io.TextIOWrapper) and stream.errors != "backslashreplace":
        stream.reconfigure(errors="backslashreplace")
    return stream


def _wants_colour(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"
