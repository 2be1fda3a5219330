"""`sigscope search`: all bodies of a session, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sigscope.cli.main import run

SESSIONS = Path(__file__).parents[2] / "sessions"
FILE = str(SESSIONS / "copilot-missing-signature.session.jsonl")


def test_hits_stand_below_their_step(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", FILE, "reasoning_opaque"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("step 1: ")
    assert "reasoning_opaque" in told
    assert "repeated in" in told
    assert max(map(len, told.splitlines())) < 160, "a screen has more room"


def test_json_has_hits_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", FILE, "re:reasoning_o.aque", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    counted = sum(sum(row.values()) - row["step"] for row in told["steps"])
    assert counted == len(told["hits"]) > 0
    hit = told["hits"][0]
    start, end = hit["match"]
    assert hit["excerpt"][start:end] == "reasoning_opaque"


def test_nothing_found_is_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", FILE, "no such thing at all"]) == 1
    assert "not found in any body" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "re:", "re:(", "re:*"])
def test_what_cannot_be_searched_for_is_a_mistake_of_usage(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["search", FILE, text]) == 2
    assert "Traceback" not in capsys.readouterr().err
