"""Faults that a test provokes; any other one fails the test in which it happened."""

from __future__ import annotations

from sigscope.engine.faultlog import FaultLog


def taken_fault() -> str:
    """What was written for a report, once there is something; then it is forgotten."""
    path = FaultLog().path
    text = path.read_text()
    path.unlink()
    return text


def expect_none() -> None:
    """A fault that the screens survived is one all the same."""
    path = FaultLog().path
    if path.exists():
        raise AssertionError(f"sigscope failed:\n{taken_fault()}")
