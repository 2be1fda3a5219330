"""Items of one or more lines, one below the other. Pure.

Costs: laying out asks every item for its lines once per width (items keep them), unless
it says how many they are; so a new list costs what its new items cost.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Sequence
from dataclasses import field

from sigscope.records import dataclass
from sigscope.tui.lines import Line


@dataclass(slots=True, eq=False)
class Item:
    key: Hashable
    """What it is; the cursor finds it again by this when the list changes."""
    lay: Callable[[int], Sequence[Line]]
    """Its lines at a width in cells."""
    selectable: bool = True
    """False: the cursor passes over it (a heading, a separator)."""
    height: int | None = None
    """How many lines it takes at any width; None if it must be laid out to know."""
    measure: Callable[[int], int] | None = None
    """How many it takes at a width, where that costs less than laying it out."""
    _laid: tuple[int, tuple[Line, ...]] | None = field(default=None, repr=False)
    _tall: tuple[int, int] | None = field(default=None, repr=False)

    def lines(self, cells: int) -> tuple[Line, ...]:
        """Lines at this width, made once."""
        if self._laid is None or self._laid[0] != cells:
            self._laid = (cells, tuple(self.lay(cells)))
            self._tall = (cells, len(self._laid[1]))
        return self._laid[1]

    def height_at(self, cells: int) -> int:
        """How many lines it takes; only the first time it has to be laid out for it."""
        if self.height is not None:
            return self.height
        if self._tall is not None and self._tall[0] == cells:
            return self._tall[1]
        if self.measure is not None:
            self._tall = (cells, self.measure(cells))
            return self._tall[1]
        return len(self.lines(cells))

    def forget(self) -> None:
        """Make the lines anew, as many as they were: what they show has changed."""
        self._laid = None


class ItemStack:
    """Items one below the other: which stands where, at a width."""

    def __init__(self) -> None:
        self.items: tuple[Item, ...] = ()
        self.height = 0
        self._starts: list[int] = []
        self._cells = 1

    def lay(self, cells: int) -> None:
        """Measure them for a width."""
        starts, height = [], 0
        for item in self.items:
            starts.append(height)
            height += item.height_at(cells)
        self._starts, self.height, self._cells = starts, height, cells

    def index_of(self, key: Hashable) -> int:
        """Where an item is; -1 if it is not listed."""
        keys = enumerate(item.key for item in self.items)
        return next((index for index, found in keys if found == key), -1)

    def near(self, index: int) -> int:
        """The selectable item there, else the next, else the one before; -1 if there
        is none."""
        size = len(self.items)
        around = (*range(max(0, index), size), *range(min(index, size) - 1, -1, -1))
        return next((at for at in around if self.items[at].selectable), -1)

    def next(self, index: int, by: int) -> int:
        """The next or previous selectable item; -1 if there is none."""
        while 0 <= (index := index + by) < len(self.items):
            if self.items[index].selectable:
                return index
        return -1

    def span(self, index: int) -> tuple[int, int]:
        """First row of an item, and the row after its last."""
        after = index + 1
        end = self._starts[after] if after < len(self._starts) else self.height
        return self._starts[index], end

    def index_at(self, row: int) -> int:
        """The item that a row belongs to; -1 outside."""
        return bisect_right(self._starts, row) - 1 if 0 <= row < self.height else -1

    def line(self, row: int) -> tuple[int, Line]:
        """A row, and which item it belongs to."""
        index = self.index_at(row)
        return index, self.items[index].lines(self._cells)[row - self._starts[index]]

    def page(self, index: int, by: int) -> int:
        """The item so many rows on, which may be the same."""
        row = min(max(0, self._starts[index] + by), self.height - 1)
        return self.near(self.index_at(row))

    def top_for(self, index: int, top: int, room: int) -> int:
        """The first row in sight, so that an item is; as it is now if it is already."""
        start, end = self.span(index)
        if self.near(0) == index:
            start = 0  # headings above the first item come into sight with it
        if end - start >= room:
            return top if start <= top <= end - room else start
        return min(max(top, end - room), start)

    def has_more(self, index: int, by: int, top: int, room: int) -> bool:
        """Whether an item that is taller than the room goes on out of sight."""
        start, end = self.span(index)
        if end - start <= room:
            return False
        return end > top + room if by > 0 else start < top
