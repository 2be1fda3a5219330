"""WebSocket messages as exchanges."""

from __future__ import annotations

import json

from sigscope.capture.websocket import Frame, from_frames
from sigscope.wire.frames import frame


def test_each_message_of_the_client_begins_an_exchange() -> None:
    frames: list[Frame] = [
        (True, '{"q":1}', 1000.0),
        (True, '{"q":2}', 1000.1),
        (False, '{"r":1}', 1000.5),
        (False, '{"r":2}\n', 1001.0),
        (True, '{"q":3}', 1002.0),
    ]
    first, second = from_frames("wss://h/", (("a", "1"),), frames)
    assert first.request is not None
    assert first.response is not None
    assert first.request.body.raw == b'{"q":1}\n{"q":2}'
    assert first.started_at == "1970-01-01T00:16:40Z"
    framed = frame(first.response.body.raw, "json-lines", first.response.chunks)
    assert [json.loads(event.data) for event in framed.events] == [{"r": 1}, {"r": 2}]
    assert [event.at_ms for event in framed.events] == [500.0, 1000.0]
    assert second.response is not None
    assert second.response.body.raw == b""
    assert "WebSocket" in first.remarks[0]


def test_a_greeting_of_the_server_has_no_question() -> None:
    (exchange,) = from_frames("wss://h/", (), [(False, "hi", None)])
    assert exchange.request is not None
    assert exchange.request.body.raw == b""
    assert exchange.response is not None
    assert exchange.response.chunks == ()


def test_times_that_run_backwards_are_not_told() -> None:
    frames: list[Frame] = [(True, "a", 10.0), (False, "b", 9.0)]
    (exchange,) = from_frames("wss://h/", (), frames)
    assert exchange.response is not None
    assert exchange.response.chunks == ()


def test_no_messages_are_no_exchanges() -> None:
    assert from_frames("wss://h/", (), []) == []
