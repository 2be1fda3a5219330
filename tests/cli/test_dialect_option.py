"""--dialect on the verbs that read a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import LS, openrouter, user
from tests.cli.commands import sigscope
from tests.unit.dialects.test_settlement import exchange, reply, steps, tool

from sigscope.session import Session
from sigscope.store import save_session

URL = "https://llm.example/v1/chat/completions"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two steps of an unknown host; the second loses what the first brought."""
    path = tmp_path / "unknown.session.jsonl"
    bare = {k: v for k, v in openrouter(LS).items() if k != "reasoning_details"}
    made = steps(
        exchange(URL, [user()], reply(openrouter(LS))),
        exchange(
            URL, [user(), bare, tool()], reply({"role": "assistant", "content": "x"})
        ),
    )
    save_session(Session(id="s", title="Unknown", steps=made), str(path))
    return path


def test_the_ledger_follows_what_is_named(file: Path) -> None:
    table = sigscope("ledger", file, "--json").json
    assert [step["dialect"] for step in table["steps"]] == [None, None]
    assert table["signatures"] == []
    table = sigscope("ledger", file, "--dialect", "openrouter", "--json").json
    assert [step["dialect"] for step in table["steps"]] == ["openrouter"] * 2
    assert [step["dialect_by"] for step in table["steps"]] == ["named by --dialect"] * 2
    (signature,) = table["signatures"]
    assert signature["fates"][0]["fate"] == "dropped"


def test_it_is_for_this_call_and_may_be_for_some_steps(file: Path) -> None:
    table = sigscope("ledger", file, "--dialect=openrouter:2", "--json").json
    assert [step["dialect"] for step in table["steps"]] == [None, "openrouter"]
    table = sigscope("ledger", file, "--json").json
    assert [step["dialect"] for step in table["steps"]] == [None, None]


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["check"], 0),
        (["show"], 0),
        (["show", "--step", "2"], 0),
        (["replay", "--step", "2", "--ready", "list"], 0),
        (["diff", "--step", "1", "--against", "2"], 1),
        (["import"], 0),
        (["export", "--to", "curl", "--step", "1"], 0),
    ],
)
def test_every_verb_that_reads_a_file_takes_it(
    file: Path, argv: list[str], code: int
) -> None:
    verb, *rest = argv
    words = [verb, str(file), *rest]
    if verb == "import":
        words += ["--out", str(file.with_name("copy.session.jsonl"))]
    found = sigscope(*words, "--dialect", "openrouter")
    assert found.code == code, found.told
    wrong = sigscope(*words, "--dialect", "nothing")
    assert wrong.code == 2
    assert "copilot-chat, openrouter, litellm, gemini" in wrong.err
    missing = sigscope(*words, "--dialect", "gemini:9")
    assert missing.code == 2
    assert "there is no step 9" in missing.err


def test_a_name_that_fits_nothing_is_told(file: Path) -> None:
    found = sigscope("ledger", file, "--dialect", "gemini")
    assert found.code == 0
    assert "no step has a body of that shape" in found.err


def test_the_screens_take_it_with_a_file_only(file: Path) -> None:
    assert "--dialect" in sigscope("open", "--help").told
