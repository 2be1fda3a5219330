"""Binary event streams: application/vnd.amazon.eventstream, as Bedrock sends them.

A message is a prelude (total length, length of the headers, CRC-32 of these two), the
headers, the payload, and a CRC-32 of all before it; numbers are big-endian. A header is
a length-prefixed name, a type and a value. The payload of Bedrock's messages is JSON;
InvokeModelWithResponseStream puts the model's own event into it, as base64: then that
is the event's data (source: AWS, Bedrock Runtime API reference, PayloadPart).

Source: AWS Smithy specification, "Amazon Event Stream" (read 2026-11). A message with
a wrong checksum is kept and flagged; bytes in which no message begins end the reading,
since the lengths can no longer be trusted.
"""

from __future__ import annotations

import binascii
import json
from base64 import b64decode
from collections.abc import Iterator
from struct import Struct, unpack_from
from zlib import crc32

from sigscope.utf8 import readable
from sigscope.wire.arrivals import Arrivals
from sigscope.wire.events import BAD_CHECKSUM, UNFINISHED, Event, Framed

_PRELUDE = Struct(">III")
_CHECKSUM = 4
_SMALLEST = _PRELUDE.size + _CHECKSUM
_LARGEST = 24 * 1024 * 1024
"""Well above the 16 MB that services allow; a longer one is no message."""

_FIXED = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}
"""Bytes of a header value by its type; types 6 and 7 carry their length."""
_BYTES, _STRING = 6, 7

_PART = frozenset({"bytes", "p"})
"""Members of a payload that holds an event of the model."""
_NAMES = (":event-type", ":exception-type", ":error-code")


def frame_eventstream(data: bytes, arrivals: Arrivals) -> Framed:
    """Divide a body into its messages; `name` is the event or exception type."""
    events: list[Event] = []
    remarks: list[str] = []
    at = 0
    while at < len(data):
        start, length = at, _length_at(data, at)
        if length is None:
            remarks.append(f"no message begins at byte {at}; {len(data) - at} left")
            length = len(data) - at
        at = min(start + length, len(data))
        whole = start + length == at and not remarks
        events.append(_event(data, start, at, len(events) + 1, whole, arrivals))
    return Framed(framing="eventstream", events=tuple(events), remarks=tuple(remarks))


def starts_message(data: bytes) -> bool:
    """Whether the data begins with a prelude whose checksum is right."""
    if len(data) < _PRELUDE.size:
        return False
    total, _, checksum = _PRELUDE.unpack_from(data)
    return bool(_SMALLEST <= total <= _LARGEST and crc32(data[:8]) == checksum)


def with_checksums(data: bytes, before: bytes) -> bytes:
    """A body with the checksums of messages that were changed, in the same length;
    `before`: the body as it was. One that was wrong then stays so."""
    out = bytearray(data)
    at = 0
    while at < len(data):
        length = _length_at(data, at)
        end = at + (length or 0)
        if length is None or end > len(data):
            break
        body_end = end - _CHECKSUM
        sums = before[body_end:end]
        is_right = sums == crc32(before[at:body_end]).to_bytes(_CHECKSUM, "big")
        if is_right and data[at:body_end] != before[at:body_end]:
            out[body_end:end] = crc32(data[at:body_end]).to_bytes(_CHECKSUM, "big")
        at = end
    return bytes(out)


def _length_at(data: bytes, at: int) -> int | None:
    """Length of the message that begins here; None if none does."""
    if len(data) - at < _PRELUDE.size:
        return _SMALLEST
    total, headers, _ = _PRELUDE.unpack_from(data, at)
    fits = _SMALLEST <= total <= _LARGEST and headers <= total - _SMALLEST
    return int(total) if fits else None


def _event(
    data: bytes, start: int, end: int, number: int, whole: bool, arrivals: Arrivals
) -> Event:
    flags: list[str] = []
    name, body, body_end = "", min(start + _PRELUDE.size, end), end
    if end - start >= _PRELUDE.size:
        (headers,) = unpack_from(">I", data, start + 4)
        body = min(body + headers, end)
        name = _name(data, start + _PRELUDE.size, body)
    if whole:
        body_end = end - _CHECKSUM
        (checksum,) = unpack_from(">I", data, body_end)
        if crc32(data[start:body_end]) != checksum:
            flags.append(BAD_CHECKSUM)
    else:
        flags.append(UNFINISHED)
    payload = data[body:body_end]
    inside = _packed(payload)
    return Event(
        number=number,
        start=start,
        end=end,
        data=payload if inside is None else inside,
        data_start=body if inside is None else None,
        name=name,
        at_ms=arrivals.at(end),
        complete=whole,
        flags=tuple(flags),
    )


def _packed(payload: bytes) -> bytes | None:
    """The JSON in `{"bytes": BASE64, "p": PADDING}`; None for any other payload."""
    if b'"bytes"' not in payload:
        return None
    try:
        holder = json.loads(payload)
        if not isinstance(holder, dict) or not holder.keys() <= _PART:
            return None
        inside = b64decode(holder["bytes"], validate=True)
    except (KeyError, TypeError, ValueError, RecursionError, binascii.Error):
        return None
    return inside if inside.lstrip()[:1] == b"{" else None


def _name(data: bytes, at: int, end: int) -> str:
    headers = dict(_headers(data, at, end))
    for wanted in _NAMES:
        if wanted in headers:
            return headers[wanted]
    return ""


def _headers(data: bytes, at: int, end: int) -> Iterator[tuple[str, str]]:
    """The text headers of a message; stops where they are torn or unknown."""
    while at < end:
        name_end = at + 1 + data[at]
        if name_end >= end:
            return
        name, kind = data[at + 1 : name_end], data[name_end]
        at = name_end + 1
        if kind in (_BYTES, _STRING):
            if at + 2 > end:
                return
            (size,) = unpack_from(">H", data, at)
            at += 2
        elif kind in _FIXED:
            size = _FIXED[kind]
        else:
            return
        if at + size > end:
            return
        if kind == _STRING:
            value = data[at : at + size]
            yield readable(name), readable(value)
        at += size
