"""`--open` where there is no terminal, and what contradicts it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.commands import sigscope

RECORD = ("record", "--open", "--port", "0", "--upstream", "http://127.0.0.1:9")
RUN = ("run", "--open")


def fails(*words: str) -> str:
    done = sigscope(*words, stdin=b"")
    assert done.code == 2
    return done.err


@pytest.mark.parametrize("words", [RECORD, (*RUN, "--", "true")])
def test_without_a_terminal_it_says_so_and_starts_nothing(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    assert "--open needs a terminal" in fails(*words)
    assert not list(tmp_path.rglob("*.session.jsonl"))


def test_screens_and_json_contradict_each_other() -> None:
    assert "--open and --json" in fails(*RECORD, "--json")
