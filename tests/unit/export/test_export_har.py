"""HAR files: what they hold, and that our own importer reads the same out of them."""

from __future__ import annotations

import gzip
import json
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.unit.export.servers import bundled

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.engine.sessions.tables import findings_table, ledger_table
from sigscope.engine.settings.places import shipped
from sigscope.exchange import Body, Chunk, Exchange, Request, Response
from sigscope.export import har
from sigscope.export.har import har_file
from sigscope.reader import Reading
from sigscope.wire.bodies import Decoded

NAMES = sorted(
    path.name.removesuffix(".session.jsonl")
    for path in shipped("sessions").glob("*.session.jsonl")
)


def written(*readings: Reading, removed: dict[str, int] | None = None) -> bytes:
    return b"".join(pieces(readings, removed))


def pieces(
    readings: Sequence[Reading], removed: dict[str, int] | None = None
) -> Iterator[bytes]:
    return har_file(
        readings,
        title="A title",
        created_at="2026-11-21T03:14:15Z",
        tool="sigscope 0.1",
        removed=removed or {},
    )


def entry(exchange: Exchange) -> Any:
    (found,) = json.loads(written(Reading(exchange, number=1)))["log"]["entries"]
    return found


def test_a_body_is_looked_at_when_it_is_written() -> None:
    looked_at: list[int] = []

    class Noted(Reading):
        @property
        def request_body(self) -> Decoded:
            looked_at.append(self.number)
            return super().request_body

    def said(number: int) -> Exchange:
        return Exchange(request=Request(method="POST", body=Body(b"body %d" % number)))

    count, ahead = 5, []
    readings = [Noted(said(number), number=number) for number in range(count)]
    for piece in pieces(readings):
        if b'"body ' in piece:
            ahead.append(len(looked_at) - len(ahead) - 1)
    assert ahead == [0] * count


def reread(data: bytes, folder: Path) -> Document:
    path = folder / "it.har"
    path.write_bytes(data)
    session = open_file(path)
    assert session.format == "har"
    return Document(session)


