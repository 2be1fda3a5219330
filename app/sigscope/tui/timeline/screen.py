"""The reasoning timeline: all answers on one axis, or how the turns change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import var
from textual.screen import Screen
from textual.worker import get_current_worker

from sigscope.timeline import (
    Figures,
    Lane,
    Window,
    offsets_of,
    sort_lanes,
    turns_of,
)
from sigscope.tui.figures import count, millis
from sigscope.tui.itemlist import ItemList
from sigscope.tui.lines import Line, Span, fit, sides
from sigscope.tui.panes.keyline import KeyLine
from sigscope.tui.panes.oneliners import OneLine
from sigscope.tui.shown import one_line
from sigscope.tui.symbols import UNICODE, Symbols
from sigscope.tui.timeline.lists import LaneList, TurnList
from sigscope.tui.timeline.records import (
    Key,
    Moment,
    Session,
    Told,
    read_session,
)

BOTH_FROM = 30
"""Rows from which both views are on show."""


class TopLine(OneLine):
    """What is on show."""

    said: var[tuple[Line, Line]] = var(((), ()), init=False)

    def watch_said(self) -> None:
        """Say it."""
        self.refresh()

    def spans(self, cells: int) -> Line:
        """Left and right."""
        left, right = self.said
        return sides(left, right, cells)


class TimelineScreen(Screen[Moment | None]):
    """Two views of a session: lanes, and turns."""

    CSS_PATH = "screen.tcss"
    HELP = "When everything arrived, and how reasoning changes over the turns."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", id="timeline.open", priority=True,
                tooltip="Step through the answer from the play head; show a turn's"
                " first step"),
        Binding("v,tab", "view", "Lanes or turns", id="timeline.view",
                tooltip="The other view: lanes on a time axis, or a plot of the turns"),
        Binding("left_square_bracket,h,left", "event(-1)", "Event",
                id="timeline.event-before", tooltip="Play head to the previous event"),
        Binding("right_square_bracket,l,right", "event(1)", "Event",
                id="timeline.event-next", tooltip="Play head to the next event"),
        Binding("n", "signature(1)", "Signature", id="timeline.next-signature",
                tooltip="Play head to the next signature, in any lane"),
        Binding("N", "signature(-1)", "Signature before", False,
                id="timeline.signature-before",
                tooltip="Play head to the signature before, in any lane"),
        Binding("plus,equals_sign", "zoom(2.0)", "Zoom", id="timeline.zoom-in",
                tooltip="Twice as large, around the play head"),
        Binding("minus", "zoom(0.5)", "Zoom out", False, id="timeline.zoom-out",
                tooltip="Half as large"),
        Binding("0", "whole", "Whole", False, id="timeline.whole",
                tooltip="The whole axis"),
        Binding("H,shift+left", "pan(-0.5)", "Pan left", False, id="timeline.pan-left",
                tooltip="Half a width to the left"),
        Binding("L,shift+right", "pan(0.5)", "Pan right", False,
                id="timeline.pan-right", tooltip="Half a width to the right"),
        Binding("a", "clock", "Clock", id="timeline.clock",
                tooltip="Each lane from its own start, or all on the session's clock"),
        Binding("t", "threads", "Threads", False, id="timeline.threads",
                tooltip="Lanes by thread, or by step"),
        Binding("r", "runs", "Runs", False, id="timeline.runs",
                tooltip="Show runs as lanes below their step, or not"),
        Binding("s", "by_step", "Per step", False, id="timeline.by-step",
                tooltip="Plot every step, or take the steps of a turn together"),
        Binding("escape,q", "leave", "Back", id="timeline.leave", tooltip="Back"),
    ]  # fmt: skip

    symbols: var[Symbols] = var(UNICODE, init=False)
    window: var[Window] = var(Window(total=1.0), init=False)
    event: var[int] = var(0, init=False)
    """The event that the play head stands at, in the lane under the cursor."""

    @dataclass
    class Read(Message):
        """The session has been read."""

        told: Told

    def __init__(
        self,
        session: Session,
        *,
        step: int | None = None,
        event: int | None = None,
        symbols: Symbols = UNICODE,
        view: str = "lanes",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.session = session
        self.set_reactive(TimelineScreen.symbols, symbols)
        self._wanted = (step, event)
        self._view = view
        self._lanes: tuple[Lane, ...] = ()
        self._figures: tuple[Figures, ...] = ()
        self._times: Mapping[Key, tuple[float, ...]] = {}
        self._offsets: Mapping[Key, float] = {}
        self._by_thread, self._has_runs = True, True
        self._by_turn, self._on_clock = True, False
        self._told = ""
        self._is_read = False

    def compose(self) -> ComposeResult:
        """Both views; one is on show."""
        here = TimelineScreen
        yield TopLine().data_bind(here.symbols)
        yield LaneList(id="lanes", classes="pane").data_bind(here.symbols)
        yield TurnList(id="turns", classes="pane").data_bind(here.symbols)
        yield KeyLine()

    def on_mount(self) -> None:
        """Begin to read."""
        self.set_class(self.symbols.ascii, "-ascii")
        self.lanes_list = self.query_one(LaneList)
        self.turns_list = self.query_one(TurnList)
        self.lanes_list.palette = self.session.palette
        self.lanes_list.border_title = "Reasoning timeline"
        self.turns_list.border_title = "Turns"
        self.lanes_list.show([], note="reading the answers …")
        self.turns_list.show([], note="reading the answers …")
        self._front.focus()
        self._say()
        self._read_session()

    def on_resize(self, event: events.Resize) -> None:
        """Another height may hold both views, or not."""
        self._arrange()

    def _arrange(self) -> None:
        """Both views where there is room, else the one in front."""
        height = self.size.height
        both = height >= BOTH_FROM
        room = height - 2
        most = min(room * 6 // 10, room - min(self.turns_list.height_wanted, room // 2))
        wanted = min(self.lanes_list.height_wanted, most)
        self.lanes_list.styles.height = max(8, wanted) if both else "1fr"
        self.lanes_list.set_class(not both and self._view != "lanes", "-away")
        self.turns_list.set_class(not both and self._view != "turns", "-away")

    @property
    def _front(self) -> ItemList:
        return self.lanes_list if self._view == "lanes" else self.turns_list

    # --- Reading ---------------------------------------------------------------------

    @work(thread=True, exclusive=True, group="read")
    def _read_session(self) -> None:
        worker = get_current_worker()
        told = read_session(self.session, lambda: worker.is_cancelled)
        if told is not None:
            self.post_message(self.Read(told))

    @on(Read)
    def _was_read(self, message: Read) -> None:
        message.stop()
        told = message.told
        self._lanes, self._figures, self._times = told.lanes, told.figures, told.times
        self._is_read = True
        self._lay_lanes()
        self._lay_turns()
        step, event = self._wanted
        if step is not None:
            self.lanes_list.select(("step", step))
            self.turns_list.select_step(step)
        lane = self.lane
        self.set_reactive(TimelineScreen.event, min(event or 1, lane.events) if lane
                          else 0)  # fmt: skip
        self._look()

    def _lay_lanes(self) -> None:
        """Order the lanes, and set the axis to their length."""
        found = offsets_of(self._lanes) if self._on_clock else None
        self._offsets = found or {}
        groups = sort_lanes(
            self._lanes,
            self.session.ledger.threads,
            by_thread=self._by_thread,
            runs=self._has_runs,
        )
        shown = [lane for group in groups for lane in group.lanes]
        timed = any(lane.is_timed and lane.end for lane in shown)
        ends = [
            self._offsets.get(lane.key, 0.0) + lane.end
            for lane in shown
            if lane.is_timed == timed
        ]
        self.lanes_list.lay_groups(groups, self._offsets)
        self._arrange()
        self.set_reactive(TimelineScreen.window, Window(total=max(ends, default=1.0)))
        self._look()

    def _lay_turns(self) -> None:
        figures = self._figures
        side = {t.number for t in self.session.ledger.threads if t.kind == "side"}
        main = [f for f in figures if f.thread not in side] or list(figures)
        rows = turns_of(main) if self._by_turn else tuple(main)
        self.turns_list.lay_figures(rows, by_turn=self._by_turn)

    # --- Play head -------------------------------------------------------------------

    @property
    def lane(self) -> Lane | None:
        """The lane under the cursor."""
        key = self.lanes_list.key
        return next((lane for lane in self._lanes if lane.key == key), None)

    @property
    def moment(self) -> float:
        """Where the play head is on the axis."""
        lane = self.lane
        if lane is None:
            return 0.0
        times = self._times.get(lane.key, ())
        at = times[self.event - 1] if 0 < self.event <= len(times) else lane.end
        return self._offsets.get(lane.key, 0.0) + at

    def _look(self) -> None:
        """Show window and play head."""
        lane = self.lane
        head = None
        if lane is not None:
            label = f"{self.event:,}" if lane.is_streamed and self.event else ""
            head = (lane.key, self.moment, label)
        self.lanes_list.look(self.window, head)
        self._say()

    def watch_window(self) -> None:
        """Another part of the axis is in sight."""
        self._look()

    def watch_event(self) -> None:
        """The play head is elsewhere."""
        self.window = self.window.reveal(self.moment)
        self._look()

    def action_event(self, by: int) -> None:
        """Play head to the next or previous event; at an end, to the next lane."""
        lane = self.lane
        if lane is None or self._view != "lanes":
            return
        number = self.event + by
        if 1 <= number <= lane.events:
            self.event = number

    def action_signature(self, by: int) -> None:
        """Play head to the next signature in the order of the lanes."""
        if self._view != "lanes":
            return
        stops = [
            (index, mark.event or 0, lane)
            for index, lane in enumerate(self.lanes_list.lanes)
            for mark in lane.marks
            if mark.kind == "signature"
        ]
        lanes = self.lanes_list.lanes
        here = (lanes.index(self.lane) if self.lane else 0, self.event)
        places = sorted({(index, event): lane for index, event, lane in stops}.items(),
                        key=lambda place: place[0])  # fmt: skip
        after = [place for place in places if place[0] > here]
        before = [place for place in reversed(places) if place[0] < here]
        found = after if by > 0 else before
        if not found:
            self._tell("no signature " + ("after" if by > 0 else "before") + " here")
            return
        (_, event), lane = found[0]
        self.lanes_list.select(lane.key)
        self._go(event)

    def _go(self, event: int) -> None:
        self._told = ""
        if event == self.event:
            self.watch_event()
        else:
            self.event = event

    @on(ItemList.Moved)
    def _moved(self, message: ItemList.Moved) -> None:
        message.stop()
        if isinstance(message.list, TurnList):
            self.lanes_list.select(message.key)
            self._look()
        else:
            lane = self.lane
            if lane is not None:
                self.turns_list.select_step(lane.step)
            # The play head keeps its place in time, as far as the lane goes.
            times = self._times.get(lane.key, ()) if lane else ()
            self._go(min(max(1, self.event), len(times)) if times else 0)

    @on(LaneList.Pointed)
    def _pointed(self, message: LaneList.Pointed) -> None:
        message.stop()
        self.lanes_list.select(message.key)
        moment = message.moment - self._offsets.get(message.key, 0.0)
        times = self._times.get(message.key, ())
        nearest = min(
            range(len(times)), key=lambda i: abs(times[i] - moment), default=-1
        )
        self._go(nearest + 1)

    # --- View ------------------------------------------------------------------------

    def action_zoom(self, factor: float) -> None:
        """Magnify around the play head."""
        self.window = self.window.zoom(factor, self.moment)

    def action_whole(self) -> None:
        """The whole axis."""
        self.window = Window(total=self.window.total)

    def action_pan(self, share: float) -> None:
        """Move along the axis."""
        self.window = self.window.pan(share)

    def action_view(self) -> None:
        """The other view."""
        lane = self.lane
        if self._view == "lanes" and lane is not None:
            self.turns_list.select_step(lane.step)
        elif self.turns_list.key:
            self.lanes_list.select(self.turns_list.key)
        self._view = "turns" if self._view == "lanes" else "lanes"
        self._arrange()
        self._front.focus()
        self._look()

    def action_clock(self) -> None:
        """From the own start, or on the session's clock."""
        if not self._on_clock and offsets_of(self._lanes) is None:
            self._tell("the recording does not tell when each step began")
            return
        self._on_clock = not self._on_clock
        self._lay_lanes()

    def action_threads(self) -> None:
        """By thread or by step."""
        if len(self.session.ledger.threads) < 2:
            self._tell("there is one thread only")
            return
        self._by_thread = not self._by_thread
        self._lay_lanes()

    def action_runs(self) -> None:
        """With runs or without."""
        if not self.session.runs:
            self._tell("there are no runs yet")
            return
        self._has_runs = not self._has_runs
        self._lay_lanes()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The view in focus is the one in front."""
        self._view = "turns" if event.widget is self.turns_list else "lanes"
        self._say()

    def action_by_step(self) -> None:
        """Per step or per turn."""
        self._by_turn = not self._by_turn
        self._lay_turns()
        self._say()

    # --- Saying ----------------------------------------------------------------------

    def _tell(self, words: str) -> None:
        self._told = words
        self._say()

    def _say(self) -> None:
        """The top line."""
        dot = Span(f" {self.symbols.dot} ", "faint")
        left = [Span("sigscope ", "accent bold"), Span(" "),
                Span(self._told, "warn") if self._told
                else Span(one_line(self.session.title, 60))]  # fmt: skip
        right: list[Span] = []
        if not self._is_read:
            right = [Span("reading …", "accent")]
        elif self._view == "lanes":
            words = count(len(self.lanes_list.lanes), "lane")
            right.append(Span(words, "dim"))
            lane = self.lane
            if lane is not None and lane.is_streamed and self.event:
                words = f"step {lane.step}, event {self.event:,} of {lane.events:,}"
                right += [dot, Span(words, "dim")]
            if lane is not None and lane.is_timed:
                at = self.moment - self._offsets.get(lane.key, 0.0)
                right += [dot, Span(millis(at), "bold")]
            if not self.window.is_whole:
                right += [dot, Span(f"×{self.window.factor:.3g}", "accent")]
            if self._on_clock:
                right += [dot, Span("session clock", "accent")]
        else:
            noun = "turn" if self._by_turn else "step"
            right = [Span(count(len(self.turns_list.rows), noun), "dim")]
        self.query_one(TopLine).said = (fit(tuple(left), 90), tuple(right))

    # --- Leaving ---------------------------------------------------------------------

    def action_open(self) -> None:
        """Step through what is under the cursor."""
        if self._view == "turns":
            key = self.turns_list.key
            if isinstance(key, tuple) and key[0] == "step":
                self.dismiss(Moment(step=key[1], steps_through=False))
            return
        lane = self.lane
        if lane is not None:
            self.dismiss(
                Moment(
                    step=lane.step,
                    run=lane.run,
                    event=self.event or None,
                    steps_through=lane.is_streamed,
                )
            )

    def action_leave(self) -> None:
        """Back."""
        self.dismiss(None)
