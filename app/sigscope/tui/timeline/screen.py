"""The reasoning timeline: all answers on one axis, or how the turns change."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.worker import get_current_worker

from sigscope.timeline import Lane, offsets_of, sort_lanes, turns_of
from sigscope.tui.figures import count
from sigscope.tui.itemlist import ItemList
from sigscope.tui.panes.keyline import KeyLine
from sigscope.tui.panes.toosmall import TooSmall
from sigscope.tui.symbols import UNICODE, Symbols
from sigscope.tui.timeline.keys import KEYS
from sigscope.tui.timeline.lanelist import LaneList
from sigscope.tui.timeline.playhead import Moving
from sigscope.tui.timeline.records import Moment, TimelineSubject, Told, read_session
from sigscope.tui.timeline.rows import sheet_for
from sigscope.tui.timeline.topline import TimelineTopLine, Top
from sigscope.tui.timeline.turnlist import TurnList

BOTH_FROM = 30
"""Rows from which both views are on show."""
FIGURES_FROM = 100
"""Cells from which figures stand beside the bars; they stand below in any case."""
REMARK_SECONDS = 12.0
"""For three sentences."""
ONLY_LANES = frozenset(
    {"event", "signature", "zoom", "whole", "fit", "pan", "clock", "threads", "runs",
     "follow"}
)  # fmt: skip
"""Actions that mean nothing in the turns."""


class TimelineScreen(Moving):
    """Two views of a session: lanes, and turns."""

    CSS_PATH = "screen.tcss"
    HELP = "When everything arrived, and how reasoning changes over the turns."
    BINDINGS: ClassVar[list[BindingType]] = KEYS

    @dataclass
    class Read(Message):
        """The session has been read."""

        told: Told

    def __init__(
        self,
        session: TimelineSubject,
        *,
        step: int | None = None,
        run: int | None = None,
        event: int | None = None,
        followed: str | None = None,
        symbols: Symbols = UNICODE,
        view: str = "lanes",
        remark: str = "",
        **kwargs: Any,
    ) -> None:
        """`remark`: why it was opened here, said in passing."""
        super().__init__(session, **kwargs)
        self._remark = remark
        self.set_reactive(TimelineScreen.symbols, symbols)
        self.set_reactive(TimelineScreen.followed, followed or "")
        self._wanted = (step, run, event)
        self._view = view
        self._told: Told | None = None
        self._by_thread, self._has_runs = True, True
        self._by_turn, self._on_clock = True, False

    def compose(self) -> ComposeResult:
        """Both views; one is in front."""
        here = TimelineScreen
        yield TimelineTopLine().data_bind(here.symbols)
        yield LaneList(id="lanes", classes="pane").data_bind(here.symbols)
        yield TurnList(id="turns", classes="pane").data_bind(here.symbols)
        yield KeyLine()
        yield TooSmall()

    def on_mount(self) -> None:
        """Begin to read."""
        self.set_class(self.symbols.ascii, "-ascii")
        self.lanes_list = self.query_one(LaneList)
        self.turns_list = self.query_one(TurnList)
        self.lanes_list.border_title = "Reasoning timeline"
        self.turns_list.border_title = "Turns"
        self.lanes_list.show([], note="reading the answers …")
        self.turns_list.show([], note="reading the answers …")
        self._front.focus()
        self.say()
        if self._remark:
            self.notify(
                self._remark, title="Fading", markup=False, timeout=REMARK_SECONDS
            )
        self._read_session()

    def on_resize(self, event: events.Resize) -> None:
        """Another height may hold both views, or not."""
        if not self.query_one(TooSmall).judge(self.size):
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

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys of the lanes mean nothing in the turns."""
        return self._view == "lanes" or action not in ONLY_LANES

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
        self._told = message.told
        step, run, event = self._wanted
        self._lay_lanes()
        self._lay_turns()
        if step is not None:
            self.lanes_list.select(("step", step) if run is None else ("run", run))
            self.turns_list.select_step(step)
        lane = self.lane
        if lane is not None:
            at = min(event, lane.events) if event else self.arrival_of_followed(lane)
            self.set_reactive(TimelineScreen.event, at)
        self.look()

    def _lay_lanes(self) -> None:
        """Order the lanes, and set the axis to their length."""
        lanes = self._told.lanes if self._told else ()
        found = offsets_of(lanes) if self._on_clock else None
        self._offsets = found or {}
        groups = sort_lanes(
            lanes,
            self.session.ledger.threads,
            by_thread=self._by_thread,
            runs=self._has_runs,
        )
        shown = [lane for group in groups for lane in group.lanes]
        sheet = sheet_for(
            shown,
            self.symbols,
            self.session.palette,
            offsets=self._offsets,
            figures_from=FIGURES_FROM,
        )
        self.lanes_list.lay_groups(groups, sheet)
        self._arrange()
        self.set_reactive(TimelineScreen.window, sheet.window)
        self.look()

    def _lay_turns(self) -> None:
        figures = self._told.figures if self._told else ()
        side = {t.number for t in self.session.ledger.threads if t.kind == "side"}
        main = [f for f in figures if f.thread not in side] or list(figures)
        rows = turns_of(main) if self._by_turn else tuple(main)
        self.turns_list.lay_figures(rows, by_turn=self._by_turn)

    # --- View ------------------------------------------------------------------------

    def action_view(self) -> None:
        self._words = ""
        lane, step = self.lane, self.turns_list.step
        if self._view == "lanes" and lane is not None:
            self.turns_list.select_step(lane.step)
        elif step is not None and (lane is None or not self._is_in_turn(lane, step)):
            self.lanes_list.select(("step", step))
        self._view = "turns" if self._view == "lanes" else "lanes"
        self._arrange()
        self._front.focus()
        self.look()

    def _is_in_turn(self, lane: Lane, step: int) -> bool:
        rows = self.turns_list.rows
        return any(step in row.steps and lane.step in row.steps for row in rows)

    def action_clock(self) -> None:
        """From the own start, or on the session's clock."""
        lanes = self._told.lanes if self._told else ()
        if not self._on_clock and offsets_of(lanes) is None:
            self.tell("the recording does not tell when each step began")
            return
        self._on_clock = not self._on_clock
        self._lay_lanes()

    def action_threads(self) -> None:
        """By thread or by step."""
        if len(self.session.ledger.threads) < 2:
            self.tell("there is one thread only")
            return
        self._by_thread = not self._by_thread
        self._lay_lanes()

    def action_runs(self) -> None:
        """With runs or without."""
        if not self.session.runs:
            self.tell("there are no runs yet")
            return
        self._has_runs = not self._has_runs
        self._lay_lanes()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The view in focus is the one in front."""
        self._view = "turns" if event.widget is self.turns_list else "lanes"
        self.refresh_bindings()
        self.say()

    def action_by_step(self) -> None:
        """Per step or per turn."""
        self._by_turn = not self._by_turn
        self._lay_turns()
        self.say()

    def action_anomaly(self, by: int) -> None:
        """To the lane or turn of the next anomaly, or of the one before."""
        lane, anomalies = self.lane, self.session.anomalies
        if lane is None:
            self.tell("the answers are still being read")
            return
        stop = anomalies.after(lane.step, by)
        if stop is not None:
            self.go_to_step(stop.anomaly.step, stop.anomaly.event)
        self.tell(anomalies.told(stop))

    # --- Saying ----------------------------------------------------------------------

    def say(self) -> None:
        """The top line."""
        noun = "turn" if self._by_turn else "step"
        self.query_one(TimelineTopLine).top = Top(
            title=self.session.title,
            told=self._words,
            is_read=self._told is not None,
            sight=self.sight if self._view == "lanes" else None,
            window=self.window,
            on_clock=self._on_clock,
            followed=self.followed,
            turns=count(len(self.turns_list.rows), noun),
            palette=self.session.palette,
        )

    # --- Leaving ---------------------------------------------------------------------

    def action_open(self) -> None:
        """Step through what is under the cursor."""
        if self._view == "turns":
            step = self.turns_list.step
            if step is not None:
                self.dismiss(Moment(step=step, steps_through=False))
            return
        moment = self._moment()
        if moment is not None:
            lane = self.lane
            is_streamed = lane is not None and lane.is_streamed
            self.dismiss(replace(moment, steps_through=is_streamed))

    def action_leave(self) -> None:
        """Back; the debugger shows what the play head was moved to."""
        self.dismiss(self._moment() if self._has_moved else None)

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
