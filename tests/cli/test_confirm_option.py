"""`replay --confirm`: a fix held over turns, on the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.cli.commands import SESSIONS, sigscope
from tests.cli.servers import answer, says, server

ACCEPTED = answer(
    b'{"choices":[{"index":0,"finish_reason":"stop",'
    b'"message":{"role":"assistant","content":"Hello"}}]}',
    "200 OK",
    "Content-Type: application/json",
)
NAME = "copilot-missing-signature.session.jsonl"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return Path(shutil.copy(SESSIONS / NAME, tmp_path / NAME))


def test_the_readme_example_is_confirmed(file: Path) -> None:
    fix = ("--step", "2", "--apply-fix", "all", "--confirm", "5")
    told = sigscope("replay", file, *fix)
    assert told.out.splitlines()[-1] == ("over turns: confirmed over 5 turns, 6 shapes")
    assert "streamed, parallel: 5 turns, 6 mistakes mended" in told.out
    assert told.code == 0


def test_what_cannot_be_told_is_code_1_and_json_has_the_reason(file: Path) -> None:
    drops = ("--edit", "drop /messages/2", "--edit", "drop /messages/3")
    told = sigscope("replay", file, "--step", "2", *drops, "--confirm", "2", "--json")
    assert told.code == 1
    lines = "".join(told.out.splitlines())
    assert '"unclear"' in lines
    assert "about this one message" in json.dumps(lines)


def test_a_run_that_is_refused_is_not_gone_on_from(file: Path) -> None:
    told = sigscope(
        "replay", file, "--step", "2", "--apply-fix", "CPC-2", "--confirm", "2"
    )
    assert told.code == 1
    assert "nothing to confirm" in told.err
    assert "over turns" not in told.out


def test_a_run_is_confirmed_with_what_it_was_made_from(file: Path) -> None:
    step = ("replay", file, "--step", "2")
    assert sigscope(*step, "--apply-fix", "CPC-2").code == 1
    assert sigscope(*step, "--run", "1", "--apply-fix", "CPC-1").code == 0
    told = sigscope(*step, "--run", "2", "--confirm", "2")
    assert "over turns: confirmed over 2 turns, 6 shapes" in told.out
    assert "the fix of CPC-1" in told.out
    assert told.code == 0


def test_a_run_of_another_step_is_refused(file: Path) -> None:
    assert sigscope("replay", file, "--step", "1").code == 0
    told = sigscope("replay", file, "--step", "2", "--run", "1", "--confirm", "2")
    assert told.code == 2
    assert "run 1 was made from step 1, not from step 2" in told.err


def test_after_a_live_run_the_service_is_asked_nothing_more(file: Path) -> None:
    with server(says(ACCEPTED)) as served:
        told = sigscope(
            *("replay", file, "--step", "2", "--apply-fix", "all", "--confirm", "2"),
            *("--to", served.url),
        )
        assert len(served.requests) == 1
    assert "is asked nothing more" in told.err
    assert "over turns: confirmed over 2 turns, " in told.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--confirm", "0", "--apply-fix", "all"), "1 to 50 turns"),
        (("--confirm", "2"), "--confirm needs a fix"),
        (("--confirm", "2", "--apply-fix", "all", "--dry-run"), "without --dry-run"),
    ],
)
def test_what_does_not_go_together_is_refused(
    file: Path, words: tuple[str, ...], said: str
) -> None:
    told = sigscope("replay", file, "--step", "2", *words)
    assert said in told.err
    assert told.code == 2
