"""The event stream decoder, beside the examples of the WHATWG HTML standard 9.2.6."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.effort import effort

from sigscope.wire.events import (
    BAD_RETRY,
    BOM,
    INVALID_UTF8,
    NUL_IN_ID,
    UNFINISHED,
    UNKNOWN_FIELD,
    Comment,
    Event,
    SilentLines,
)
from sigscope.wire.sse import BYTE_ORDER_MARK, SseDecoder

Result = tuple[list[Event], list[Comment], list[SilentLines], bool]

PIECES = st.sampled_from(
    [
        b"data: {}",
        b"data",
        b"data:",
        b"event: ping",
        b"id: 7",
        b"id: a\0b",
        b"retry: 10",
        b"retry: soon",
        b": note",
        b":",
        b"other: x",
        b"dat",
        b"\xef\xbb\xbf",
        b"\xff",
        "data: ü€😀".encode(),
        b"\n",
        b"\n",
        b"\r\n",
        b"\r\n",
        b"\r",
        b" ",
    ]
)
STREAMS = st.lists(PIECES, max_size=24).map(b"".join)


def decode(*chunks: bytes, each_line: bool = False) -> Result:
    decoder = SseDecoder(each_line=each_line)
    events: list[Event] = []
    for chunk in chunks:
        events += decoder.feed(chunk)
    events += decoder.finish()
    return events, decoder.comments, decoder.blocks, decoder.has_bom


def events_of(*chunks: bytes) -> list[Event]:
    return decode(*chunks)[0]


def seen(body: bytes) -> list[tuple[str, bytes, str | None]]:
    return [(event.name, event.data, event.id) for event in events_of(body)]


class TestExamplesOfTheStandard:
    def test_lines_of_one_block_are_joined_by_line_feeds(self) -> None:
        assert seen(b"data: YHOO\ndata: +2\ndata: 10\n\n") == [
            ("", b"YHOO\n+2\n10", None)
        ]

    def test_comments_ids_and_a_third_event_with_two_blanks(self) -> None:
        body = (
            b": test stream\n\n"
            b"data: first event\nid: 1\n\n"
            b"data:second event\nid\n\n"
            b"data:  third event\n\n"
        )
        assert seen(body) == [
            ("", b"first event", "1"),
            ("", b"second event", ""),
            ("", b" third event", None),
        ]

    def test_empty_data_is_an_event_and_an_unfinished_one_is_kept(self) -> None:
        first, second, third = events_of(b"data\n\ndata\ndata\n\ndata:")
        assert (first.data, second.data, third.data) == (b"", b"\n", b"")
        assert (second.complete, third.complete) == (True, False)
        assert third.flags == (UNFINISHED,)

    def test_one_blank_after_the_colon_does_not_count(self) -> None:
        assert seen(b"data:test\n\ndata: test\n\n") == [
            ("", b"test", None),
            ("", b"test", None),
        ]


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"], ids=["lf", "cr", "crlf"])
def test_every_line_end_ends_a_line(end: bytes) -> None:
    body = end.join([b"event: a", b"data: 1", b"", b"data: 2", b"", b""])
    first, second = events_of(body)
    assert (first.name, first.data, second.data) == ("a", b"1", b"2")
    assert (first.start, first.end) == (0, 15 + 3 * len(end))
    assert (second.start, second.end) == (first.end, len(body))


def test_line_ends_may_be_mixed() -> None:
    assert seen(b"data: 1\r\n\rdata: 2\n\r\ndata: 3\r\r") == [
        ("", b"1", None),
        ("", b"2", None),
        ("", b"3", None),
    ]


def test_a_crlf_split_between_chunks_is_one_line_end() -> None:
    assert events_of(b"data: 1\r", b"\ndata: 2\r", b"\n\r", b"\n") == events_of(
        b"data: 1\r\ndata: 2\r\n\r\n"
    )


def test_separators_of_unicode_and_old_control_codes_end_no_line() -> None:
    text = "a\u2028b\u0085c\x0bd\x0ce\x1cf".encode()
    assert seen(b"data: " + text + b"\n\n") == [("", text, None)]


def test_data_stands_where_data_start_says() -> None:
    body = b': x\n\nevent: e\ndata: {"a":1}\n\ndata:{}\ndata:{}\n\n'
    first, second = events_of(body)
    assert first.data_start is not None
    end = first.data_start + len(first.data)
    assert body[first.data_start : end] == b'{"a":1}'
    assert body[first.start : first.end].startswith(b"event: e\n")
    assert second.data_start is None


@pytest.mark.parametrize("lead", [b"data", b"data:", b"data: ", b"data:  "])
def test_data_start_counts_the_colon_and_one_blank(lead: bytes) -> None:
    value = b"" if lead == b"data" else b"x"
    (event,) = events_of(lead + value + b"\n\n")
    blank = b" " if lead.endswith(b"  ") else b""
    assert (event.data, event.data_start) == (blank + value, len(lead) - len(blank))


def test_comments_are_kept_with_their_spans_and_not_counted() -> None:
    body = b": OPENROUTER PROCESSING\n\ndata: 1\n\n:\n:ping\n\ndata: 2\n\n"
    events, comments, _, _ = decode(body)
    assert [event.number for event in events] == [1, 2]
    assert [comment.text for comment in comments] == [
        b"OPENROUTER PROCESSING",
        b"",
        b"ping",
    ]
    assert body[comments[0].start : comments[0].end] == b": OPENROUTER PROCESSING\n"


def test_a_block_without_data_is_kept_and_not_counted() -> None:
    body = b"retry: 3000\nid: 4\n\nevent: ping\n\ndata: 1\n\n"
    events, _, blocks, _ = decode(body)
    assert [event.number for event in events] == [1]
    assert [(block.name, block.id, block.retry) for block in blocks] == [
        ("", "4", 3000),
        ("ping", None, None),
    ]
    assert body[blocks[1].start : blocks[1].end] == b"event: ping\n\n"


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    body = BYTE_ORDER_MARK + b"data: 1\n\ndata: 2\n\n"
    first, second = events_of(body)
    assert (first.start, first.data, first.flags) == (3, b"1", (BOM,))
    assert second.flags == ()


def test_only_the_first_byte_order_mark_is_one() -> None:
    events, _, blocks, has_bom = decode(BYTE_ORDER_MARK * 2 + b"data: 1\n\n")
    assert has_bom
    assert events == []
    assert blocks[0].extra[0].name == BYTE_ORDER_MARK + b"data"


def test_half_a_byte_order_mark_is_a_line_like_any_other() -> None:
    for stump in (b"\xef", b"\xef\xbb"):
        _, _, blocks, has_bom = decode(stump)
        assert not has_bom
        assert (blocks[0].start, blocks[0].end) == (0, len(stump))


@pytest.mark.parametrize(
    ("line", "flag"),
    [
        (b"id: a\0b", NUL_IN_ID),
        (b"retry: 1.5", BAD_RETRY),
        (b"retry: -1", BAD_RETRY),
        (b"retry: " + b"9" * 5000, BAD_RETRY),
        (b"foo: bar", UNKNOWN_FIELD),
        (b" data: 1", UNKNOWN_FIELD),
        (b"data: \xff", INVALID_UTF8),
        (b"event: \xff", INVALID_UTF8),
        (b"id: \xc3", INVALID_UTF8),
    ],
)
def test_odd_lines_are_flagged(line: bytes, flag: str) -> None:
    (event,) = events_of(line + b"\ndata: 1\n\n")
    assert event.flags == (flag,)
    assert (event.id is None) or flag == INVALID_UTF8
    assert event.retry is None


def test_invalid_bytes_of_data_are_kept() -> None:
    assert events_of(b"data: \xff\xc3\n\n")[0].data == b"\xff\xc3"


def test_unknown_fields_are_kept_with_their_spans() -> None:
    body = b"data: 1\nfoo: bar\n\n"
    (field,) = events_of(body)[0].extra
    assert (field.name, field.value) == (b"foo", b"bar")
    assert body[field.start : field.end] == b"foo: bar\n"


def test_a_data_line_can_be_an_event_by_itself() -> None:
    body = b'event: a\ndata: {"n":1}\ndata: {"n":2}\n\n: c\ndata: {"n"'
    events, comments, _, _ = decode(body, each_line=True)
    assert [event.data for event in events] == [b'{"n":1}', b'{"n":2}', b'{"n"']
    assert [event.name for event in events] == ["a", "", ""]
    assert [event.complete for event in events] == [True, True, False]
    assert len(comments) == 1


def test_a_last_data_line_without_line_end_is_whole_if_its_json_is() -> None:
    for tail in (b'data: {"a":1}', b"data: [DONE]", b"data:{}"):
        assert decode(tail, each_line=True)[0][0].complete


@given(STREAMS, st.booleans(), st.lists(st.integers(0, 200), max_size=4))
def test_chunking_never_matters(body: bytes, each_line: bool, cuts: list[int]) -> None:
    edges = [0, *sorted(cut for cut in cuts if cut <= len(body)), len(body)]
    pieces = [body[a:b] for a, b in pairwise(edges)]
    single = [body[at : at + 1] for at in range(len(body))]
    whole = decode(body, each_line=each_line)
    assert decode(*pieces, each_line=each_line) == whole
    assert decode(*single, each_line=each_line) == whole


@given(STREAMS)
def test_no_byte_is_lost(body: bytes) -> None:
    events, comments, blocks, has_bom = decode(body)
    covered = bytearray(len(body))
    spans: list[Event | Comment | SilentLines] = [*events, *comments, *blocks]
    for span in spans:
        for at in range(span.start, span.end):
            covered[at] = 1
    if has_bom:
        covered[:3] = b"\1\1\1"
    rest = {
        body[at : at + 1] for at, is_covered in enumerate(covered) if not is_covered
    }
    assert rest <= {b"\r", b"\n"}


@given(STREAMS, st.integers(0, 100))
def test_what_was_complete_before_the_tear_stays(body: bytes, cut: int) -> None:
    torn = events_of(body[:cut])
    whole = events_of(body)
    # A CR at the tear may be half of the CR LF that ends the event in the whole body.
    ends_in_cr = body[:cut].endswith(b"\r")
    for before, after in zip(torn, whole, strict=False):
        if before.complete and not (ends_in_cr and before.end == cut):
            assert before == after


@given(STREAMS)
def test_events_are_numbered_from_one_and_ascend(body: bytes) -> None:
    events = events_of(body)
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    for event, follower in pairwise(events):
        assert event.start < event.end <= follower.start
    assert all(event.complete for event in events[:-1])


def test_an_event_arrives_with_its_last_byte() -> None:
    decoder = SseDecoder()
    events = [
        *decoder.feed(b"data: 1\n", 10.0),
        *decoder.feed(b"\ndata: 2\r\r", 20.0),
        *decoder.feed(b"data: 3\n\n: c\n", 30.0),
        *decoder.feed(b"data: 4", 40.0),
        *decoder.finish(),
    ]
    assert [event.at_ms for event in events] == [20.0, 20.0, 30.0, 40.0]
    assert decoder.comments[0].at_ms == 30.0


def test_ten_thousand_events_take_a_fraction_of_a_second() -> None:
    line = b'data: {"choices":[{"delta":{"content":"' + b"a" * 460 + b'"}}]}\n\n'
    assert len(events_of(line * 10_000)) == 10_000
    assert effort(lambda: events_of(line * 10_000), limit=0.5) < 0.5


def test_a_long_line_in_small_chunks_costs_no_square() -> None:
    def decode() -> None:
        decoder = SseDecoder()
        decoder.feed(b"data: ")
        for _ in range(100_000):
            decoder.feed(b"0123456789")
        decoder.feed(b"\n\n")

    assert effort(decode, limit=1) < 1
