"""Processes of this machine, known by their numbers."""

from __future__ import annotations

import os


def is_running(pid: int) -> bool:
    """Whether a process has not ended. One that nobody has collected yet, or ever will
    (a container whose first process collects none), has.

    No is certain, but of what runs in another container. Yes is not: numbers are given
    anew, and a system without /proc does not tell who was not collected. So nothing may
    wait for a no without a limit.
    """
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass  # another user's
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            state = file.read().rpartition(b")")[2].split()[:1]
    except OSError:
        return True
    return state not in ([b"Z"], [b"X"])


def start_failure(program: str, error: OSError) -> str:
    """Why a program cannot be started, and what to look at."""
    if isinstance(error, FileNotFoundError) and "/" not in program:
        return "no folder of PATH has it; is it installed, its environment active?"
    return error.strerror or str(error)
