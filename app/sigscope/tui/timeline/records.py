"""What the timeline screen is given, what it answers, and the reading of it all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from sigscope.ledger import Ledger
from sigscope.reading import Reading
from sigscope.refusals import Refusal
from sigscope.timeline import Figures, Lane, figures_of, lane_of
from sigscope.tui.views.palette import Palette

Key = tuple[str, int]
"""Of a lane: ("step", 2), ("run", 4)."""


@dataclass(frozen=True, kw_only=True)
class Session:
    """What the timeline is of."""

    title: str
    readings: Sequence[Reading]
    ledger: Ledger
    refusals: Mapping[int, Refusal] = field(default_factory=dict)
    runs: Sequence[tuple[int, Reading, Refusal | None]] = ()
    """Number, reading (numbered as its step) and refusal of each run."""
    palette: Palette = field(default_factory=Palette)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What the user opened: an event of an answer."""

    step: int
    run: int | None = None
    event: int | None = None
    """None where the answer was not streamed."""
    steps_through: bool = True
    """Whether to step through it; else the debugger shows it."""


@dataclass(frozen=True, kw_only=True)
class Told:
    """A session that has been read."""

    lanes: tuple[Lane, ...]
    figures: tuple[Figures, ...]
    """Of every step."""
    times: Mapping[Key, tuple[float, ...]]
    """When each event of a lane arrived, in the lane's unit."""


def read_session(session: Session, is_cancelled: Callable[[], bool]) -> Told | None:
    """Read every answer; for a thread. None if it was cancelled."""
    lanes: list[Lane] = []
    times: dict[Key, tuple[float, ...]] = {}
    answers: list[tuple[Reading, Refusal | None, int | None]] = [
        (r, session.refusals.get(r.number), None) for r in session.readings
    ]
    answers += [(r, refusal, number) for number, r, refusal in session.runs]
    for reading, refusal, run in answers:
        if is_cancelled():
            return None
        lane = lane_of(reading, refusal, run)
        lanes.append(lane)
        times[lane.key] = event_times(reading, lane)
    figures = figures_of(session.readings, session.ledger)
    return (
        None
        if is_cancelled()
        else Told(lanes=tuple(lanes), figures=figures, times=times)
    )


def event_times(reading: Reading, lane: Lane) -> tuple[float, ...]:
    """When each event arrived, in the unit of the lane; empty if not streamed."""
    if not lane.is_streamed:
        return ()
    if not lane.is_timed:
        return tuple(float(n) for n in range(1, lane.events + 1))
    found: list[float] = []
    latest = 0.0
    for event in reading.events:
        latest = max(latest, event.at_ms if event.at_ms is not None else latest)
        found.append(latest)
    return tuple(found)
