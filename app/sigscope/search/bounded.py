"""Regular expressions of the user's, with a limit.

Python's engine goes back and tries again, without end for `(a+)+$`, and no other thread
runs meanwhile. On the main thread, where screens search what they show and mark what
was found, a timer interrupts it; bodies are searched in a process (`patternprocess`),
which can be killed. A pattern that was given up finds nothing any more.
"""

from __future__ import annotations

import re
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import AnyStr, Generic

PATIENCE = 0.2
"""Seconds of work for what is looked through while a screen waits."""
PACE = 0.5e-6
"""And so many more for each character: usual patterns need a fiftieth of it ..."""
PER_MATCH = 10e-6
"""... and for each match, which takes 1 to 2 us to be asked for."""


class _Interrupted(Exception):
    """The timer has come."""


class Endurance:
    """How long a pattern may yet take, in all that it is asked."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._left = self._most = patience
        self.is_spent = False

    @contextmanager
    def spend(self, size: int) -> Iterator[None]:
        """While a text of so many characters is looked through. What takes too long is
        broken off; then nothing is found, now and later."""
        timer = getattr(signal, "setitimer", None)
        if timer is None or threading.current_thread() is not threading.main_thread():
            yield
            return
        self._left = min(self._most, self._left + size * PACE + PER_MATCH)
        armed = [True]

        def interrupt(*_: object) -> None:
            if armed:
                raise _Interrupted

        # Seconds of work, not of waiting: a machine that is busy counts for nothing.
        before = signal.signal(signal.SIGVTALRM, interrupt)
        begun = 0.0
        try:
            timer(signal.ITIMER_VIRTUAL, max(self._left, 1e-6))
            # Linux adds a tick (1 to 10 ms), and so gives shorter work for nothing.
            begun, _ = signal.getitimer(signal.ITIMER_VIRTUAL)
            yield
            armed.clear()
        except _Interrupted:
            self.is_spent = True
        finally:
            armed.clear()
            rest, _ = timer(signal.ITIMER_VIRTUAL, 0)
            self._left -= begun - rest
            self.is_spent = self.is_spent or self._left <= 0
            signal.signal(signal.SIGVTALRM, before)


class BoundedPattern(Generic[AnyStr]):
    """A compiled pattern; has of its methods what searches need."""

    def __init__(self, pattern: re.Pattern[AnyStr], endurance: Endurance) -> None:
        self.pattern: AnyStr = pattern.pattern
        self.flags = pattern.flags
        self._compiled: re.Pattern[AnyStr] = pattern
        self._endurance = endurance

    def search(self, text: AnyStr, start: int = 0) -> re.Match[AnyStr] | None:
        """The first match."""
        return next(self.finditer(text, start), None)

    def finditer(
        self, text: AnyStr, start: int = 0, stop: int = sys.maxsize
    ) -> Iterator[re.Match[AnyStr]]:
        """All matches, until it is given up."""
        matches = self._compiled.finditer(text, start, stop)
        size = max(0, min(stop, len(text)) - start)
        while not self._endurance.is_spent:
            match = None
            with self._endurance.spend(size):
                match = next(matches, None)
            if match is None:
                return
            size = 0
            yield match
