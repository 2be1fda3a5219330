"""Whether a stream has said that it is over, told from its last bytes.

SDKs stop reading at the last event and close the connection, often before the chunk
that ends the body has come: openai-python 3.52 `_streaming.py` breaks at `[DONE]` and
closes the response. Such a client has all there is, and has not given up.
"""

from __future__ import annotations

import re

from sigscope.recorder.heads import ResponseHead

_DONE = b"[DONE]"
_LAST = re.compile(
    rb'"type"\s*:\s*"(message_stop|response\.(?:completed|failed|incomplete))"'
)
"""Anthropic's Messages API ends with `message_stop`, OpenAI's Responses API with one of
three; their reference pages on streaming."""
_BLOCK = re.compile(rb"\r?\n\r?\n|\r\r")


def last_event(head: ResponseHead, tail: bytes) -> str:
    """The name of the event that ends a stream, if `tail` ends with it whole; else "".

    Only for event streams without a content coding: of others the tail says nothing.
    """
    is_stream = any(
        member.startswith("text/event-stream")
        for member in head.members("content-type")
    )
    codings = [name for name in head.members("content-encoding") if name != "identity"]
    if not is_stream or codings:
        return ""
    blocks = _BLOCK.split(tail)
    if blocks[-1].strip():
        return ""  # cut off within an event
    whole = [block for block in blocks if _data(block)]
    return _name(_data(whole[-1])) if whole else ""


def _data(block: bytes) -> bytes:
    """The data of an event; empty for comments."""
    lines = (line for line in block.splitlines() if line.startswith(b"data:"))
    return b"\n".join(line[5:].strip() for line in lines)


def _name(data: bytes) -> str:
    if data.startswith(_DONE):
        return _DONE.decode()
    match = _LAST.search(data)
    return match[1].decode() if match else ""
