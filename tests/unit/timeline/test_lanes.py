"""One response on a time axis."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.unit.stepthrough import streams as s

from sigscope.exchange import Body, Exchange, Response, held_for
from sigscope.opaque import sha256
from sigscope.reader import Reading
from sigscope.refusals import Refusal
from sigscope.timeline.lanes import Lane, lane_of


def lane(*times: float) -> Lane:
    return lane_of(s.reading(s.sse(*s.STORY), times=times))


TENTHS = [n * 100.0 for n in range(1, 11)]


def test_neighbours_of_one_kind_are_one_stretch_after_the_wait() -> None:
    found = [(x.kind, x.start, x.end, x.first, x.last) for x in lane(*TENTHS).spans]
    assert found == [
        ("wait", 0, 100, 0, 0),
        ("thought", 100, 200, 1, 2),
        ("signature", 200, 300, 3, 3),
        ("call", 300, 700, 4, 7),
        ("other", 700, 800, 8, 8),
        ("usage", 800, 900, 9, 9),
        ("other", 900, 1000, 10, 10),
    ]


def test_signature_finish_and_usage_are_marks_at_their_events() -> None:
    found = [(m.kind, m.at, m.event, m.sha256) for m in lane(*TENTHS).marks]
    assert found == [
        ("signature", 300, 3, sha256(s.OPAQUE)),
        ("finish", 800, 8, ""),
        ("usage", 900, 9, ""),
    ]


def test_first_byte_and_first_signature_are_known() -> None:
    found = lane(*TENTHS)
    assert (found.first_byte, found.first_signature, found.end) == (100, 300, 1000)


def test_without_times_the_unit_is_an_event_and_nothing_is_said_of_time() -> None:
    found = lane()
    assert not found.is_timed
    assert (found.first_byte, found.first_signature, found.gaps) == (None, None, ())
    assert found.spans[0].start == 0
    assert found.spans[0].kind == "thought"
    assert found.end == 10


def test_a_pause_is_a_gap_and_a_slow_stream_has_none() -> None:
    paused = lane(*(t if t < 600 else t + 5000 for t in TENTHS))
    assert [(g.start, g.end, g.event) for g in paused.gaps] == [(500, 5600, 6)]
    assert lane(*(t * 20 for t in TENTHS)).gaps == ()


@given(st.lists(st.floats(0, 1e6), min_size=10, max_size=10))
def test_stretches_follow_one_another_whatever_the_times(times: list[float]) -> None:
    found = lane(*times)
    for before, after in zip(found.spans, found.spans[1:], strict=False):
        assert before.end == after.start
    assert found.spans[-1].end <= found.end
    assert sum(x.last - x.first + 1 for x in found.spans if x.first) == 10


def test_an_error_in_the_stream_is_a_mark_and_a_stretch() -> None:
    error = {"error": {"message": "overloaded"}}
    found = lane_of(
        s.reading(s.sse(s.delta(content="a"), error), times=(100, 200)),
        Refusal(status=200, text="overloaded", event=2),
    )
    assert [m.event for m in found.marks if m.kind == "error"] == [2]
    assert found.spans[-1].kind == "error"


def test_an_answer_refused_at_once_says_so() -> None:
    exchange = Exchange(
        response=Response(status=400, body=Body(b'{"error":{"message":"no"}}')),
        first_byte_ms=150,
        duration_ms=160,
    )
    found = lane_of(Reading(exchange, number=2), Refusal(status=400, text="no"))
    assert found.note == "400: rejected before the first event"
    assert [(m.kind, m.at) for m in found.marks] == [("error", 160)]
    assert [x.kind for x in found.spans] == ["wait", "error"]


def test_no_answer_is_no_lane_but_a_word() -> None:
    found = lane_of(Reading(Exchange(), number=2))
    assert (found.spans, found.note) == ((), "no answer recorded")
    given_up = lane_of(Reading(Exchange(first_byte_ms=601, duration_ms=700), number=2))
    assert given_up.first_byte is None, "a browser times a request that it gave up"
    assert [(x.kind, x.end) for x in given_up.spans] == [("wait", 700)]


def test_the_beginning_is_read_with_and_without_a_zone() -> None:
    reading = s.story()
    for at, wanted in (
        ("1970-01-01T00:00:01.500Z", 1500.0),
        ("1970-01-01T02:00:01+02:00", 1000.0),
        ("1970-01-01T00:00:01", 1000.0),
        ("yesterday", None),
        (None, None),
    ):
        reading.exchange = replace(reading.exchange, started_at=at)
        assert lane_of(reading).began == wanted


# --- Held requests --------------------------------------------------------------------


def held(seconds: float, *times: float) -> Lane:
    plain = s.reading(s.sse(*s.STORY), times=times).exchange
    assert plain.response is not None
    exchange = replace(
        plain,
        started_at="2026-01-02T03:04:05Z",
        first_byte_ms=times[0] - 50,
        duration_ms=times[-1] + 50,
        remarks=("another remark", f"{held_for(seconds)}: a signature is lost"),
    )
    return lane_of(Reading(exchange, number=1))


def test_how_long_a_request_was_held_is_cut_out_of_its_lane() -> None:
    late = [60_000 + at for at in TENTHS]
    found, plain = held(60.0, *late), lane(*TENTHS)
    assert found.held == 60_000
    assert found.spans == plain.spans
    assert found.marks == plain.marks
    assert found.arrivals == plain.arrivals
    assert (found.first_byte, found.end, found.took) == (50, 1050, 1050)
    assert found.began == held(0.0, *late).began + 60_000  # type: ignore[operator]


def test_more_than_the_wait_is_never_cut() -> None:
    found = held(90.0, *TENTHS)
    assert found.held == 100
    assert found.arrivals[0] == 0
    assert found.end == 950


def test_a_lane_without_times_has_no_hold() -> None:
    exchange = s.reading(s.sse(*s.STORY)).exchange
    remarked = replace(exchange, remarks=("held for 2.0 s: everything",))
    assert lane_of(Reading(remarked, number=1)).held == 0
    assert exchange.held_ms == 0


def test_a_request_that_was_never_let_go_fills_no_axis() -> None:
    exchange = replace(
        s.reading(b"").exchange,
        response=None,
        duration_ms=60_000,
        remarks=("not sent as it is: step 2 was sent", "held for 60.0 s: all are"),
    )
    assert lane_of(Reading(exchange, number=1)).end == 0
