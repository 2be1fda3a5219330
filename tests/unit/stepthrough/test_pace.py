"""When events are due."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sigscope.stepthrough.pace import UNTIMED_MS, Pace, Playback
from sigscope.wire.events import Event


def pace(*times: float | None) -> Pace:
    return Pace.of(
        Event(number=n, start=0, end=0, data=b"", at_ms=at)
        for n, at in enumerate(times, start=1)
    )


def test_events_are_due_when_they_arrived() -> None:
    found = pace(100, 250, 250, 900)
    assert [found.time_of(n) for n in range(5)] == [0, 100, 250, 250, 900]
    assert [found.event_at(t) for t in (0, 100, 249, 250, 5000)] == [0, 1, 1, 3, 4]


def test_without_times_events_come_evenly() -> None:
    found = pace(None, None)
    assert not found.is_timed
    assert found.times == (UNTIMED_MS, 2 * UNTIMED_MS)


@given(st.lists(st.none() | st.floats(0, 1e6), min_size=1))
def test_times_never_fall(times: list[float | None]) -> None:
    found = pace(*times).times
    assert len(found) == len(times)
    assert list(found) == sorted(found)


@given(st.lists(st.floats(0, 1e5), min_size=1), st.floats(0, 1e5))
def test_the_event_at_a_moment_has_arrived_and_the_next_has_not(
    times: list[float], moment: float
) -> None:
    found = pace(*times)
    number = found.event_at(moment)
    assert found.time_of(number) <= moment or number == 0
    assert number == len(times) or found.time_of(number + 1) > moment


def test_the_clock_runs_at_its_speed_and_keeps_its_moment_at_another() -> None:
    found = pace(100, 300)
    clock = Playback.start(found, 1, 2.0).after(50)
    assert clock.time == 200
    assert clock.at_speed(0.5).after(200).time == 300


def test_nobody_waits_long_for_the_first_byte() -> None:
    found = pace(60_000, 60_100)
    assert Playback.start(found, 0).after(1000).time == 60_000
    assert Playback.start(found, 0, 10).after(1000).time == 60_000
