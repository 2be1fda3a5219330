"""`converse --table`: policies × dialects × shapes on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.commands import sigscope

SPLIT = ("converse", "--table", "--policy", "gemini-split-calls", "--length", "1")


def test_the_readme_example_prints_a_line_a_policy() -> None:
    told = sigscope("converse", "--table", "--dialect", "deepseek", "--length", "2")
    lines = told.out.splitlines()
    assert "faithful-deepseek" in lines[0]
    assert lines[0].endswith("ok in all 6 shapes")
    assert "turn 1: DSK-2" in lines[1]
    assert lines[-1].startswith("DSK-2 (deepseek): ")
    assert told.code == 0


def test_shapes_that_differ_are_named_and_one_policy_decides_the_code() -> None:
    told = sigscope(*SPLIT)
    assert "turn 1: GEM-1 (streamed, parallel; whole, parallel) · ok (the rest)" in (
        told.out
    )
    assert told.code == 1


def test_it_is_json_and_markdown_too() -> None:
    rows = sigscope(*SPLIT, "--json").json["rows"]
    assert [row["breaks"] and row["breaks"]["rules"][0] for row in rows] == [
        None,
        "GEM-1",
        None,
    ] * 2
    assert sigscope(*SPLIT, "--markdown").out.startswith("| policy | dialect | ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--length", "0"), "--length takes 1 to 50 turns"),
        (("--json", "--markdown"), "--json or --markdown"),
        (("--out", "x.session.jsonl"), "--out holds one conversation"),
        (("--to", "http://127.0.0.1:1"), "with the simulator alone"),
        (("--dialect", "openrouter"), "does not speak openrouter"),
        (("--dialect", "nobody"), "is not one of"),
    ],
)
def test_what_does_not_go_together_is_refused(
    words: tuple[str, ...], said: str
) -> None:
    told = sigscope(*SPLIT[:4], *words)
    assert said in told.err
    assert told.code == 2


def test_options_of_the_table_alone_are_refused_without_it() -> None:
    told = sigscope("converse", "--dialect", "gemini", "--markdown")
    assert "--markdown belongs to --table" in told.err
    assert told.code == 2


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A policy of the user's own, and one that cannot be read."""
    monkeypatch.setattr("sigscope.converse.loader._own", [])
    folder = tmp_path / "kept" / "config" / "policies"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text('extends = "openai-deepseek"\nabout = "Ours."\n')
    (folder / "torn.toml").write_text("about = \n")
    return folder


def test_the_users_own_are_listed_first_and_marked(own: Path) -> None:
    told = sigscope("converse", "--list", "--dialect", "deepseek")
    first, *rest = told.out.splitlines()
    assert first.split()[:2] == ["mine", "Ours."]
    assert first.endswith(f"(own: {own / 'mine.toml'})")
    assert not any("(own" in line for line in rest)
    assert "policy torn is not offered: " in told.err
    assert told.code == 0
    row, *others = sigscope("converse", "--list", "--json").json["policies"]
    assert (row["name"], row["file"]) == ("mine", str(own / "mine.toml"))
    assert {each["file"] for each in others} == {None}


def test_the_users_own_are_in_the_table_and_marked(own: Path) -> None:
    table = ("converse", "--table", "--dialect", "deepseek", "--length", "1")
    told = sigscope(*table)
    assert told.out.splitlines()[0].startswith("mine (own) ")
    assert "policy torn is not offered: " in told.err
    assert "| `mine` (own) | deepseek |" in sigscope(*table, "--markdown").out
    found = sigscope(*table, "--json").json
    assert found["own"] == ["mine"]
    assert found["rows"][0]["policy"] == "mine"
