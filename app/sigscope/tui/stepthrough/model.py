"""What the step-through screen knows: a response, the event one stands at, the clock,
the breakpoints. No widget, no terminal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal

from sigscope.reader import Reading
from sigscope.stepthrough import (
    Pace,
    Playback,
    Player,
    PlayerFrame,
    Stop,
    StreamBreakpoint,
)
from sigscope.stepthrough.happenings import Happening
from sigscope.tui.debugger.desk import Desk
from sigscope.tui.debugger.observed import Observable, Observed
from sigscope.tui.stepthrough.assembled import main_change
from sigscope.tui.stepthrough.headline import Where
from sigscope.tui.stepthrough.walk import (
    FIRST_STOPS,
    Landing,
    Loaded,
    Walk,
    load,
    load_long,
)

RESPONSE = "response"
"""Is told when another response is on show, or is being read."""
STATE = "state"
"""Is told when something else is to be said of where one stands."""
SPEEDS = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0, 50.0)
MANY = 192 * 1024
"""Bytes of a response from which on it is read in a thread."""
MOST_STOPS = 500
"""Events with a breakpoint that are marked."""


class StepModel(Observable):
    """One response of a walk, and where in it one stands."""

    event: Observed[int] = Observed(0)
    """The event one stands at; 0 before the first, and while the response is read."""
    speed: Observed[float] = Observed(1.0)
    is_playing: Observed[bool] = Observed(False)
    stops: Observed[frozenset[StreamBreakpoint]] = Observed(FIRST_STOPS)

    def __init__(
        self,
        walk: Walk,
        desk: Desk,
        *,
        index: int = 0,
        event: int | None = None,
        told: str = "",
    ) -> None:
        """`index`: the response to begin with; `event`: where in it; `told`: why."""
        super().__init__()
        self.walk = walk
        self.index = index
        self.stops = walk.stops
        self.loaded: Loaded | None = None
        """None while it is being read."""
        self.unread = ""
        """Why it could not be read; empty where it can."""
        self.stop: Stop | None = None
        """The breakpoint that one stands at."""
        self.told = ""
        """What was answered last."""
        self.followed: str | None = None
        """The signature that the user wants to follow in the debugger."""
        self._desk = desk
        self._first_event, self._first_words = event, told
        self._later: list[Callable[[], None]] = []
        """What was wanted while the response was being read."""
        self._clock = Playback(time=0.0)
        self._asked: tuple[str, int] | None = None
        """The field asked last, and the event that was the answer."""

    # --- The response ----------------------------------------------------------------

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
    def frame(self) -> PlayerFrame | None:
        """The message after the event one stands at."""
        player = self.player
        return player.at(self.event) if player is not None else None

    @property
    def happening(self) -> Happening | None:
        """What happened at the event one stands at."""
        player = self.player
        if player is None or not 0 < self.event <= len(player.happenings):
            return None
        return player.happenings[self.event - 1]

    @property
    def source(self) -> str:
        """In the JSON of the event: what it is about, a signature before all else;
        empty where it changed nothing."""
        happening, frame = self.happening, self.frame
        arrival = next(iter(happening.arrivals), None) if happening else None
        change = main_change(frame) if frame else None
        return arrival.source if arrival else change.source if change else ""

    def begin(self) -> None:
        """Read the response."""
        self.pause()
        self.loaded, self.stop, self.told, self.unread = None, None, "", ""
        self._later.clear()
        self.event = 0
        reading = self.reading
        refusal = self.walk.refusals.get(reading.number)
        if len(reading.response_body.data) > MANY:
            self.tell(RESPONSE)
            read = partial(load_long, reading, refusal)
            self._desk.aside("load", read, self._take, self._not_read)
        else:
            self._take(load(reading, refusal))

    def _not_read(self, words: str) -> None:
        self.unread = words
        self._later.clear()
        self.tell(RESPONSE)

    def _take(self, loaded: Loaded) -> None:
        wanted, self._first_event = self._first_event, None
        wanted = 1 if wanted is None else max(0, wanted)
        self.told, self._first_words = self._first_words, ""
        self.event = min(len(loaded.player), wanted)
        self.loaded = loaded
        self.tell(RESPONSE)
        later, self._later = self._later, []
        for action in later:
            action()

    def _has_to_wait(self, action: Callable[[], None]) -> bool:
        """Whether the response is still being read; then it is done after that."""
        if self.loaded is None:
            self._later.append(action)
        return self.loaded is None

    @property
    def whole_body(self) -> bytes | None:
        """Of an answer that came in one piece: its one event; None of any other."""
        loaded, reading = self.loaded, self.reading
        if loaded is None or reading.exchange.response is None or reading.is_streamed:
            return None
        return reading.response_body.data

    def why_empty(self) -> str:
        response = self.reading.exchange.response
        if self.unread:
            return f"the response could not be read: {self.unread}"
        if self.loaded is None:
            return "reading the response …"
        if response is None:
            other = self.reading.exchange.sent_as
            return f"see step {other}" if other else "no answer was recorded"
        if self.whole_body is not None:
            if not self.whole_body.strip():
                return "the answer has no body"
            return "the answer came in one piece: nothing to step through"
        return "the stream is empty"

    def why_no_message(self) -> str:
        if self.unread:
            return self.why_empty()
        if self.loaded is None:
            return "reading …"
        if self.reading.dialect is None and (self.count or self.whole_body):
            return "no dialect fits: there is no message to assemble"
        if self.whole_body:
            return "no message came: pane 2 shows the answer"
        return "nothing yet" if self.count else self.why_empty()

    @property
    def times(self) -> tuple[float, ...]:
        """When events came, on the axis of the lane: milliseconds, or their numbers
        where the recording tells no times."""
        return self.loaded.lane.arrivals if self.loaded else ()

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
            self.tell(STATE)

    def stand_at(self, number: int, told: str = "") -> None:
        """Stand still, at an event."""
        self.pause()
        self.go_to(number, told=told)

    def go_by(self, by: int) -> None:
        """So many events on."""
        if self._has_to_wait(partial(self.go_by, by)):
            return
        self.stand_at(self.event + by)
        if not self.count:
            self.say("there are no events here")

    def go_to_end(self, way: Literal[1, -1]) -> None:
        """The last event, or before the first."""
        if not self._has_to_wait(partial(self.go_to_end, way)):
            self.stand_at(self.count if way > 0 else 0)

    def go_to_step(self, by: int) -> None:
        """Next or previous response."""
        index = self.index + by
        if 0 <= index < len(self.walk.readings):
            self._first_event, self._first_words = None, ""
            self.index = index
            self.begin()
        else:
            self.say(f"this is the {'last' if by > 0 else 'first'} step")

    def go_to_anomaly(self, by: int) -> None:
        """To the answer of the next step with an anomaly, or of the one before; say
        which."""
        anomalies = self.walk.anomalies
        if anomalies is None:
            self.say("a run is on show; anomalies are gone through among the steps")
            return
        stop = anomalies.after(self.reading.number, by)
        index = self.walk.index_of(stop.anomaly.step) if stop else None
        words = anomalies.told(stop)
        if stop is None or index is None:
            self.say(words)
            return
        self._first_event, self._first_words = stop.anomaly.event, words
        self.index = index
        self.begin()

    def say(self, words: str) -> None:
        """Answer in the status line."""
        if words != self.told:
            self.told = words
            self.tell(STATE)

    # --- Breakpoints -----------------------------------------------------------------

    def go_to_stop(self, way: Literal[1, -1]) -> None:
        """Go on to the next breakpoint, or back to the one before."""
        player = self.player
        if player is None:
            self._has_to_wait(partial(self.go_to_stop, way))
            return
        self.pause()
        if not self.stops:
            key = self._desk.key("stepping.breakpoints")
            self.say(f"no breakpoint is on; {key} chooses")
            return
        stop = player.find_next(self.event, self.stops, way=way)
        if stop is not None:
            self.go_to(stop.event, stop)
        else:
            self.say(f"no breakpoint is met {'after' if way > 0 else 'before'} here")

    def toggle_stop(self, point: StreamBreakpoint) -> None:
        """Switch a breakpoint on or off."""
        self.stops ^= {point}
        self.say(
            f"{'stops' if point in self.stops else 'no longer stops'} when {point}"
        )

    def keep_stops(self, stops: frozenset[StreamBreakpoint]) -> None:
        """Take other breakpoints."""
        self.walk = replace(self.walk, stops=stops)
        self.stops = stops

    @property
    def watched(self) -> frozenset[str]:
        """Pointers with a breakpoint."""
        return frozenset(stop.what for stop in self.stops if stop.kind == "pointer")

    @property
    def met(self) -> tuple[int, ...]:
        """Events at which a breakpoint is met."""
        found: list[int] = []
        while self.player is not None and len(found) < MOST_STOPS:
            at = found[-1] if found else 0
            stop = self.player.find_next(at, self.stops)
            if stop is None:
                break
            found.append(stop.event)
        return tuple(found)

    # --- Where fields come from, and go ----------------------------------------------

    def ask(self, pointer: str, way: int) -> bool:
        """Go to the event that wrote a field: the first one; asked again, the next.
        Backwards: the last one up to here; asked again, the one before. False if none
        did."""
        if self.player is None:
            return False
        numbers = self.player.provenance.authors(pointer).events
        if not numbers:
            self.say(f"no event wrote {pointer}")
            return False
        if self._asked == (pointer, self.event):
            at = (numbers.index(self.event) + way) % len(numbers)
        else:
            here = [i for i, n in enumerate(numbers) if n <= self.event]
            at = 0 if way > 0 else (here[-1] if here else len(numbers) - 1)
        self._asked = (pointer, numbers[at])
        told = f"event {numbers[at]:,} wrote {pointer}"
        if len(numbers) > 1:
            on = self._desk.key("stepping.author")
            told += f" · {at + 1:,} of {len(numbers):,}, {on} goes on"
        self.stand_at(numbers[at], told)
        return True

    def destination(self, source: str) -> str | None:
        """The field of the message that a field of the event went into; says so where
        there is none."""
        if self.player is None:
            return None
        if self.whole_body is not None:
            if self.player.at(0).body:
                return source
            self.say(self.why_no_message())
            return None
        pointer = self.player.provenance.destination(self.event, source)
        if pointer is None:
            self.say(f"{source or 'this'} went nowhere: the message has no such field")
        return pointer

    # --- Playing ---------------------------------------------------------------------

    @property
    def pace(self) -> Pace | None:
        """When events are due."""
        return self.player.pace if self.player else None

    def play(self) -> None:
        """Play from here, or pause; at the end, from the start."""
        if self._has_to_wait(self.play):
            return
        if self.is_playing:
            self.pause()
        elif self.pace is not None and self.count:
            if self.event >= self.count:
                self.go_to(0)
            self._clock = Playback.start(self.pace, self.event, self.speed)
            self.stop, self.told = None, ""
            self.is_playing = True

    def pause(self) -> None:
        """Stand still."""
        self.is_playing = False

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
            self.tell(STATE)

    @property
    def wait_ms(self) -> float | None:
        """Real milliseconds until the next event, while playing."""
        pace = self.pace
        if pace is None or not self.is_playing or self.event >= self.count:
            return None
        return max(0.0, (pace.time_of(self.event + 1) - self._clock.time) / self.speed)

    def change_speed(self, way: int) -> None:
        """Twice or half as fast, within reason."""
        nearest = min(SPEEDS, key=lambda s: abs(s - self.speed))
        at = SPEEDS.index(nearest) + way
        self.play_at(SPEEDS[max(0, min(at, len(SPEEDS) - 1))])

    def play_at(self, speed: float) -> None:
        """As fast as this."""
        self._clock = self._clock.at_speed(speed)
        self.speed = speed

    # --- What is said ----------------------------------------------------------------

    @property
    def where(self) -> Where:
        """What the header says."""
        pace = self.pace
        is_timed = pace is not None and pace.is_timed and self.event
        return Where(
            title=self.walk.title,
            name=self.walk.name(self.index),
            event=self.event,
            events=self.count,
            at_ms=pace.time_of(self.event) if pace and is_timed else None,
            speed=self.speed,
            is_playing=self.is_playing,
            wait_ms=self.wait_ms,
            stop=self.stop,
            busy="" if self.loaded else "reading the response …",
        )

    @property
    def landing(self) -> Landing:
        """Where the user leaves."""
        frame = self.frame
        change = main_change(frame) if frame else None
        return Landing(
            index=self.index,
            step=self.reading.number,
            event=self.event,
            pointer=change.source if change else "",
            stops=self.stops,
            signature=self.followed,
        )
