"""Pane 5: when the parts of each response arrived; a small face of the timeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import var

from sigscope.records import dataclass
from sigscope.timeline import Lane
from sigscope.tui.itemstack import Item
from sigscope.tui.lines import Line, Span, fit, plain
from sigscope.tui.panes.pane import Pane
from sigscope.tui.selection import Selection
from sigscope.tui.symbols import Symbols
from sigscope.tui.timeline.bars import flow_legend, lay_axis, lay_head
from sigscope.tui.timeline.rows import BAR, HEAD, RowSheet, lay_lane, sheet_for
from sigscope.tui.timeline.sight import Sight, fates_of, lanes_of, selected_in
from sigscope.tui.timeline.words import detail_of
from sigscope.tui.views.facts import StepFacts
from sigscope.tui.views.palette import Palette
from sigscope.tui.views.shownsession import Overview, Shown


class TimelinePane(Pane):
    """Shows the lanes in `facts`, and that of a run on show below its step; keys are
    those of lanes."""

    NUMBER = 5
    NAME = "Reasoning timeline"
    MARK = "bar"
    EMPTY = "no answers yet"
    HELP = (
        "One lane per step on one time axis: waiting, thought, text, tool calls, and"
        " the moment each signature arrived, in its colour. Beside the numbers stands"
        " what became of the selected signature. Where a recording has no arrival"
        " times, lanes count events instead. {lanes.event-previous} and"
        " {lanes.event-next}, or a click, choose an event; {timeline.show} has more."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l,right", "event(1)", "Next event", False, id="lanes.event-next",
                tooltip="Choose the next event of the lane under the cursor"),
        Binding("h,left", "event(-1)", "Previous event", False,
                id="lanes.event-previous",
                tooltip="Choose the previous event of the lane under the cursor"),
    ]  # fmt: skip

    facts: var[tuple[StepFacts, ...]] = var((), init=False)
    overview: var[Overview | None] = var(None, init=False)
    shown: var[Shown | None] = var(None, init=False)
    selection: var[Selection | None] = var(None, init=False)

    @dataclass
    class Pointed(Message):
        """The user chose an event of an answer."""

        lane: Lane
        event: int

    _sight = Sight()
    """The lanes on show, and what is selected in them."""
    _sheet = RowSheet()

    def watch_facts(self) -> None:
        """Other lanes."""
        self.rebuild()

    def watch_overview(self) -> None:
        """Colours are known now."""
        self.rebuild()

    def watch_shown(self) -> None:
        """A run may be on show, or no longer."""
        if self._sight.lanes != lanes_of(self.facts, self.shown):
            self.rebuild()

    def watch_selection(self, selection: Selection | None) -> None:
        """The cursor follows, and the play head with it."""
        self._look()

    # --- What is shown ---------------------------------------------------------------

    def rebuild(self) -> None:
        """Lay the lanes anew, on an axis that holds all of them."""
        palette = self.overview.palette if self.overview else Palette()
        lanes = lanes_of(self.facts, self.shown)
        self._sight = Sight(lanes=lanes)
        self._sheet = sheet_for(lanes, self.symbols, palette)
        self.show(
            [Item(lane.key, partial(self._lay, lane), height=1) for lane in lanes],
            note="reading …" if self.facts else "",
        )
        self._look()

    def _lay(self, lane: Lane, cells: int) -> list[Line]:
        return [lay_lane(lane, self._sheet, cells)]

    def _look(self) -> None:
        """Cursor, play head and fates as they are selected."""
        selection = self.selection
        if selection is None:
            return
        sight = self._sight = selected_in(self._sight.lanes, selection)
        self.select(sight.key)
        ledger = self.overview.ledger if self.overview else None
        sheet = replace(
            self._sheet,
            head=sight.head if sight.event else None,
            fates=fates_of(ledger, selection.signature) if ledger else {},
        )
        if sheet != self._sheet:
            self._sheet = sheet
            for item in self.items:
                item.forget()
            self.refresh()
        lane, room = sight.lane, max(0, self.text_cells - 4)
        words = detail_of(lane, self.symbols, sheet.palette, room) if lane else ()
        self.say(plain(words))

    # --- Choosing events -------------------------------------------------------------

    def action_event(self, by: int) -> None:
        """The next or previous event of the lane under the cursor."""
        lane = replace(self._sight, key=self.key).lane  # it may not be selected yet
        if lane is not None and lane.events:
            event = min(max(1, self._sight.event + by), lane.events)
            self.post_message(self.Pointed(lane, event))

    def on_click(self, event: events.Click) -> None:
        """A click on a bar chooses the event there."""
        super().on_click(event)
        offset = event.get_content_offset(self)
        index = self._index_at(offset.y) if offset else -1
        if offset is None or index < 0:
            return
        moment = self._sheet.moment_at(offset.x, self.text_cells)
        lane = self._sight.lanes[index]
        if moment is not None and lane.events and lane.is_timed == self._sheet.is_timed:
            self.post_message(self.Pointed(lane, lane.event_at(moment)))

    # --- Below -----------------------------------------------------------------------

    def footer(self, cells: int) -> Sequence[Line]:
        """The axis with the play head, and what the fills mean."""
        if not self._sight.lanes:
            return ()
        sheet, bar = self._sheet, self._sheet.bar_cells(cells)
        legend = self._legend(cells)
        if not sheet.has_axis:
            return legend
        above: Line = ()
        if sheet.head is not None:
            head = sheet.head
            above = lay_head(sheet.window, bar, sheet.symbols, head.moment, head.label)
        axis = lay_axis(sheet.window, bar, is_timed=sheet.is_timed, above=above)
        return ((Span(" " * (BAR + HEAD)), *axis), *legend)

    def _legend(self, cells: int) -> Sequence[Line]:
        """Asked for with every line that is painted, so it is kept."""
        look = (self._sight.lanes, self._sheet.symbols, cells)
        if self._kept is None or self._kept[0] != look:
            edge = Span(" " * BAR)
            rows = flow_legend(*look)
            self._kept = (look, [(edge, *fit(row, cells)) for row in rows])
        return self._kept[1]

    _kept: tuple[tuple[Sequence[Lane], Symbols, int], Sequence[Line]] | None = None
    """The legend, and what it was made for."""
