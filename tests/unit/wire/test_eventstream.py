"""Binary event streams: whole, torn, damaged."""

from __future__ import annotations

import base64
import json
import struct
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.wire.arrivals import Chunk
from sigscope.wire.events import BAD_CHECKSUM, UNFINISHED
from sigscope.wire.frames import choose_framing, frame


def text_header(name: str, value: str) -> bytes:
    key, text = name.encode(), value.encode()
    return bytes([len(key)]) + key + b"\7" + struct.pack(">H", len(text)) + text


def message(payload: bytes, headers: bytes = b"") -> bytes:
    total = 16 + len(headers) + len(payload)
    head = struct.pack(">II", total, len(headers))
    body = head + struct.pack(">I", crc32(head)) + headers + payload
    return body + struct.pack(">I", crc32(body))


DELTA = message(
    b'{"delta":1}',
    text_header(":event-type", "contentBlockDelta")
    + text_header(":content-type", "application/json"),
)


def test_the_bytes_of_the_specification_are_an_empty_message() -> None:
    empty = bytes.fromhex("000000100000000005c248eb7d98c8ff")
    (event,) = frame(empty, "eventstream").events
    assert (event.data, event.complete, event.flags) == (b"", True, ())
    assert message(b"") == empty


def test_messages_are_events_with_payload_name_and_span() -> None:
    body = DELTA + message(b"{}", text_header(":exception-type", "throttling"))
    first, second = frame(body, "eventstream").events
    assert (first.name, first.data) == ("contentBlockDelta", b'{"delta":1}')
    assert (second.number, second.name, second.data) == (2, "throttling", b"{}")
    assert first.data_start is not None
    assert body[first.data_start :].startswith(b'{"delta":1}')
    assert (first.end, second.end) == (second.start, len(body))


def packed(event: bytes, **more: str) -> bytes:
    part = {"bytes": base64.b64encode(event).decode(), **more}
    return message(json.dumps(part).encode(), text_header(":event-type", "chunk"))


def test_an_event_of_the_model_is_taken_out_of_its_envelope() -> None:
    inside = b'{"type":"message_stop"}'
    body = packed(inside, p="abc") + packed(inside) + DELTA
    first, second, third = frame(body, "eventstream").events
    assert (first.name, first.data, first.data_start) == ("chunk", inside, None)
    assert (second.data, first.flags) == (inside, ())
    assert third.data == b'{"delta":1}'


@pytest.mark.parametrize(
    "event",
    [
        message(b'{"bytes":"no base64!"}'),
        message(b'{"bytes":"AAAA"}'),
        message(b'{"bytes":5}'),
        message(b'{"bytes":"e30=","other":1}'),
        message(b'{"text":"the bytes"}'),
    ],
)
def test_what_only_looks_like_such_an_envelope_stays(event: bytes) -> None:
    (found,) = frame(event, "eventstream").events
    assert found.data_start is not None
    assert event[found.data_start :].startswith(found.data)


def test_a_torn_envelope_stays_as_it_is() -> None:
    whole = packed(b'{"type":"message_stop"}')
    (found,) = frame(whole[:-9], "eventstream").events
    assert found.data.startswith(b'{"bytes"')


def test_headers_of_every_type_are_passed_over() -> None:
    headers = b"".join(
        b"\1" + bytes([65 + kind]) + bytes([kind]) + b"\0" * size
        for kind, size in [(0, 0), (1, 0), (2, 1), (3, 2), (4, 4), (5, 8), (8, 8)]
    )
    headers += b"\1i\x09" + b"\0" * 16 + b"\1b\6\0\2xy"
    body = message(b"{}", headers + text_header(":event-type", "last"))
    assert frame(body, "eventstream").events[0].name == "last"


def test_a_torn_message_is_kept_unfinished() -> None:
    for cut in range(1, len(DELTA)):
        *_, last = frame(DELTA + DELTA[:cut], "eventstream").events
        assert (last.number, last.complete, last.flags) == (2, False, (UNFINISHED,))
        assert (last.start, last.end) == (len(DELTA), len(DELTA) + cut)


def test_a_wrong_checksum_is_flagged_and_the_message_kept() -> None:
    damaged = DELTA.replace(b"delta", b"delta"[::-1])
    first, second = frame(damaged + DELTA, "eventstream").events
    assert first.flags == (BAD_CHECKSUM,)
    assert (first.data, second.flags) == (b'{"atled":1}', ())


def test_bytes_without_a_message_end_the_reading_with_a_remark() -> None:
    framed = frame(DELTA + b"\xff" * 40, "eventstream")
    assert [event.complete for event in framed.events] == [True, False]
    assert f"byte {len(DELTA)}" in framed.remarks[0]


def test_a_message_is_recognised_without_a_content_type() -> None:
    assert choose_framing((), DELTA) == "eventstream"
    assert choose_framing((), b"\0" * 16) == "text"


def test_a_message_arrives_with_its_last_byte() -> None:
    chunks = [Chunk(end=5, at_ms=1.0), Chunk(end=len(DELTA) + 3, at_ms=2.0)]
    times = [e.at_ms for e in frame(DELTA * 2, "eventstream", chunks).events]
    assert times == [2.0, None]


@given(st.binary(max_size=80), st.integers(0, 60))
def test_any_bytes_are_covered_by_events(tail: bytes, cut: int) -> None:
    body = DELTA + DELTA[:cut] + tail
    at = 0
    for event in frame(body, "eventstream").events:
        assert event.start == at
        at = event.end
    assert at == len(body)
