"""Rows of a comparison as lines: two columns, or one side below the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from sigscope.comparison import Cell, Cells, ComparedRow, Facing, RowChange, Side
from sigscope.records import dataclass
from sigscope.tui import figures
from sigscope.tui.lines import Line, Span, fit, pad, width
from sigscope.tui.linewrap import wrap
from sigscope.tui.shown import one_line, shown
from sigscope.tui.symbols import Symbols
from sigscope.tui.views.comparison import ComparisonEntry, GapEntry, Shown, TextEntry

STEP = 2
"""Cells that every level is indented by."""
VALUES_AT = 26
"""Cells before values, where the columns are wide enough for it."""
MOST_WRAPPED = 40
"""Screen lines that one line of a text may take."""

_INKS: Mapping[RowChange, tuple[str, str]] = {
    RowChange.CHANGED: ("bad", "good"),
    RowChange.LEFT: ("bad", "bad"),
    RowChange.RIGHT: ("good", "good"),
}
"""Of the left and the right value, where something differs."""
_ROLES = {
    "user": "user",
    "assistant": "assistant",
    "system": "system",
    "tool": "result",
}
_KINDS = {"container": "dim", "message": "dim", "masked": "faint", "number": "warn",
          "word": "warn", "broken": "bad"}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What laying out depends on beside the width."""

    symbols: Symbols
    cells: Cells
    inks: Mapping[str, str]
    """Ink of each signature, by its id."""
    is_stacked: bool = False
    taken: frozenset[ComparedRow] = frozenset()
    """Differences that are switched on as edits."""


def lay(entry: Shown, layout: Layout, cells: int) -> list[Line]:
    if isinstance(entry, GapEntry):
        return [_lay_gap(entry, layout, cells)]
    if isinstance(entry, TextEntry):
        lay_text = _stack_text if layout.is_stacked else _face_text
        return lay_text(entry, layout, cells)
    return (_stacked if layout.is_stacked else _facing)(entry, layout, cells)


# --- Two columns ----------------------------------------------------------------------


def _facing(entry: ComparisonEntry, layout: Layout, cells: int) -> list[Line]:
    half = (cells - 3) // 2
    left = fit(_side(entry, layout, "left", half), half)
    right = fit(_side(entry, layout, "right", half), half)
    return [(*pad(left, half), Span(" "), _sign(entry.row, layout), Span(" "), *right)]


def _face_text(entry: TextEntry, layout: Layout, cells: int) -> list[Line]:
    half = (cells - 3) // 2
    facing = entry.facing
    if facing.op == "gap":
        return [_lines_left_out(entry, half)]
    left = _wrapped(facing.left, facing, "left", entry.depth, half)
    right = _wrapped(facing.right, facing, "right", entry.depth, half)
    sign = _text_sign(facing, layout)
    lines: list[Line] = []
    for mine, theirs in zip_longest(left, right, fillvalue=()):
        lines.append((*pad(mine, half), Span(" "), sign, Span(" "), *theirs))
        sign = Span(" ")
    return lines


# --- One below the other --------------------------------------------------------------


def _stacked(entry: ComparisonEntry, layout: Layout, cells: int) -> list[Line]:
    row, room = entry.row, cells - 2
    sides: list[Side] = ["left", "right"] if row.op is RowChange.CHANGED else []
    if not sides:
        sides = ["left"] if row.left is not None else ["right"]
    signs = {"left": Span("<", "bad"), "right": Span(">", "good")}
    lines = []
    for side in sides:
        spans = _side(entry, layout, side, room)
        sign = signs[side] if row.is_difference else Span(" ")
        if row in layout.taken:
            sign = Span(layout.symbols.good, "good bold")
        lines.append((sign, Span(" "), *fit(spans, room)))
    return lines


def _stack_text(entry: TextEntry, layout: Layout, cells: int) -> list[Line]:
    facing, room = entry.facing, cells - 2
    if facing.op == "gap":
        return [(Span("  "), *_lines_left_out(entry, room))]
    lines: list[Line] = []
    if facing.left is not None:
        sign = Span(" " if facing.op == "same" else "<", "bad")
        found = _wrapped(facing.left, facing, "left", entry.depth, room)
        lines += [(sign, Span(" "), *spans) for spans in found]
    if facing.right is not None and facing.op != "same":
        found = _wrapped(facing.right, facing, "right", entry.depth, room)
        lines += [(Span(">", "good"), Span(" "), *spans) for spans in found]
    return lines


