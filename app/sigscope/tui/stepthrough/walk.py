"""What is stepped through, where the user left, and a response that has been read."""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from dataclasses import field

from sigscope.opaque import sha256
from sigscope.overview import Anomalies
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.refusals import Refusal
from sigscope.stepthrough import Player, StreamBreakpoint
from sigscope.timeline.lanes import Lane, lane_of
from sigscope.tui.json.eventlist import EventRow, event_rows
from sigscope.tui.views.palette import Palette

FIRST_STOPS = frozenset({StreamBreakpoint("signature"), StreamBreakpoint("error")})
"""What is on until the user chooses."""


@dataclass(frozen=True, kw_only=True)
class Walk:
    """What is stepped through: some responses, one after the other."""

    title: str
    """Of the session."""
    readings: Sequence[Reading]
    names: Sequence[str] = ()
    """What each is called: "step 2", "run 4 of step 2"; by number without."""
    refusals: Mapping[int, Refusal] = field(default_factory=dict)
    """By step."""
    palette: Palette = field(default_factory=Palette)
    stops: frozenset[StreamBreakpoint] = FIRST_STOPS
    anomalies: Anomalies | None = None
    """Of the session; None where what is stepped through is no part of it: a run."""

    def index_of(self, step: int) -> int | None:
        """Which reading is that of a step; None where none is."""
        numbers = [reading.number for reading in self.readings]
        return numbers.index(step) if step in numbers else None

    def name(self, index: int) -> str:
        if index < len(self.names):
            return self.names[index]
        return f"step {self.readings[index].number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Landing:
    """Where the user left."""

    index: int
    """Which reading of the walk."""
    step: int
    event: int
    """0: before the first event, or not streamed."""
    pointer: str = ""
    """In the event's JSON: what it was about."""
    stops: frozenset[StreamBreakpoint] = FIRST_STOPS
    signature: str | None = None
    """The signature that the user chose to follow; None: none."""


@dataclass(frozen=True, kw_only=True)
class Loaded:
    """A response that has been read."""

    player: Player
    rows: tuple[EventRow, ...]
    lane: Lane
    known: dict[str, str]
    """SHA-256 of its signatures, by their text."""


def load(reading: Reading, refusal: Refusal | None) -> Loaded:
    """Read a response; takes long where it is long."""
    player = Player(reading)
    known = {s.value: sha256(s.value) for s in reading.received}
    return Loaded(
        player=player,
        rows=event_rows(reading),
        lane=lane_of(reading, refusal),
        known=known,
    )


def load_long(reading: Reading, refusal: Refusal | None) -> Loaded:
    """The same in a thread: ten thousand events are a million objects that stay, and
    looking through them for garbage would stop the screen for a tenth of a second now
    and then."""
    loaded = load(reading, refusal)
    gc.freeze()
    return loaded
