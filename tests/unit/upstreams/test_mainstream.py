"""What httpx-sse sees of our streams, and what it does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.upstreams.mainstream import Unseen, mainstream_view, unseen
from sigscope.wire.frames import Framing, frame

SSE = "text/event-stream"


def differences(
    body: bytes, content_type: str = SSE, framing: Framing = "sse"
) -> list[tuple[int | None, str]]:
    found = unseen(frame(body, framing), mainstream_view(body, content_type))
    return [(difference.event, difference.reason) for difference in found]


def test_a_healthy_stream_is_seen_whole() -> None:
    body = b": hi\n\nevent: a\nid: 1\ndata: {}\n\ndata: x\ndata: y\n\ndata: [DONE]\n\n"
    view = mainstream_view(body, "text/event-stream; charset=utf-8")
    assert [(seen.name, seen.data) for seen in view.events] == [
        ("a", "{}"),
        ("message", "x\ny"),
        ("message", "[DONE]"),
    ]
    assert unseen(frame(body, "sse"), view) == ()


def test_an_unfinished_last_event_is_dropped() -> None:
    (difference,) = differences(b"data: 1\n\ndata: 2\n")
    assert difference[0] == 2
    assert "blank line" in difference[1]


def test_a_byte_order_mark_loses_the_first_event() -> None:
    (difference,) = differences(b"\xef\xbb\xbfdata: 1\n\ndata: 2\n\n")
    assert difference[0] == 1
    assert "byte-order mark" in difference[1]


def test_a_byte_order_mark_can_cost_only_the_name() -> None:
    (difference,) = differences(b"\xef\xbb\xbfevent: a\ndata: 1\n\n")
    assert difference == (1, "its name is 'a', but httpx-sse sees 'message'")


def test_lines_without_blank_lines_are_joined() -> None:
    body = b'data: {"n":1}\ndata: {"n":2}\n\ndata: [DONE]\n\n'
    found = differences(body, framing="data-lines")
    assert [event for event, _ in found] == [1, 2]
    assert "joined" in found[0][1]


def test_bytes_that_are_no_utf8_are_seen_as_replacements() -> None:
    (difference,) = differences(b"data: \xff\n\n")
    assert difference == (
        1,
        "it holds bytes that are not UTF-8 and are seen as U+FFFD",
    )


def test_another_content_type_is_refused_as_a_whole() -> None:
    ((event, reason),) = differences(b"data: 1\n\n", "application/json; charset=utf-8")
    assert event is None
    assert "content type is application/json" in reason
    assert "not given" in differences(b"data: 1\n\n", "")[0][1]


def test_an_event_that_only_the_client_tells_is_named() -> None:
    found = differences(b"id: 7\n\ndata: 1\n\n: note\n\ndata: 2\n\n")
    assert [event for event, _ in found] == [None, None]
    assert "empty data" in found[0][1]


def test_another_charset_changes_what_is_seen() -> None:
    body = "data: é\n\n".encode()
    (difference,) = differences(body, SSE + "; charset=latin-1")
    assert difference == (1, "httpx-sse reads other data here")


@pytest.mark.parametrize("charset", ["base64", "hex", "rot13", "x", "idna", "\u20ac"])
def test_a_strange_charset_is_no_crash(charset: str) -> None:
    mainstream_view(b"data: \xff1\n\n", f"{SSE}; charset={charset}")


def test_framings_without_data_lines_are_not_compared() -> None:
    assert differences(b"[{},{}]", "application/json", "json-list") == []


LINES = [b"data: {}", b"data:", b"event: a", b"id: 1", b"id:", b": c", b"retry: 1"]
ENDS = [b"\n", b"\n\n", b"\r\n", b"\r", b"\xef\xbb\xbf", b"\xff", b"x"]
PIECES = st.sampled_from([*LINES, *ENDS])


@given(st.lists(PIECES, max_size=20).map(b"".join))
def test_each_event_of_ours_is_either_seen_or_named(body: bytes) -> None:
    framed = frame(body, "sse")
    view = mainstream_view(body, SSE)
    named = unseen(framed, view)
    assert all(isinstance(difference, Unseen) for difference in named)
    missed = {difference.event for difference in named}
    texts = [event.data.decode("utf-8", "replace") for event in framed.events]
    healthy = [n for n in range(1, len(texts) + 1) if n not in missed]
    seen = iter(view.events)
    for number in healthy:
        assert any(event.data == texts[number - 1] for event in seen)
