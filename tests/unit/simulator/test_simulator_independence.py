"""The simulator is a voice of its own: a wrong rule may not confirm its own fix."""

from __future__ import annotations

import subprocess
import sys

import pytest

FORBIDDEN = ("rules", "ledger", "dialects", "reading", "readymade", "refusals")


@pytest.mark.slow
def test_it_stands_on_nothing_that_knows_the_rules() -> None:
    code = (
        "import sys, sigscope.upstreams.simulator as s;"
        "s.judge(s.SimConfig(), '/chat/completions', b'{}');"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path)},
        timeout=60,
    )
    loaded = set(done.stdout.split())
    assert "sigscope.upstreams.simulator.checks.google" in loaded
    assert not {f"sigscope.{name}" for name in FORBIDDEN} & loaded
    assert not {"httpx", "uvicorn", "textual", "pydantic"} & loaded
