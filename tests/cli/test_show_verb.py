"""`sigscope show`: steps, runs, bodies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.commands import sigscope


@pytest.fixture
def mended(failing: Path) -> Path:
    """With a run that reproduces the error, and one that is accepted."""
    sigscope("replay", failing, "--step", "2")
    sigscope("replay", failing, "--step", "2", "--apply-fix", "all")
    return failing


def test_runs_are_listed_below_the_steps(mended: Path) -> None:
    lines = sigscope("show", mended).out.splitlines()
    assert lines[-2:] == [
        "run 1: step 2 to simulator, 0 edits, got 400: reproduced",
        "run 2: step 2 to simulator, 3 edits, got 200: gone",
    ]
    runs = sigscope("show", mended, "--json").json["runs"]
    assert [(run["run"], run["status"]) for run in runs] == [(1, 400), (2, 200)]


def test_a_run_is_shown_like_a_step_with_its_verdict(mended: Path) -> None:
    told = sigscope("show", mended, "--run", "2")
    assert told.code == 0
    assert "── answer of run 2: 200" in told.out
    assert told.out.splitlines()[-1] == "   verdict: gone: fix confirmed"
    table = sigscope("show", mended, "--run", "2", "--json").json
    assert (table["step"], table["run"]["run"]) == (2, 2)
    assert table["reply"]["role"] == "assistant"
    assert sigscope("show", mended, "--step", "2", "--json").json["run"] is None


def test_bytes_and_events_are_those_of_the_run(mended: Path) -> None:
    step = sigscope("show", mended, "--step", "2", "--raw", "request").out
    run = sigscope("show", mended, "--run", "2", "--raw", "request").out
    assert step != run
    assert json.loads(run)["messages"][2]["content"] is None
    assert sigscope("show", mended, "--run", "1", "--raw", "request").out == step
    assert sigscope("show", mended, "--run", "2", "--events").out.count("\n") > 2


def test_a_run_that_is_not_there_or_of_another_step_is_told(mended: Path) -> None:
    told = sigscope("show", mended, "--run", "9")
    assert (told.code, told.out) == (2, "")
    assert "there is no run 9 in this session; there are 1, 2" in told.err
    told = sigscope("show", mended, "--run", "1", "--step", "1")
    assert told.code == 2
    assert "run 1 is of step 2, not 1" in told.err


def test_show_says_whose_api_it_is() -> None:
    """One dialect, several services: the host tells which."""
    told = sigscope("show", "gemini-sequential", "--step", "1").out
    assert "gemini of Google Vertex AI (path)" in told
    (row, *_) = sigscope("show", "gemini-sequential", "--json").json["steps"]
    assert (row["dialect"], row["service"]) == ("gemini", "vertex")
    cards = sigscope("sessions", "--json").json["sessions"]
    card = next(card for card in cards if card["name"] == "gemini-sequential")
    assert card["services"] == ["vertex"]


def har(folder: Path, **response: object) -> Path:
    """A recording whose request has no body."""
    entry = {
        "request": {"method": "GET", "url": "https://openrouter.ai/api/v1/models"},
        "response": {"status": 204, "headers": [], **response},
    }
    path = folder / "a.har"
    path.write_text(json.dumps({"log": {"entries": [entry]}}))
    return path


def test_a_body_that_is_not_there_is_said_to_be_none(tmp_path: Path) -> None:
    path = har(tmp_path)
    for side in ("request", "response"):
        told = sigscope("show", path, "--step", "1", "--raw", side)
        assert (told.code, told.out) == (0, "")
        assert f"step 1: the {side} has no body in this recording" in told.err


def test_why_a_body_is_not_there_is_said_as_far_as_it_is_known(tmp_path: Path) -> None:
    path = har(tmp_path, content={"_file": "elsewhere.bin", "size": 3})
    told = sigscope("show", path, "--step", "1", "--raw", "response")
    assert (told.code, told.out) == (0, "")
    assert "elsewhere.bin" in told.err


def test_an_answer_that_was_not_recorded_cannot_be_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "call.txt"
    path.write_text("curl https://openrouter.ai/api/v1/chat/completions -d '{}'")
    told = sigscope("show", path, "--step", "1", "--raw", "response")
    assert (told.code, told.out) == (2, "")
    assert "step 1: no response was recorded" in told.err


@pytest.mark.parametrize("verb", ["show --run 1", "export --to report --stdout"])
def test_a_run_outlives_the_line_of_its_step(mended: Path, verb: str) -> None:
    """Nothing is claimed about what it was held against."""
    lines = mended.read_bytes().splitlines(keepends=True)
    steps = [line for line in lines if b'"type":"step"' in line]
    runs = [line for line in lines if b'"type":"run"' in line]
    mended.write_bytes(b"".join([lines[0], steps[0], *runs]))
    name, *options = verb.split()
    done = sigscope(name, str(mended), *options)
    assert done.code == 0, done.err
    assert "accepted again" not in done.out
    if name == "show":
        assert "its step cannot be read any more" in done.out
