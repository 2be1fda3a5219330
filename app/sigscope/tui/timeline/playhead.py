"""The play head among the lanes, and what part of the axis is in sight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from textual import on
from textual.reactive import var
from textual.screen import Screen

from sigscope.ledger import FateAt
from sigscope.timeline import Lane, Window
from sigscope.tui.itemlist import ItemList
from sigscope.tui.symbols import UNICODE, Symbols
from sigscope.tui.timeline.lanelist import LaneList
from sigscope.tui.timeline.records import Moment, TimelineSubject
from sigscope.tui.timeline.rows import Key
from sigscope.tui.timeline.sight import Sight, fates_of
from sigscope.tui.timeline.turnlist import TurnList
from sigscope.tui.views.signatures import say_fate


class Moving(Screen[Moment | None]):
    """Moves the play head and the window; the timeline screen lays the lists."""

    symbols: var[Symbols] = var(UNICODE, init=False)
    window: var[Window] = var(Window(total=1.0), init=False)
    event: var[int] = var(0, init=False)
    """The event that the play head stands at, in the lane under the cursor."""
    followed: var[str] = var("", init=False)
    """SHA-256 of the signature that is followed; empty for none."""

    lanes_list: LaneList
    turns_list: TurnList

    def __init__(self, session: TimelineSubject, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.session = session
        self._offsets: Mapping[Key, float] = {}
        self._words = ""
        """What could not be done; empty if nothing is to be said."""
        self._has_moved = False
        """Whether the play head is elsewhere than at first."""

    def tell(self, words: str) -> None:
        """Say it in the first line."""
        self._words = words
        self.say()

    def say(self) -> None:
        """Make the first line anew."""

    # --- Play head -------------------------------------------------------------------

    @property
    def sight(self) -> Sight:
        """Where the play head is among the lanes."""
        return Sight(
            lanes=tuple(self.lanes_list.lanes),
            offsets=self._offsets,
            key=self.lanes_list.key,
            event=self.event,
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

    def look(self) -> None:
        """Show window, play head and fates."""
        sheet = replace(
            self.lanes_list.sheet,
            window=self.window,
            head=self.sight.head,
            fates=self.fates,
        )
        self.lanes_list.look(sheet)
        self.say()

    def watch_window(self) -> None:
        """Another part of the axis is in sight."""
        self.look()

    def watch_followed(self) -> None:
        """Other fates stand beside the steps."""
        self.look()

    def watch_event(self) -> None:
        """The play head is elsewhere."""
        self.window = self.window.reveal(self.moment)
        self.look()

    def action_event(self, by: int) -> None:
        """Play head to the next or previous event of the lane."""
        lane = self.lane
        if lane is not None and 1 <= self.event + by <= lane.events:
            self._go(self.event + by)

    def action_signature(self, by: int) -> None:
        """Play head to the next signature in the order of the lanes; follow it."""
        found = self.sight.signature_from(by)
        if found is None:
            self.tell("no signature " + ("after" if by > 0 else "before") + " here")
            return
        key, event = found
        self._select(key)
        self._go(event)

    def action_follow(self, by: int) -> None:
        """To the next request that the followed signature concerns."""
        if not self.followed:
            self.tell("no signature is followed; n goes to the next one")
            return
        fates = self.fates
        lane = self.sight.concerned_from(by, fates)
        if lane is None:
            self.tell("no later request has to do with this signature")
            return
        followed = self.followed
        self._select(lane.key)
        self._go(self.arrival_of_followed(lane))
        self.followed = followed
        _, words, _ = say_fate(fates[lane.step], self.symbols)
        name = self.session.palette.id(followed)
        self.tell(f"{self.symbols.signature} {name} in step {lane.step}: {words}")

    def arrival_of_followed(self, lane: Lane) -> int:
        """Where the signature that is followed arrives; else the first event."""
        marks = (m for m in lane.marks if m.sha256 and m.sha256 == self.followed)
        found = next(marks, None)
        return (found.event if found else None) or min(1, lane.events)

    def _select(self, key: tuple[str, int]) -> None:
        self.lanes_list.select(key)
        lane = self.lane
        if lane is not None:
            self.turns_list.select_step(lane.step)

    def go_to_step(self, step: int, event: int | None = None) -> None:
        """Play head to an event of a step, its first one without."""
        self._select(("step", step))
        lane = self.lane
        if lane is not None:
            self._go(min(event or 1, lane.events))

    def _go(self, event: int) -> None:
        """Play head to an event of the lane under the cursor; what arrives there is
        followed."""
        self._words = ""
        self._has_moved = True
        if event == self.event:
            self.watch_event()
        else:
            self.event = event
        here = self.sight.signatures
        if here and self.followed not in here:
            self.followed = here[0]

    @on(ItemList.Moved)
    def _moved(self, message: ItemList.Moved) -> None:
        message.stop()
        if isinstance(message.list, TurnList):
            step = self.turns_list.step
            self.lanes_list.select(("step", step))
            self._has_moved = True
            self.look()
            return
        lane = self.lane
        if lane is not None:
            self.turns_list.select_step(lane.step)
        self._go(self.sight.event_in(lane))

    @on(LaneList.Pointed)
    def _pointed(self, message: LaneList.Pointed) -> None:
        message.stop()
        self._select(message.key)
        self._go(self.sight.event_at(message.key, message.moment))

    @on(ItemList.Hit)
    def _hit(self, message: ItemList.Hit) -> None:
        """A click on a mark follows its signature; the click itself goes there."""
        message.stop()
        kind, _, rest = str(message.target).partition(":")
        if kind == "signature":
            self.followed = rest

    # --- The axis --------------------------------------------------------------------

    def action_zoom(self, factor: float) -> None:
        """Magnify around the play head."""
        self.window = self.window.zoom(factor, self.moment)

    def action_whole(self) -> None:
        self.window = Window(total=self.window.total)

    def action_fit(self) -> None:
        """The lane under the cursor fills the axis."""
        lane = self.lane
        if lane is not None and lane.end:
            start = self._offsets.get(lane.key, 0.0)
            total = self.window.total
            self.window = Window(total=total, start=start, span=lane.end)

    def action_pan(self, share: float) -> None:
        """Move along the axis."""
        self.window = self.window.pan(share)
