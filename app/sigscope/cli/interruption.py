"""Ctrl+C: in the first moments, when there is nothing yet that it could end in order,
and later, when it must not go unheard.

Python raises KeyboardInterrupt wherever it happens to be: in an import, which shows as
a traceback; while a loop is made, whose coroutine is then awaited by nobody; within a
class that a decorator writes, after which the process ends by the signal although the
exception was caught (CPython's `_Py_UnhandledKeyboardInterrupt`).

Later it is lost where it is raised within a finalizer (of every file that is let go of)
or another call that nobody waits for: Python prints such an exception and goes on. It
is heard late where it comes just before the system is asked to wait, and by a process
that waits for its threads at its end, one of which asks for the address of a host.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
from collections.abc import Coroutine, Iterator
from contextlib import suppress
from io import BufferedReader
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeVar

if TYPE_CHECKING:
    import asyncio

INTERRUPTED = 130
_READ = 1 << 20
T = TypeVar("T")


def leave_on_interrupt() -> None:
    """From now on Ctrl+C ends the process at once: there is nothing to be put in order.
    Where it is ignored, as in the background of a shell, it stays so."""
    if signal.getsignal(signal.SIGINT) in (signal.SIG_DFL, signal.default_int_handler):
        signal.signal(signal.SIGINT, _leave)


def raise_on_interrupt() -> None:
    """From now on Ctrl+C is an exception, and the next one ends the process at once. So
    does one whose exception reaches nobody."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, _raise)
        sys.unraisablehook = _hear_unraisable


def leave_with(code: int) -> None:
    """The command is over: no thread is waited for any more, nor after Ctrl+C anything,
    which does not change the exit code now."""
    import threading

    def leave(number: int, frame: FrameType | None) -> None:
        os._exit(code)

    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, leave)
    threads = set(threading.enumerate()) - {threading.main_thread()}
    is_left = code == INTERRUPTED or not all(thread.daemon for thread in threads)
    if is_left:
        atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(ValueError, AttributeError):
            _empty(stream)
    if is_left:
        os._exit(code)


def _empty(stream: TextIO) -> None:
    """What it holds goes nowhere where its reader or its terminal has gone: Python
    would try once more at its end, and leave with 120."""
    try:
        stream.flush()
    except OSError:
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def leave_interrupted() -> NoReturn:
    """End the process at once, in one word."""
    with suppress(OSError):
        os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


def _leave(number: int, frame: FrameType | None) -> None:
    leave_interrupted()


def _raise(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, _leave)
    raise KeyboardInterrupt


def _hear_unraisable(found: sys.UnraisableHookArgs) -> None:
    if found.exc_type is KeyboardInterrupt:
        leave_interrupted()
    sys.__unraisablehook__(found)


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


def run_async(main: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run` that Ctrl+C ends: the first one cancels `main`, which may put in
    order what it has, and waits for no thread; the second ends the process. Raises
    KeyboardInterrupt."""
    import asyncio
    from threading import current_thread, main_thread

    hears = signal.getsignal(signal.SIGINT) in (_raise, signal.default_int_handler)
    if not hears or current_thread() is not main_thread():
        return asyncio.run(main)
    with Interruption() as early:
        loop = asyncio.new_event_loop()
        loop.add_signal_handler(signal.SIGINT, lambda: None)  # so that it wakes
        task, presses = loop.create_task(main), 0

        def cancel(*_: object) -> None:
            nonlocal presses
            presses += 1
            if presses > 1:
                leave_interrupted()
            task.cancel()

        signal.signal(signal.SIGINT, cancel)
        if early.has_come and not presses:
            cancel()
        try:
            return loop.run_until_complete(task)
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None
        finally:
            _close(loop, waits=not presses)


def _close(loop: asyncio.AbstractEventLoop, *, waits: bool) -> None:
    """`waits`: for threads."""
    import asyncio

    try:
        if tasks := asyncio.all_tasks(loop):
            for task in tasks:
                task.cancel()
            loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
        if waits:
            loop.run_until_complete(loop.shutdown_default_executor())
    finally:
        loop.close()


def pieces_of(stream: BufferedReader) -> Iterator[bytes]:
    """All that comes from a pipe, as it comes. Ctrl+C is heard between two pieces, also
    one that comes right before the system is asked for the next. Raises OSError."""
    import select

    hears, tells = os.pipe()
    os.set_blocking(tells, False)
    before = -1
    try:
        with suppress(ValueError):  # another thread than the main one
            before = signal.set_wakeup_fd(tells, warn_on_full_buffer=False)
        with suppress(OSError, ValueError):  # what is no pipe has no number
            select.select([stream.fileno(), hears], [], [])
        while piece := stream.read1(_READ):
            yield piece
            with suppress(OSError, ValueError):
                select.select([stream.fileno(), hears], [], [])
    finally:
        with suppress(ValueError):
            signal.set_wakeup_fd(before)
        os.close(hears)
        os.close(tells)
