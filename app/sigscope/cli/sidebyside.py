"""A comparison on paper: two columns, and between them what differs."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from sigscope.characters import printable
from sigscope.cli.console import Console
from sigscope.comparison import Cell, Cells, ComparedRow, Comparison, RowChange, Side
from sigscope.edits.records import Edit
from sigscope.edits.words import describe

NARROWEST = 40
"""Columns below which lines are broken by the terminal; nothing fits then anyway."""
_INDENT = 2

SIGNS = {
    RowChange.SAME: " ",
    RowChange.MASKED: "~",
    RowChange.INSIDE: " ",
    RowChange.CHANGED: "|",
    RowChange.LEFT: "<",
    RowChange.RIGHT: ">",
}
"""What stands between the columns; those of `diff -y`."""
_STYLES = {
    RowChange.CHANGED: "warn",
    RowChange.LEFT: "bad",
    RowChange.RIGHT: "good",
    RowChange.MASKED: "dim",
}


def print_side_by_side(
    console: Console,
    comparison: Comparison,
    width: int,
    around: Iterable[Edit] = (),
) -> None:
    """Print what to do around the body, rows that differ, what leads to them, and how
    many are left out."""
    half = max(NARROWEST, width - 3) // 2
    left, right = comparison.left.title, comparison.right.title
    console.data(_line(console, left, " ", right, half, "bold").rstrip())
    for edit in around:
        console.data(console.style(f"| {describe(edit)}", "warn"))
    cells = Cells(comparison)
    for depth, item in _visible((comparison.root,), 0):
        if isinstance(item, int):
            words = _pad(f"{' ' * _INDENT * depth}… {item:,} the same", half)
            console.data(console.style(words.rstrip(), "dim"))
            continue
        mine, theirs = (_words(cells, item, side, depth) for side in _SIDES)
        style = _STYLES.get(item.op, "")
        line = _line(console, mine, SIGNS[item.op], theirs, half, style)
        console.data(line.rstrip())


_SIDES: tuple[Side, Side] = ("left", "right")


def _visible(
    rows: Sequence[ComparedRow], depth: int
) -> Iterator[tuple[int, ComparedRow | int]]:
    """Rows with their depth; a number stands for so many that differ in nothing."""
    for is_same, run in groupby(
        rows, key=lambda r: r.op in (RowChange.SAME, RowChange.MASKED)
    ):
        found = list(run)
        if is_same and depth:
            yield depth, len(found)
            continue
        for row in found:
            yield depth, row
            yield from _visible(row.below, depth + 1)


def _words(cells: Cells, row: ComparedRow, side: Side, depth: int) -> str:
    cell = cells.cell(row, side)
    return "" if cell is None else " " * _INDENT * depth + say(cell)


def say(cell: Cell) -> str:
    """One side of a row: "reasoning_opaque  signature 9f3a21, 1,464 chars"."""
    value = cell.value
    if cell.signature is not None:
        value = (
            f"{'' if cell.kind == 'string' else 'signature '}{cell.signature} {value}"
        )
    return f"{cell.label}  {value}"


def _line(
    console: Console, left: str, sign: str, right: str, half: int, style: str
) -> str:
    mine, theirs = _pad(printable(left), half), _pad(printable(right), half)
    if not style:
        return f"{mine} {sign} {theirs}"
    inked = console.style(f"{sign} {theirs.rstrip()}", style)
    return f"{console.style(mine, style)} {inked}"


def _pad(text: str, cells: int) -> str:
    """Text of exactly so many columns, with an ellipsis where it was cut."""
    used, kept = 0, ""
    for char in text:
        size = _size(char)
        if used + size > cells:
            while kept and used > cells - 1:
                used -= _size(kept[-1])
                kept = kept[:-1]
            kept, used = kept + "…", used + 1
            break
        kept, used = kept + char, used + size
    return kept + " " * (cells - used)


def _size(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
