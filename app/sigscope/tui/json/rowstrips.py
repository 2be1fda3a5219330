"""Rows as they were painted, used again until what stands in them is another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from textual.strip import Strip

from sigscope.tui.lines import Line

MOST = 1000
"""Rows kept."""


class RowStrips:
    """By number of the row. A screenful of rows that are as they were costs a fraction
    of painting it."""

    def __init__(self) -> None:
        self._strips: dict[int, Strip] = {}
        self._drawn: dict[int, Line] = {}
        """What the rows in sight were drawn from."""
        self._laid: dict[int, Line] = {}
        """What rows about to be drawn will be drawn from."""

    def forget(self, rows: Iterable[int] | None = None) -> None:
        """Paint these anew, or all: they are others."""
        for row in tuple(self._strips) if rows is None else rows:
            self._strips.pop(row, None)
        self._laid.clear()

    def kept(self, row: int, cells: int) -> Strip | None:
        """What was painted there, if it was so wide."""
        strip = self._strips.get(row)
        return strip if strip is not None and strip.cell_length == cells else None

    def keep(self, row: int, strip: Strip) -> None:
        if len(self._strips) > MOST:
            self._strips.clear()
        self._strips[row] = strip

    def line(self, row: int, made: Callable[[int], Line]) -> Line:
        """What a row is drawn from now."""
        if len(self._drawn) > MOST:
            self._drawn.clear()
        self._drawn[row] = self._laid.pop(row, ()) or made(row)
        return self._drawn[row]

    def differing(
        self, rows: Iterable[int], made: Callable[[int], Line], dirty: Collection[int]
    ) -> Iterator[int]:
        """Those to be painted anew, for they are dirty, or not what was drawn; the
        others are kept."""
        strips, self._strips = self._strips, {}
        self._laid.clear()
        for row in rows:
            line = made(row)
            if row in dirty or self._drawn.get(row) != line:
                self._laid[row] = line
                yield row
            elif row in strips:
                self._strips[row] = strips[row]
