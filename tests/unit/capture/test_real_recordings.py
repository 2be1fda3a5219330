"""Recordings made by the real tools: what comes out is what was said.

`tests/real/README.md` tells how each was made; `tests/real/talk.py` is the truth.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from tests.importer import import_path
from tests.real.talk import PAUSE, STEPS, TALK, Call

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.engine.sessions.tables import ledger_table
from sigscope.exchange import Exchange, Response
from sigscope.reader import Reading
from sigscope.session import Step
from sigscope.wire.urls import split_url

REAL = Path(__file__).parents[2] / "real"
SENSITIVE = "chrome-sensitive.har"
BROWSERS = ("chrome.har", SENSITIVE, "firefox.har")
FILES = {
    **dict.fromkeys(BROWSERS, "har"),
    "mitmproxy.har": "har",
    "mitmproxy.mitm": "mitmproxy",
    "claude-trace.jsonl": "traces",
    "vcrpy.yaml": "vcr",
    "go-vcr.yaml": "vcr",
}
PARSED = "claude-trace.jsonl"
"""Keeps JSON bodies parsed, by a parser that knows no 1.0."""
SANITIZED = "chrome.har"
"""Has no body of what EventSource reads."""
PATHS = {call.path for call in TALK}


def talk(name: str) -> list[tuple[Call, Exchange]]:
    """What was said, and what the recording has of it; without the page, its icon."""
    found, imported = import_path(REAL / name)
    assert found == FILES[name]
    assert imported.problems == ()
    said = [
        exchange
        for exchange in imported.exchanges
        if exchange.request and split_url(exchange.request.url).path in PATHS
    ]
    return list(zip(TALK, said, strict=True))


def answer_of(exchange: Exchange) -> Response:
    assert exchange.response is not None
    return exchange.response


@pytest.mark.parametrize("name", FILES)
def test_bodies_are_as_they_were_said(name: str) -> None:
    for call, exchange in talk(name):
        request, response = exchange.request, answer_of(exchange)
        assert request is not None
        assert request.method == ("POST" if call.sent else "GET")
        if name == PARSED and call.sent:
            assert json.loads(request.body.raw) == json.loads(call.sent)
        else:
            assert request.body.raw == call.sent
        assert response.status == call.status
        step = Step(number=1, id="s1", exchange=exchange)
        if name == SANITIZED and not call.sent:
            assert response.body.raw == b""
            assert "with sensitive data" in exchange.remarks[-1]
        else:
            read = Reading(step.exchange, number=1).response_body.data
            is_parsed = name == PARSED and call.kind == "application/json"
            assert read == (call.received.strip() if is_parsed else call.received)


@pytest.mark.parametrize("name", FILES)
def test_nothing_is_remarked_but_what_a_tool_does_not_keep(name: str) -> None:
    told = [len(exchange.remarks) for _, exchange in talk(name)]
    # When the first event came; that EventSource was closed, and has no body.
    expected = [1, 0, 0, 2] if name.startswith("chrome") else [0, 0, 0, 0]
    # Both bodies of the third call are JSON.
    assert told == ([1, 1, 2, 0] if name == PARSED else expected)


@pytest.mark.parametrize("name", FILES)
def test_the_ledger_is_the_one_it_deserves(name: str) -> None:
    document = Document(open_file(REAL / name))
    numbers = [
        step.number
        for step in document.steps
        if step.exchange.request and step.exchange.request.method == "POST"
    ]
    assert len(numbers) == 3
    place = {number: n for n, number in enumerate(numbers, start=1)}
    (signature,) = document.ledger.signatures
    fates = tuple((place[f.step], str(f.fate), str(f.grade)) for f in signature.fates)
    assert signature.step is not None
    assert ((place[signature.step], fates),) == STEPS
    errors = [(f.step, f.rule) for f in document.findings if f.severity == "error"]
    assert errors == [(numbers[2], "CPC-1")]


@pytest.mark.parametrize("name", ["chrome.har", SENSITIVE])
def test_chrome_has_the_time_of_every_event(name: str) -> None:
    call, exchange = talk(name)[0]
    response = answer_of(exchange)
    reading = Reading(exchange, number=1)
    assert [chunk.end for chunk in response.chunks] == [e.end for e in reading.events]
    assert len(reading.events) == call.received.count(b"data:")
    times = [chunk.at_ms for chunk in response.chunks]
    gaps = [after - before for before, after in pairwise(times)]
    # The second event was sent in two pieces, with a pause between them.
    assert all(gap > PAUSE * 1000 * 0.8 for gap in gaps)
    assert gaps[0] > PAUSE * 1000 * 1.8
    assert exchange.first_byte_ms is not None
    assert exchange.first_byte_ms <= times[0]
    assert exchange.duration_ms is not None
    assert times[-1] <= exchange.duration_ms


@pytest.mark.parametrize("name", sorted(FILES.keys() - {"chrome.har", SENSITIVE}))
def test_the_others_have_no_times_of_events(name: str) -> None:
    is_cassette = name.endswith(".yaml")
    for _, exchange in talk(name):
        assert answer_of(exchange).chunks == ()
        assert (exchange.duration_ms is None) is is_cassette
        assert (exchange.started_at is None) is is_cassette


def test_claude_trace_tells_head_and_end() -> None:
    _, exchange = talk(PARSED)[0]
    assert exchange.first_byte_ms is not None
    assert exchange.duration_ms is not None
    # Seven pieces, a pause after each.
    assert exchange.duration_ms - exchange.first_byte_ms > PAUSE * 1000 * 5


def test_litellm_s_debug_log_tells_what_the_recorder_saw() -> None:
    """Both are of the same calls."""
    log = Document(open_file(REAL / "litellm.log"))
    seen = Document(open_file(REAL / "litellm.session.jsonl"))
    assert log.session.format == "debug-log"
    for told, wire in zip(log.readings, seen.readings, strict=True):
        assert told.request_json == wire.request_json
        assert json.loads(told.response_body.data) == wire.response_json
        assert told.dialect is wire.dialect
        assert "as Python spells it" in told.exchange.remarks[1]
    assert ledger_table(log) == ledger_table(seen)
    assert len(log.ledger.signatures) == 3
