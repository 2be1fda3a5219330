"""What the timeline screen shows: lanes in an order, a play head among them, a part of
the axis, turns. No widget, no terminal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from sigscope.ledger import FateAt
from sigscope.timeline import Lane, Window, offsets_of, sort_lanes, turns_of
from sigscope.timeline.layout import LaneGroup
from sigscope.timeline.turns import Figures
from sigscope.tui.debugger.observed import Observable
from sigscope.tui.symbols import Symbols
from sigscope.tui.timeline.records import Moment, TimelineSubject, Told
from sigscope.tui.timeline.rows import Key, whole_axis
from sigscope.tui.timeline.sight import Sight, fates_of
from sigscope.tui.views.signatures import say_fate

View = Literal["lanes", "turns"]
LANES = "lanes"
"""What is told when there are other lanes, or in another order."""
TURNS = "turns"
"""The same of the turns."""
LOOK = "look"
"""What is told when the play head, the axis, or what is said is another."""


class TimelineModel(Observable):
    """A session as lanes and as turns; which of both is in front."""

    def __init__(
        self,
        session: TimelineSubject,
        *,
        step: int | None = None,
        run: int | None = None,
        event: int | None = None,
        followed: str = "",
        view: View = "lanes",
    ) -> None:
        """Where the play head is to be once the session is read."""
        super().__init__()
        self.session = session
        self.told: Told | None = None
        """None until the answers are read."""
        self.groups: tuple[LaneGroup, ...] = ()
        self.lanes: tuple[Lane, ...] = ()
        """All that are on show, in their order."""
        self.offsets: Mapping[Key, float] = {}
        """Where lanes begin on the axis; at 0 if not named."""
        self.rows: tuple[Figures, ...] = ()
        self.window = Window(total=1.0)
        self.key: Key | None = None
        """The lane under the cursor."""
        self.turn: int | None = None
        """A step of the turn under the cursor."""
        self.event = 0
        """The event that the play head stands at, in the lane under the cursor."""
        self.followed = followed
        """SHA-256 of the signature that is followed; empty for none."""
        self.view: View = view
        self.words = ""
        """What could not be done, or where one went; empty for nothing."""
        self.by_turn = True
        self.is_on_clock = False
        self._by_thread = self._has_runs = True
        self._wanted = (step, run, event)
        self._has_moved = False
        """Whether the play head is elsewhere than at first."""

    # --- What there is ---------------------------------------------------------------

    @property
    def sight(self) -> Sight:
        """Where the play head is among the lanes."""
        return Sight(
            lanes=self.lanes, offsets=self.offsets, key=self.key, event=self.event
        )

    @property
    def lane(self) -> Lane | None:
        """The lane under the cursor."""
        return self.sight.lane

    @property
    def moment(self) -> float:
        """Where the play head is on the axis."""
        return self.sight.moment

    @property
    def fates(self) -> Mapping[int, FateAt]:
        """What became of the signature that is followed, by step."""
        return fates_of(self.session.ledger, self.followed)

    # --- Laying out ------------------------------------------------------------------

    def take(self, told: Told) -> None:
        """The answers are read: go to what was asked for."""
        self.told = told
        step, run, event = self._wanted
        self._lay_lanes()
        self._lay_turns()
        if step is not None:
            self._choose(("step", step) if run is None else ("run", run))
            self.turn = step
        lane = self.lane
        if lane is not None:
            arrival = self._arrival_of_followed(lane)
            self.event = min(event, lane.events) if event else arrival
        self.tell(LOOK)

    def _lay_lanes(self) -> None:
        """Order the lanes, and set the axis to their length."""
        lanes = self.told.lanes if self.told else ()
        self.offsets = (offsets_of(lanes) if self.is_on_clock else None) or {}
        here = self.lane
        self.groups = sort_lanes(
            lanes,
            self.session.ledger.threads,
            by_thread=self._by_thread,
            runs=self._has_runs,
        )
        self.lanes = tuple(lane for group in self.groups for lane in group.lanes)
        if self.lane is None:  # it was a run, or there was none
            shown = self.lanes
            beside = (x.key for x in shown if here and x.step == here.step)
            self.key = next(beside, shown[0].key if shown else None)
        self.window = whole_axis(self.lanes, self.offsets)
        self.tell(LANES)
        self.tell(LOOK)

    def _lay_turns(self) -> None:
        figures = self.told.figures if self.told else ()
        side = {t.number for t in self.session.ledger.threads if t.kind == "side"}
        main = [f for f in figures if f.thread not in side] or list(figures)
        self.rows = turns_of(main) if self.by_turn else tuple(main)
        if self._row is None and self.rows:
            self.turn = self.rows[0].steps[0]
        self.tell(TURNS)

    @property
    def _row(self) -> Figures | None:
        """The turn under the cursor."""
        return next((row for row in self.rows if self.turn in row.steps), None)

    # --- View ------------------------------------------------------------------------

    def show_view(self, view: View) -> None:
        """A view is worked in."""
        self.view = view
        self.tell(LOOK)

    def switch_view(self) -> None:
        """The other view, at the same step."""
        self.words = ""
        row, lane = self._row, self.lane
        if self.view == "lanes" and lane is not None:
            self.turn = lane.step
        elif row is not None and (lane is None or lane.step not in row.steps):
            self._choose(("step", row.steps[0]))
        self.show_view("turns" if self.view == "lanes" else "lanes")

    def switch_clock(self) -> None:
        """Each lane from its own start, or all on the session's clock."""
        lanes = self.told.lanes if self.told else ()
        if not self.is_on_clock and offsets_of(lanes) is None:
            self._answer("the recording does not tell when each step began")
            return
        self.is_on_clock = not self.is_on_clock
        self._lay_lanes()

    def switch_threads(self) -> None:
        """By thread, or by step."""
        if len(self.session.ledger.threads) < 2:
            self._answer("there is one thread only")
            return
        self._by_thread = not self._by_thread
        self._lay_lanes()

    def switch_runs(self) -> None:
        """With runs, or without."""
        if not self.session.runs:
            self._answer("there are no runs yet")
            return
        self._has_runs = not self._has_runs
        self._lay_lanes()

    def switch_turns(self) -> None:
        """Per turn, or per step."""
        self.by_turn = not self.by_turn
        self._lay_turns()
        self.tell(LOOK)

    def _answer(self, words: str) -> None:
        self.words = words
        self.tell(LOOK)

    # --- The play head ---------------------------------------------------------------

    def move(self, by: int) -> None:
        """To the next or previous event of the lane."""
        lane = self.lane
        if lane is not None and 1 <= self.event + by <= lane.events:
            self._go(self.event + by)

    def take_lane(self, key: Key) -> None:
        """The cursor was moved to a lane."""
        self._choose(key)
        self._go(self.sight.event_in(self.lane))

    def take_turn(self, step: int) -> None:
        """The cursor was moved to a turn."""
        self._choose(("step", step))
        self.turn, self._has_moved = step, True
        self.tell(LOOK)

    def point(self, key: Key, moment: float) -> None:
        """To the event of a lane nearest to a moment on the axis."""
        self._choose(key)
        self._go(self.sight.event_at(key, moment))

    def go_to_signature(self, by: int) -> None:
        """To the next signature in the order of the lanes; follow it."""
        found = self.sight.signature_from(by)
        if found is None:
            self._answer("no signature " + ("after" if by > 0 else "before") + " here")
            return
        key, event = found
        self._choose(key)
        self._go(event)

    def follow(self, sha256: str) -> None:
        """Show what became of a signature."""
        self.followed = sha256
        self.tell(LOOK)

    def follow_on(self, by: int, symbols: Symbols, key: str) -> None:
        """To the next request that the followed signature concerns; `key`: what goes
        to the next signature."""
        if not self.followed:
            self._answer(f"no signature is followed; {key} goes to the next one")
            return
        followed, fates = self.followed, self.fates
        lane = self.sight.concerned_from(by, fates)
        if lane is None:
            self._answer("no later request has to do with this signature")
            return
        self._choose(lane.key)
        self._go(self._arrival_of_followed(lane))
        self.followed = followed
        _, words, _ = say_fate(fates[lane.step], symbols)
        name = self.session.palette.id(followed)
        self._answer(f"{symbols.signature} {name} in step {lane.step}: {words}")

    def go_to_anomaly(self, by: int) -> None:
        """To the lane or turn of the next anomaly, or of the one before."""
        lane, anomalies = self.lane, self.session.anomalies
        if lane is None:
            self._answer("the answers are still being read")
            return
        stop = anomalies.after(lane.step, by)
        if stop is not None:
            self._choose(("step", stop.anomaly.step))
            lane = self.lane
            if lane is not None:
                self._go(min(stop.anomaly.event or 1, lane.events))
        self._answer(anomalies.told(stop))

    def _arrival_of_followed(self, lane: Lane) -> int:
        """Where the signature that is followed arrives; else the first event."""
        marks = (m for m in lane.marks if m.sha256 and m.sha256 == self.followed)
        found = next(marks, None)
        return (found.event if found else None) or min(1, lane.events)

    def _choose(self, key: Key) -> None:
        """Put the cursor on a lane, and on its turn; nowhere if it is not on show."""
        found = next((lane for lane in self.lanes if lane.key == key), None)
        if found is not None:
            self.key, self.turn = key, found.step

    def _go(self, event: int) -> None:
        """To an event of the lane under the cursor; what arrives there is followed."""
        self.words, self._has_moved, self.event = "", True, event
        self.window = self.window.reveal(self.moment)
        here = self.sight.signatures
        if here and self.followed not in here:
            self.followed = here[0]
        self.tell(LOOK)

    # --- The axis --------------------------------------------------------------------

    def zoom(self, factor: float) -> None:
        """Magnify around the play head."""
        self._see(self.window.zoom(factor, self.moment))

    def show_whole(self) -> None:
        """The whole axis."""
        self._see(Window(total=self.window.total))

    def fit(self) -> None:
        """The lane under the cursor fills the axis."""
        lane = self.lane
        if lane is not None and lane.end:
            start = self.offsets.get(lane.key, 0.0)
            self._see(Window(total=self.window.total, start=start, span=lane.end))

    def pan(self, share: float) -> None:
        """Move along the axis."""
        self._see(self.window.pan(share))

    def _see(self, window: Window) -> None:
        self.window = window
        self.tell(LOOK)

    # --- The answer ------------------------------------------------------------------

    @property
    def opened(self) -> Moment | None:
        """What is under the cursor, to be stepped through if it is a stream."""
        if self.view == "turns":
            row = self._row
            return Moment(step=row.steps[0], steps_through=False) if row else None
        lane, moment = self.lane, self._moment
        if lane is None or moment is None:
            return None
        return replace(moment, steps_through=lane.is_streamed)

    @property
    def left(self) -> Moment | None:
        """What the debugger is to show; None where the play head was never moved."""
        return self._moment if self._has_moved else None

    @property
    def _moment(self) -> Moment | None:
        lane = self.lane
        if lane is None:
            return None
        return Moment(
            step=lane.step,
            run=lane.run,
            event=self.event or None,
            signature=self.followed or None,
            steps_through=False,
        )
