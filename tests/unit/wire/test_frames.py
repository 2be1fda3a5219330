"""Bodies of every framing divided: whole, torn, with odd content types."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.wire.events import BOM, INVALID_UTF8, NOT_JSON, UNFINISHED
from sigscope.wire.frames import Chunk, Framing, choose_framing, frame
from sigscope.wire.headers import Headers

SSE: Headers = (("Content-Type", "text/event-stream; charset=utf-8"),)
JSON: Headers = (("content-type", "application/json; charset=UTF-8"),)
NDJSON: Headers = (("content-type", "application/x-ndjson"),)
NONE: Headers = ()
A, B = b'{"n":1}', b'{"n":2}'


def data_of(body: bytes, framing: Framing) -> list[bytes]:
    return [event.data for event in frame(body, framing).events]


@pytest.mark.parametrize(
    ("headers", "body", "framing"),
    [
        (SSE, b"", "sse"),
        (SSE, b"data: " + A + b"\n\ndata: [DONE]\n\n", "sse"),
        (SSE, b"da", "sse"),
        (SSE, b": ping\n", "sse"),
        (SSE, b'n":1}\n\ndata: {}\n\n', "sse"),
        (SSE, b'{"error":{"code":404}}', "json"),
        (SSE, b'[{"error":{"code":400}}]', "json"),
        (SSE, b"<html>Bad gateway</html>", "text"),
        (SSE, b"data: " + A + b"\ndata: " + B + b"\n", "data-lines"),
        (SSE, b"data: {\ndata: }\n\n", "sse"),
        (SSE, b"data: one\ndata: two\n\n", "sse"),
        (JSON, b"", "json"),
        (JSON, A, "json"),
        (JSON, b'{"n":', "json"),
        (JSON, b'"text"', "json"),
        (JSON, b"data: " + A + b"\n\n", "sse"),
        (JSON, b"[" + A + b",\r\n" + B + b"]", "json-list"),
        (JSON, b"[" + A + b"\n,\r\n" + B, "json-list"),
        (JSON, b'[{"n":', "json-list"),
        (JSON, b"[" + A + b"]", "json-list"),
        (JSON, b"[]", "json"),
        (JSON, b"[1, 2]", "json"),
        (JSON, b'[{"error":{"code":400}}]', "json"),
        (JSON, b"[" + A + b',{"error":{}}]', "json-list"),
        (JSON, A + b"\n" + B, "json-lines"),
        (JSON, b"upstream connect error", "text"),
        (NDJSON, A + b"\n", "json-lines"),
        (NDJSON, b'{"n"', "json-lines"),
        (NDJSON, b"", "json-lines"),
        (NONE, b"", "text"),
        (NONE, b"\xef\xbb\xbf  " + A, "json"),
        (NONE, b"\xef\xbb\xbfdata: " + A + b"\n\n", "sse"),
        (NONE, b": c\n\nid: 1\nevent: e\ndata: {}\n\n", "sse"),
        (NONE, b"event: note to self\nbuy milk", "text"),
        (NONE, b"data: " + A, "sse"),
        (NONE, b"data: " + A + b"\ndata: [DONE]", "data-lines"),
        (NONE, b"event: a\ndata: {}\nevent: b\ndata: {}\n", "data-lines"),
        (NONE, A + b",\n" + B, "json-list"),
        (NONE, b'{"n":1\n' + B + b"\n", "json-lines"),
        (NONE, b"hello", "text"),
        ((("content-type", "application/vnd.amazon.eventstream"),), b"", "eventstream"),
    ],
)
def test_the_framing_is_chosen_by_type_and_content(
    headers: Headers, body: bytes, framing: Framing
) -> None:
    assert choose_framing(headers, body) == framing


def test_a_hint_outweighs_everything() -> None:
    assert choose_framing(SSE, b"data: {}\n\n", "text") == "text"


def test_a_long_first_event_does_not_hide_the_missing_blank_lines() -> None:
    long = b'data: {"n":"' + b"x" * 300_000 + b'"}\n'
    assert choose_framing(SSE, long + long) == "data-lines"


@pytest.mark.parametrize("framing", ["json", "text"])
def test_a_body_that_is_no_stream_has_no_events(framing: Framing) -> None:
    assert frame(A, framing).events == ()


def test_an_event_stream_is_remarked_on_as_a_whole() -> None:
    framed = frame(b"\xef\xbb\xbfdata: 1\n\n: c\nretry: 5\n\ndata: 2", "sse")
    assert [event.flags for event in framed.events] == [(BOM,), (UNFINISHED,)]
    assert (len(framed.comments), len(framed.blocks)) == (1, 1)
    assert ["byte-order mark" in remark for remark in framed.remarks] == [True, False]
    assert "last event" in framed.remarks[1]


def test_data_lines_are_one_event_each() -> None:
    body = b"data: " + A + b"\ndata: " + B + b"\n\ndata: [DONE]"
    framed = frame(body, "data-lines")
    assert [event.data for event in framed.events] == [A, B, b"[DONE]"]
    assert all(event.complete for event in framed.events)
    second = framed.events[1]
    assert body[second.start : second.end] == b"data: " + B + b"\n"


class TestJsonList:
    def test_elements_are_events_with_their_spans(self) -> None:
        body = b"[" + A + b"\n,\r\n" + B + b"\n]\n"
        framed = frame(body, "json-list")
        assert [event.data for event in framed.events] == [A, B]
        for event in framed.events:
            assert event.data_start == event.start
            assert body[event.start : event.end] == event.data
        assert framed.remarks == ()

    @pytest.mark.parametrize("tail", [b"", b",", b",\r\n", b"\n"])
    def test_an_open_array_is_remarked(self, tail: bytes) -> None:
        framed = frame(b"[" + A + tail, "json-list")
        assert [event.complete for event in framed.events] == [True]
        assert "not closed" in framed.remarks[0]

    def test_a_torn_element_is_kept_unfinished(self) -> None:
        last = frame(b"[" + A + b',{"s":"a\\"}', "json-list").events[-1]
        assert (last.data, last.complete) == (b'{"s":"a\\"}', False)
        assert last.flags == (UNFINISHED,)

    def test_brackets_in_strings_do_not_count(self) -> None:
        tricky = b'{"s":"]}\\\\\\"],["}'
        assert data_of(b"[" + tricky + b"," + A + b"]", "json-list") == [tricky, A]

    def test_pieces_without_their_array_are_read_too(self) -> None:
        assert data_of(A + b",\r\n" + B, "json-list") == [A, B]

    def test_bytes_after_the_array_are_remarked(self) -> None:
        assert "byte 10" in frame(b"[" + A + b"] x", "json-list").remarks[0]

    def test_junk_between_elements_is_an_event_of_its_own(self) -> None:
        framed = frame(b"[" + A + b"} ;" + B + b"]", "json-list")
        assert [event.data for event in framed.events] == [A, b"} ;", B]
        assert framed.events[1].flags == (NOT_JSON,)

    def test_words_and_strings_are_elements(self) -> None:
        body = b'[null, 1.5e3 ,"[DONE]"]'
        assert data_of(body, "json-list") == [b"null", b"1.5e3", b'"[DONE]"']

    def test_depth_is_no_problem(self) -> None:
        deep = b'{"a":' * 100_000 + b"1" + b"}" * 100_000
        assert data_of(b"[" + deep + b"]", "json-list") == [deep]


class TestJsonLines:
    def test_each_line_is_an_event(self) -> None:
        body = A + b"\r\n\n " + B + b"\n"
        framed = frame(body, "json-lines")
        assert [event.data for event in framed.events] == [A, B]
        assert body[framed.events[0].start : framed.events[0].end] == A + b"\r\n"

    def test_documents_may_share_a_line_or_span_several(self) -> None:
        pretty = b'{\n  "n": 3\n}'
        assert data_of(A + B + b"\n" + pretty + b"\n", "json-lines") == [A, B, pretty]

    def test_a_torn_line_does_not_swallow_the_next(self) -> None:
        framed = frame(b'{"s":"x\n' + A + b"\nplain words\n" + B, "json-lines")
        assert [event.data for event in framed.events] == [
            b'{"s":"x',
            A,
            b"plain words",
            B,
        ]
        assert [event.flags for event in framed.events] == [
            (NOT_JSON,),
            (),
            (NOT_JSON,),
            (),
        ]

    def test_the_last_line_may_be_torn(self) -> None:
        last = frame(A + b'\n{"n":', "json-lines").events[-1]
        assert (last.data, last.complete, last.flags) == (
            b'{"n":',
            False,
            (UNFINISHED,),
        )

    @pytest.mark.parametrize(
        ("body", "documents"),
        [
            (A * 20_000, 20_000),
            (b'{"s":\r' * 20_000, 20_000),
            (b'"a"\n' * 50_000, 50_000),
            (b'["' + b"\n" * 200_000, 1),
        ],
    )
    def test_a_large_body_is_searched_once_not_once_for_each_document(
        self, body: bytes, documents: int
    ) -> None:
        # Minutes, where each document has the rest searched through.
        assert len(data_of(body, "json-lines")) == documents

    def test_a_document_without_line_ends_stops_where_the_next_begins(self) -> None:
        body = b'{"a":[1\r{"b":2}]}'
        assert data_of(body, "json-lines") == [b'{"a":[1', b'{"b":2}', b"]}"]

    def test_record_separators_are_white_space(self) -> None:
        assert data_of(b"\x1e" + A + b"\n\x1e" + B + b"\n", "json-lines") == [A, B]

    def test_invalid_utf8_is_flagged_and_kept(self) -> None:
        (event,) = frame(b'{"s":"\xff"}', "json-lines").events
        assert (event.data, event.flags) == (b'{"s":"\xff"}', (INVALID_UTF8,))


@pytest.mark.parametrize(
    ("framing", "body"),
    [
        ("sse", b"data: 1\n\ndata: 2\n\n"),
        ("data-lines", b"data: 1\ndata: 2\n\n"),
        ("json-list", b"[11111111,22222222]"),
        ("json-lines", b'{"n":11}\n{"n":22}\n'),
    ],
)
def test_an_event_arrives_with_the_chunk_of_its_last_byte(
    framing: Framing, body: bytes
) -> None:
    chunks = (
        Chunk(end=4, at_ms=1.0),
        Chunk(end=9, at_ms=2.0),
        Chunk(end=len(body), at_ms=3.0),
    )
    assert [event.at_ms for event in frame(body, framing, chunks).events] == [2.0, 3.0]


def test_bytes_beyond_the_last_chunk_have_no_time() -> None:
    events = frame(b"data: 1\n\ndata: 2\n\n", "sse", [Chunk(end=9, at_ms=5.0)]).events
    assert [event.at_ms for event in events] == [5.0, None]


MARKS = [b"{", b"}", b"[", b"]", b'"', b"\\", b",", b":", b"\n", b"\r", b" ", b"a"]
WORDS = [A, b"data: ", b"data: " + A, b"\xff", b"\xef\xbb\xbf", b"null", b"\x1e"]
BYTES = st.lists(st.sampled_from([*MARKS, *WORDS]), max_size=20).map(b"".join)


@given(BYTES, st.sampled_from([SSE, JSON, NDJSON, NONE]))
def test_any_bytes_are_framed_without_loss(body: bytes, headers: Headers) -> None:
    framing = choose_framing(headers, body)
    kinds: list[Framing] = ["sse", "data-lines", "json-list", "json-lines"]
    for kind in (framing, *kinds):
        events = frame(body, kind).events
        at = 0
        for event in events:
            assert at <= event.start < event.end <= len(body)
            at = event.end
            if event.data_start is not None:
                stop = event.data_start + len(event.data)
                assert body[event.data_start : stop] == event.data


@given(BYTES)
def test_between_the_documents_of_a_stream_stand_only_separators(body: bytes) -> None:
    kinds: list[tuple[Framing, bytes]] = [
        ("json-list", b" \r\n,[\x1e"),
        ("json-lines", b" \r\n\x1e"),
    ]
    for kind, between in kinds:
        framed = frame(body, kind)
        if any("follow the array" in remark for remark in framed.remarks):
            continue
        rest = bytearray(body)
        for event in reversed(framed.events):
            del rest[event.start : event.end]
        left = bytes(rest).removeprefix(b"\xef\xbb\xbf").rstrip(b" \r\n\x1e")
        closed = left.removesuffix(b"]") if kind == "json-list" else left
        assert set(closed) <= set(between)