# --- Parts ----------------------------------------------------------------------------


def _side(entry: ComparisonEntry, layout: Layout, side: Side, room: int) -> Line:
    row, symbols = entry.row, layout.symbols
    indent = " " * (STEP * entry.depth)
    cell = layout.cells.cell(row, side)
    if cell is None:
        return (Span(indent), Span(symbols.nothing, "faint"))
    marks = {"folded": symbols.folded, "unfolded": symbols.unfolded}
    inks = _INKS.get(row.op)
    ink = inks[0 if side == "left" else 1] if inks else ""
    head = (
        Span(f"{indent}{marks.get(entry.mark, ' ')} ", "dim"),
        Span(shown(cell.label), _label_ink(row, cell, ink)),
    )
    if not ink and row.op is not RowChange.INSIDE:
        ink = "dim"
    return (*head, *_value(cell, ink, head, layout, room))


def _label_ink(row: ComparedRow, cell: Cell, ink: str) -> str:
    role = cell.label.rpartition(" ")[2]
    if cell.kind == "message" and not row.is_difference:
        return f"{_ROLES.get(role, 'dim')} bold"
    if row.is_difference:
        return f"{ink} bold"
    return "" if row.op is RowChange.INSIDE else "dim"


def _value(cell: Cell, ink: str, head: Line, layout: Layout, room: int) -> Line:
    used = width(head)
    at = min(VALUES_AT, room // 2)
    gap = Span(" " * max(2, at - used))
    if cell.signature is None:
        found = ink or _KINDS.get(cell.kind, "")
        return (gap, Span(one_line(cell.value), found))
    colour = layout.inks.get(cell.signature, "accent")
    badge = Span(f"{layout.symbols.signature} {cell.signature}", f"{colour} bold")
    return (gap, badge, Span(f"  {one_line(cell.value)}", "dim"))


def _sign(row: ComparedRow, layout: Layout) -> Span:
    """What stands between the columns."""
    symbols = layout.symbols
    if row in layout.taken:
        return Span(symbols.good, "good bold")
    return {
        RowChange.CHANGED: Span(symbols.altered, "warn bold"),
        RowChange.LEFT: Span("<", "bad bold"),
        RowChange.RIGHT: Span(">", "good bold"),
        RowChange.MASKED: Span("~", "faint"),
    }.get(row.op, Span(" "))


def _text_sign(facing: Facing, layout: Layout) -> Span:
    return {
        "changed": Span(layout.symbols.altered, "warn"),
        "left": Span("<", "bad"),
        "right": Span(">", "good"),
    }.get(facing.op, Span(" "))


def _wrapped(
    text: str | None, facing: Facing, side: Side, depth: int, room: int
) -> list[Line]:
    """A line of a text, broken to fit; what differs in it stands out."""
    if text is None:
        return []
    indent = (Span(" " * (STEP * depth + 2)),)
    if facing.op == "same":
        spans: Sequence[Span] = (Span(shown(text), "dim"),)
    elif facing.op == "changed":
        ink = "bad" if side == "left" else "good"
        head, rest = text[: facing.at], text[facing.at :]
        spans = (Span(shown(head), "dim"), Span(shown(rest), ink))
    else:
        spans = (Span(shown(text), "bad" if side == "left" else "good"),)
    lines = wrap(spans, room, first=indent, hang=indent)
    if len(lines) > MOST_WRAPPED:
        left_out = figures.count(len(lines) - MOST_WRAPPED, "line")
        lines = [*lines[:MOST_WRAPPED], (*indent, Span(f"… {left_out} more", "faint"))]
    return lines


def _lay_gap(entry: GapEntry, layout: Layout, cells: int) -> Line:
    masked = sum(1 for row in entry.rows if row.op is RowChange.MASKED)
    same = len(entry.rows) - masked
    words = []
    if same:
        words.append(f"{same:,} the same")
    if masked:
        words.append(f"{masked:,} the same but for what is masked")
    indent = " " * (STEP * entry.depth + (2 if layout.is_stacked else 0))
    mark = layout.symbols.folded
    return fit((Span(f"{indent}{mark} … {', '.join(words)}", "faint"),), cells)


def _lines_left_out(entry: TextEntry, room: int) -> Line:
    indent = " " * (STEP * entry.depth + 2)
    words = figures.count(entry.facing.count, "line")
    return fit((Span(f"{indent}… {words} the same", "faint"),), room)
