"""Where the play head can go."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from sigscope.ledger import Fate, FateAt, Grade
from sigscope.timeline.lanes import Lane, Mark
from sigscope.tui.timeline.sight import Sight

A, B = "aa" * 32, "bb" * 32


def lane(step: int, *signed: tuple[int, str], events: int = 4) -> Lane:
    arrivals = tuple(100.0 * n for n in range(1, events + 1))
    marks = tuple(
        Mark(kind="signature", at=arrivals[event - 1], event=event, sha256=sha)
        for event, sha in signed
    )
    return Lane(step=step, marks=marks, arrivals=arrivals, end=arrivals[-1])


LANES = (lane(1, (3, A)), lane(2), lane(3, (1, B), (4, A)))
SIGHT = Sight(lanes=LANES, key=("step", 1), event=1)


def fate(step: int) -> FateAt:
    return FateAt(step=step, fate=Fate.EXACT, grade=Grade.REQUIRED)


def test_signatures_are_met_in_the_order_of_the_lanes() -> None:
    found, sight = [], SIGHT
    while (place := sight.signature_from(1)) is not None:
        found.append((place[0][1], place[1]))
        sight = replace(sight, key=place[0], event=place[1])
    assert found == [(1, 3), (3, 1), (3, 4)]
    assert sight.signature_from(-1) == (("step", 3), 1)


def test_a_followed_signature_leads_to_the_lanes_it_concerns_and_around() -> None:
    fates = {2: fate(2), 3: fate(3)}
    first = SIGHT.concerned_from(1, fates)
    assert first is not None
    assert first.step == 2
    last = replace(SIGHT, key=("step", 3)).concerned_from(1, fates)
    assert last is not None
    assert last.step == 2
    back = SIGHT.concerned_from(-1, fates)
    assert back is not None
    assert back.step == 3
    assert SIGHT.concerned_from(1, {}) is None


def test_the_head_knows_what_arrives_there() -> None:
    assert SIGHT.signatures == ()
    assert replace(SIGHT, event=3).signatures == (A,)
    assert replace(SIGHT, key=("step", 3), event=1).signatures == (B,)


def test_on_the_clock_of_the_session_a_lane_begins_later() -> None:
    sight = replace(SIGHT, offsets={("step", 1): 5_000.0})
    assert sight.moment == 5_100
    assert sight.event_at(("step", 1), 5_390.0) == 4
    assert sight.event_at(("step", 1), 0.0) == 1


@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(-10, 2e6))
def test_no_event_is_nearer_than_the_nearest(times: list[float], at: float) -> None:
    arrivals = tuple(sorted(times))
    found = Lane(step=1, arrivals=arrivals, end=arrivals[-1])
    event = found.event_at(at)
    assert abs(found.at(event) - at) == min(abs(time - at) for time in arrivals)
    assert found.arrivals.index(found.at(event)) == event - 1
