"""What stands on each line of a list that is in sight, and how it looks. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from sigscope.records import dataclass
from sigscope.search.text import Pattern
from sigscope.tui.itemstack import ItemStack
from sigscope.tui.lines import Line, Look, Span, highlit

Mark = Literal["row", "bar", "none"]
"""How the cursor shows: the whole row, a bar at its left (tall items), or not at all (a
text to read)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPage:
    """A list as it is in one moment; all its lines are looked up in this."""

    stack: ItemStack
    """Laid for the width."""
    cells: int
    top: int
    """Of all rows, the first in sight."""
    room: int = 0
    """Lines above the footer."""
    is_laid: bool = True
    """For this width; else lines would say nothing."""
    below: Sequence[Line] = ()
    """The footer."""
    cursor: int = -1
    hovered: int = -1
    has_focus: bool = False
    mark: Mark = "row"
    bar: str = "▌"
    pattern: Pattern[str] | None = None
    """What is searched for."""
    note: Callable[[int, int], Line] = lambda y, cells: ()
    """A line of what is said where there is no item, for so many cells."""

    def look(self, y: int) -> Look:
        """Of a line in sight, from 0."""
        if not self.is_laid:
            return Look(())
        if self.below and y >= self.room:
            at = y - self.room
            return Look(self.below[at] if at < len(self.below) else ())
        if not self.stack.items:
            return Look(self.note(y, self.cells))
        row = y + self.top
        if row >= self.stack.height:
            return Look(())
        index, spans = self.stack.line(row)
        if self.pattern is not None:
            spans = tuple(highlit(spans, self.pattern))
        return self._look_of_item(index, spans)

    def _look_of_item(self, index: int, spans: Line) -> Look:
        at_cursor = index == self.cursor and self.mark != "none"
        if self.mark == "bar":
            bar = self.bar if at_cursor and spans else " "
            ink = "accent" if self.has_focus else "dim"
            return Look((Span(f"{bar} ", ink), *spans))
        if at_cursor:
            return Look(spans, "cursor" if self.has_focus else "selected")
        if index == self.hovered and self.stack.items[index].selectable:
            return Look(spans, "hover")
        return Look(spans)
