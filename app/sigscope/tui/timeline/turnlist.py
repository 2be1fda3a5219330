"""The turns of a conversation, as a plot."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any, ClassVar

from textual.reactive import var

from sigscope.timeline.turns import Figures
from sigscope.tui.itemlist import ItemList
from sigscope.tui.itemstack import Item
from sigscope.tui.lines import Line, Span, fit, line, sides, width
from sigscope.tui.symbols import UNICODE, Symbols
from sigscope.tui.timeline.plot import (
    CHARACTERS,
    TOKENS,
    PlotMeasure,
    Scale,
    has_tokens,
    lay_heads,
    lay_row,
    lay_summary,
    scale_of,
)
from sigscope.tui.timeline.rows import BAR


class TurnList(ItemList):
    """One row per turn, or per step: words first, tokens below."""

    HELP = (
        "How much was thought and said: readable reasoning to the left, answers to the"
        " right, in one scale; the signatures that the request sent back, ○ for"
        " bypasses. A conversation that loses its signatures leans over to the right."
        " Below, where a service counted tokens, the same in its counts."
    )
    EMPTY: ClassVar[str] = "no answers yet"
    MARK = "bar"

    symbols: var[Symbols] = var(UNICODE, init=False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._rows: tuple[Figures, ...] = ()
        self._by_turn = True
        self._scale = lru_cache(maxsize=8)(self._scale_at)

    def lay_figures(self, rows: Sequence[Figures], *, by_turn: bool) -> None:
        """Show other figures."""
        self._rows, self._by_turn = tuple(rows), by_turn
        self._scale.cache_clear()
        items: list[Item] = []
        if rows:
            items.append(Item("summary", self._summary, selectable=False))
            items += self._plot(CHARACTERS, "step")
        if has_tokens(rows):
            items.append(Item("gap", lambda cells: [()], selectable=False))
            items += self._plot(TOKENS, "tokens")
        self.show(items)

    def _plot(self, measure: PlotMeasure, kind: str) -> list[Item]:
        """Heads, and a row for each turn. Keys are of the given kind."""
        rows = self._rows
        items = [Item((kind, 0), partial(self._heads, measure), selectable=False)]
        threads = dict.fromkeys(row.thread for row in rows)
        for thread in threads:
            if len(threads) > 1:
                title = partial(self._thread, thread)
                items.append(Item((kind, -thread), title, selectable=False))
            items += [
                Item((kind, row.steps[0]), partial(self._row, row, measure), height=1)
                for row in rows
                if row.thread == thread
            ]
        return items

    @property
    def rows(self) -> tuple[Figures, ...]:
        return self._rows

    @property
    def step(self) -> int | None:
        """The first step of the turn under the cursor."""
        key = self.key
        return key[1] if isinstance(key, tuple) and key[1] > 0 else None

    @property
    def height_wanted(self) -> int:
        """Rows it would fill, with its border: the summary takes two, the legend
        too. Token counts may be scrolled to."""
        shown = len(self._rows) + len({row.thread for row in self._rows})
        return shown + 1 + 2 + 2 + 2

    def select_step(self, step: int) -> None:
        """Put the cursor on the turn of a step, in the plot where it is."""
        kind = self.key[0] if isinstance(self.key, tuple) else "step"
        for row in self._rows:
            if step in row.steps:
                self.select((kind, row.steps[0]))

    def _scale_at(self, cells: int, measure: PlotMeasure) -> Scale:
        return scale_of(self._rows, cells, by_turn=self._by_turn, measure=measure)

    def _summary(self, cells: int) -> list[Line]:
        return [lay_summary(self._rows, self.symbols, cells), ()]

    def _heads(self, measure: PlotMeasure, cells: int) -> list[Line]:
        return [fit(lay_heads(self._scale(cells, measure), self.symbols), cells)]

    def _thread(self, thread: int, cells: int) -> list[Line]:
        return [fit(line((f"thread {thread}", "heading")), cells)]

    def _row(self, row: Figures, measure: PlotMeasure, cells: int) -> list[Line]:
        return [lay_row(row, self._scale(cells, measure), self.symbols, cells)]

    def footer(self, cells: int) -> Sequence[Line]:
        """What the signs mean."""
        symbols = self.symbols
        spans = line(
            (symbols.thought_fill * 2, "seg-thought"), (" readable reasoning  ", "dim"),
            (symbols.text_fill * 2, "seg-text"), (" answer  ", "dim"),
            (symbols.signature, "good"), (" genuine  ", "dim"),
            (symbols.bypass, "warn"), (" bypass  ", "dim"),
            (symbols.bad, "bad"), (" refused", "dim"),
        )  # fmt: skip
        in_tokens = isinstance(self.key, tuple) and self.key[0] == "tokens"
        unit = line(((TOKENS if in_tokens else CHARACTERS).unit, "dim"))
        if has_tokens(self._rows) and not in_tokens:
            unit = line((f"{CHARACTERS.unit}, below in {TOKENS.name}", "dim"))
        if width(spans) + width(unit) + 2 <= cells:
            spans = sides(spans, unit, cells)
        return ((), (Span(" " * BAR), *fit(spans, cells))) if self._rows else ()

    def watch_symbols(self) -> None:
        """Draw with other glyphs."""
        self.bar_glyph = self.symbols.bar
        self.lay_figures(self._rows, by_turn=self._by_turn)
