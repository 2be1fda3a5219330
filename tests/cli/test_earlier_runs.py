"""Runs of a recording that is never written to: the next command knows them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.cli.commands import sigscope

from sigscope.engine.engine import Engine
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.engine.sessions.runkeeper import Keeper, own_file
from sigscope.engine.settings.places import data_dir, shipped
from sigscope.runs import Run, Verdict
from sigscope.session import Session

STORY = "copilot-missing-signature"
PATH = shipped("sessions") / f"{STORY}.session.jsonl"
FIXED = ("replay", STORY, "--step", "2", "--apply-fix", "all")


def recording(path: Path, text: str) -> Path:
    body = {
        "model": "gemini-3-pro-preview",
        "messages": [{"role": "user", "content": text}],
    }
    sent = json.dumps(body)
    path.write_text(
        "curl https://api.githubcopilot.com/chat/completions"
        f" -H 'content-type: application/json' --data-raw '{sent}'"
    )
    return path


def test_a_run_of_a_bundled_session_can_be_compared_afterwards() -> None:
    assert sigscope(*FIXED).code == 0
    told = sigscope("diff", STORY, "--step", "2", "--run", "1")
    assert told.code == 1
    assert "set /messages/2/content to null" in told.out


def test_a_report_tells_the_fix_that_was_confirmed_before(tmp_path: Path) -> None:
    sigscope(*FIXED)
    out = tmp_path / "told.md"
    assert sigscope("export", STORY, "--to", "report", "--out", out).code == 0
    assert "## The confirmed fix of step 2" in out.read_text()


def test_the_screens_show_the_runs_made_before() -> None:
    assert not Engine().open(PATH).runs
    sigscope(*FIXED)
    assert [run.number for run in Engine().open(PATH).runs] == [1]


def test_a_run_that_is_not_there_is_told_with_those_that_are() -> None:
    before = sigscope("diff", STORY, "--step", "2", "--run", "7")
    assert (before.code, "`sigscope replay` makes runs" in before.err) == (2, True)
    sigscope(*FIXED)
    after = sigscope("diff", STORY, "--step", "2", "--run", "7")
    assert (after.code, "there are 1" in after.err) == (2, True)


def test_runs_that_cannot_be_read_leave_the_recording_usable() -> None:
    sigscope(*FIXED)
    own_file(open_file(PATH)).write_bytes(b"\x00" * 80)
    told = sigscope("export", STORY, "--to", "curl")
    assert told.code == 0
    assert "runs made before cannot be read" in told.err


def test_another_recording_under_the_same_path_has_runs_of_its_own(
    tmp_path: Path,
) -> None:
    path = recording(tmp_path / "call.txt", "first")
    replay = ("replay", path, "--step", "1", "--json")
    assert [sigscope(*replay).json["run"] for _ in range(2)] == [1, 2]
    recording(path, "second")
    assert sigscope(*replay).json["run"] == 1
    assert len(list((data_dir() / "sessions").iterdir())) == 2


def run_of_step_2(session: Session) -> Run:
    return Run(
        number=1,
        step=2,
        exchange=session.steps[1].exchange,
        upstream="simulator",
        predicted=None,
        status=None,
        verdict=Verdict.UNCLEAR,
        at="",
    )


def test_two_windows_that_make_their_first_run_at_once_keep_both() -> None:
    """The other one begins the file just after this one has seen that there is none."""
    session = replace(open_file(PATH), created_at="")
    there, here = (Document(replace(session, runs=[])) for _ in range(2))
    run = run_of_step_2(session)

    def now() -> str:
        if not there.runs:
            Engine().keeper.keep_run(there, replace(run, status=200))
        return "2026-11-23T10:00:00Z"

    kept = Keeper(now=now, tool="test").keep_run(here, replace(run, status=400))
    assert (kept.number, here.unkept) == (2, set())
    assert [(each.number, each.status) for each in Engine().open(PATH).runs] == [
        (1, 200),
        (2, 400),
    ]


def test_a_run_that_was_seen_in_the_file_first_is_not_listed_twice() -> None:
    """Who follows the file may take it while it is still being written down."""
    session = replace(open_file(PATH), runs=[])
    document = Document(session)
    run = run_of_step_2(session)

    class Watched(Keeper):
        def _append(self, *given: Any) -> Run:
            kept = super()._append(*given)
            document.grown((), [kept])
            return kept

    Watched(now=lambda: "", tool="test").keep_run(document, run)
    assert [each.number for each in document.runs] == [1]


def test_runs_of_a_bundled_session_are_kept_under_its_name() -> None:
    sigscope(*FIXED)
    assert own_file(open_file(PATH)).name == f"runs-of-{STORY}.session.jsonl"
    assert sigscope("check", f"runs-of-{STORY}").code == 1, "it is opened by that"


def remade(keeps_digests: bool) -> Path:
    """The file of the runs of a bundled session that was another one then."""
    path = own_file(open_file(PATH))
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines[1:]:
        if line.get("type") == "run":
            assert len(line["recording"]) == 64
            line["recording"] = "0" * 64
            if not keeps_digests:
                del line["recording"]
        if line.get("type") == "step":
            line["exchange"]["response"]["status"] = 418
        line.pop("sum", None)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("keeps_digests", [True, False])
def test_a_run_of_a_session_that_was_remade_is_not_used_and_that_is_said(
    keeps_digests: bool, tmp_path: Path
) -> None:
    """An earlier sigscope wrote no digests; the copy of the step tells then."""
    sigscope(*FIXED)
    path = remade(keeps_digests)
    out = tmp_path / "test_step.py"
    told = sigscope("export", STORY, "--step", "2", "--to", "pytest", "--out", out)
    assert told.code == 0
    assert "step 2: made before from another recording" in told.err
    assert f"run 1; kept in {path}" in " ".join(told.err.split())
    assert "run 1, accepted" not in out.read_text()
    assert not Engine().open(PATH).runs
    assert sigscope(*FIXED, "--json").json["run"] == 2
    assert [run.number for run in Engine().open(PATH).runs] == [2]


def test_a_run_that_was_made_before_digests_counts_where_its_step_is_the_same() -> None:
    sigscope(*FIXED)
    path = own_file(open_file(PATH))
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines[1:]:
        line.pop("recording", None)
        line.pop("sum", None)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert [run.number for run in Engine().open(PATH).runs] == [1]


def test_what_a_run_is_told_as_quotes_no_key_that_it_was_sent_with() -> None:
    assert sigscope(*FIXED).code == 0
    engine, key = Engine(), "77aa11bb-0000-4c4c-9d9d-123456789abc"
    document = engine.open(PATH)
    said = f"odd refusal for {key}"
    run = replace(document.runs[0], error=said, contradiction=f"answered 400: {said}")
    kept = engine.keeper.keep_run(document, run, (key,))
    assert key not in f"{kept.error} {kept.contradiction}"
    assert "odd refusal for [removed]" in kept.contradiction
