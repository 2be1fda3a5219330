"""Whether a process has ended."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sigscope.processes import is_running, start_failure


def test_one_that_nobody_collected_has_ended() -> None:
    assert is_running(os.getpid())
    with subprocess.Popen([sys.executable, "-S", "-c", ""]) as child:
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        if Path("/proc/self/stat").exists():
            assert not is_running(child.pid)
    assert not is_running(2**70), "no system has so many"


def test_one_of_another_user_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(pid: int, number: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", refuse)
    assert is_running(os.getpid())


def test_why_one_cannot_be_started_says_where_to_look() -> None:
    gone = FileNotFoundError(2, "No such file or directory")
    assert "no folder of PATH has it" in start_failure("clinet", gone)
    assert start_failure("/opt/clinet", gone) == "No such file or directory"
    assert start_failure("client", PermissionError(13, "Denied")) == "Denied"
