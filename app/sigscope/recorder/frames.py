"""What the recorder tells the scribe, as it lies in a spool.

    kind (1 byte) · exchange (u32) · microseconds (u64) · size (u32) · size bytes

Times count from the first byte of the exchange's request.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator

from sigscope.records import dataclass

HEADER = struct.Struct("<cIQI")

BEGIN = b"B"
"""JSON: the step's id and number, method, URL, headers, when it began."""
SENT = b"Q"
"""Bytes of the request's body."""
MENDED = b"M"
"""A line of JSON: headers and remedies of the request that was sent on in place of the
client's; behind it the body of that."""
HEAD = b"H"
"""JSON: status, reason, version and headers of the response."""
RECEIVED = b"D"
"""Bytes of the response's body."""
END = b"E"
"""JSON: how it ended, remarks. The exchange is complete."""
NEXT = b"X"
"""This spool is full; the next one goes on."""

LARGEST = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class SpoolFrame:
    kind: bytes
    exchange: int
    at_us: int
    data: bytes


def pack(kind: bytes, exchange: int, at_us: int, size: int) -> bytes:
    """The head of a frame."""
    return HEADER.pack(kind, exchange, at_us, size)


def read_frames(
    read: Callable[[int, int], bytes], start: int
) -> Iterator[tuple[SpoolFrame, int]]:
    """The whole frames from an offset on, each with the offset behind it.

    `read(size, offset)` gives fewer bytes at the end; a frame that is not whole yet is
    left for the next time.
    """
    block = 1 << 20
    at, data = start, b""
    while True:
        got = read(max(block, 1), at + len(data))
        data += got
        place = 0
        while len(data) - place >= HEADER.size:
            kind, exchange, at_us, size = HEADER.unpack_from(data, place)
            end = place + HEADER.size + size
            if end > len(data):
                break
            body = data[place + HEADER.size : end]
            place = end
            yield SpoolFrame(kind, exchange, at_us, body), at + place
        at, data = at + place, data[place:]
        if not got:
            return
        block = 1 << 20
        if len(data) >= HEADER.size:
            block = max(block, HEADER.unpack_from(data)[3] - len(data) + HEADER.size)
