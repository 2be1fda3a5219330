"""`sigscope new` and `sigscope profiles`: files, exit codes, words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sigscope.cli.main import AGAINST, FINE, UNREADABLE, USAGE, run
from sigscope.engine.settings.places import config_dir
from sigscope.store import open_session


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_TOKEN", "OPENROUTER_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def test_a_request_that_was_not_sent_can_be_sent_from_its_session(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "n.session.jsonl"
    line = ["new", "--dialect", "copilot-chat", "--say", "Hi", "--out", str(out)]
    assert run(line) == FINE
    assert "not sent" in capsys.readouterr().out
    (step,) = open_session(str(out)).steps
    assert step.exchange.response is None
    assert step.source == "composed"
    assert run(["replay", str(out), "--step", "1", "--json"]) == FINE
    assert open_session(str(out)).runs[0].status == 200


def test_sent_to_the_simulator_it_has_its_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "n.session.jsonl"
    line = ["new", "--dialect", "gemini", "--to", "simulator", "--out", str(out)]
    assert run([*line, "--json", "--title", "Mine"]) == FINE
    assert json.loads(capsys.readouterr().out)["status"] == 200
    session = open_session(str(out))
    assert session.title == "Mine"
    assert session.id
    assert run(line) == USAGE
    assert "give --force" in capsys.readouterr().err


def test_a_body_is_taken_as_it_is(tmp_path: Path) -> None:
    raw = b'{ "messages" : [ ], "messages":[] , "n": 1.0}\n'
    (tmp_path / "body").write_bytes(raw)
    out = tmp_path / "n.session.jsonl"
    line = ["new", "--dialect", "openrouter", "--body", str(tmp_path / "body")]
    assert run([*line, "--out", str(out)]) == FINE
    request = open_session(str(out)).steps[0].exchange.request
    assert request is not None
    assert request.body.raw == raw


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        ([], USAGE, "name a --dialect"),
        (["--dialect", "gemini", "--header", "x"], USAGE, "'x' is no header"),
        (["--body", "no-such-file"], UNREADABLE, "no-such-file: there is no such file"),
        (["--body", "x", "--say", "y"], USAGE, "do not go with --body"),
        (["--dialect", "gemini", "--send"], USAGE, "--send goes to a profile"),
        (["--dialect", "gemini", "--to", "https://h/"], USAGE, "give --yes"),
        (["--dialect", "gemini", "--to", "h"], USAGE, "is no target"),
        (["--profile", "copilot", "--send", "--yes"], USAGE, "GITHUB_TOKEN"),
        (["--profile", "none"], USAGE, "there is no profile 'none'"),
    ],
)
def test_what_is_not_clear_is_asked_for(
    tmp_path: Path,
    options: list[str],
    code: int,
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "n.session.jsonl"
    assert run(["new", *options, "--out", str(out)]) == code
    assert words in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.slow
def test_profiles_are_listed_and_checked_without_a_network(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["profiles", "--json"]) == FINE
    rows = json.loads(capsys.readouterr().out)["profiles"]
    assert {row["name"] for row in rows} >= {"copilot", "gemini"}
    assert run(["profiles", "check", "openrouter", "--offline"]) == AGAINST
    assert "OPENROUTER_API_KEY is not set" in capsys.readouterr().out
    monkeypatch.setenv("OPENROUTER_API_KEY", "sk-very-secret")
    assert run(["profiles", "check", "openrouter", "--offline"]) == FINE
    assert run(["profiles"]) == FINE
    assert run(["doctor"]) == FINE
    said = capsys.readouterr()
    assert "sk-very-secret" not in said.out + said.err
    assert "OPENROUTER_API_KEY set" in said.out


def test_a_broken_config_is_named_by_profiles_and_by_doctor(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config_dir().mkdir(parents=True)
    (config_dir() / "profiles.toml").write_text("[x]\nurl = 1\n")
    assert run(["profiles"]) == UNREADABLE
    assert "[x] url is no text" in capsys.readouterr().err
    assert run(["doctor"]) == FINE
    assert "[x] url is no text" in capsys.readouterr().out


def test_a_body_that_is_no_json_is_taken_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = tmp_path / "body.txt"
    body.write_bytes(b'{"contents": [}')
    out = tmp_path / "x.session.jsonl"
    line = ["new", "--dialect", "gemini", "--body", str(body), "--out", str(out)]
    assert run(line) == 0
    assert "the body is no JSON; it was taken as it is" in capsys.readouterr().err
    request = open_session(str(out)).steps[0].exchange.request
    assert request is not None
    assert request.body.raw == b'{"contents": [}'
