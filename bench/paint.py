"""The time until a terminal shows a word: a real process on a pseudo-terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

ROWS, COLUMNS = 36, 120
PATIENCE = 60.0
"""Seconds after which a screen that shows nothing is given up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paint:
    """How long a terminal stayed without a word."""

    wall: float
    """Seconds from the start of the process."""
    cpu: float
    """Seconds of processor time that the process had taken by then."""


def paint(
    command: Sequence[str], word: str, environment: Mapping[str, str] | None = None
) -> Paint:
    """Start a command on a terminal of its own, wait for `word`, and end it.

    Raises SystemExit if the word does not come.
    """
    begun = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        variables = {**os.environ, "TERM": "xterm-256color", **(environment or {})}
        # A start that compiles its modules anew is not what a user sees.
        variables.pop("PYTHONDONTWRITEBYTECODE", None)
        os.execvpe(command[0], list(command), variables)
    try:
        size = struct.pack("HHHH", ROWS, COLUMNS, 0, 0)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
        _wait_for(terminal, word.encode(), begun + PATIENCE)
        return Paint(wall=time.perf_counter() - begun, cpu=_cpu_of(child))
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)


def _wait_for(terminal: int, word: bytes, deadline: float) -> None:
    seen = b""
    while word not in seen:
        left = deadline - time.perf_counter()
        if left <= 0 or not select.select([terminal], [], [], left)[0]:
            raise SystemExit(f"{word!r} was not painted within {PATIENCE:g} s")
        try:
            seen = seen[-4096:] + os.read(terminal, 65536)
        except OSError:
            raise SystemExit(f"the process ended before it painted {word!r}") from None


def _cpu_of(pid: int) -> float:
    """Seconds of user and system time of a process that still runs (Linux)."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        fields = file.read().rpartition(b")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
