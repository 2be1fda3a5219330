"""Recognising a session by its first bytes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.session import Session
from sigscope.store.header import header_of, is_session

LINE = b'{"sigscope":1,"id":"x","title":"\xc3\xa9"}'


@pytest.mark.parametrize(
    "data",
    [
        LINE,
        LINE + b'\n{"type":"step"}\n',
        LINE[:20],
        b"\xef\xbb\xbf" + LINE,
        b'  { "sigscope" : 12 , "id": "x" }',
        b'{"id":"x","title":"y","sigscope":1}\n{"broken',
        b'{"sigscope":1}',
    ],
)
def test_sessions(data: bytes) -> None:
    assert is_session(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"{}",
        b"[1,2]",
        b'{"log":{"version":"1.2","creator":{"name":"sigscope"}}}',
        b'{"sigscope":"1"}',
        b'{"note":"\\"sigscope\\":1"}',
        b'{"id":"x","sigscope":',
        b"\x1f\x8b\x08\x00",
        b"interactions:\n- request:\n",
        b"[" * 5000 + b'"sigscope"',
    ],
)
def test_other_files(data: bytes) -> None:
    assert not is_session(data)


@given(st.binary(max_size=200))
def test_any_bytes_can_be_asked_about(data: bytes) -> None:
    is_session(data)
    is_session(b'{"sigscope"' + data)


def test_a_header_tells_what_the_session_tells() -> None:
    session = Session(id="x", title="t", story="s", created_at="c", tool="k")
    header = header_of(session)
    assert (header.id, header.title, header.story) == ("x", "t", "s")
    assert (header.created_at, header.tool) == ("c", "k")
    assert json.dumps(header.redaction) == "[]"
