"""Ctrl+C in the first moments, when there is nothing yet that it could end in order.

Python raises KeyboardInterrupt wherever it happens to be: in an import, which shows as
a traceback; while a loop is made, whose coroutine is then awaited by nobody; within a
class that a decorator writes, after which the process ends by the signal although the
exception was caught (CPython's `_Py_UnhandledKeyboardInterrupt`).
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from types import FrameType

INTERRUPTED = 130


def leave_on_interrupt() -> None:
    """From now on Ctrl+C ends the process at once: there is nothing to be put in order.
    Where it is ignored, as in the background of a shell, it stays so."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def raise_on_interrupt() -> None:
    """From now on Ctrl+C is an exception again, as Python has it."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave(number: int, frame: FrameType | None) -> None:
    with suppress(OSError):
        os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


class Interruption:
    """Notes Ctrl+C instead of raising it, until something takes over that hears it. In
    the main thread; elsewhere nothing is raised anyway."""

    def __init__(self) -> None:
        self.has_come = False

    def __enter__(self) -> Interruption:
        self._before = signal.getsignal(signal.SIGINT)
        with suppress(ValueError):
            signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(ValueError):
            signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.has_come = True
