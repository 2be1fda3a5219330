"""Shows what the model of the step-through screen knows, in every pane."""

from __future__ import annotations

from sigscope.jsontext import JsonText
from sigscope.jsontext.values import decode_text
from sigscope.opaque import sha256
from sigscope.records import dataclass
from sigscope.stepthrough import Happening
from sigscope.tui.figures import count, size
from sigscope.tui.json.documentmodel import TreePage
from sigscope.tui.json.documents import Documents
from sigscope.tui.json.events import EventHead
from sigscope.tui.json.source import JsonSource
from sigscope.tui.json.subject import NO_CHIPS, NodeMark
from sigscope.tui.json.tree import JsonTree
from sigscope.tui.shown import one_line, shown
from sigscope.tui.stepthrough.around import FootLine, HeadLine, PaneBox
from sigscope.tui.stepthrough.lists import ClientList, MessageList, StepEvents
from sigscope.tui.stepthrough.model import StepModel
from sigscope.tui.stepthrough.ruler import Ruler
from sigscope.tui.symbols import Symbols

EVENTS, RAW, MESSAGE, CLIENT = range(1, 5)
_MOST_TEXT = 4_000
"""Characters of an answer that is no JSON."""
NAMES = {EVENTS: "Events", RAW: "Raw event", MESSAGE: "Message", CLIENT: "Client"}


@dataclass(frozen=True, kw_only=True)
class Panes:
    boxes: dict[int, PaneBox]
    head: HeadLine
    event_head: EventHead
    events: StepEvents
    raw: JsonTree
    message: MessageList
    client: ClientList
    ruler: Ruler
    foot: FootLine


class Presenter:
    """Fills the panes."""

    def __init__(self, model: StepModel, panes: Panes, symbols: Symbols) -> None:
        self._model = model
        self._panes = panes
        self._symbols = symbols
        self._chips = NO_CHIPS
        self._documents = Documents()

    def show_response(self) -> None:
        """Another response is on show, or is being read."""
        model, panes, loaded = self._model, self._panes, self._model.loaded
        rows = loaded.rows if loaded else ()
        remarks = model.reading.framed.remarks if rows else ()
        panes.events.show(rows, remarks, model.why_empty())
        panes.event_head.columns = panes.events.listed.columns
        known = loaded.known if loaded else {}
        panes.message.model.know(known)
        self._chips = {value: self._mark(sha256) for value, sha256 in known.items()}
        panes.ruler.show(loaded.lane if loaded and model.count else None, model.times)
        self.show_stops()
        self.show_event()
        words = f"{model.count:,} events" if model.count else ""
        panes.boxes[EVENTS].caption(words)

    def show_event(self) -> None:
        """Another event is on show: every pane shows it, in one frame."""
        model, panes = self._model, self._panes
        if model.event:
            panes.events.select(model.event)
        else:
            panes.events.cursor = 0
        panes.ruler.go_to(model.event)
        frame = model.frame
        note = "" if frame is not None and frame.body else model.why_no_message()
        panes.message.show(frame, note)
        with panes.raw.alike():
            self._show_raw()
        self._show_client()
        self.show_state()

    def _show_client(self) -> None:
        player, event = self._model.player, self._model.event
        kept = reader = None
        if player is not None and (player.events or player.at(event).body):
            kept, reader = player.kept(event), player.reader
        note = "" if kept else self._model.why_no_message()
        self._panes.client.show(kept, reader, event, note)
        lost = len(kept.lost_signatures) if kept else 0
        words = f"{count(lost, 'signature')} lost" if lost else ""
        self._panes.boxes[CLIENT].caption(words)

    def _show_raw(self) -> None:
        model, raw, box = self._model, self._panes.raw, self._panes.boxes[RAW]
        happening = model.happening
        if model.whole_body:
            self._show_whole(model.whole_body)
            return
        if happening is None or model.player is None:
            note = "before the first event" if model.count else model.why_empty()
            raw.show(TreePage(note=note))
            box.caption("")
            return
        event = model.player.events[model.event - 1]
        if model.reading.event_data[model.event - 1] is None:
            text = decode_text(event.data)[:200]
            raw.show(TreePage(note=shown(text) or "an event without data"))
        else:
            marks = self._marks(happening)
            source = JsonSource(JsonText(event.data))
            raw.show(TreePage(source=source, marks=marks, chips=self._chips))
            if model.source:
                raw.go_to(model.source)
        name = f"{event.name} · " if event.name else ""
        box.caption(f"{name}{size(len(event.data))}")

    def _show_whole(self, body: bytes) -> None:
        """An answer in one piece is its one event."""
        raw, reading = self._panes.raw, self._model.reading
        source = self._documents.response(reading)
        if source is None:
            note = one_line(decode_text(body[:_MOST_TEXT]), _MOST_TEXT)
            raw.show(TreePage(note=note))
        elif source is not raw.model.source:
            came = {one.pointer: sha256(one.value) for one in reading.received}
            marks = {pointer: (self._mark(found),) for pointer, found in came.items()}
            raw.show(TreePage(source=source, marks=marks, chips=self._chips))
            if came:
                raw.go_to(next(iter(came)))
        self._panes.boxes[RAW].caption(f"the whole answer · {size(len(body))}")

    def _marks(self, happening: Happening) -> dict[str, tuple[NodeMark, ...]]:
        arrivals = happening.arrivals
        return {arrival.source: (self._mark(arrival.sha256),) for arrival in arrivals}

    def _mark(self, sha256: str) -> NodeMark:
        palette = self._model.walk.palette
        return NodeMark(
            glyph=self._symbols.signature,
            text=palette.id(sha256),
            ink=f"{palette.ink(sha256)} bold",
            target=f"signature:{sha256}",
        )

    def show_state(self) -> None:
        """Header and status line."""
        self._panes.head.where = self._model.where
        self.show_foot()

    def show_foot(self) -> None:
        """The status line: the field under the cursor, or an answer."""
        model, frame = self._model, self._model.frame
        pointer = self._panes.message.pointer or ""
        changes = frame.changes if frame else ()
        self._panes.foot.say(pointer, changes, model.happening, model.told)

    def show_stops(self) -> None:
        """Where breakpoints lie."""
        model, ruler = self._model, self._panes.ruler
        self._panes.message.watch_for(model.watched)
        met = model.met
        ruler.mark(met)
        words = "no breakpoints"
        if model.stops:
            words = count(len(model.stops), "breakpoint")
            words += f", met at {count(len(met), 'event')}" if met else ""
        ruler.border_subtitle = words
