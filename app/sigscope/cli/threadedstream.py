"""A text stream that a thread of its own writes.

A terminal that was stopped (Ctrl+S, text that is being marked), a pager at its first
page, a program that takes its time: whoever writes to them waits, for as long as they
like. Where traffic passes in the same process, it would wait too.
"""

from __future__ import annotations

import io
import os
from collections import deque
from itertools import groupby
from operator import itemgetter
from threading import Condition, Thread
from typing import TextIO

from sigscope.cli.interruption import INTERRUPTED
from sigscope.threads import join

MOST = 4 * 1024 * 1024
"""Characters that wait: some 15,000 exchanges, a line of JSON each."""


class ThreadedStream(io.TextIOBase):
    """Writing to it takes no time, and is heard of later. Whoever writes hands over
    whole lines: those for which there is no room are left out and counted."""

    def __init__(self, stream: TextIO, most: int | None = None) -> None:
        self.left_out = 0
        self._stream = stream
        self._most = MOST if most is None else most
        self._waiting: deque[tuple[TextIO, str]] = deque()
        self._size = 0
        self._is_over = False
        self._error: Exception | None = None
        self._news = Condition()
        self._thread: Thread | None = None

    def write(self, text: str) -> int:
        """Raises what an earlier one met, such as BrokenPipeError."""
        return self.put(self._stream, text)

    def put(self, stream: TextIO, text: str) -> int:
        """Have it written to another stream, in order with what is written to this
        one. Raises as `write` does."""
        with self._news:
            if self._error is not None:
                raise self._error
            if self._size + len(text) > self._most and self._waiting:
                self.left_out += text.count("\n")
                return len(text)
            self._waiting.append((stream, text))
            self._size += len(text)
            self._news.notify()
            if self._thread is None:
                self._thread = Thread(target=self._work, name="output", daemon=True)
                self._thread.start()
        return len(text)

    def flush(self) -> None:
        """It is flushed as it is written."""

    def isatty(self) -> bool:
        return self._stream.isatty()

    def finish(self) -> None:
        """Wait until all is written, or cannot be. Ctrl+C ends the process then: the
        thread holds the stream, which nobody could flush."""
        try:
            with self._news:
                self._is_over = True
                self._news.notify()
            if self._thread is not None:
                join(self._thread)
        except KeyboardInterrupt:
            os._exit(INTERRUPTED)

    def _work(self) -> None:
        while texts := self._next():
            try:
                for stream, pieces in groupby(texts, itemgetter(0)):
                    stream.write("".join(text for _, text in pieces))
                    stream.flush()
            except (OSError, ValueError) as error:
                with self._news:
                    self._error = error
                return

    def _next(self) -> list[tuple[TextIO, str]]:
        """All that waits; nothing at the end."""
        with self._news:
            while not self._waiting and not self._is_over:
                self._news.wait()
            texts = [*self._waiting]
            self._waiting.clear()
            self._size = 0
            return texts


class StreamBeside(io.TextIOBase):
    """A second stream to the same terminal or file: one thread writes both, or lines
    would come in another order than they were said."""

    def __init__(self, stream: TextIO, first: ThreadedStream) -> None:
        self._stream = stream
        self._first = first

    def write(self, text: str) -> int:
        return self._first.put(self._stream, text)

    def flush(self) -> None:
        """It is flushed as it is written."""

    def isatty(self) -> bool:
        return self._stream.isatty()


def are_one(first: TextIO, second: TextIO) -> bool:
    """Whether two streams lead to the same terminal, pipe or file."""
    try:
        states = [os.fstat(stream.fileno()) for stream in (first, second)]
    except (OSError, ValueError, AttributeError):
        return False
    return os.path.samestat(*states)
