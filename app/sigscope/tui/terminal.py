"""A terminal that may go away: closed, or its connection broken; and being told to end.

Textual's driver writes and reads in threads of its own. Where the terminal is gone the
writer dies, and whoever writes on waits for it for ever; the reader comes back with
nothing as fast as it can. Source: Textual 8.2.8, `drivers/linux_driver.py` and
`drivers/_writer_thread.py`; what a terminal without its other end answers: Linux
`drivers/tty/tty_io.c`, `hung_up_tty_fops`.
"""

from __future__ import annotations

import asyncio
import select
import signal
import sys
from collections.abc import Callable
from typing import Any

from textual.driver import Driver

ENDS = ("SIGTERM", "SIGHUP", "SIGINT")
"""Signals that end the program; Ctrl+C in the terminal is a key, and no signal."""


class Output:
    """The terminal's file, or nothing once it is gone."""

    def __init__(self, file: Any, hang_up: Callable[[], object]) -> None:
        """`hang_up` is told once, from a thread."""
        self._file = file
        self._hang_up = hang_up
        self._is_gone = False

    def write(self, text: str) -> None:
        self._try(self._file.write, text)

    def flush(self) -> None:
        self._try(self._file.flush)

    def fileno(self) -> int:
        found: int = self._file.fileno()
        return found

    def isatty(self) -> bool:
        return bool(self._file.isatty())

    def _try(self, work: Callable[..., object], *given: str) -> None:
        if self._is_gone:
            return
        try:
            work(*given)
        except (OSError, ValueError):
            self._is_gone = True
            self._hang_up()


def lasting(driver: type[Driver]) -> type[Driver]:
    """A driver that outlives its terminal, and tells the application's `hang_up`, and
    its `end` which signal came; other drivers than a terminal's as they are."""
    if sys.platform == "win32":
        return driver
    from textual.drivers.linux_driver import LinuxDriver

    if driver is not LinuxDriver:
        return driver

    class Terminal(LinuxDriver):
        def __init__(self, app: Any, **kwargs: Any) -> None:
            super().__init__(app, **kwargs)
            self._file = Output(self._file, app.hang_up)  # type: ignore[assignment]
            loop = asyncio.get_running_loop()
            for name in ENDS:
                number = getattr(signal, name)
                loop.add_signal_handler(number, app.end, number)

        def run_input_thread(self) -> None:
            try:
                super().run_input_thread()
            except OSError:
                self._app.call_later(self._app.hang_up)  # type: ignore[attr-defined]

    return Terminal


def is_hung_up(fd: int) -> bool:
    """Whether a terminal's other end is gone."""
    poll = select.poll()
    poll.register(fd, 0)
    try:
        return any(
            event & (select.POLLHUP | select.POLLNVAL) for _, event in poll.poll(0)
        )
    except OSError:
        return False
