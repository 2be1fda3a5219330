"""`--open` where there is no terminal, and what contradicts it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.commands import environment

RECORD = ("record", "--open", "--port", "0", "--upstream", "http://127.0.0.1:9")
RUN = ("run", "--open")


def fails(tmp_path: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "sigscope", *words],
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.parametrize("words", [RECORD, (*RUN, "--", "true")])
def test_without_a_terminal_it_says_so_and_starts_nothing(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    assert "--open needs a terminal" in fails(tmp_path, *words)
    assert not list(tmp_path.rglob("*.session.jsonl"))


def test_screens_and_json_contradict_each_other(tmp_path: Path) -> None:
    assert "--open and --json" in fails(tmp_path, *RECORD, "--json")
