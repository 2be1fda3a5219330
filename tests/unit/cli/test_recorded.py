"""What is shown of exchanges as they pass, where nobody takes it."""

from __future__ import annotations

import errno
import io
import sys

import pytest

from sigscope.cli.console import Console
from sigscope.cli.recorded import show_json, show_lines
from sigscope.recorder.tape import Summary

STEP = Summary(number=1, method="POST", url="http://127.0.0.1/x")


class Gone(io.StringIO):
    """A pipe whose reader has gone."""

    def write(self, text: str) -> int:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")


def test_json_that_nobody_takes_is_said_once_and_is_no_failed_recording() -> None:
    err = io.StringIO()
    show = show_json(Console(Gone(), err))
    show(STEP)
    show(STEP)
    assert err.getvalue() == "sigscope: output: Broken pipe; recording goes on\n"


def test_lines_that_nobody_hears_are_no_failed_recording(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stderr", Gone())
    show_lines(quiet=False)(STEP)
