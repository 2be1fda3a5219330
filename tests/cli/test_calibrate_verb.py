"""Live runs that disagree with the prediction, gathered for a report."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.commands import SESSIONS, sigscope
from tests.cli.servers import answer, says, server

from sigscope.engine.engine import Engine
from sigscope.engine.sessions.calibration import calibrate
from sigscope.exchange import Body, Exchange, Response
from sigscope.runs import Run, Verdict

REFUSAL = answer(
    b'{"error":{"message":"invalid request body","code":"invalid_request_body"}}',
    "400 Bad Request",
    "Content-Type: application/json",
    "X-Org-Name: Acme Secret Division",
)


@pytest.fixture
def contradicted(failing: Path) -> Path:
    """A session with a run that a service refused and the simulator did not."""
    with server(says(REFUSAL)) as served:
        line = ("replay", failing, "--step", "2", "--apply-fix", "all")
        sigscope(*line, "--to", served.url, "--yes")
    sigscope("replay", failing, "--step", "2", "--apply-fix", "all")
    return failing


def test_the_file_holds_the_runs_that_disagree_and_nobodys_names(
    contradicted: Path, tmp_path: Path
) -> None:
    sigscope("sessions", "rename", contradicted, "Secret project of Acme")
    out = tmp_path / "cases.session.jsonl"
    told = sigscope("calibrate", contradicted, "--out", out)
    assert told.code == 0
    assert f"{out}: 1 run; nothing was sent" in told.out
    assert "run 1 of step 2: the simulator foretold 200" in told.out
    assert "removed" in told.out
    document = Engine().open(out)
    (run,) = document.runs
    assert run.contradiction
    assert (run.predicted, run.status) == (200, 400)
    assert run.upstream.startswith("http://host.invalid")
    assert [r.dialect and r.dialect.name for r in document.readings] == [
        "copilot-chat",
        "copilot-chat",
    ]
    text = out.read_text(encoding="utf-8")
    for kept in ("Acme", "127.0.0.1"):
        assert kept not in text
    before = Engine().open(contradicted)
    for signature in before.ledger.signatures:
        assert signature.value not in text
    assert sigscope("check", out).code == 1
    assert [f.rule for f in document.findings] == [f.rule for f in before.findings]


def test_several_sessions_become_one_file(contradicted: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.session.jsonl"
    shutil.copy(SESSIONS / "zed-copilot-attempt-2.session.jsonl", other)
    with server(says(REFUSAL)) as served:
        line = ("replay", other, "--step", "2", "--apply-fix", "all")
        sigscope(*line, "--to", served.url, "--yes")
    out = tmp_path / "cases.session.jsonl"
    line = ("calibrate", contradicted, other, contradicted, "--out", out, "--json")
    told = sigscope(*line)
    assert told.code == 0
    assert [case["step"] for case in told.json["cases"]] == [2, 2]
    assert told.json["differences"] == []
    assert len(Engine().open(out).runs) == 2


def test_where_nothing_disagrees_nothing_is_written(
    failing: Path, tmp_path: Path
) -> None:
    sigscope("replay", failing, "--step", "2")
    out = tmp_path / "cases.session.jsonl"
    told = sigscope("calibrate", failing, "--out", out)
    assert told.code == 0
    assert "nothing disagrees with its prediction (0 live runs looked at)" in told.out
    assert not out.exists()


def test_a_file_that_is_there_is_not_replaced(
    contradicted: Path, tmp_path: Path
) -> None:
    out = tmp_path / "cases.session.jsonl"
    out.write_text("mine")
    told = sigscope("calibrate", contradicted, "--out", out)
    assert told.code == 2
    assert out.read_text() == "mine"


KEY = "correct-horse-7battery"
"""That this is a key only the header tells."""


def test_a_key_that_an_error_quotes_does_not_go_along(
    failing: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In JSON and in a page of a proxy, in headers, in the address."""
    page = (
        f"<html><h1>Refused</h1><p>key {KEY} of ann@acme.example</p>"
        f"<a href='https://me:{KEY}@proxy.acme.example/?api_key={KEY}'>x</a></html>"
    )
    refusal = answer(
        page.encode(), "400 Bad Request", "Content-Type: text/html", f"X-Key: {KEY}"
    )
    monkeypatch.setenv("MY_KEY", KEY)
    with server(says(refusal)) as served:
        line = ("replay", failing, "--step", "2", "--apply-fix", "all", "--yes")
        sigscope(*line, "--to", f"{served.url}/?token={KEY}", "--key-env", "MY_KEY")
    out = tmp_path / "cases.session.jsonl"
    told = sigscope("calibrate", failing, "--out", out)
    assert told.code == 0, told.told
    text = out.read_text(encoding="utf-8")
    for kept in (KEY, "ann@acme.example", "127.0.0.1"):
        assert kept not in text + told.out.replace(str(out), ""), kept
    assert Engine().open(out).runs


def test_what_a_recording_of_others_was_sent_with_does_not_go_along(
    failing: Path, tmp_path: Path
) -> None:
    """Headers that tell a key do not go along: it has to be known before."""
    document = Engine().open(failing)
    run = Engine().open(SESSIONS / "zed-copilot-attempt-1.session.jsonl")
    request = run.request(2)
    headers = (*request.headers, ("Authorization", f"Bearer {KEY}"))
    quoted = f'{{"error":{{"message":"no such key: {KEY}","code":"x"}}}}'.encode()
    document.session.runs.append(
        Run(
            number=1,
            step=2,
            upstream="https://api.githubcopilot.com/chat/completions",
            exchange=Exchange(
                request=replace(request, headers=headers),
                response=Response(status=400, body=Body(quoted)),
            ),
            predicted=200,
            contradiction="the simulator foretold 200, the service answered 400",
            status=400,
            verdict=Verdict.DIFFERENT,
            at="2026-01-01T00:00:00Z",
        )
    )
    found = calibrate([("theirs", document)])
    assert found.session is not None
    out = tmp_path / "cases.session.jsonl"
    Engine().write_calibration(found.session, out, known=found.keys)
    assert KEY not in out.read_text(encoding="utf-8")
    assert "no such key: ****" in out.read_text(encoding="utf-8")
