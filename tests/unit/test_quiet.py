"""Looking at files is between the user and the file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SESSION = ROOT / "sessions" / "zed-copilot-attempt-1.session.jsonl"
LISTEN = """
import sys
asked = []
TOUCH = {"socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto"}
def hear(event, words):
    # asyncio wakes itself through a pair of sockets that reach nobody.
    if event in TOUCH:
        asked.append((event, str(words[1:])))
sys.addaudithook(hear)
from sigscope.cli.main import run
path = sys.argv[1]
for argv in (["check", path], ["ledger", path], ["show", path, "--step", "1"],
             ["replay", path, "--step", "2"], ["bisect", path, "--step", "2"],
             ["demo"], ["doctor"], ["sessions"], ["explain", "CPC-1"],
             ["export", path, "--to", "har", "--out", sys.argv[2]]):
    assert run(argv) in (0, 1), argv
sys.exit(repr(asked) if asked else 0)
"""


@pytest.mark.slow
def test_looking_opens_no_connection(tmp_path: Path) -> None:
    """Nor do the simulator in this process, the demo and the doctor."""
    folders = {f"SIGSCOPE_{n}_DIR": str(tmp_path / n) for n in ("DATA", "STATE")}
    done = subprocess.run(
        [sys.executable, "-c", LISTEN, str(SESSION), str(tmp_path / "out.har")],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env={**os.environ, **folders, "PYTHONPATH": str(ROOT / "app")},
    )
    assert done.returncode == 0, done.stderr[-600:]
