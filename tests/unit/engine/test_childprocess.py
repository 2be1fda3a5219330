"""Processes of ours beside the one that the user has started."""

from __future__ import annotations

import os
import socket

import pytest

from sigscope.engine.recording.childprocess import start_child


@pytest.mark.slow
def test_a_child_shares_the_session_and_not_the_group() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        child = start_child(
            "sigscope.engine.recording.recorderprocess", theirs.fileno()
        )
        try:
            # Processors are shared out by session; Ctrl+C is, by group.
            assert os.getsid(child.pid) == os.getsid(0)
            assert os.getpgid(child.pid) == child.pid
        finally:
            theirs.close()
            ours.close()
            assert child.wait(30) == 0
