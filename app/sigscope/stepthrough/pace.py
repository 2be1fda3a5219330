"""When each event is due while a stream is played back."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace

from sigscope.records import dataclass
from sigscope.wire.events import Event

UNTIMED_MS = 100.0
"""Between two events of a recording that tells no times."""
SPEEDS = (0.5, 1.0, 2.0, 10.0)
"""Factors one can choose from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Arrival times of the events, never falling."""

    times: tuple[float, ...]
    """Milliseconds after the request began, by event."""
    is_timed: bool
    """False: made up, because the recording has no times."""

    @classmethod
    def of(cls, events: Iterable[Event]) -> Pace:
        """An event without a time counts as arrived with the one before it."""
        known = [event.at_ms for event in events]
        if not any(at is not None for at in known):
            times = tuple(UNTIMED_MS * n for n in range(1, len(known) + 1))
            return cls(times=times, is_timed=False)
        found: list[float] = []
        latest = 0.0
        for at in known:
            latest = max(latest, at if at is not None else latest)
            found.append(latest)
        return cls(times=tuple(found), is_timed=True)

    def time_of(self, number: int) -> float:
        """When an event arrived; 0 for the moment before the first."""
        return self.times[number - 1] if number else 0.0

    def event_at(self, time: float) -> int:
        """The last event that has arrived by then; 0 before the first."""
        return bisect_right(self.times, time)


@dataclass(frozen=True, slots=True, kw_only=True)
class Playback:
    """Where a player's clock stands. Pure: the caller brings the passing of time."""

    time: float
    """Milliseconds after the request began."""
    speed: float = 1.0

    @classmethod
    def start(cls, pace: Pace, number: int, speed: float = 1.0) -> Playback:
        """Play on from an event. Before the first event nobody waits for the first
        byte longer than a second."""
        time = pace.time_of(number)
        if number == 0 and pace.times:
            time = max(0.0, pace.times[0] - 1000.0 * speed)
        return cls(time=time, speed=speed)

    def after(self, elapsed: float) -> Playback:
        """The clock so many real milliseconds later."""
        return replace(self, time=self.time + elapsed * self.speed)

    def at_speed(self, speed: float) -> Playback:
        """The same moment, at another speed."""
        return replace(self, speed=speed)
