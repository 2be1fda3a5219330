"""Which rows of a comparison are on show: folding, and leaving out what is the same."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import groupby

from sigscope.comparison import (
    Cells,
    ComparedRow,
    Comparison,
    Facing,
    RowChange,
    facing_lines,
)
from sigscope.records import dataclass

LONG = 60
"""Characters from which on a changed text can be unfolded."""
LEAST_LEFT_OUT = 2
"""Rows that are left out together; a single one takes no more room than saying so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonEntry:
    """A row on show."""

    row: ComparedRow
    depth: int
    mark: str = ""
    """"folded", "unfolded"; empty where nothing is inside."""

    @property
    def key(self) -> Hashable:
        """The same for the same place, also in a comparison made anew."""
        return key_of(self.row)


@dataclass(frozen=True, slots=True, kw_only=True)
class GapEntry:
    """Rows in which nothing differs, left out."""

    rows: tuple[ComparedRow, ...]
    depth: int

    @property
    def key(self) -> Hashable:
        """By its first row."""
        return "gap", key_of(self.rows[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class TextEntry:
    """A line of two texts that differ."""

    row: ComparedRow
    number: int
    facing: Facing
    depth: int

    @property
    def key(self) -> Hashable:
        """By its row, and where in the text it is."""
        return "text", key_of(self.row), self.number


Shown = ComparisonEntry | GapEntry | TextEntry


def key_of(row: ComparedRow) -> Hashable:
    """What a row is recognised by."""
    side = "left" if row.right is None else "right" if row.left is None else ""
    return row.what, side, row.left_place, row.right_place, row.name


class Unfolding:
    """What is unfolded; by keys, so that it outlives a change of masks."""

    def __init__(self) -> None:
        self.only_differing = True
        self._opened: set[Hashable] = set()
        self._closed: set[Hashable] = set()

    def is_open(self, row: ComparedRow) -> bool:
        """Whether what is inside a row is on show; by default where it differs."""
        key = key_of(row)
        if row.op is RowChange.INSIDE or row.what == "history":
            return key not in self._closed
        return key in self._opened

    def switch(self, key: Hashable, *, is_open: bool) -> None:
        """Open or close a row, or a gap."""
        (self._opened if is_open else self._closed).add(key)
        (self._closed if is_open else self._opened).discard(key)

    def entries(self, comparison: Comparison) -> list[Shown]:
        """Everything on show, from top to bottom."""
        return list(_Walk(self, comparison).entries((comparison.root,), 0))

    def leaves_out(self, gap: GapEntry) -> bool:
        """Whether rows in which nothing differs are not on show."""
        if len(gap.rows) < LEAST_LEFT_OUT or not self.only_differing:
            return False
        return gap.key not in self._opened

    def open_way_to(self, comparison: Comparison, row: ComparedRow) -> None:
        """Open all that a row is inside of."""
        for above in _way((comparison.root,), row):
            self.switch(key_of(above), is_open=True)


class _Walk:
    def __init__(self, unfolding: Unfolding, comparison: Comparison) -> None:
        self._unfolding = unfolding
        self._comparison = comparison
        self._cells = Cells(comparison)

    def entries(self, rows: Sequence[ComparedRow], depth: int) -> Iterator[Shown]:
        for is_same, run in groupby(rows, key=_is_same):
            found = tuple(run)
            gap = GapEntry(rows=found, depth=depth)
            if is_same and depth and self._unfolding.leaves_out(gap):
                yield gap
                continue
            for row in found:
                yield from self._entry(row, depth)

    def _entry(self, row: ComparedRow, depth: int) -> Iterator[Shown]:
        is_open = self._unfolding.is_open(row)
        texts = long_texts(self._cells, row)
        has_inside = texts is not None or self._comparison.has_below(row)
        mark = ("unfolded" if is_open else "folded") if has_inside else ""
        yield ComparisonEntry(row=row, depth=depth, mark=mark)
        if not is_open or not has_inside:
            return
        if texts is not None:
            for number, facing in enumerate(facing_lines(*texts)):
                yield TextEntry(row=row, number=number, facing=facing, depth=depth + 1)
        elif _is_same(row) or row.left is None or row.right is None:
            # Nothing differs inside: all of it was asked for.
            for below in self._comparison.below(row):
                yield from self._entry(below, depth + 1)
        else:
            yield from self.entries(self._comparison.below(row), depth + 1)


def long_texts(cells: Cells, row: ComparedRow) -> tuple[str, str] | None:
    """Both texts, where they differ and do not fit on a line."""
    if row.op is not RowChange.CHANGED or row.what in (
        "message",
        "history",
        "signature",
    ):
        return None
    texts = cells.texts(row)
    if texts is None or max(map(len, texts)) <= LONG:
        return None
    return texts


def _is_same(row: ComparedRow) -> bool:
    return row.op in (RowChange.SAME, RowChange.MASKED)


def _way(rows: Sequence[ComparedRow], wanted: ComparedRow) -> tuple[ComparedRow, ...]:
    """The rows that one is inside of, the outermost first."""
    for row in rows:
        if wanted in row.below:
            return (row,)
        way = _way(row.below, wanted)
        if way:
            return (row, *way)
    return ()
