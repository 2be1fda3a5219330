"""Bytes as lines of a given width, without looking at all of them.

A long line is broken after so many *bytes*, or before the character that this would
tear. No character takes more cells than it has bytes (UTF-8; control characters and
stray bytes are drawn in one cell), so every piece fits, but for one cell where a wide
character was moved; and where the piece of any row begins is arithmetic: a 20 MB body
on one line opens at once.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from sigscope.records import dataclass

NO_WRAP = 0

LEAST = 4
"""The longest character of UTF-8: every piece holds at least one."""

_WIDEST = 1 << 62


@dataclass(frozen=True, slots=True)
class Piece:
    """A line, or a part of one."""

    start: int
    end: int
    """Offsets of its bytes, the line end included."""
    line: int
    """Number of the line, from 1."""
    is_first: bool
    """Whether the line begins here."""


class LineIndex(Sequence[Piece]):
    """The pieces of some bytes at a width. Costs one search for line feeds."""

    def __init__(self, data: bytes, width: int = NO_WRAP) -> None:
        self.data = data
        self._starts = [0, *(m.end() for m in re.finditer(rb"\n", data))]
        if len(self._starts) > 1 and self._starts[-1] == len(data):
            self._starts.pop()
        self._ends = [*self._starts[1:], len(data)]
        self.wrap(width)

    def wrap(self, width: int) -> None:
        """Break lines after so many bytes; `NO_WRAP`: nowhere."""
        width = max(LEAST, width) if width > 0 else 0
        self.width = width or _WIDEST
        if width <= 0:
            self._rows = list(range(len(self._starts) + 1))
            return
        # A line feed takes no cell of its own, or a line that just fits would take
        # two rows.
        fed = len(self._starts) - (not self.data.endswith(b"\n"))
        heights = (
            1 + max(0, end - start - 1 - (number < fed)) // width
            for number, (start, end) in enumerate(
                zip(self._starts, self._ends, strict=True)
            )
        )
        self._rows = list(accumulate(heights, initial=0))

    @property
    def lines(self) -> int:
        """How many lines there are."""
        return len(self._starts)

    @property
    def longest(self) -> int:
        """Bytes of the longest line, its end not counted."""
        pairs = zip(self._starts, self._ends, strict=True)
        return max((end - start for start, end in pairs), default=0)

    def __len__(self) -> int:
        return self._rows[-1] if self.data else 0

    def __getitem__(self, row: int) -> Piece:  # type: ignore[override]
        if not 0 <= row < len(self):
            raise IndexError(row)
        line = bisect_right(self._rows, row) - 1
        part = row - self._rows[line]
        begin, stop = self._starts[line], self._ends[line]
        is_last = row + 1 == self._rows[line + 1]
        start = begin + part * self.width if part else begin
        end = stop if is_last else begin + (part + 1) * self.width
        return Piece(
            self._on_character(start, begin),
            end if is_last else self._on_character(end, begin),
            line + 1,
            part == 0,
        )

    def _on_character(self, at: int, begin: int) -> int:
        """The start of the character that a byte belongs to."""
        for lead_at in range(at, max(begin, at - 3) - 1, -1):
            lead = self.data[lead_at]
            if lead & 0xC0 != 0x80:
                length = 2 + (lead >= 0xE0) + (lead >= 0xF0) if lead >= 0xC2 else 1
                return lead_at if lead_at + length > at else at
        # Continuation bytes that continue nothing stand for themselves.
        return at

    def row_at(self, offset: int) -> int:
        """The row that holds a byte; the last one for offsets behind the end."""
        if not self.data:
            return 0
        offset = min(max(0, offset), len(self.data) - 1)
        line = bisect_right(self._starts, offset) - 1
        height = self._rows[line + 1] - self._rows[line]
        part = min((offset - self._starts[line]) // self.width, height - 1)
        row = self._rows[line] + part
        return row + (part + 1 < height and self[row + 1].start <= offset)
