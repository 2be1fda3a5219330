"""Rows of the assembled message as lines that fit. Pure."""

from __future__ import annotations

import json

from rich.cells import cell_len

from sigscope.stepthrough.player import FieldChange
from sigscope.tui.json.rows import clip
from sigscope.tui.json.visible import cells_of, spans_of
from sigscope.tui.lines import Line, Span
from sigscope.tui.stepthrough.assembled import MARK_CELLS, AssembledLook, AssembledRow
from sigscope.tui.symbols import Symbols

FOLD = "fold"


def draw_row(row: AssembledRow, look: AssembledLook) -> Line:
    """One row as a line that fits."""
    spans = _row_spans(row, look)
    return tuple(clip(spans, look.cells, look.symbols.ellipsis))


def _row_spans(row: AssembledRow, look: AssembledLook) -> Line:
    symbols = look.symbols
    glyph, ink = _mark(row, symbols)
    indent = min(row.depth * 2, look.cells // 3)
    if row.gap:
        rule = look.symbols.rule * 2
        return (Span(" " * (MARK_CELLS + indent + 2)),
                Span(f"{rule} {row.gap:,} more {rule}", "faint"))  # fmt: skip
    if row.piece is not None:
        return (Span(" " * (MARK_CELLS + 4)), *_piece(row, look))
    is_watched = row.pointer in look.watched
    mark = [Span(symbols.stop if is_watched else " ", "bad"), Span(glyph, ink)]
    fold = " "
    if row.may_open:
        fold = look.symbols.unfolded if row.is_open else look.symbols.folded
    key_room = max(6, look.cells - indent - 12)
    key = spans_of(_clip(row.key, key_room, symbols), ink if row.change else "")
    spans = [*mark, Span(" " * indent), Span(fold, "dim", FOLD), Span(" "), *key]
    pad = max(1, look.value_at - cells_of(spans))
    spans.append(Span(" " * pad))
    room = max(4, look.cells - cells_of(spans))
    return (*spans, *_value(row, look, room))


def _mark(row: AssembledRow, symbols: Symbols) -> tuple[str, str]:
    """Glyph and ink of what the event did here."""
    if row.change is not None:
        return {
            "added": (symbols.added, "good bold"),
            "changed": (symbols.changed, "warn bold"),
            "extended": (symbols.extended, "info bold"),
        }[row.change.kind]
    if row.has_changes and not row.is_open:
        return symbols.changed, "warn"
    return " ", ""


def _value(row: AssembledRow, look: AssembledLook, room: int) -> list[Span]:
    value, symbols = row.value, look.symbols
    if isinstance(value, str):
        return _text(row, value, look, room)
    if isinstance(value, dict):
        words = f"{{{_counted(len(value), 'field')}}}"
        return [Span(_clip(words, room, symbols), "dim")]
    if isinstance(value, list):
        return [Span(_clip(f"[{_counted(len(value), 'item')}]", room, symbols), "dim")]
    ink = "word" if value is None or isinstance(value, bool) else "number"
    return [Span(_clip(json.dumps(value), room, symbols), ink)]


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _text(row: AssembledRow, value: str, look: AssembledLook, room: int) -> list[Span]:
    """A string on its row: whole, its beginning, or its new end."""
    symbols = look.symbols
    sha256 = look.known.get(value)
    if sha256 is not None:
        ink = f"{look.palette.ink(sha256)} bold"
        words = f"{symbols.signature} {look.palette.id(sha256)}"
        target = f"signature:{sha256}"
        size = f" {len(value):,} chars"
        fits = len(words) + len(size) <= room
        return [Span(words, ink, target), Span(size if fits else "", "dim")]
    change = row.change
    if len(value) < room * 4:
        whole = _quoted(value, change)
        if cells_of(whole) <= room:
            return whole
    length = f" {len(value):,}"
    if change is not None:
        grown = f"+{change.end - change.start:,}" if change.kind == "extended" else ""
        words = f"{grown} {symbols.ellipsis}" if grown else symbols.ellipsis
        return [Span(words, "info"), Span(f"{length} chars", "dim")]
    head = spans_of(_escaped(value[: room + 1]), "string")
    fitted = clip(head, max(1, room - len(length) - 3), symbols.ellipsis)
    return [Span('"', "string"), *fitted, Span('"', "string"), Span(length, "dim")]


def _quoted(value: str, change: FieldChange | None) -> list[Span]:
    """A whole string; what is new of it stands out."""
    at = change.start if change is not None and change.kind == "extended" else 0
    if change is None:
        return [Span('"', "string"), *spans_of(_escaped(value), "string"),
                Span('"', "string")]  # fmt: skip
    return [
        Span('"', "string"),
        *spans_of(_escaped(value[:at]), "string"),
        *spans_of(_escaped(value[at:]), "good bold underline"),
        Span('"', "string"),
    ]


def _piece(row: AssembledRow, look: AssembledLook) -> list[Span]:
    """A line of a text that grows."""
    assert row.piece is not None
    start, end = row.piece
    change, value = row.change, row.value
    at = change.start if change is not None and change.kind == "extended" else 0
    cut = min(max(at, start), end)
    blanks = "\n" if end == len(value) else None  # nothing to underline at a break
    spans = [
        *spans_of(value[start:cut].rstrip("\n"), "string"),
        *spans_of(value[cut:end].rstrip(blanks), "good bold underline"),
    ]
    if end == len(value):
        feeds = len(value) - len(value.rstrip("\n"))
        spans += [Span(look.symbols.line_end * feeds, "faint")] if feeds else []
        spans.append(Span(look.symbols.text_end, "accent"))
    return spans


def _escaped(text: str) -> str:
    r"""As JSON spells it, without the quotes: a line feed is `\n`."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _clip(text: str, room: int, symbols: Symbols) -> str:
    if cell_len(text) <= room:
        return text
    return text[: max(0, room - 1)] + symbols.ellipsis
