"""Where the play head can go."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from sigscope.ledger import Fate, FateAt, Grade
from sigscope.timeline.lanes import Lane, Mark
from sigscope.tui.place import NodePlace
from sigscope.tui.selection import Selection
from sigscope.tui.timeline.rows import BAR, HEAD, RowSheet
from sigscope.tui.timeline.sight import Sight, selected_in

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


def test_the_head_is_where_the_selected_signature_arrived() -> None:
    at = selected_in(LANES, Selection(step=3, signature=A))
    assert (at.key, at.event) == (("step", 3), 4)
    assert selected_in(LANES, Selection(step=2, signature=A)).event == 0
    assert selected_in(LANES, Selection(step=3)).event == 0


def test_a_selected_event_goes_before_a_signature() -> None:
    place = NodePlace(side="event", pointer="", event=2)
    at = selected_in(LANES, Selection(step=3, signature=A, place=place))
    assert at.event == 2


def test_a_run_on_show_has_the_head_in_its_own_lane() -> None:
    lanes = (*LANES, replace(lane(3, (2, A)), run=1))
    at = selected_in(lanes, Selection(step=3, run=1, signature=A))
    assert at.lane is lanes[-1]
    assert at.event == 2


def test_a_column_is_a_moment_only_where_the_bar_is() -> None:
    sheet, cells = RowSheet(), 40
    first, last = BAR + HEAD, BAR + HEAD + sheet.bar_cells(cells) - 1
    assert sheet.moment_at(first - 1, cells) is None
    assert sheet.moment_at(last + 1, cells) is None
    moments = [sheet.moment_at(x, cells) for x in (first, last)]
    assert None not in moments
    assert moments == sorted(moments, key=lambda moment: moment or 0.0)
    assert moments[0] != moments[1]
