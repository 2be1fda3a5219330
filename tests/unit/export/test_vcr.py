"""Cassettes: our importer reads them, YAML does, and VCR.py plays them back."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.export.servers import bundled

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.engine.sessions.tables import ledger_table
from sigscope.errors import UsageError
from sigscope.exchange import Body, Exchange, Headers, Request, Response
from sigscope.export.vcr import shortfall, vcr_cassette
from sigscope.reader import Reading

yaml = pytest.importorskip("yaml")


def written(*readings: Reading) -> bytes:
    return b"".join(vcr_cassette(readings, title="A title\n- x", tool="sigscope 0"))


def loaded(*exchanges: Exchange) -> Any:
    readings = [Reading(e, number=n) for n, e in enumerate(exchanges, start=1)]
    return yaml.safe_load(written(*readings))


def test_each_step_is_a_piece_of_its_own() -> None:
    said = [exchange(b"body %d" % number, b"") for number in range(5)]
    readings = [Reading(one, number=number) for number, one in enumerate(said)]
    pieces = [*vcr_cassette(readings, title="x", tool="sigscope 0")]
    assert all(piece.count(b"\n") == 1 for piece in pieces)
    assert sum(b"body " in piece for piece in pieces) == 5


@pytest.mark.parametrize(
    "name",
    ["zed-copilot-attempt-1", "zed-openrouter-fixed", "gemini-parallel"],
)
def test_a_bundled_session_comes_back_with_its_ledger(
    name: str, tmp_path: Path
) -> None:
    old = bundled(name)
    path = tmp_path / "it.yaml"
    path.write_bytes(written(*old.readings))
    session = open_file(path)
    assert session.format == "vcr"
    new = Document(session)
    assert ledger_table(new) == ledger_table(old)
    for before, after in zip(old.readings, new.readings, strict=True):
        assert after.request_body.data == before.request_body.data
        assert after.response_body.data == before.response_body.data


def exchange(body: bytes, answer: bytes, headers: Headers = ()) -> Exchange:
    return Exchange(
        request=Request(
            url="https://host/p?a=1",
            headers=(("X-Twice", "1"), ("x-twice", "2"), ("X", "it's: {y}")),
            body=Body(body),
        ),
        response=Response(status=404, headers=headers, body=Body(answer)),
    )


@given(st.text())
def test_any_text_is_the_same_after_yaml(text: str) -> None:
    data = text.encode("utf-8", "replace")
    found = loaded(exchange(data, data))["interactions"][0]
    assert found["request"]["body"] == (data.decode() if data else None)
    assert found["response"]["body"]["string"] == data.decode()


def test_the_shape_is_that_of_vcrpy() -> None:
    found = loaded(exchange(b"\xff\x00", b"{}"))
    assert found["version"] == 1
    (one,) = found["interactions"]
    assert one == {
        "request": {
            "body": b"\xff\x00",
            "headers": {"X-Twice": ["1", "2"], "X": ["it's: {y}"]},
            "method": "POST",
            "uri": "https://host/p?a=1",
        },
        "response": {
            "body": {"string": "{}"},
            "headers": {},
            "status": {"code": 404, "message": "Not Found"},
        },
    }


def test_a_coded_body_stays_coded_and_a_false_header_goes() -> None:
    raw = gzip.compress(b"{}")
    coding = (("Content-Encoding", "gzip"),)
    (true,) = loaded(exchange(b"", raw, coding))["interactions"]
    assert true["response"]["body"]["string"] == raw
    assert true["response"]["headers"] == {"Content-Encoding": ["gzip"]}
    (false,) = loaded(exchange(b"", b"{}", coding))["interactions"]
    assert false["response"]["headers"] == {}


def test_what_a_cassette_has_no_place_for_is_said() -> None:
    bare = Reading(Exchange(request=Request(url="/")))
    whole = Reading(exchange(b"", b"{}"))
    untold = Reading(replace(whole.exchange, response=Response(headers=())))
    assert shortfall([whole]) == []
    told = [
        "1 step left out, as request or answer is missing",
        "2 answers without a recorded status, told as 200",
    ]
    assert shortfall([bare, whole, untold, untold]) == told
    text = written(bare, whole, untold, untold)
    assert all(f"# {line}\n".encode() in text for line in told)
    assert len(yaml.safe_load(text)["interactions"]) == 3


def test_a_cassette_of_nothing_is_none() -> None:
    with pytest.raises(UsageError, match="no step here has both; a HAR takes"):
        shortfall([Reading(Exchange(request=Request(url="/")))])


def test_vcrpy_plays_it_back(tmp_path: Path) -> None:
    vcr = pytest.importorskip("vcr")
    httpx = pytest.importorskip("httpx")
    path = tmp_path / "it.yaml"
    path.write_bytes(written(*bundled("zed-copilot-attempt-1").readings))
    with vcr.use_cassette(str(path), record_mode="none"):
        answer = httpx.post("https://api.githubcopilot.com/chat/completions")
    assert answer.status_code == 200
