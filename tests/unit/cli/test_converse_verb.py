"""`sigscope converse`: what it prints, where it writes, how it exits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sigscope.cli.main import run
from sigscope.engine.sessions.opener import open_file


def said(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = run(["converse", *argv])
    out, err = capsys.readouterr()
    return code, out, err


def table(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, Any]:
    code, out, _ = said(capsys, *argv, "--json")
    return code, json.loads(out)


def test_an_accepted_conversation_exits_with_0(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = said(capsys, "--policy", "vscode-copilot")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].startswith("vscode-copilot: VS Code on Copilot")
    assert lines[1] == "copilot-chat, gemini-3-pro-preview"
    assert [line.split()[1:3] for line in lines[3:]] == [
        ["1.1", "200"],
        ["1.2", "200"],
        ["side", "200"],
        ["2.1", "200"],
    ]
    assert "2 dropped (not required)" in lines[-1]


def test_a_refused_one_exits_with_1_and_says_why(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = said(capsys, "--policy", "zed-copilot-attempt-2")
    assert code == 1
    assert out.splitlines()[-1].strip() == "invalid request body"
    assert " moved" in out


def test_json_tells_steps_and_turns(capsys: pytest.CaptureFixture[str]) -> None:
    code, made = table(capsys, "--policy", "zed-copilot-attempt-2")
    assert code == 1
    assert made["format"] == 1
    (conversation,) = made["conversations"]
    assert conversation["policy"] == "zed-copilot-attempt-2"
    assert conversation["refused"] is True
    assert [step["status"] for step in conversation["steps"]] == [200, 400]
    assert conversation["turns"][0]["error"] == "invalid request body"


def test_the_session_is_written_where_asked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "x.session.jsonl"
    code, _, err = said(capsys, "--dialect", "gemini", "--out", str(out))
    assert code == 0
    assert f"written to {out}" in err
    assert len(open_file(out).steps) == 3
    code, _, err = said(capsys, "--dialect", "gemini", "--out", str(out))
    assert code == 2
    assert "--force" in err
    code, _, _ = said(capsys, "--dialect", "gemini", "--out", str(out), "--force")
    assert code == 0


def test_a_script_is_read_from_a_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    script = tmp_path / "script.txt"
    script.write_text("Hello\nThanks!\nThanks!\n")
    _, made = table(capsys, "--dialect", "litellm", "--turns", str(script))
    assert len(made["conversations"][0]["turns"]) == 3


def test_model_and_seed_are_taken(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--dialect", "gemini", "--model", "gemini-2.5-pro"]
    _, one = table(capsys, *argv, "--seed", "a")
    _, two = table(capsys, *argv, "--seed", "a")
    _, other = table(capsys, *argv, "--seed", "b")
    assert one == two != other
    assert one["conversations"][0]["model"] == "gemini-2.5-pro"


def test_a_policy_of_ones_own_is_taken_from_a_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('extends = "faithful-gemini"\nabout = "mine"\nwrite = []\n')
    code, out, _ = said(capsys, "--policy", str(mine))
    assert code == 1
    assert out.startswith("mine: mine")


def test_a_mended_client_may_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    code, made = table(
        capsys,
        *("--policy", "zed-copilot-attempt-1", "--then", "zed-copilot-final-fix"),
    )
    assert code == 1, "a request was refused, though not the last"
    steps = made["conversations"][0]["steps"]
    assert [step["status"] for step in steps] == [200, 400, 200, 200]


def test_two_policies_stand_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--policy", "zoo-litellm-dummy", "--against", "zoo-litellm-per-call-echo"]
    code, out, _ = said(capsys, *argv)
    assert code == 0
    head, first, second = out.splitlines()
    assert head.split() == ["turn", "zoo-litellm-dummy", "zoo-litellm-per-call-echo"]
    assert first.count("200 200") == 2
    assert second.count("thoughts") == 2
    _, made = table(capsys, *argv)
    last = [c["turns"][-1]["reasoning_share"] for c in made["conversations"]]
    assert last[0] < last[1]


def test_a_turn_that_one_did_not_reach_is_shown_as_such(
    capsys: pytest.CaptureFixture[str],
) -> None:
    argv = ["--policy", "zed-copilot-attempt-1", "--against", "zed-copilot-final-fix"]
    code, out, _ = said(capsys, *argv)
    assert code == 1
    assert "not reached" in out
    assert "zed-copilot-attempt-1: invalid request body" in out
    assert "1 lost" in out


def test_the_list_names_every_policy_once(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "--list")
    names = [line.split()[0] for line in out.splitlines()]
    assert code == 0
    assert len(set(names)) == len(names) > 40
    _, only, _ = said(capsys, "--list", "--dialect", "litellm")
    assert 0 < len(only.splitlines()) < len(names)
    _, made = table(capsys, "--list")
    assert [row["name"] for row in made["policies"]] == names


@pytest.mark.parametrize(
    ("argv", "code", "word"),
    [
        ([], 2, "--list shows the policies"),
        (["--policy", "nobody"], 2, "there is no policy"),
        (["--dialect", "nothing"], 2, "is not one of"),
        (["--policy", "/none.toml"], 3, "cannot be read"),
        (["--dialect", "gemini", "--turns", "/none"], 3, "cannot be read"),
        (["--dialect", "gemini", "--enforce", "maybe"], 2, "strict, lenient"),
        (["--dialect", "gemini", "--timeout", "0"], 2, "less than 0.1"),
        (["--dialect", "gemini", "--key-env", "NOT_SET_HERE"], 2, "is not set"),
        (["--dialect", "gemini", "--to", "ftp://x", "--yes"], 2, "is no target"),
        (["--dialect", "gemini", "--to", "https://example.com"], 2, "--yes"),
        (["--dialect", "gemini", "--to", "http://127.0.0.1:1"], 3, ""),
        (["--dialect", "gemini", "--out", "/none/x"], 3, "cannot be written"),
        (
            ["--dialect", "gemini", "--against", "faithful-gemini", "--out", "x"],
            2,
            "give one of the two",
        ),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str], argv: list[str], code: int, word: str
) -> None:
    got, _, err = said(capsys, *argv)
    assert (got, word in err) == (code, True), err
    assert "Traceback" not in err
