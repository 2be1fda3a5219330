"""`converse --from`: a recorded step goes on under a policy."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.commands import SESSIONS, sigscope

FILE = SESSIONS / "copilot-missing-signature.session.jsonl"
FROM = ("converse", "--from", FILE, "--step", "2")


def test_the_readme_example_makes_a_session_that_names_its_origin(
    tmp_path: Path,
) -> None:
    out = tmp_path / "on.session.jsonl"
    told = sigscope(*FROM, "--apply-fix", "all", "--out", out)
    assert told.code == 0
    assert told.out.splitlines()[-1].split()[:2] == ["9", "5.2"]
    assert f"written to {out}" in told.err
    shown = sigscope("show", out, "--json").json
    assert len(shown["steps"]) == 9
    assert "step 2 of copilot-missing-signature.session.jsonl" in out.read_text("utf-8")


def test_a_policy_that_breaks_again_says_so_with_its_exit_code() -> None:
    policy = ("--policy", "copilot-missing-signature")
    told = sigscope(*FROM, "--apply-fix", "all", *policy, "--length", "3")
    assert told.code == 1
    assert "400" in told.out


def test_two_policies_go_on_from_one_step_side_by_side() -> None:
    told = sigscope(
        *FROM,
        *("--apply-fix", "all", "--length", "2"),
        *("--policy", "vscode-copilot", "--against", "zed-copilot-attempt-2"),
    )
    assert told.out.splitlines()[0].split() == [
        "turn",
        "vscode-copilot",
        "zed-copilot-attempt-2",
    ]
    assert told.code == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--from", SESSIONS / "gemini-sequential.session.jsonl"), "say which step"),
        (("--dialect", "gemini", "--step", "1"), "belong to --from FILE"),
        (("--from", FILE, "--step", "9"), "there is no step 9"),
        (("--from", FILE, "--step", "2", "--length", "0"), "1 to 50 turns"),
        (("--from", FILE, "--step", "2", "--policy", "codex"), "copilot-chat"),
        (("--from", FILE, "--step", "2", "--model", "x"), "the recorded model"),
    ],
)
def test_what_cannot_be_continued_is_said(words: tuple[str, ...], said: str) -> None:
    told = sigscope("converse", *words)
    assert said in told.err
    assert told.code == 2


def test_a_file_that_cannot_be_read_is_code_3(tmp_path: Path) -> None:
    told = sigscope("converse", "--from", tmp_path / "none.har", "--step", "1")
    assert told.code == 3
