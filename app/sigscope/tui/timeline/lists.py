"""Widgets of the timeline screen: the lanes, and the turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from textual import events
from textual.message import Message
from textual.reactive import var

from sigscope.timeline.lanes import Lane
from sigscope.timeline.layout import Group
from sigscope.timeline.turns import Figures
from sigscope.timeline.window import Window
from sigscope.tui.itemlist import Item, ItemList
from sigscope.tui.lines import Line, Span, column, cut, fit, line, sides, width
from sigscope.tui.symbols import UNICODE, Symbols
from sigscope.tui.timeline.bars import lay_axis, lay_bar, lay_head, lay_legend
from sigscope.tui.timeline.plot import lay_heads, lay_row, lay_summary, scale_of
from sigscope.tui.timeline.words import detail_of, figures_of, thread_title
from sigscope.tui.views.palette import Palette

FIGURES_FROM = 110
"""Cells from which figures stand beside the lanes."""
HEAD = 7
"""Cells of a lane's name."""
BAR = 2
"""Cells of the cursor, at the left of every row."""


class LaneList(ItemList):
    """One row per answer; the axis below."""

    HELP = (
        "One lane per answer: waiting, thought, text, tool calls; ◆ is a signature in"
        " its colour, ■ the finish, Σ the usage, ✗ an error. The play head stands at"
        " an event of the lane under the cursor."
    )
    EMPTY: ClassVar[str] = "no answers yet"
    MARK = "bar"

    symbols: var[Symbols] = var(UNICODE, init=False)
    palette: var[Palette] = var(Palette(), init=False)

    @dataclass
    class Pointed(Message):
        """The user clicked a moment of a lane."""

        key: Any
        """Of the lane."""
        moment: float
        """On the axis."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._groups: tuple[Group, ...] = ()
        self._offsets: Mapping[tuple[str, int], float] = {}
        self._window = Window(total=1.0)
        self._head: tuple[tuple[str, int], float, str] | None = None
        self._figures = 0

    # --- What is shown ---------------------------------------------------------------

    def lay_groups(
        self, groups: tuple[Group, ...], offsets: Mapping[tuple[str, int], float]
    ) -> None:
        """Show other lanes."""
        self._groups, self._offsets = groups, offsets
        items: list[Item] = []
        for group in groups:
            if len(groups) > 1:
                head = partial(self._title, group)
                number = group.thread.number if group.thread else 0
                items.append(Item(("thread", number), head, selectable=False))
            items += [Item(x.key, partial(self._lane, x)) for x in group.lanes]
        listed = [figures_of(lane, self.symbols) for lane in self.lanes]
        self._figures = max((width((Span(text),)) for text in listed), default=0)
        self.show(items)

    @property
    def height_wanted(self) -> int:
        """Rows it would fill, with its border."""
        return len(self.items) + 4 + 2

    @property
    def lanes(self) -> list[Lane]:
        """All lanes in order."""
        return [lane for group in self._groups for lane in group.lanes]

    def look(
        self, window: Window, head: tuple[tuple[str, int], float, str] | None
    ) -> None:
        """Show another part of the axis; `head`: lane, moment on the axis, label."""
        if (window, head) == (self._window, self._head):
            return
        stale = {key[0] for key in (head, self._head) if key}
        everything = window != self._window
        self._window, self._head = window, head
        for item in self.items:
            if everything or item.key in stale:
                item.forget()
        self.refresh()

    @property
    def bar_cells(self) -> int:
        """Cells of the bars."""
        return self._bar(self.text_cells)

    def _bar(self, cells: int) -> int:
        room = cells - HEAD
        if cells >= FIGURES_FROM:
            room -= min(self._figures + 2, int(cells * 0.4))
        return max(10, room)

    # --- Rows ------------------------------------------------------------------------

    def _title(self, group: Group, cells: int) -> list[Line]:
        return [fit(line((thread_title(group.thread), "heading")), cells)]

    def _lane(self, lane: Lane, cells: int) -> list[Line]:
        bar = self._bar(cells)
        if lane.run is None:
            name = (column(str(lane.step), 3, "bold", right=True), Span("    "))
        else:
            head = f"{self.symbols.child} #{lane.run}"
            name = (Span(" "), column(head, 6, "dim"))
        head_at = None
        if self._head is not None and self._head[0] == lane.key:
            head_at = self._head[1]
        spans = [
            *name,
            *lay_bar(
                lane,
                self._window,
                bar,
                self.symbols,
                self.palette,
                offset=self._offsets.get(lane.key, 0.0),
                head=head_at,
            ),
        ]
        room = cells - width(spans) - 2
        if cells >= FIGURES_FROM and room > 8:
            words = cut(figures_of(lane, self.symbols), room)
            ink = "bad" if lane.note.endswith("event") else "dim"
            spans += [Span("  "), Span(words, ink)]
        return [fit(tuple(spans), cells)]

    def footer(self, cells: int) -> Sequence[Line]:
        """The play head, the axis, what is said of the lane under the cursor."""
        if not self._groups:
            return ()
        bar = self._bar(cells)
        blank = Span(" " * (HEAD + BAR))
        timed = any(lane.is_timed for lane in self.lanes)
        axis = (blank, *lay_axis(self._window, bar, is_timed=timed))
        head: Line = ()
        if self._head is not None:
            _, moment, label = self._head
            head = (blank, *lay_head(self._window, bar, self.symbols, moment, label))
        legend = lay_legend(self.lanes, self.symbols, cells)
        here = next((x for x in self.lanes if x.key == self.key), None)
        detail = detail_of(here, self.symbols, self.palette) if here else ()
        edge = Span(" " * BAR)
        return (head, axis, (edge, *fit(detail, cells)), (edge, *fit(legend, cells)))

    @property
    def room(self) -> int:
        """The axis stands right below the lanes where these leave room."""
        return min(super().room, max(1, self._height))

    def watch_symbols(self) -> None:
        """Draw with other glyphs."""
        self.bar_glyph = self.symbols.bar
        self.lay_groups(self._groups, self._offsets)

    def on_click(self, event: events.Click) -> None:
        """A click on a bar goes to the moment there."""
        super().on_click(event)
        offset = event.get_content_offset(self)
        index = self._index_at(offset.y) if offset else -1
        cell = offset.x - BAR - HEAD if offset else -1
        if index >= 0 and 0 <= cell < self.bar_cells:
            moment = self._window.moment(cell, self.bar_cells)
            self.post_message(self.Pointed(self.items[index].key, moment))


class TurnList(ItemList):
    """One row per turn, or per step."""

    HELP = (
        "How much was thought and said: readable reasoning to the left, answers to the"
        " right, in one scale; the signatures that the request sent back, ○ for"
        " stand-ins. A conversation that loses its signatures leans over to the right."
    )
    EMPTY: ClassVar[str] = "no answers yet"
    MARK = "bar"

    symbols: var[Symbols] = var(UNICODE, init=False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._rows: tuple[Figures, ...] = ()
        self._by_turn = True

    def lay_figures(self, rows: Sequence[Figures], *, by_turn: bool) -> None:
        """Show other figures."""
        self._rows, self._by_turn = tuple(rows), by_turn
        items: list[Item] = []
        threads = dict.fromkeys(row.thread for row in rows)
        if rows:
            items.append(Item("summary", self._summary, selectable=False))
            items.append(Item("heads", self._heads, selectable=False))
        for thread in threads:
            if len(threads) > 1:
                title = partial(self._thread, thread)
                items.append(Item(("thread", thread), title, selectable=False))
            items += [
                Item(("step", row.steps[0]), partial(self._row, row))
                for row in rows
                if row.thread == thread
            ]
        self.show(items)

    @property
    def rows(self) -> tuple[Figures, ...]:
        """What is shown."""
        return self._rows

    @property
    def height_wanted(self) -> int:
        """Rows it would fill, with its border: the summary takes two, the legend
        too."""
        return len(self.items) + 1 + 2 + 2

    def select_step(self, step: int) -> None:
        """Put the cursor on the turn of a step."""
        for row in self._rows:
            if step in row.steps:
                self.select(("step", row.steps[0]))

    def _summary(self, cells: int) -> list[Line]:
        return [lay_summary(self._rows, self.symbols, cells), ()]

    def _heads(self, cells: int) -> list[Line]:
        scale = scale_of(self._rows, cells, by_turn=self._by_turn)
        return [fit(lay_heads(scale, self.symbols), cells)]

    def _thread(self, thread: int, cells: int) -> list[Line]:
        return [fit(line((f"thread {thread}", "heading")), cells)]

    def _row(self, row: Figures, cells: int) -> list[Line]:
        scale = scale_of(self._rows, cells, by_turn=self._by_turn)
        return [lay_row(row, scale, self.symbols, cells)]

    def footer(self, cells: int) -> Sequence[Line]:
        """What the signs mean."""
        symbols = self.symbols
        spans = line(
            (symbols.thought_fill * 2, "seg-thought"), (" readable reasoning  ", "dim"),
            (symbols.text_fill * 2, "seg-text"), (" answer  ", "dim"),
            (symbols.signature, "good"), (" genuine  ", "dim"),
            (symbols.bypass, "warn"), (" stand-in  ", "dim"),
            (symbols.bad, "bad"), (" refused", "dim"),
        )  # fmt: skip
        unit = line(("bars in characters", "dim"))
        if width(spans) + width(unit) + 2 <= cells:
            spans = sides(spans, unit, cells)
        return ((), (Span(" " * BAR), *fit(spans, cells))) if self._rows else ()

    @property
    def room(self) -> int:
        """The legend stands right below the rows where these leave room."""
        return min(super().room, max(1, self._height))

    def watch_symbols(self) -> None:
        """Draw with other glyphs."""
        self.bar_glyph = self.symbols.bar
        self.lay_figures(self._rows, by_turn=self._by_turn)
