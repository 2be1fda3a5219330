"""`doctor` and `keys` say what counts, and what is wrong with the user's files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sigscope.cli.main import run
from sigscope.tui.keytable import commands


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CONFIG", "STATE", "DATA"):
        monkeypatch.setenv(f"SIGSCOPE_{name}_DIR", str(tmp_path / name.lower()))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config").mkdir()
    return tmp_path / "config"


def test_doctor_says_who_won_and_who_was_overruled(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (config / "config.toml").write_text('theme = "ember"\n')
    monkeypatch.setenv("SIGSCOPE_THEME", "fjord")
    assert run(["doctor"]) == 0
    out = capsys.readouterr().out
    (line,) = [line for line in out.split("\n") if line.startswith("  theme ")]
    assert "fjord" in line
    assert "environment SIGSCOPE_THEME" in line
    assert "overrules ~/config/config.toml:1 (ember)" in line


def test_doctor_json_has_value_source_and_place_of_every_setting(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (config / "config.toml").write_text("[send]\nretries = 5\n")
    assert run(["doctor", "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert table["settings"]["send.retries"] == {
        "value": 5,
        "source": "user file",
        "where": "~/config/config.toml:2",
        "overruled": [],
    }
    assert table["settings"]["theme"]["source"] == "default"
    assert table["problems"] == []


def test_doctor_names_every_broken_file_and_ends_with_1(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (config / "config.toml").write_text("thme = 1\n")
    (config / "keys.toml").write_text('send = "crtl+x"\n')
    (config / "themes").mkdir()
    (config / "themes" / "bad.toml").write_text("primary = 1\n")
    (config / "policies").mkdir()
    (config / "policies" / "lax.toml").write_text("red = 1\n")
    assert run(["doctor"]) == 1
    out = capsys.readouterr().out
    for words in ("config.toml:1: ", "keys.toml:1: send", "bad.toml:1: ", "lax.toml:1"):
        assert words in out


def test_a_template_of_doctor_is_a_file_without_effect(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["doctor", "--template"])
    (config / "config.toml").write_text(capsys.readouterr().out)
    assert run(["doctor"]) == 0
    assert "user file" not in capsys.readouterr().out


def test_a_setting_of_the_template_counts_once_its_mark_is_taken_away(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was one line, and so without effect whatever one did."""
    run(["doctor", "--template"])
    text = capsys.readouterr().out
    assert "\\n" not in text
    for line in ("# ascii = false", "# port = 8920"):
        assert f"\n{line}\n" in text
    changed = text.replace("# ascii = false", "ascii = true")
    (config / "config.toml").write_text(changed)
    assert run(["doctor"]) == 0
    assert "user file" in capsys.readouterr().out


def test_keys_lists_every_command_with_its_key(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["keys"]) == 0
    out = capsys.readouterr().out
    for command in commands():
        assert f"  {command.id} " in out


def test_keys_json_tells_what_the_user_changed(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (config / "keys.toml").write_text('send = "f5"\n')
    assert run(["keys", "--json", "send"]) == 0
    table = json.loads(capsys.readouterr().out)
    (row,) = [row for row in table["commands"] if row["id"] == "send"]
    assert (row["keys"], row["default"], row["changed"]) == (["f5"], ["s"], True)
    assert len(table["commands"]) < len(commands())


def test_keys_with_a_conflict_says_it_and_ends_with_1(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (config / "keys.toml").write_text('zoom = "s"\n')
    assert run(["keys"]) == 1
    told = capsys.readouterr()
    assert "~/config/keys.toml:1: s is the key of both 'zoom' and 'send'" in told.err
    assert "(was z)" in told.out


def test_the_template_of_keys_is_a_file_without_effect(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["keys", "--template"])
    text = capsys.readouterr().out
    (config / "keys.toml").write_text(text)
    assert run(["keys", "--json"]) == 0
    assert not any(
        r["changed"] for r in json.loads(capsys.readouterr().out)["commands"]
    )

    taken = [
        x.removeprefix("# ") if x.startswith('# "') else x for x in text.split("\n")
    ]
    (config / "keys.toml").write_text("\n".join(taken))
    assert run(["keys", "--json"]) == 0
    table = json.loads(capsys.readouterr().out)["commands"]
    assert all(row["keys"] == row["default"] for row in table)


def test_replay_takes_its_target_from_the_settings(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Port 9 of loopback (discard) has no server: the send fails and says where."""
    (config / "config.toml").write_text(
        '[send]\nto = "http://127.0.0.1:9"\nretries = 0\nenforce = "soft"\n'
    )
    name = "copilot-missing-signature"
    assert run(["replay", name, "--step", "2", "--json"]) == 3
    told = capsys.readouterr()
    assert "127.0.0.1:9" in told.out
    assert "config.toml:4: send.enforce: 'soft' is not one of" in told.err
    assert run(["replay", name, "--step", "2", "--to", "simulator"]) in (0, 1)
