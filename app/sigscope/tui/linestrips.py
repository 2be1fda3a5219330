"""Lines in sight as they were painted, used again until they say something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from textual.geometry import Region
from textual.strip import Strip

from sigscope.tui.lines import Line


class Look(NamedTuple):
    """What one line is painted from."""

    spans: Line
    row: str = ""
    """How the whole row looks: one of `lineview.ROWS`, or as usual."""


class LineStrips:
    """By number of the line in sight, whatever is scrolled to there."""

    def __init__(self) -> None:
        self._painted: dict[int, tuple[Look, Strip]] = {}

    def forget(self) -> None:
        self._painted.clear()

    def strip(
        self, y: int, look: Look, cells: int, paint: Callable[[Look, int], Strip]
    ) -> Strip:
        """The line as it is painted; anew only where it is another."""
        known = self._painted.get(y)
        if known is None or known[0] != look or known[1].cell_length != cells:
            known = self._painted[y] = look, paint(look, cells)
        return known[1]

    def differing(
        self, lines: int, cells: int, look_of: Callable[[int], Look]
    ) -> list[Region]:
        """Of so many lines, those that would be painted anew; for `refresh`."""
        known = self._painted
        return [
            Region(0, y, cells, 1)
            for y in range(lines)
            if y not in known or known[y][0] != look_of(y)
        ]
