"""What is taken out of records before they are written."""

from __future__ import annotations

import base64
import gzip
import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.store.samples import make_run, make_step

from sigscope.edits.records import Edit, Op
from sigscope.exchange import Body, Chunk, Exchange, Request, Response
from sigscope.session import Note, Step
from sigscope.store import Header, Redactor, StandIns
from sigscope.wire.bodies import decode

KEY = "sk-ant-api03-" + "Ab3" * 20
STARS = "sk-ant-" + "*" * (len(KEY) - 7)
SEALED = bytes((n * 37 + 11) % 256 for n in range(180))
SIGNATURE = base64.b64encode(SEALED).decode()

CORPUS = Path(__file__).parents[4] / "shared" / "corpus"


def step_of(exchange: Exchange, **more: Any) -> Step:
    return Step(number=1, id="s1", exchange=exchange, **more)


def request_of(step: Step) -> Request:
    assert step.exchange.request is not None
    return step.exchange.request


def response_of(step: Step) -> Response:
    assert step.exchange.response is not None
    return step.exchange.response


def test_a_step_without_secrets_stays_as_it_is() -> None:
    step = make_step(1, b"\xff\x00", json.dumps({"signature": SIGNATURE}).encode())
    redacted, removed = Redactor().step(step)
    assert redacted == step
    assert not removed
    assert redacted.exchange.response is not None
    assert step.exchange.response is not None
    assert redacted.exchange.response.body is step.exchange.response.body


def test_secrets_leave_every_field() -> None:
    step = step_of(
        Exchange(
            request=Request(
                url=f"https://u:p@h/v1?key={KEY}",
                headers=(("X-Api-Key", KEY), ("Cookie", f"a={KEY}")),
                body=Body(json.dumps({"content": f"my key is {KEY}"}).encode()),
            ),
            response=Response(
                headers=(("Set-Cookie", f"a={KEY}"), ("Location", f"/?token={KEY}")),
                body=Body(b"data: " + json.dumps({"api_key": KEY}).encode()),
            ),
            remarks=(f"read with {KEY}",),
        ),
        title=f"Step with {KEY}",
        source=f"curl -H 'x-api-key: {KEY}'",
    )
    redacted, removed = Redactor().step(step)
    seen = repr(redacted) + repr(request_of(redacted).body.raw)
    assert KEY[8:] not in seen + repr(response_of(redacted).body.raw)
    assert json.loads(request_of(redacted).body.raw) == {
        "content": f"my key is {STARS}"
    }
    assert removed == {
        "Anthropic key": 5,
        "cookie": 2,
        "key in URL": 2,
        "x-api-key header": 1,
        "user in URL": 1,
    }
    again, nothing = Redactor().step(redacted)
    assert again == redacted
    assert not nothing


def test_secrets_leave_runs_and_their_edits() -> None:
    run = replace(
        make_run(),
        upstream=f"https://h/v1?key={KEY}",
        error=f"Incorrect API key provided: {KEY}",
        edits=(
            Edit(op=Op.HEADER, name="Authorization", value=f"Bearer {KEY}"),
            Edit(op=Op.HEADER, name="X-Initiator", value="agent"),
            Edit(op=Op.URL, value=f"https://h/?key={KEY}", label=f"use {KEY}"),
            Edit(op=Op.SET, pointer="/a", value=f'"{KEY}"'),
            Edit(op=Op.SET, pointer="/api_key", value='"Zq7xY4wZq7xY"'),
        ),
    )
    redacted, removed = Redactor().run(run)
    assert [edit.value for edit in redacted.edits] == [
        "Bearer [removed]",
        "agent",
        "https://h/?key=REMOVED",
        f'"{STARS}"',
        '"************"',
    ]
    assert KEY[8:] not in repr(redacted)
    assert removed["header in an edit"] == 1
    assert Redactor().run(redacted) == (redacted, {})


def test_secrets_leave_notes_and_headers() -> None:
    note = Redactor().note(Note(text=f"use {KEY}", at="t"))
    assert note.text == f"use {STARS}"
    header = Redactor().header(Header(id="x", title=KEY, story=KEY, tags=("a", KEY)))
    assert (header.title, header.story) == (STARS, STARS)
    assert header.tags == ("a", STARS)
    assert header.redaction == ("secrets",)
    assert Redactor().header(header) == header


def test_a_body_keeps_its_length_and_its_arrivals() -> None:
    body = f'data: {{"text":"{KEY}"}}\n\ndata: [DONE]\n\n'.encode()
    chunks = (Chunk(end=40, at_ms=1.0), Chunk(end=len(body), at_ms=2.0))
    step = step_of(Exchange(response=Response(body=Body(body), chunks=chunks)))
    redacted = response_of(Redactor().step(step)[0])
    assert len(redacted.body.raw) == len(body)
    assert redacted.chunks == chunks


@pytest.mark.parametrize(
    ("coding", "compress"),
    [("gzip", gzip.compress), ("deflate", zlib.compress)],
    ids=["gzip", "deflate"],
)
def test_a_compressed_body_with_a_secret_is_stored_without_its_coding(
    coding: str, compress: Callable[[bytes], bytes]
) -> None:
    plain = json.dumps({"token": "x", "text": [KEY] * 3, "more": "y" * 500}).encode()
    raw = compress(plain)
    response = Response(
        headers=(("Content-Encoding", coding),),
        body=Body(raw),
        chunks=(Chunk(end=20, at_ms=1.0), Chunk(end=len(raw), at_ms=2.0)),
    )
    redacted, removed = Redactor().step(step_of(Exchange(response=response)))
    new = response_of(redacted)
    assert new.body.raw == plain.replace(KEY.encode(), STARS.encode())
    assert decode(new.body.raw, new.headers).data == new.body.raw
    assert new.chunks[-1] == Chunk(end=len(plain), at_ms=2.0)
    assert removed == {"Anthropic key": 3}
    assert coding in redacted.exchange.remarks[0]
    assert "secrets were taken out" in redacted.exchange.remarks[0]


