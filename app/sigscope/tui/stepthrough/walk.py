"""Going from event to event, and playing: what the step-through screen can do."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, Literal

from textual import on, work
from textual.message import Message
from textual.reactive import var
from textual.screen import Screen
from textual.timer import Timer
from textual.worker import get_current_worker

from sigscope.opaque import sha256
from sigscope.reader import Reading
from sigscope.refusals import Refusal
from sigscope.stepthrough import Frame, Pace, Playback, Player, Stop, StreamBreakpoint
from sigscope.timeline.lanes import Lane, lane_of
from sigscope.tui.json.eventlist import EventRow, event_rows
from sigscope.tui.views.palette import Palette

TICK = 1 / 30
"""Seconds between two looks at the clock while playing."""
FIRST_STOPS = frozenset({StreamBreakpoint("signature"), StreamBreakpoint("error")})
"""What is on until the user chooses."""
MANY = 192 * 1024
"""Bytes of a response from which on it is read in a thread."""


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

    def name(self, index: int) -> str:
        """What one is called."""
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


class Moving(Screen[Landing | None]):
    """The player of one response, and its clock. The floor above shows it."""

    event: var[int] = var(0, init=False)
    """The event one stands at; 0 before the first."""
    index: var[int] = var(0, init=False)
    """Which response."""
    speed: var[float] = var(1.0, init=False)
    is_playing: var[bool] = var(False, init=False)
    stops: var[frozenset[StreamBreakpoint]] = var(FIRST_STOPS, init=False)
    SPEEDS: ClassVar[tuple[float, ...]] = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0, 50.0)

    @dataclass
    class Read(Message):
        """A response has been read."""

        index: int
        loaded: Loaded

    def __init__(
        self, walk: Walk, *, index: int = 0, event: int | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.walk = walk
        self.loaded: Loaded | None = None
        self.now: Callable[[], float] = time.monotonic
        """The clock, in seconds."""
        self.stop: Stop | None = None
        """The breakpoint that one stands at."""
        self.told = ""
        """What was answered last."""
        self._first_event = event
        self._later: list[Callable[[], None]] = []
        """What was wanted while the response was being read."""
        self._clock = Playback(time=0.0)
        self._looked_at = 0.0
        self._timer: Timer | None = None
        self.set_reactive(Moving.index, index)
        self.set_reactive(Moving.stops, walk.stops)

    # --- Reading ---------------------------------------------------------------------

    @property
    def reading(self) -> Reading:
        """The response on show."""
        return self.walk.readings[self.index]

    @property
    def player(self) -> Player | None:
        """Its player; None while it is being read."""
        return self.loaded.player if self.loaded else None

    @property
    def count(self) -> int:
        """How many events it has."""
        return len(self.loaded.player) if self.loaded else 0

    @property
    def frame(self) -> Frame | None:
        """The message after the event one stands at."""
        return self.player.at(self.event) if self.player else None

    def begin(self) -> None:
        """Read the response."""
        self.pause()
        self.loaded, self.stop, self.told = None, None, ""
        self._later.clear()
        self.set_reactive(Moving.event, 0)
        reading, index = self.reading, self.index
        if len(reading.response_body.data) > MANY:
            self.show_all()
            self._read_in_thread(reading, index)
        else:
            self._take(load(reading, self._refusal(reading)))

    def _refusal(self, reading: Reading) -> Refusal | None:
        return self.walk.refusals.get(reading.number)

    @work(thread=True, exclusive=True, group="load", description="load")
    def _read_in_thread(self, reading: Reading, index: int) -> None:
        loaded = load(reading, self._refusal(reading))
        # Ten thousand events are a million objects that stay: looking through them
        # for garbage would stop the screen for a tenth of a second now and then.
        gc.freeze()
        if not get_current_worker().is_cancelled:
            self.post_message(self.Read(index, loaded))

    @on(Read)
    def _was_read(self, message: Read) -> None:
        message.stop()
        if message.index == self.index:
            self._take(message.loaded)

    def _take(self, loaded: Loaded) -> None:
        self.loaded = loaded
        wanted, self._first_event = self._first_event, None
        number = min(len(loaded.player), 1 if wanted is None else max(0, wanted))
        self.set_reactive(Moving.event, number)
        self.show_all()
        later, self._later = self._later, []
        for action in later:
            action()

    def _has_to_wait(self, action: Callable[[], None]) -> bool:
        """Whether the response is still being read; then it is done after that."""
        if self.loaded is None:
            self._later.append(action)
        return self.loaded is None

    def show_all(self) -> None:
        """Another response is on show, or is being read."""

    def show_event(self) -> None:
        """Another event is on show."""

    def show_state(self) -> None:
        """What is said of the player has changed."""

    # --- Going -----------------------------------------------------------------------

    def go_to(self, number: int, stop: Stop | None = None, told: str = "") -> None:
        """Stand at an event."""
        if self.loaded is None:
            return
        number = max(0, min(number, self.count))
        self.stop, self.told = stop, told
        if number != self.event:
            self.event = number
        else:
            self.show_state()

    def watch_event(self) -> None:
        self.show_event()

    def watch_is_playing(self) -> None:
        self.show_state()

    def watch_speed(self) -> None:
        """Say it, and play on at it."""
        self._clock = self._clock.at_speed(self.speed)
        self.show_state()

    def action_event(self, by: int) -> None:
        """Next or previous event."""
        if self._has_to_wait(partial(self.action_event, by)):
            return
        self.pause()
        self.go_to(self.event + by)

    def action_first(self) -> None:
        """Before the first event."""
        if self._has_to_wait(self.action_first):
            return
        self.pause()
        self.go_to(0)

    def action_last(self) -> None:
        """The last event."""
        if self._has_to_wait(self.action_last):
            return
        self.pause()
        self.go_to(self.count)

    def action_step(self, by: int) -> None:
        """Next or previous response."""
        index = self.index + by
        if 0 <= index < len(self.walk.readings):
            self.index = index
            self.begin()
        else:
            word = "last" if by > 0 else "first"
            self.say(f"this is the {word} step")

    def action_stop(self, way: Literal[1, -1]) -> None:
        """Go on to the next breakpoint, or back to the one before."""
        player = self.player
        if player is None:
            self._has_to_wait(partial(self.action_stop, way))
            return
        self.pause()
        if not self.stops:
            self.say("no breakpoint is on; b chooses")
            return
        stop = player.find_next(self.event, self.stops, way=way)
        if stop is not None:
            self.go_to(stop.event, stop)
        else:
            self.say(f"no breakpoint is met {'after' if way > 0 else 'before'} here")

    def say(self, words: str) -> None:
        """Answer in the status line."""
        self.told = words
        self.show_state()

    # --- Playing ---------------------------------------------------------------------

    @property
    def pace(self) -> Pace | None:
        """When events are due."""
        return self.player.pace if self.player else None

    def action_play(self) -> None:
        """Play from here, or pause; at the end, from the start."""
        if self._has_to_wait(self.action_play):
            return
        if self.is_playing:
            self.pause()
        elif self.pace is not None and self.count:
            if self.event >= self.count:
                self.go_to(0)
            self._clock = Playback.start(self.pace, self.event, self.speed)
            self._looked_at = self.now()
            self.stop, self.told = None, ""
            self.is_playing = True
            self._timer = self.set_interval(TICK, self._tick)

    def pause(self) -> None:
        """Stand still."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self.is_playing = False

    def _tick(self) -> None:
        now = self.now()
        elapsed, self._looked_at = (now - self._looked_at) * 1000, now
        self.play_on(elapsed)

    def play_on(self, elapsed: float) -> None:
        """Let so many milliseconds pass."""
        player = self.player
        if player is None or not self.is_playing:
            return
        self._clock = self._clock.after(elapsed)
        due = player.pace.event_at(self._clock.time)
        if due > self.event:
            stop = player.find_next(self.event, self.stops, until=due)
            if stop is not None:
                self.pause()
            self.go_to(stop.event if stop else due, stop)
        if self.event >= self.count:
            self.pause()
        elif self.is_playing:
            self.show_state()

    @property
    def wait_ms(self) -> float | None:
        """Real milliseconds until the next event, while playing."""
        pace = self.pace
        if pace is None or not self.is_playing or self.event >= self.count:
            return None
        return max(0.0, (pace.time_of(self.event + 1) - self._clock.time) / self.speed)

    def action_faster(self, way: int) -> None:
        """Twice or half as fast, within reason."""
        nearest = min(self.SPEEDS, key=lambda s: abs(s - self.speed))
        at = self.SPEEDS.index(nearest) + way
        self.speed = self.SPEEDS[max(0, min(at, len(self.SPEEDS) - 1))]

    def action_speed(self, speed: float) -> None:
        """As fast as this."""
        self.speed = speed

    # --- Breakpoints -----------------------------------------------------------------

    def toggle_stop(self, point: StreamBreakpoint) -> None:
        """Switch a breakpoint on or off."""
        self.stops ^= {point}
        self.say(
            f"{'stops' if point in self.stops else 'no longer stops'} when {point}"
        )

    def keep_stops(self, stops: frozenset[StreamBreakpoint]) -> None:
        """Take other breakpoints."""
        self.stops = stops
        self.walk = replace(self.walk, stops=stops)
