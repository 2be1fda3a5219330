"""Streams that have said that they are over, and those that have not."""

from __future__ import annotations

import pytest

from sigscope.recorder.heads import ResponseHead, parse_response
from sigscope.recorder.lastevent import last_event


def head(content_type: str = "text/event-stream", *more: str) -> ResponseHead:
    lines = ["HTTP/1.1 200 OK", f"Content-Type: {content_type}", *more, "", ""]
    return parse_response("\r\n".join(lines).encode())


@pytest.mark.parametrize(
    ("tail", "name"),
    [
        (b"data: {}\n\ndata: [DONE]\n\n", "[DONE]"),
        (b"data: {}\r\n\r\ndata:[DONE]\r\n\r\n", "[DONE]"),
        (b"ta: half\n\ndata: [DONE]\n\n: bye\n\n", "[DONE]"),
        (
            b'event: message_stop\ndata: {"type": "message_stop"}\n\n',
            "message_stop",
        ),
        (
            b'data: {"type":"response.completed","response":{}}\n\n',
            "response.completed",
        ),
    ],
    ids=["done", "crlf", "comment behind it", "anthropic", "responses"],
)
def test_the_last_event_is_known(tail: bytes, name: str) -> None:
    assert last_event(head(), tail) == name


@pytest.mark.parametrize(
    "tail",
    [
        b"",
        b"data: {}\n\n",
        b"data: [DONE]",
        b"data: [DONE]\n",
        b"data: [DONE]\n\ndata: {}\n\n",
        b'data: {"text":"say [DONE]"}\n\n',
        b'data: {"text":"\\"type\\":\\"message_stop\\""}\n\n',
    ],
)
def test_what_is_not_over_is_not_said_to_be(tail: bytes) -> None:
    assert last_event(head(), tail) == ""


def test_other_bodies_are_not_looked_into() -> None:
    done = b"data: [DONE]\n\n"
    assert last_event(head("application/json"), done) == ""
    assert last_event(head("text/event-stream", "Content-Encoding: br"), done) == ""
    identity = head("text/event-stream; charset=utf-8", "Content-Encoding: identity")
    assert last_event(identity, done) == "[DONE]"
