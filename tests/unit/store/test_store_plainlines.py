"""What is read without the models is what they would have read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from sigscope.exchange import Body
from sigscope.store.decode import (
    decode_exchange,
    decode_note,
    decode_spoken,
    decode_step,
)
from sigscope.store.models import NoteLine, SpokenLine, StepHead, StoredHeader
from sigscope.store.plainlines import maybe_header, maybe_remark, maybe_step

HEAD: dict[str, Any] = {
    "type": "step",
    "number": 2,
    "id": "s2",
    "title": "second",
    "source": "recorded",
    "removed": {"bearer": 1},
    "exchange": {
        "started_at": "2026-11-21T03:14:15Z",
        "first_byte_ms": 12,
        "duration_ms": 34.5,
        "remarks": ["cut"],
        "request": {
            "method": "POST",
            "url": "https://llm.example/v1/chat/completions",
            "http_version": "HTTP/1.1",
            "headers": [["accept", "*/*"]],
            "body": {"at": 0, "size": 2, "crc": "01234567", "needs": [0]},
        },
        "response": {
            "status": 200,
            "reason": "OK",
            "http_version": "HTTP/1.1",
            "headers": [["content-type", "text/event-stream"]],
            "framing": "sse",
            "ending": "complete",
            "chunks": 3,
            "body": {"at": 2, "size": 5},
        },
    },
}
HEADER: dict[str, Any] = {
    "sigscope": 1,
    "id": "b0c4",
    "title": "One",
    "story": "What happened.",
    "created_at": "2026-11-21T03:14:15Z",
    "tool": "sigscope",
    "redaction": ["secrets"],
    "tags": ["a"],
    "sum": "01234567",
}
NOTE: dict[str, Any] = {"type": "note", "text": "It works.", "at": "", "step": 2}
SPOKEN: dict[str, Any] = {
    "type": "dialect",
    "dialect": "gemini",
    "at": "",
    "step": 1,
    "endpoint": "https://llm.example/v1",
    "by": "run --upstream gemini",
    "service": True,
}
REMARKS = (NOTE, SPOKEN)
TEXTS = ("", "open", "sse", "\u00e9", "step")
LISTS = ([], [1], ["a"], [["a", "b"]], [["a"]])
OBJECTS = ({}, {"a": 1}, {"at": 1, "size": 1})
ODD = st.sampled_from(
    [None, True, 0, 1, -1, 2**70, 1.5, -0.0, *TEXTS, *LISTS, *OBJECTS]
)
BODIES = {"request": Body(b"{}"), "response": Body(b"hello")}


def _places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every member, however deep."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, member in items:
        found.append((*way, key))
        if isinstance(member, dict | list):
            found += _places(member, (*way, key))
    return found


def _by_models(data: bytes) -> Any:
    try:
        head = StepHead.model_validate_json(data)
    except ValidationError:
        return None
    response = head.exchange.response
    chunks = (response.chunks,) if response else ()
    exchange = decode_exchange(head.exchange, BODIES, chunks, ())  # type: ignore[arg-type]
    return decode_step(head, exchange)


def _changed(value: Any, way: tuple[Any, ...], odd: Any, *, gone: bool) -> bytes:
    made = json.loads(json.dumps(value))
    holder = made
    for key in way[:-1]:
        holder = holder[key]
    if gone:
        del holder[way[-1]]
    else:
        holder[way[-1]] = odd
    return json.dumps(made, ensure_ascii=False).encode()


def _plain(data: bytes) -> Any:
    return maybe_step(data, BODIES, lambda count: (count,))  # type: ignore[arg-type, return-value]


def test_a_step_as_it_is_written_needs_no_models() -> None:
    data = json.dumps(HEAD).encode()
    assert _plain(data) is not None
    assert _plain(data) == _by_models(data)


@given(way=st.sampled_from(_places(HEAD)), odd=ODD, gone=st.booleans())
def test_any_step_is_read_as_the_models_read_it_or_left_to_them(
    way: tuple[Any, ...], odd: Any, gone: bool
) -> None:
    data = _changed(HEAD, way, odd, gone=gone)
    found = _plain(data)
    assert found is None or found == _by_models(data)


@given(way=st.sampled_from(_places(HEADER)), odd=ODD, gone=st.booleans())
def test_any_header_is_read_as_the_models_read_it_or_left_to_them(
    way: tuple[Any, ...], odd: Any, gone: bool
) -> None:
    data = _changed(HEADER, way, odd, gone=gone)
    found = maybe_header(data)
    if found is not None:
        made = StoredHeader.model_validate_json(data)
        lists = ("redaction", "tags")
        known = {k: v for k, v in found.items() if k in StoredHeader.model_fields}
        told = {k: tuple(v) if k in lists else v for k, v in known.items()}
        assert made == StoredHeader(**told)


def test_remarks_as_they_are_written_need_no_models() -> None:
    assert all(maybe_remark(json.dumps(told).encode()) for told in REMARKS)


@given(
    at=st.sampled_from([(n, way) for n in (0, 1) for way in _places(REMARKS[n])]),
    odd=ODD,
    gone=st.booleans(),
)
def test_any_remark_is_read_as_the_models_read_it_or_left_to_them(
    at: tuple[int, tuple[Any, ...]], odd: Any, gone: bool
) -> None:
    data = _changed(REMARKS[at[0]], at[1], odd, gone=gone)
    found = maybe_remark(data)
    if found is not None and at[0] == 0:
        assert found == decode_note(NoteLine.model_validate_json(data))
    elif found is not None:
        assert found == decode_spoken(SpokenLine.model_validate_json(data))


@pytest.mark.parametrize(
    "data",
    [
        b"[]",
        b"{",
        b'{"type":"step","number":1,"id":"\\ud800","exchange":{}}',
        b'{"type":"step","number":1,"id":"\xff","exchange":{}}',
        b'{"type":"step","number":1,"id":"a","exchange":{"duration_ms":NaN}}',
        b'{"type":"step","number":1,"id":"a","exchange":null}',
        b'{"type":"run","number":1,"id":"a","exchange":{}}',
        b"[" * 100_000,
    ],
)
def test_of_what_may_be_read_otherwise_nothing_is_said(data: bytes) -> None:
    assert _plain(data) is None
