"""The Network panel of Chromium: its HAR is read here, ours is read there."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest
from tests.real.talk import STEPS, TALK, serving

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file

pytest.importorskip("aiohttp", reason="the extra `serve` is not installed")

from tests.cli.commands import SESSIONS
from tests.peers import peering
from tests.peers.devtools import devtools
from tests.tui.web.chromium import PROGRAM

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="there is no chromium here")

MESSAGES = "_eventSourceMessages"
NAME = "copilot-missing-signature"


@pytest.mark.parametrize("sensitive", [True, False], ids=["sensitive", "sanitized"])
async def test_what_it_exports_is_read(tmp_path: Path, *, sensitive: bool) -> None:
    server = serving()
    try:
        async with devtools(tmp_path) as tools:
            url = f"http://127.0.0.1:{server.server_port}/"
            await tools.visit(url, "done")
            har = await tools.export_har(sensitive=sensitive)
    finally:
        server.shutdown()
        server.server_close()
    file = tmp_path / "chromium.har"
    file.write_text(har, encoding="utf-8")
    document = Document(open_file(file))
    asked = [
        step
        for step in document.steps
        if step.exchange.request and step.exchange.request.method == "POST"
    ]
    talk = peering.only(document, asked)
    calls = [call for call in TALK if call.sent]
    for call, reading in zip(calls, talk.readings, strict=True):
        assert reading.request_body.data == call.sent
        assert reading.response_body.data == call.received
        assert reading.status == call.status
    # It has them for most streams, but not where its tools came too late.
    listed = [e for e in json.loads(har)["log"]["entries"] if MESSAGES in e]
    timed = [r for r in document.readings if r.events and r.events[0].at_ms is not None]
    sanitized_away = 0 if sensitive else 1
    assert len(timed) == len(listed) - sanitized_away
    assert peering.rows(talk) == list(STEPS)


async def test_what_we_export_is_listed(tmp_path: Path) -> None:
    file = tmp_path / "ours.har"
    told = peering.sigscope(tmp_path, "export", NAME, "--to", "har", "--out", file)
    assert told.code == 0
    text = file.read_text(encoding="utf-8")
    async with devtools(tmp_path) as tools:
        rows = await tools.load_har(text)
    document = Document(open_file(SESSIONS / f"{NAME}.session.jsonl"))
    for row, reading in zip(rows, document.readings, strict=True):
        exchange = reading.exchange
        assert exchange.request is not None
        assert exchange.response is not None
        assert exchange.started_at is not None
        began = datetime.fromisoformat(exchange.started_at).timestamp()
        assert row["method"] == exchange.request.method
        assert row["url"] == exchange.request.url
        assert row["status"] == reading.status
        assert row["sent"].encode() == reading.request_body.data
        assert row["received"].encode() == reading.response_body.data
        assert sorted(map(tuple, row["headers"])) == sorted(exchange.response.headers)
        assert row["started"] == pytest.approx(began, abs=0.001)
        assert row["took"] * 1000 == pytest.approx(exchange.duration_ms, abs=0.1)
        assert [data.encode() for _, _, data in row["events"]] == [
            event.data for event in reading.events
        ]
        for (at, _, _), event in zip(row["events"], reading.events, strict=True):
            assert event.at_ms is not None
            assert at - began == pytest.approx(event.at_ms / 1000, abs=0.001)


async def test_bytes_that_are_no_text_are_listed_too(tmp_path: Path) -> None:
    """ "ä" alone stands in base64, for mitmproxy's sake."""
    real = Path(__file__).parents[1] / "real" / "chrome-sensitive.har"
    file = tmp_path / "ours.har"
    peering.sigscope(tmp_path, "export", real, "--to", "har", "--out", file)
    text = file.read_text(encoding="utf-8")
    contents = [e["response"]["content"] for e in json.loads(text)["log"]["entries"]]
    assert contents[-1]["encoding"] == "base64"
    async with devtools(tmp_path) as tools:
        rows = await tools.load_har(text)
    assert rows[-1]["received"].encode() == TALK[-1].received
    assert [name for _, name, _ in rows[-1]["events"]] == ["message", "note", "end"]
