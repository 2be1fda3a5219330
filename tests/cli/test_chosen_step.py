"""Where only one step was refused, nobody has to say --step; which it is, is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.commands import sigscope

TAKEN = "step 2: the only one that was refused"


@pytest.mark.parametrize(
    "words",
    [
        ["replay"],
        ["replay", "--dry-run"],
        ["bisect", "--dry-run"],
        ["matrix"],
        ["diff", "--against", "1"],
    ],
    ids=" ".join,
)
def test_the_refused_step_is_taken(failing: Path, words: list[str]) -> None:
    verb, *options = words
    named = sigscope(verb, failing, *options, "--step", "2")
    taken = sigscope(verb, failing, *options)
    assert TAKEN in taken.err
    assert TAKEN not in named.err
    assert taken.code == named.code
    first, _, rest = taken.out.partition("\n")  # a run has its number
    assert first.split(":")[1:] == named.out.partition("\n")[0].split(":")[1:]
    assert rest == named.out.partition("\n")[2]


def test_a_conversation_goes_on_from_it(failing: Path, tmp_path: Path) -> None:
    out = tmp_path / "fork.session.jsonl"
    done = sigscope("converse", "--policy", "careful", "--from", failing, "--out", out)
    assert TAKEN in done.err, done.err


def test_a_run_says_which_step_is_meant(failing: Path) -> None:
    sigscope("replay", failing, "--step", "1")
    done = sigscope("diff", failing, "--run", "1")
    assert done.code in (0, 1), done.err
    assert "only one" not in done.err


def test_where_several_come_into_question_they_are_named(failing: Path) -> None:
    accepted = Path("sessions/vscode-copilot-four-requests.session.jsonl")
    done = sigscope("replay", accepted)
    assert done.code == 2
    assert "say which step: --step N, with N from 1 to 4; none was refused" in done.err
    both = failing.with_name("both.session.jsonl")
    merged = sigscope("sessions", "merge", failing, failing, "--out", both)
    assert merged.code == 0, merged.err
    done = sigscope("bisect", both)
    assert done.code == 2
    assert "; 3, 4 were refused" in done.err


def test_of_two_files_the_step_is_named(failing: Path) -> None:
    done = sigscope("diff", failing, failing, "--against", "1")
    assert done.code == 2
    assert "--step" in done.err
