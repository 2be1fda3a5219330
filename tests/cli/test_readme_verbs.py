"""Commands of README and laboratory: each example runs, and says what it shows."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from tests.cli.commands import ROOT, SESSIONS, sigscope

from sigscope.cli.main import VERBS

README = (ROOT / "README.md").read_text(encoding="utf-8")
TABLE = README.partition("## Commands")[2].partition("\n### ")[0]
ROWS = [
    row.replace("\\|", "|") for row in re.findall(r"^\| `sigscope (.+?)` ", TABLE, re.M)
]
MISSING = "copilot-missing-signature"
WORDS = {
    "FILE…": MISSING,
    "FILE": MISSING,
    "'TEXT'": "'content block is missing a `thought_signature`'",
    "TEXT": "README",
    "OLD": "zed-copilot-attempt-1",
    "NEW": "zed-copilot-final-fix",
    "S": "out.session.jsonl",
    "D": "gemini",
    "[check]": "",
}
"""What stands for the README's placeholders."""
CODES = {
    "check": 1,
    "explain": 0,
    "ledger": 0,
    "show": 0,
    "replay": 1,
    "bisect": 0,
    "search": 0,
    "matrix": 0,
    "fading": 0,
    "verify": 0,
    "diff": 1,
    "converse": 1,
    "import": 0,
    "new": 0,
    "profiles": 0,
    "export": 0,
    "redact": 0,
    "calibrate": 0,
    "keys": 0,
    "sessions": 0,
}
ELSEWHERE = {
    "[FILE]": "tests/cli/test_on_screen.py",
    "simulate": "tests/cli/test_simulate_session.py",
    "record": "tests/cli/test_record.py",
    "run": "tests/cli/test_run.py",
    "test": "tests/cli/test_test_verb.py",
    "mcp": "tests/cli/test_mcp_verb.py",
    "serve": "tests/cli/test_serve_verb.py",
}
"""Those that serve, or need a terminal: where a test runs them."""


def verb_of(row: str) -> str:
    return row.split()[0].rstrip("`,")


def words_of(row: str) -> list[str]:
    """A command line; of several forms of a verb the first."""
    line = row.split("`")[0].replace(" FILE TEXT", f" {MISSING} README")
    told = " ".join(WORDS.get(word, word) for word in line.split())
    words = shlex.split(told)
    if words[0] == "sessions":
        return words[:1]
    if words[0] == "export":
        return [*words, "--out", "report.md"]
    return words


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a copy of the session, of which a run was made."""
    shutil.copy(SESSIONS / f"{MISSING}.session.jsonl", tmp_path / MISSING)
    monkeypatch.chdir(tmp_path)
    assert sigscope("replay", MISSING, "--step", "2", "--apply-fix", "all").code == 0
    return tmp_path


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(row.split()[:2]))
def test_each_example_of_the_table_runs(row: str, here: Path) -> None:
    verb = verb_of(row)
    if verb in ELSEWHERE:
        assert (ROOT / ELSEWHERE[verb]).exists()
        return
    told = sigscope(*words_of(row))
    assert told.code == CODES[verb], told.told
    assert told.told.strip()


def test_every_verb_has_a_line_in_the_readme() -> None:
    assert ROWS
    assert SHOWN
    named = {verb_of(row) for row in ROWS} | {*re.findall(r"`(\w+)`", TABLE)}
    assert {*VERBS} - named == {"open"} & {*VERBS}


LABORATORY = (ROOT / "docs/laboratory.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n(.*?)```", README + LABORATORY, re.S)
SHOWN = [
    (command, text)
    for block in CONSOLE
    for command, text in re.findall(
        r"^\$ sigscope (.+)\n((?:(?!\$ ).*\n)*)", block, re.M
    )
    if text.strip() and MISSING in command
]
"""Of bundled sessions: what is shown of others cannot be had here."""


@pytest.mark.parametrize(("command", "text"), SHOWN, ids=[c for c, _ in SHOWN])
def test_what_is_shown_is_what_is_printed(
    command: str, text: str, tmp_path: Path
) -> None:
    told = sigscope(*shlex.split(command))
    assert [line.rstrip() for line in told.out.splitlines()] == [
        line.rstrip() for line in text.splitlines()
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("bisect", "zed-copilot-final-fix", "--step", "2", "--needed"),
            "fields are needed, proven with",
        ),
        (
            ("replay", MISSING, "--step", "2", "--apply-fix", "all", "--confirm", "5"),
            "confirmed over 5 turns, 6 shapes",
        ),
        (
            (
                *("converse", "--from", MISSING, "--step", "2", "--apply-fix", "all"),
                *("--policy", "faithful-copilot-chat", "--length", "2"),
            ),
            "faithful-copilot-chat: ",
        ),
        (("fading", "zoo-litellm-dummy"), "fades from turn 3"),
        (("verify", "zed-copilot-attempt-1", "zed-copilot-final-fix"), "fixed: "),
    ],
)
def test_the_laboratory_does_what_its_page_says(
    words: tuple[str, ...], said: str
) -> None:
    assert f"sigscope {words[0]}" in LABORATORY
    assert said in sigscope(*words).out
