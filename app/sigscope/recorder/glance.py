"""What can be told of a piece of a stream at a glance: that it is not the end.

Called between the two system calls that pass an event on, and the processor has
forgotten all of it since the last one: each function more, each pattern, costs as much
there as a hundred times where it is warm. So: one function, and no for what is unusual.
"""

from __future__ import annotations

_SIZE_LINES: dict[int, bytes] = {}
"""How a chunk begins that is so long with its framing, as was seen: events of one
length come again and again, and comparing takes half of what reading a number does."""
_MOST = 4096
"""Lengths that are kept."""


def is_chunk(data: bytes) -> bool:
    """Whether, where a chunk may begin, this is one whole chunk, not the last one, and
    clients do not stop reading at what it says: at the last event of a stream, see
    `lastevent.py`. That is noted before they get it."""
    return (
        (data.startswith(_SIZE_LINES.get(len(data), ())) or _is_whole(data))
        and data.endswith(b"\r\n")
        and b"[DONE]" not in data
        and b"message_stop" not in data
        and b"lete" not in data  # completed, incomplete
        and b"failed" not in data
    )


def _is_whole(data: bytes) -> bool:
    at = data.find(b"\r\n")
    size = len(data) - at - 4
    if at <= 0 or size <= 0 or data[:at].lower() != b"%x" % size:
        return False
    if len(_SIZE_LINES) < _MOST:
        _SIZE_LINES[len(data)] = data[: at + 2]
    return True


def is_some(data: bytes) -> bool:
    """The same of a body that only the end of the connection ends."""
    return (
        data != b""
        and b"[DONE]" not in data
        and b"message_stop" not in data
        and b"lete" not in data
        and b"failed" not in data
    )
