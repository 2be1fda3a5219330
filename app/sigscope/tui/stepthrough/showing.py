"""Shows where the player is in every pane, and takes what the panes tell."""

from __future__ import annotations

from typing import Any

from textual import on
from textual.widget import Widget

from sigscope.jsontext import JsonText
from sigscope.jsontext.values import decode_text
from sigscope.stepthrough import Happening, StreamBreakpoint
from sigscope.tui.figures import count, size
from sigscope.tui.json.events import EventHead, EventList
from sigscope.tui.json.source import Source
from sigscope.tui.json.subject import Mark
from sigscope.tui.json.tree import JsonTree
from sigscope.tui.stepthrough.around import FootLine, HeadLine, RawTree
from sigscope.tui.stepthrough.assembled import main_change
from sigscope.tui.stepthrough.headline import Where
from sigscope.tui.stepthrough.lists import ClientList, MessageList, StepEvents
from sigscope.tui.stepthrough.ruler import Ruler
from sigscope.tui.stepthrough.walk import Moving
from sigscope.tui.symbols import UNICODE

EVENTS, RAW, MESSAGE, CLIENT = range(1, 5)
NAMES = {EVENTS: "Events", RAW: "Raw event", MESSAGE: "Message", CLIENT: "Client"}


class Showing(Moving):
    """Fills the panes; the floor above lays them out."""

    symbols: Any = UNICODE
    events_list: StepEvents
    raw: RawTree
    message_list: MessageList
    client: ClientList
    ruler: Ruler
    asked: tuple[str, int] | None = None
    """The field asked last, and the event that was the answer."""
    followed: str | None = None
    """The signature that the user wants to follow in the debugger."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._figures: dict[int, str] = {}
        """What the lower borders say, by pane."""

    def box(self, number: int) -> Widget:
        """The frame of a pane."""
        names = {EVENTS: "events", RAW: "raw", MESSAGE: "message", CLIENT: "client"}
        return self.query_one(f"#{names[number]}")

    def caption(self, number: int, figures: str) -> None:
        """Put figures into the lower border of a pane."""
        self._figures[number] = figures
        self.recaption(number)

    def recaption(self, number: int) -> None:
        """Say anew what a pane's lower border says. The same again would paint the
        whole pane for nothing."""
        words = (self.found_in(number), self._figures.get(number, ""))
        text = f" {self.symbols.dot} ".join(filter(None, words))
        box = self.box(number)
        if box.border_subtitle != text:
            box.border_subtitle = text

    def found_in(self, number: int) -> str:
        """How a search in a pane stands; the floor above knows."""
        return ""

    def action_pane(self, number: int) -> None:
        """Go to a pane; the floor above knows how."""

    def action_leave(self) -> None:
        """Leave; the floor above knows how."""

    def mark_stops(self) -> None:
        """Where breakpoints lie; the floor above knows."""

    # --- Showing ---------------------------------------------------------------------

    def show_all(self) -> None:
        """Another response is on show, or is being read."""
        loaded = self.loaded
        note = "reading the response …" if loaded is None else self._why_empty()
        rows = loaded.rows if loaded else ()
        remarks = self.reading.framed.remarks if loaded and rows else ()
        self.events_list.show(rows, remarks, note)
        self.query_one(EventHead).columns = self.events_list.columns
        self.message_list.know(loaded.known if loaded else {})
        lane = loaded.lane if loaded and loaded.player.events else None
        times = self._times()
        self.ruler.show(lane, times)
        self.mark_stops()
        self.show_event()
        number = len(loaded.player) if loaded else 0
        self.caption(EVENTS, f"{number:,} events" if number else "")

    def _times(self) -> tuple[float, ...]:
        if self.loaded is None:
            return ()
        if self.loaded.lane.is_timed:
            return self.loaded.player.pace.times
        return tuple(float(n) for n in range(1, self.count + 1))

    def _why_empty(self) -> str:
        response = self.reading.exchange.response
        if response is None:
            return "no answer was recorded"
        if not self.reading.is_streamed:
            return "the answer came in one piece: nothing to step through"
        return "the stream is empty"

    def show_event(self) -> None:
        """Every pane shows it, in one frame."""
        self.events_list.select(self.event) if self.event else self._to_top()
        self.ruler.go_to(self.event)
        frame = self.frame
        note = self._note() if frame is None or not frame.body else ""
        self.message_list.show(frame, note)
        with self.raw.alike():
            self._show_raw()
        self._show_client()
        self.show_state()

    def _note(self) -> str:
        if self.loaded is None:
            return "reading …"
        if self.reading.dialect is None:
            return "no dialect fits: there is no message to assemble"
        return "nothing yet" if self.count else self._why_empty()

    def _to_top(self) -> None:
        self.events_list.cursor = 0

    def _show_client(self) -> None:
        player = self.player
        kept = player.kept(self.event) if player and player.events else None
        self.client.show(kept, player.reader if player else None, self.event)
        number = len(kept.lost_signatures) if kept else 0
        self.caption(CLIENT, f"{count(number, 'signature')} lost" if number else "")

    def _show_raw(self) -> None:
        happening = self.happening
        if happening is None or self.player is None:
            note = "before the first event" if self.count else ""
            self.raw.show(None, note=note)
            self.caption(RAW, "")
            return
        event = self.player.events[self.event - 1]
        if self.reading.event_data[self.event - 1] is None:
            text = decode_text(event.data)[:200]
            self.raw.show(None, note=text or "an event without data")
        else:
            self.raw.show(Source(JsonText(event.data)), marks=self._marks(happening))
            frame = self.frame
            change = main_change(frame) if frame else None
            arrival = next(iter(happening.arrivals), None)
            source = arrival.source if arrival else change.source if change else ""
            if source:
                self.raw.go_to(source)
        name = f"{event.name} · " if event.name else ""
        self.caption(RAW, f"{name}{size(len(event.data))}")

    def _marks(self, happening: Happening) -> dict[str, tuple[Mark, ...]]:
        palette = self.walk.palette
        return {
            arrival.source: (
                Mark(
                    glyph=self.symbols.signature,
                    text=palette.id(arrival.sha256),
                    ink=f"{palette.ink(arrival.sha256)} bold",
                    target=f"signature:{arrival.sha256}",
                ),
            )
            for arrival in happening.arrivals
        }

    @property
    def happening(self) -> Happening | None:
        """What happened at the event one stands at."""
        player = self.player
        if player is None or not 0 < self.event <= len(player.happenings):
            return None
        return player.happenings[self.event - 1]

    def show_state(self) -> None:
        """Header and status line."""
        pace = self.pace
        timed = pace is not None and pace.is_timed and self.event
        self.query_one(HeadLine).where = Where(
            title=self.walk.title,
            name=self.walk.name(self.index),
            event=self.event,
            events=self.count,
            at_ms=pace.time_of(self.event) if pace and timed else None,
            speed=self.speed,
            is_playing=self.is_playing,
            wait_ms=self.wait_ms,
            stop=self.stop,
            busy="" if self.loaded else "reading the response …",
        )
        self._foot()

    def _foot(self) -> None:
        frame = self.frame
        pointer = self.message_list.pointer or ""
        changes = frame.changes if frame else ()
        told = self.told
        self.query_one(FootLine).say(pointer, changes, self.happening, told)

    # --- From the panes --------------------------------------------------------------

    @on(EventList.Moved)
    def _event_chosen(self, message: EventList.Moved) -> None:
        message.stop()
        entry = message.list.entry
        if entry is not None and entry.number is not None:
            self.pause()
            self.go_to(entry.number)

    @on(Ruler.Wanted)
    def _time_chosen(self, message: Ruler.Wanted) -> None:
        message.stop()
        self.pause()
        self.go_to(message.event)

    @on(MessageList.Moved)
    def _field_chosen(self, message: MessageList.Moved) -> None:
        message.stop()
        self.told = ""
        self._foot()

    @on(MessageList.Asked)
    def _asked_field(self, message: MessageList.Asked) -> None:
        message.stop()
        self.ask(message.pointer, message.way)

    def ask(self, pointer: str, way: int) -> None:
        """Go to the event that wrote a field: the first one; asked again, the next.
        Backwards: the last one up to here; asked again, the one before."""
        if self.player is None:
            return
        authors = self.player.provenance.authors(pointer)
        numbers = authors.events
        if not numbers:
            self.say(f"no event wrote {pointer}")
            return
        if self.asked == (pointer, self.event):
            at = (numbers.index(self.event) + way) % len(numbers)
        else:
            here = [i for i, n in enumerate(numbers) if n <= self.event]
            at = 0 if way > 0 else (here[-1] if here else len(numbers) - 1)
        number = numbers[at]
        self.asked = (pointer, number)
        told = f"event {number:,} wrote {pointer}"
        if len(numbers) > 1:
            told += f" · {at + 1:,} of {len(numbers):,}, w goes on"
        self.pause()
        self.go_to(number, told=told)
        self.message_list.select(pointer)
        self._foot()

    @on(RawTree.Followed)
    def _followed(self, message: RawTree.Followed) -> None:
        message.stop()
        self.follow(message.pointer)

    def follow(self, source: str) -> None:
        """Go to the field of the message that a field of the event went into."""
        if self.player is None:
            return
        pointer = self.player.provenance.destination(self.event, source)
        if pointer is None:
            self.say(f"{source or 'this'} went nowhere: the message has no such field")
            return
        self.message_list.select(pointer)
        self.action_pane(MESSAGE)
        self.say(f"went to {pointer}")

    @on(MessageList.Watched)
    def _watch_field(self, message: MessageList.Watched) -> None:
        message.stop()
        self.toggle_stop(StreamBreakpoint("pointer", message.pointer))

    @on(MessageList.Hit)
    def _signature_hit(self, message: MessageList.Hit) -> None:
        message.stop()
        self._leave_with(message.target)

    @on(JsonTree.MarkHit)
    def _badge_hit(self, message: JsonTree.MarkHit) -> None:
        message.stop()
        self._leave_with(str(message.mark.target))

    def _leave_with(self, target: str) -> None:
        """Follow a signature in the debugger."""
        kind, _, rest = target.partition(":")
        if kind == "signature":
            self.followed = rest
            self.action_leave()

    @on(JsonTree.Moved)
    def _node_chosen(self, message: JsonTree.Moved) -> None:
        message.stop()

    @on(JsonTree.Ready)
    def _tree_ready(self, message: JsonTree.Ready) -> None:
        message.stop()
