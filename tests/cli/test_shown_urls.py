"""A key in a URL is said nowhere: not in talk, not in lists, not of foreign files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sigscope.cli.console import Console
from sigscope.cli.main import run
from sigscope.cli.recorded import step_line
from sigscope.engine.sessions.library import read_card
from sigscope.engine.sessions.opener import open_file
from sigscope.recorder.tape import Summary
from sigscope.store import save_session
from sigscope.store.secrets.marker import shown_url

KEY = "Zq7xY4wLm2Kp9Rt5Bv8Nc3"
URLS = (
    f"https://h.example/v1/models?key={KEY}",
    f"https://h.example/v1/keys/{KEY}/models",
    f"https://h.example/v1;key={KEY}/models",
    f"https://me:{KEY}@h.example/v1/models",
    f"https://h.example/v1/models#access_token={KEY}",
)


def har(folder: Path) -> Path:
    entries = [
        {
            "request": {"method": "GET", "url": url, "headers": []},
            "response": {"status": 200, "headers": [], "content": {"text": "{}"}},
        }
        for url in URLS
    ]
    path = folder / "foreign.har"
    path.write_text(json.dumps({"log": {"version": "1.2", "entries": entries}}))
    return path


@pytest.mark.parametrize("words", [[], ["--json"], ["--step", "1"]])
def test_show_of_a_foreign_file_says_no_key(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert run(["show", str(har(folder)), *words]) == 0
    told = "".join(capsys.readouterr())
    assert KEY not in told


@pytest.mark.parametrize(
    "words",
    [
        ["check"],
        ["check", "--json"],
        ["ledger"],
        ["ledger", "--json"],
        ["fading"],
        ["import", "--out", "in.session.jsonl"],
    ],
)
def test_what_is_said_of_refused_steps_of_a_foreign_file_says_no_key(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    """Neither a step that is not judged nor a finding about no model call."""
    path = har(folder)
    told = json.loads(path.read_text())
    for number, entry in enumerate(told["log"]["entries"]):
        body = '{"messages":[{"role":"user","content":"x"}]}' if number % 2 else "{}"
        entry["request"] |= {"method": "POST", "postData": {"text": body}}
        entry["response"]["status"] = 400
    path.write_text(json.dumps(told))
    assert run([words[0], str(path), *words[1:]]) in (0, 1)
    said = "".join(capsys.readouterr())
    assert "step" in said
    assert KEY not in said


@pytest.mark.parametrize("url", URLS)
def test_talk_while_recording_says_no_key(url: str) -> None:
    summary = Summary(
        number=1,
        method="ghp_" + KEY[:40],
        url=url,
        status=200,
        ending="complete",
        first_byte_ms=1.0,
        duration_ms=2.0,
        sent=0,
        received=2,
        pieces=1,
        remarks=(),
    )
    assert KEY not in step_line(summary, Console())
    assert KEY not in shown_url(url)


def test_the_list_of_sessions_says_no_key(folder: Path) -> None:
    path = folder / "a.session.jsonl"
    save_session(open_file(har(folder)), str(path))
    assert KEY not in path.read_text()
    card = read_card(path, "recent")
    assert card.hosts == ("h.example",)
    assert KEY not in repr(card)


TOKEN = "EAAB" + "o5fH1RqLZJOOj5ehA8MACCPH0wh3jGZQpDKfTQtb" * 3
PASSWORD = "Tr0ub4dor!zK8q"


def refused_har(folder: Path, name: str = "refused.har") -> Path:
    """A refusal that says a key of its own, and the one it was sent with."""
    body = {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": []}
    said = f"the access token {TOKEN} of {PASSWORD} is bad"
    answer = {"type": "error", "error": {"type": "invalid_request_error"}}
    answer["error"]["message"] = said  # type: ignore[index]
    request = {
        "method": "POST",
        "url": "https://api.anthropic.com/v1/messages",
        "headers": [{"name": "x-api-key", "value": PASSWORD}],
        "postData": {"mimeType": "application/json", "text": json.dumps(body)},
    }
    response = {
        "status": 400,
        "headers": [{"name": "content-type", "value": "application/json"}],
        "content": {"mimeType": "application/json", "text": json.dumps(answer)},
    }
    entry = {"request": request, "response": response}
    path = folder / name
    path.write_text(json.dumps({"log": {"version": "1.2", "entries": [entry]}}))
    return path


@pytest.mark.parametrize(
    "words",
    [
        ["check"],
        ["check", "--json"],
        ["check", "--each"],
        ["check", "--report", "sarif=told.sarif"],
        ["verify", "other.har"],
        ["verify", "other.har", "--json"],
    ],
)
def test_a_finding_that_quotes_a_refusal_says_no_key(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    path = refused_har(folder)
    refused_har(folder, "other.har")
    verb, *others = words
    assert run([verb, str(path), *others]) == 1
    told = "".join(capsys.readouterr())
    told += "".join(map(Path.read_text, folder.rglob("*.sarif")))
    assert "the access token EAA***" in told
    assert TOKEN[4:16] not in told
    assert PASSWORD not in told


@pytest.mark.parametrize("others", [[], ["--json"]])
def test_a_verdict_that_quotes_a_recorded_refusal_says_no_key(
    folder: Path, capsys: pytest.CaptureFixture[str], others: list[str]
) -> None:
    run(["replay", str(refused_har(folder)), "--step", "1", *others])
    told = "".join(capsys.readouterr())
    assert "the access token EAA***" in told
    assert TOKEN[4:16] not in told
    assert PASSWORD not in told
