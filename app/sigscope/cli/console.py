"""Printing: data to stdout, talk to stderr, colour only where it is read by eyes."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import secrets
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from json.encoder import encode_basestring
from typing import Any, TextIO, cast

from sigscope.characters import UNSEEN, printable
from sigscope.errors import UsageError

STYLES = {
    "bad": "31",
    "good": "32",
    "warn": "33",
    "info": "36",
    "dim": "2",
    "bold": "1",
    "mark": "35",
}
_TOKEN = f"\x1b{secrets.token_hex(8)}:"
"""Begins a style of ours until it is printed. Nobody can record it: a colour in
recorded text is text."""
_OURS = re.compile(rf"{_TOKEN}(\d+);")
_BATCH = 64 * 1024
"""Characters of JSON that are written at once."""
_STARS = re.compile(r'("(?:[^"\\]|\\.)*")|[-+.\w]*\*[-+.*\w]*')
"""A string of JSON, or stars that are in none."""
_LINE, _LINES = "\t", "\t\n"
"""What one line of ours may hold, and what several."""


class Console:
    """One command's output."""

    def __init__(
        self,
        out: TextIO | None = None,
        err: TextIO | None = None,
        *,
        hides_keys: bool = False,
    ) -> None:
        """`hides_keys`: recordings of others are read without their keys, for a reader
        that is not their user."""
        self.hides_keys = hides_keys
        self.out = _tolerant(out or sys.stdout)
        self.err = _tolerant(err or sys.stderr)
        self._coloured = _wants_colour(self.out)
        self.verdict = 0
        """The exit code that is certain already, should the reader of the output go
        away before all of it is written (`| head`)."""
        self._outlasts = False
        self._gone: BrokenPipeError | None = None
        self._keys: tuple[str, ...] = ()

    def hide(self, keys: Iterable[str]) -> None:
        """Print stars for these keys from now on, wherever they are quoted, but in
        `raw`: a file of another tool may say one in any name or value. One that is a
        word stays, which is mostly no key, and may be a name of ours."""
        from sigscope.store.secrets.encoded import is_word  # dear to import

        more = (key for key in keys if not is_word(key.encode("utf-8", "replace")))
        self._keys = tuple(dict.fromkeys((*self._keys, *more)))

    def _without_keys(self, text: str) -> str:
        if not self._keys:
            return text
        from sigscope.store.secrets.masker import mask_known

        return mask_known(text, self._keys)

    def _json_without_keys(self, text: str) -> str:
        """Values of JSON, with strings for numbers that had stars to be."""
        masked = self._without_keys(text)
        return masked if masked == text else _STARS.sub(_as_string, masked)

    def data(self, text: str = "", *, lines: bool = False) -> None:
        """A line of what was asked for; a text of several only with `lines`, so that
        a recorded name cannot write a line of its own. What recorded text hides, or
        would do to a terminal, is shown, not obeyed; only what `style` marked is
        coloured."""
        keep = _LINES if lines else _LINE
        # Split by a group, every other piece is the number of a style of ours.
        pieces = _OURS.split(text)
        shown = (
            f"\x1b[{piece}m" * self._coloured if number % 2 else printable(piece, keep)
            for number, piece in enumerate(pieces)
        )
        self._put(self._without_keys("".join(shown) + "\n"))

    def raw(self, data: bytes, *, on_terminal: bool = False) -> None:
        """Bytes of a body, exactly as they are. Raises UsageError where they would
        reach a terminal, which obeys what is in them, unless `on_terminal`."""
        if self.out.isatty() and not on_terminal:
            raise UsageError(
                "recorded bytes may drive the terminal: send them to a file (> body)"
                " or a program (| less), or give --to-terminal"
            )
        self.out.flush()
        self.out.buffer.write(data)

    def json(self, value: Any, *, indent: int | None = 2) -> None:
        """A JSON document; without `indent`, on one line. Its values are exact: what
        is unseen is spelled as JSON escapes it. With `indent`, what may be made as it
        is printed is (`jsontext.printer`)."""
        if indent is None:
            text = _spelled(json.dumps(value, ensure_ascii=False))
            self._put(self._json_without_keys(text) + "\n")
            return
        from sigscope.jsontext.printer import Printer

        def spell(text: str) -> str:
            return _spelled(encode_basestring(text))

        waiting: list[str] = []
        size = 0
        for piece in Printer(indent, spell).pieces(value):
            waiting.append(piece)
            size += len(piece)
            if size > _BATCH:
                self._put(self._json_without_keys("".join(waiting)))
                waiting, size = [], 0
        self._put(self._json_without_keys("".join(waiting)) + "\n")

    def _put(self, text: str) -> None:
        if self._gone is not None:
            return
        try:
            self.out.write(text)
        except BrokenPipeError as error:
            if not self._outlasts:
                raise
            self._gone = error

    @contextmanager
    def outlasting(self) -> Iterator[None]:
        """Files are written as well: a reader of the output who goes away ends the
        command, but not before. Raises BrokenPipeError then."""
        self._outlasts = True
        yield
        self._outlasts = False
        if self._gone is not None:
            raise self._gone

    @contextmanager
    def unhurried(self) -> Iterator[None]:
        """Printing takes no time meanwhile: whoever reads may stand still, and what
        passes in this process does not. Ends when all is printed."""
        from sigscope.cli.threadedstream import (  # only recorders need it
            StreamBeside,
            ThreadedStream,
            are_one,
        )

        streams = self.out, self.err
        threaded = [ThreadedStream(self.out)]
        if are_one(*streams):
            beside: object = StreamBeside(self.err, threaded[0])
        else:
            threaded.append(beside := ThreadedStream(self.err))
        self.out, self.err = cast("TextIO", threaded[0]), cast("TextIO", beside)
        try:
            yield
        finally:
            for stream in threaded:
                stream.finish()
            self.out, self.err = streams
            if left_out := sum(stream.left_out for stream in threaded):
                self.fail(f"output: nobody took it; {left_out} lines were left out")

    def talk(self, text: str) -> None:
        """A remark on the way. Where nobody can hear it, that is no reason to stop."""
        with suppress(OSError, ValueError):
            self.err.write(self._without_keys(printable(text, _LINES)) + "\n")
            self.err.flush()

    def fail(self, text: str) -> None:
        """Why there is no result; what is quoted in it may be a key."""
        from sigscope.store.secrets.masker import mask_text  # dear to import, and rare

        self.talk(f"sigscope: {mask_text(text)[0]}")

    def style(self, text: str, name: str) -> str:
        """Text in a style, if the output has colours."""
        return f"{_TOKEN}{STYLES[name]};{text}{_TOKEN}0;" if self._coloured else text


def _as_string(found: re.Match[str]) -> str:
    return found[1] or f'"{found[0]}"'


def _spelled(text: str) -> str:
    """JSON on one line, with nothing in it that is unseen."""
    if text.isascii() and text.isprintable():
        return text
    return UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], text)


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
