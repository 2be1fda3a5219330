"""Scribes that are forks of the test's process: what they import is loaded there."""

from __future__ import annotations

import gc
import os
import signal
import warnings
from collections.abc import Sequence
from threading import Lock

from sigscope.recorder import scribe


class ForkedScribe:
    """As much of a `subprocess.Popen` as `ScribeProcess` asks for."""

    def __init__(
        self, path: str, fd: int, spools: Sequence[int], elsewhere: Sequence[str]
    ) -> None:
        self._lock = Lock()
        self._code: int | None = None
        recorder = os.getpid()
        with warnings.catch_warnings():  # of the threads that are not in the child
            warnings.simplefilter("ignore", DeprecationWarning)
            self.pid = os.fork()
        if self.pid == 0:
            code = 1
            try:
                _begin(fd, *spools)
                numbers = [str(recorder), str(fd), ",".join(map(str, spools))]
                code = scribe.main([path, *numbers, *elsewhere])
            finally:
                os._exit(code)

    def wait(self) -> int:
        with self._lock:
            if self._code is None:
                _, status = os.waitpid(self.pid, 0)
                self._code = os.waitstatus_to_exitcode(status)
            return self._code

    def kill(self) -> None:
        if self._code is None:
            os.kill(self.pid, signal.SIGKILL)


def _begin(*kept: int) -> None:
    """As after an exec: a session of its own, no files but these, and nothing is
    collected that would close one by its number."""
    gc.freeze()
    os.setsid()
    signal.set_wakeup_fd(-1)
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    below = 3
    for number in sorted(kept):
        os.closerange(below, number)
        below = number + 1
    os.closerange(below, os.sysconf("SC_OPEN_MAX"))