def test_a_compressed_body_without_a_secret_is_kept() -> None:
    raw = gzip.compress(b'{"text":"nothing"}')
    response = Response(headers=(("Content-Encoding", "gzip"),), body=Body(raw))
    redacted, _ = Redactor().step(step_of(Exchange(response=response)))
    assert response_of(redacted).body.raw == raw
    assert not redacted.exchange.remarks


PACKED = gzip.compress(b'{"said": "nothing secret"}')


@pytest.mark.parametrize(
    ("coding", "raw", "stored"),
    [
        ("gzip", PACKED + f" and {KEY}".encode(), b'{"said": "nothing secret"}'),
        ("gzip", PACKED + b"?" + gzip.compress(KEY.encode()), b'{"said": "nothing'),
        ("x-own", b"\0" + zlib.compress(KEY.encode()), b""),
        (", ".join(["gzip"] * 9), "nine times", b""),
    ],
    ids=["a key behind", "a packed key behind", "another coding", "nine codings"],
)
def test_what_cannot_be_searched_is_not_written(
    coding: str, raw: bytes | str, stored: bytes
) -> None:
    if isinstance(raw, str):
        raw = KEY.encode()
        for _ in range(9):
            raw = gzip.compress(raw)
    headers = (("Content-Encoding", coding),)
    chunks = (Chunk(end=len(raw), at_ms=1.0),)
    response = Response(status=200, headers=headers, body=Body(raw), chunks=chunks)
    redacted, _ = Redactor().step(step_of(Exchange(response=response)))
    kept = response_of(redacted)
    assert kept.body.raw.startswith(stored)
    assert len(kept.body.raw) < 100
    assert all(chunk.end <= len(kept.body.raw) for chunk in kept.chunks)
    assert KEY[13:].encode() not in kept.body.raw
    assert "cannot be searched" in redacted.exchange.remarks[-1]


def test_a_coding_that_is_not_there_hides_nothing() -> None:
    request = Request(
        url="http://h/", headers=(("Content-Encoding", "x-own"),), body=Body(b"{}")
    )
    redacted, _ = Redactor().step(step_of(Exchange(request=request)))
    assert request_of(redacted).body.raw == b"{}"
    assert not redacted.exchange.remarks


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("end", [b"", b"x"])
def test_a_text_in_wide_letters_is_searched(coding: str, end: bytes) -> None:
    text = f'{{"a": "é", "content": "Café {KEY}", "user": "{"n" * 90}"}}'
    body = text.encode(coding) + end
    redacted, removed = Redactor().step(
        step_of(Exchange(request=Request(body=Body(body))))
    )
    stored = request_of(redacted).body.raw
    assert stored.decode(coding, "ignore").startswith(text.replace(KEY, STARS))
    assert removed == {"Anthropic key": 1}


def test_forms_are_searched_as_forms() -> None:
    request = Request(
        headers=(("Content-Type", "application/x-www-form-urlencoded; charset=utf-8"),),
        body=Body(b"grant_type=refresh_token&refresh_token=abc&code=12345"),
    )
    redacted, _ = Redactor().step(step_of(Exchange(request=request)))
    assert (
        request_of(redacted).body.raw
        == b"grant_type=refresh_token&refresh_token=***&code=*****"
    )


def test_signatures_are_replaced_at_the_second_level_only() -> None:
    body = json.dumps({"reasoning_opaque": SIGNATURE, "api_key": KEY}).encode()
    exchange = Exchange(
        request=Request(body=Body(body)),
        response=Response(
            headers=(("Content-Encoding", "gzip"),), body=Body(gzip.compress(body))
        ),
        remarks=(f"saw {SIGNATURE}",),
    )
    stand_ins = StandIns(b"k", [SIGNATURE])
    new = stand_ins.stand_in(SIGNATURE)
    for redactor, expected in (
        (Redactor(), SIGNATURE),
        (Redactor(stand_ins), new),
    ):
        redacted, _ = redactor.step(step_of(exchange))
        found = json.loads(request_of(redacted).body.raw)
        assert found == {"reasoning_opaque": expected, "api_key": STARS}
        assert json.loads(response_of(redacted).body.raw) == found
        assert redacted.exchange.remarks[0] == f"saw {expected}"
    assert Redactor(stand_ins).levels == ("secrets", "signatures")


def test_a_compressed_body_says_why_its_coding_is_gone() -> None:
    raw = gzip.compress(json.dumps({"signature": SIGNATURE}).encode())
    response = Response(headers=(("Content-Encoding", "gzip"),), body=Body(raw))
    redactor = Redactor(StandIns(b"k", [SIGNATURE]))
    redacted, removed = redactor.step(step_of(Exchange(response=response)))
    assert "signatures were taken out" in redacted.exchange.remarks[0]
    assert not removed


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not at hand")
def test_real_traffic_without_secrets_stays_as_it_is() -> None:
    files = [path for path in CORPUS.rglob("*") if path.is_file()]
    assert files
    for path in files:
        data = path.read_bytes()
        step = step_of(Exchange(response=Response(body=Body(data))))
        redacted, removed = Redactor().step(step)
        assert response_of(redacted).body.raw == data, path
        assert not removed
