"""What the timeline screen is given, what it answers, and the reading of it all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace

from sigscope.ledger import Ledger
from sigscope.overview import Anomalies
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.refusals import Refusal
from sigscope.timeline import Figures, Lane, figures_of, lane_of
from sigscope.timeline.spending import PriceTable, spending_of
from sigscope.tui.views.palette import Palette


@dataclass(frozen=True, kw_only=True)
class TimelineSubject:
    title: str
    readings: Sequence[Reading]
    ledger: Ledger
    refusals: Mapping[int, Refusal] = field(default_factory=dict)
    runs: Sequence[tuple[int, Reading, Refusal | None]] = ()
    """Number, reading (numbered as its step) and refusal of each run."""
    palette: Palette = field(default_factory=Palette)
    anomalies: Anomalies = field(default_factory=Anomalies)
    prices: PriceTable = field(default_factory=PriceTable)
    """The user's; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What the user opened: an event of an answer."""

    step: int
    run: int | None = None
    event: int | None = None
    """None where the answer was not streamed."""
    signature: str | None = None
    """SHA-256 of the one that was followed; None if none was."""
    steps_through: bool = True
    """Whether to step through it; else the debugger shows it."""


@dataclass(frozen=True, kw_only=True)
class Told:
    """A session that has been read."""

    lanes: tuple[Lane, ...]
    figures: tuple[Figures, ...]
    """Of every step."""


def read_session(
    session: TimelineSubject, is_cancelled: Callable[[], bool]
) -> Told | None:
    """Read every answer; for a thread. None if it was cancelled."""
    lanes: list[Lane] = []
    answers: list[tuple[Reading, Refusal | None, int | None]] = [
        (r, session.refusals.get(r.number), None) for r in session.readings
    ]
    answers += [(r, refusal, number) for number, r, refusal in session.runs]
    for reading, refusal, run in answers:
        if is_cancelled():
            return None
        spent = spending_of(reading, session.prices).told(session.prices)
        lanes.append(replace(lane_of(reading, refusal, run), spent=spent))
    figures = figures_of(session.readings, session.ledger)
    return None if is_cancelled() else Told(lanes=tuple(lanes), figures=figures)
