"""What can be told of a piece of a stream at a glance: that it is not the end.

Called between the two system calls that pass an event on, and the processor has
forgotten all of it since the last one: each function more, each pattern, costs as much
there as a hundred times where it is warm. So: one function, and no for what is unusual.
"""

from __future__ import annotations


def is_chunk(data: bytes) -> bool:
    """Whether, where a chunk may begin, this is one whole chunk, not the last one, and
    clients do not stop reading at what it says: at the last event of a stream, see
    `lastevent.py`. That is noted before they get it."""
    at = data.find(b"\r\n")
    size = len(data) - at - 4
    return (
        at > 0
        and size > 0
        and data[:at].lower() == b"%x" % size
        and data.endswith(b"\r\n")
        and b"[DONE]" not in data
        and b"message_stop" not in data
        and b"completed" not in data
        and b"failed" not in data
        and b"incomplete" not in data
    )


def is_some(data: bytes) -> bool:
    """The same of a body that only the end of the connection ends."""
    return (
        data != b""
        and b"[DONE]" not in data
        and b"message_stop" not in data
        and b"completed" not in data
        and b"failed" not in data
        and b"incomplete" not in data
    )
