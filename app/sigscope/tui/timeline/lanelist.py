"""The lanes of the timeline screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from textual import events
from textual.message import Message
from textual.reactive import var

from sigscope.records import dataclass
from sigscope.timeline.lanes import Lane
from sigscope.timeline.layout import LaneGroup
from sigscope.tui.itemlist import ItemList
from sigscope.tui.itemstack import Item
from sigscope.tui.lines import Line, Span, fit, line
from sigscope.tui.symbols import UNICODE, Symbols
from sigscope.tui.timeline.bars import flow_legend, lay_axis, lay_head
from sigscope.tui.timeline.rows import BAR, HEAD, Key, RowSheet, lay_lane
from sigscope.tui.timeline.words import detail_of, thread_title

Look = tuple[RowSheet, Any, int]


class LaneList(ItemList):
    """One row per answer; the axis below."""

    HELP = (
        "One lane per answer: waiting, thought, text, tool calls; ◆ is a signature in"
        " its colour, ■ the finish, Σ the usage, ✗ an error. The play head stands at"
        " an event of the lane under the cursor. Beside the numbers stands what became"
        " of the signature that is followed in the request of that step."
    )
    EMPTY: ClassVar[str] = "no answers yet"
    MARK = "bar"

    symbols: var[Symbols] = var(UNICODE, init=False)

    @dataclass
    class Pointed(Message):
        """The user clicked a moment of a lane."""

        key: Any
        """Of the lane."""
        moment: float
        """On the axis."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._groups: tuple[LaneGroup, ...] = ()
        self._sheet = RowSheet()
        self._below: tuple[Look, Sequence[Line]] | None = None
        """The footer, and what it was made for."""

    # --- What is shown ---------------------------------------------------------------

    def lay_groups(self, groups: tuple[LaneGroup, ...], sheet: RowSheet) -> None:
        """Show other lanes."""
        self._groups, self._sheet, self._below = groups, sheet, None
        items: list[Item] = []
        for group in groups:
            if len(groups) > 1:
                head = partial(self._title, group)
                number = group.thread.number if group.thread else 0
                items.append(Item(("thread", number), head, selectable=False, height=1))
            items += [
                Item(x.key, partial(self._lane, x), height=1) for x in group.lanes
            ]
        self.show(items)

    @property
    def height_wanted(self) -> int:
        """Rows it would fill, with its border."""
        return len(self.items) + len(self.footer(self.text_cells)) + 2

    @property
    def lanes(self) -> list[Lane]:
        """All lanes in order."""
        return [lane for group in self._groups for lane in group.lanes]

    @property
    def sheet(self) -> RowSheet:
        """How they are drawn."""
        return self._sheet

    def look(self, sheet: RowSheet) -> None:
        """Show another part of the axis, the play head elsewhere, other fates."""
        before, self._sheet = self._sheet, sheet
        if sheet == before:
            return
        stale: set[Key] | None = None  # all
        if replace(sheet, head=None) == replace(before, head=None):
            stale = {head.key for head in (sheet.head, before.head) if head}
        for item in self.items:
            if stale is None or item.key in stale:
                item.forget()
        self.refresh()

    # --- Rows ------------------------------------------------------------------------

    def _title(self, group: LaneGroup, cells: int) -> list[Line]:
        return [fit(line((thread_title(group.thread), "heading")), cells)]

    def _lane(self, lane: Lane, cells: int) -> list[Line]:
        return [lay_lane(lane, self._sheet, cells)]

    def footer(self, cells: int) -> Sequence[Line]:
        """The play head, the axis, what is said of the lane under the cursor."""
        if not self._groups:
            return ()
        look = (self._sheet, self.key, cells)
        if self._below is None or self._below[0] != look:
            self._below = (look, self._lay_below(cells))
        return self._below[1]

    def _lay_below(self, cells: int) -> Sequence[Line]:
        sheet = self._sheet
        bar = sheet.bar_cells(cells)
        blank, edge = Span(" " * (HEAD + BAR)), Span(" " * BAR)
        axis: Line = ()
        if sheet.has_axis:
            axis = lay_axis(sheet.window, bar, is_timed=sheet.is_timed)
        head: Line = ()
        if sheet.head is not None:
            at, label = sheet.head.moment, sheet.head.label
            head = (blank, *lay_head(sheet.window, bar, sheet.symbols, at, label))
        here = next((x for x in self.lanes if x.key == self.key), None)
        detail: Line = ()
        if here is not None:
            fate = sheet.fates.get(here.step)
            detail = detail_of(here, sheet.symbols, sheet.palette, cells, fate)
        legend = flow_legend(self.lanes, sheet.symbols, cells)
        return (
            head,
            (blank, *axis),
            (edge, *detail),
            *((edge, *fit(row, cells)) for row in legend),
        )

    def watch_symbols(self) -> None:
        """Draw with other glyphs."""
        self.bar_glyph = self.symbols.bar
        self.lay_groups(self._groups, replace(self._sheet, symbols=self.symbols))

    def on_click(self, event: events.Click) -> None:
        """A click on a bar goes to the moment there."""
        super().on_click(event)
        offset = event.get_content_offset(self)
        index = self._index_at(offset.y) if offset else -1
        if offset is None or index < 0:
            return
        moment = self._sheet.moment_at(offset.x, self.text_cells)
        if moment is not None:
            self.post_message(self.Pointed(self.items[index].key, moment))