def test_no_entry_is_there_before_the_one_ahead_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All requests of a long session are a gigabyte."""

    class Entry(dict[str, Any]):
        pass

    made: list[weakref.ref[Entry]] = []
    make = har._entry

    def counted(reading: Reading, created_at: str) -> Entry:
        # The one before is written, and the loop that wrote it holds it still.
        assert not any(one() for one in made[:-1])
        found = Entry(make(reading, created_at))
        made.append(weakref.ref(found))
        return found

    monkeypatch.setattr(har, "_entry", counted)
    data = written(*bundled(NAMES[0]).readings * 2)
    assert len(made) > 3
    told = json.dumps(json.loads(data), ensure_ascii=False, indent=1)
    assert data.decode() == told


def moment(text: str | None) -> datetime:
    assert text is not None
    return datetime.fromisoformat(text)


@pytest.mark.parametrize("name", NAMES)
def test_a_bundled_session_comes_back_with_its_ledger(
    name: str, tmp_path: Path
) -> None:
    old = bundled(name)
    new = reread(written(*old.readings), tmp_path)
    assert ledger_table(new) == ledger_table(old)
    assert findings_table(new.findings) == findings_table(old.findings)
    for before, after in zip(old.readings, new.readings, strict=True):
        assert after.request_body.data == before.request_body.data
        assert after.response_body.data == before.response_body.data
        assert after.chunks == before.chunks
        assert after.framed.events == before.framed.events
        was, now = before.exchange, after.exchange
        assert moment(now.started_at) == moment(was.started_at)
        assert now.duration_ms == was.duration_ms
        assert now.first_byte_ms == was.first_byte_ms


def exchange(body: bytes, answer: bytes, **more: Any) -> Exchange:
    return Exchange(
        request=Request(
            url="https://host/p?alt=sse&empty=&a=b%20c",
            headers=(("Content-Type", "application/json"), ("Cookie", "a=1; b=2")),
            body=Body(body),
        ),
        response=Response(status=200, body=Body(answer), **more),
        started_at="2026-11-21T03:14:15Z",
    )


@pytest.mark.parametrize(
    "data",
    [
        b'{"a":1}',
        '{"a":"ü🜚\u2028\ufeff"}'.encode(),
        b"\xff\xfe",
        b"a\0b",
        b"line\r\nline\r",
        b"\xef\xbb\xbf{}",
        b"[1]",
    ],
)
def test_bodies_come_back_byte_for_byte(data: bytes, tmp_path: Path) -> None:
    made = exchange(data, data)
    (after,) = reread(written(Reading(made, number=1)), tmp_path).readings
    assert after.exchange.request is not None
    assert after.exchange.response is not None
    assert after.exchange.request.body.raw == data
    assert after.exchange.response.body.raw == data


def test_a_coded_body_is_written_decoded_with_both_sizes(tmp_path: Path) -> None:
    plain = b'data: {"a":1}\n\n' * 20
    raw = gzip.compress(plain)
    chunks = (Chunk(end=12, at_ms=5.0), Chunk(end=len(raw), at_ms=9.5))
    made = exchange(
        b"{}",
        raw,
        headers=(("Content-Encoding", "gzip"), ("Content-Type", "text/event-stream")),
        chunks=chunks,
    )
    found = entry(made)["response"]
    assert found["bodySize"] == len(raw)
    assert found["content"] == {
        "size": len(plain),
        "compression": len(plain) - len(raw),
        "mimeType": "text/event-stream",
        "text": plain.decode(),
    }
    assert found["_chunks"][-1] == {"end": len(plain), "atMs": 9.5}
    (after,) = reread(written(Reading(made, number=1)), tmp_path).readings
    assert after.response_body.data == plain
    assert len(after.events) == 20
    assert after.events[-1].at_ms == 9.5


def test_a_body_that_is_no_text_is_in_base64() -> None:
    found = entry(exchange(b"\xff\x00", b"\xff\x00"))
    assert found["response"]["content"] == {
        "size": 2,
        "mimeType": "",
        "text": "/wA=",
        "encoding": "base64",
    }
    assert "postData" not in found["request"]
    assert found["request"]["_content"]["text"] == "/wA="


@pytest.mark.parametrize(
    ("kind", "data", "is_text"),
    [
        ("text/event-stream", "data: ä\n\n", False),
        ("text/event-stream", "data: ä …\n\n", True),
        ("text/event-stream", "data: a\n\n", True),
        ("text/event-stream; charset=utf-8", "data: ä\n\n", True),
        ("text/event-stream; charset=iso-8859-1", "data: ä\n\n", False),
        ("text/plain; charset=unheard-of", "ä", True),
        ("text/plain; charset=idna", "ä..", True),
        ("text/plain; charset=a\0b", "ä", True),
        ("application/json", '{"ä":1}', True),
    ],
)
def test_text_that_mitmproxy_reads_as_other_bytes_is_in_base64(
    kind: str, data: str, is_text: bool, tmp_path: Path
) -> None:
    made = exchange(b"{}", data.encode(), headers=(("Content-Type", kind),))
    assert ("encoding" not in entry(made)["response"]["content"]) is is_text
    (after,) = reread(written(Reading(made, number=1)), tmp_path).readings
    assert after.response_body.data == data.encode()
    assert after.exchange.remarks == ()


def test_events_with_times_are_written_as_chrome_reads_them() -> None:
    stream = b"id: 7\ndata: 1\n\nevent: note\ndata: a\ndata: b\n\ndata: torn"
    times = (Chunk(end=16, at_ms=5.5), Chunk(end=len(stream), at_ms=1250.25))
    made = exchange(
        b"{}", stream, headers=(("Content-Type", "text/event-stream"),), chunks=times
    )
    began = moment(made.started_at).timestamp()
    assert entry(made)["_eventSourceMessages"] == [
        {"time": began + 0.0055, "eventName": "message", "eventId": "7", "data": "1"},
        {
            "time": began + 1.25025,
            "eventName": "note",
            "eventId": "7",
            "data": "a\nb",
        },
    ]


@pytest.mark.parametrize("missing", ["chunks", "started_at"])
def test_events_without_times_are_not_written(missing: str) -> None:
    stream = b"data: 1\n\n"
    times = () if missing == "chunks" else (Chunk(end=len(stream), at_ms=5.5),)
    lines = (("Content-Type", "text/event-stream"),)
    made = exchange(b"{}", stream, headers=lines, chunks=times)
    if missing == "started_at":
        made = replace(made, started_at=None)
    assert "_eventSourceMessages" not in entry(made)


def test_query_and_cookies_are_taken_apart() -> None:
    found = entry(exchange(b"{}", b"{}"))["request"]
    assert found["queryString"] == [
        {"name": "alt", "value": "sse"},
        {"name": "empty", "value": ""},
        {"name": "a", "value": "b c"},
    ]
    assert found["cookies"] == [
        {"name": "a", "value": "1"},
        {"name": "b", "value": "2"},
    ]


REQUIRED = {
    "": {"startedDateTime", "time", "request", "response", "cache", "timings"},
    "request": {
        "method",
        "url",
        "httpVersion",
        "cookies",
        "headers",
        "queryString",
        "headersSize",
        "bodySize",
    },
    "response": {
        "status",
        "statusText",
        "httpVersion",
        "cookies",
        "headers",
        "content",
        "redirectURL",
        "headersSize",
        "bodySize",
    },
    "timings": {"send", "wait", "receive"},
}
"""Fields that HAR 1.2 does not call optional."""
OPTIONAL = {"pageref", "comment", "postData"}


@pytest.mark.parametrize(
    "made",
    [
        exchange(b"{}", b"{}"),
        Exchange(),
        Exchange(request=Request(url="/v1", body=Body(b"{}"))),
        Exchange(response=Response(body=Body(b"x"))),
    ],
    ids=["whole", "nothing", "no response", "no request"],
)
def test_every_required_field_is_there_and_no_unknown_one(made: Exchange) -> None:
    found = entry(made)
    for name, fields in REQUIRED.items():
        part = found[name] if name else found
        assert fields <= part.keys(), name
        extra = {key for key in part if not key.startswith("_")}
        assert extra <= fields | OPTIONAL, name
    assert {"size", "mimeType"} <= found["response"]["content"].keys()
    assert found["time"] >= 0


def test_an_aborted_response_comes_back_as_one(tmp_path: Path) -> None:
    for ending in ("client-aborted", "upstream-aborted"):
        made = exchange(b"{}", b"data: x", ending=ending)
        (after,) = reread(written(Reading(made, number=1)), tmp_path).readings
        assert after.exchange.response is not None
        assert after.exchange.response.ending == ending


def test_what_was_removed_is_in_the_comment() -> None:
    log = json.loads(written(removed={"cookie": 2}))["log"]
    assert log["comment"] == "removed before writing: 2 × cookie"
    assert log["creator"] == {"name": "sigscope", "version": "0.1"}


def test_a_lone_surrogate_in_a_header_does_not_break_the_file() -> None:
    made = Exchange(request=Request(url="/", headers=(("x", "\udc80"),)))
    assert entry(made)["request"]["headers"] == [{"name": "x", "value": "\udc80"}]
