"""Real processes with real terminals, whose screens are read and keys are pressed."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from pathlib import Path

from tests.cli.commands import command, environment
from tests.nursery import IS_POSSIBLE, start_on
from tests.patience import PATIENCE

LAST_SECONDS = 5.0
"""How long is waited for more after the end, where another process holds the terminal
open."""
RESTORED = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l", b"\x1b[?2004l")
"""What a clean terminal was told: alternate screen, cursor, mouse, paste."""


class Terminal:
    """A process with a terminal of its own."""

    def __init__(
        self, folder: Path, *argv: str | Path, ignores_hangup: bool = False
    ) -> None:
        """`argv`: the command line, after the program."""
        self.folder = folder
        self.seen = b""
        self.code: int | None = None
        words = command(*argv)
        variables = {**environment(folder), "TERM": "xterm-256color"}
        if IS_POSSIBLE:
            self.fd, theirs = pty.openpty()
            self.pid = start_on(theirs, words, variables, ignores_hangup=ignores_hangup)
            os.close(theirs)
        else:
            self.pid, self.fd = pty.fork()
        if self.pid == 0:
            if ignores_hangup:  # as under nohup
                signal.signal(signal.SIGHUP, signal.SIG_IGN)
            os.execvpe(words[0], words, variables)
        size = struct.pack("HHHH", 36, 120, 0, 0)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, size)

    def read(self, seconds: float = 0.05) -> None:
        """Take what was painted."""
        if self.fd >= 0 and select.select([self.fd], [], [], seconds)[0]:
            try:
                self.seen += os.read(self.fd, 65536)
            except OSError:
                time.sleep(seconds)

    def shows(self, word: str) -> None:
        """Wait for a word."""
        deadline = time.monotonic() + PATIENCE
        while word.encode() not in self.seen:
            assert time.monotonic() < deadline, f"never painted: {word}"
            self.read()

    def press(self, keys: str) -> None:
        self.seen = b""
        os.write(self.fd, keys.encode())

    def close(self) -> None:
        """Take the terminal away."""
        os.close(self.fd)
        self.fd = -1

    def ended(self) -> int:
        """Wait for the exit code, as a shell tells it."""
        deadline = time.monotonic() + PATIENCE
        while self.code is None:
            assert time.monotonic() < deadline, "it goes on"
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                code = os.waitstatus_to_exitcode(status)
                self.code = code if code >= 0 else 128 - code
            else:
                self.read() if self.fd >= 0 else time.sleep(0.05)
        self._read_the_rest()
        return self.code

    def _read_the_rest(self) -> None:
        """What it painted last may come after its end; then the terminal is gone."""
        while self.fd >= 0 and select.select([self.fd], [], [], LAST_SECONDS)[0]:
            try:
                self.seen += os.read(self.fd, 65536)
            except OSError:
                return

    def kill(self) -> None:
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        if self.fd >= 0:
            os.close(self.fd)
