"""The assembled message as rows: what the event changed is marked. Pure.

    + ▾ tool_calls                [1 item]
    +     id                      "call_MHxR…"
    ›     arguments               "{\"path\": \"READ▏                       14

The row of a field that this event wrote is marked at its left; of a text that grows,
the new end is shown, and its last lines where it is long. Signatures are shown by their
id. Costs: what is drawn is at most some hundred rows; long lists are cut to what
changed and their ends.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

from rich.cells import cell_len

from sigscope import pointer as pointers
from sigscope.conversation import Json
from sigscope.stepping.happenings import ORDER
from sigscope.stepping.player import Change, Frame
from sigscope.tui.json.rows import clip
from sigscope.tui.json.visible import cells_of, spans_of
from sigscope.tui.lines import Line, Span
from sigscope.tui.symbols import Symbols
from sigscope.tui.timeline.signs import Signs, signs_for
from sigscope.tui.views.palette import Palette

MOST_CHILDREN = 60
"""Members of a container that are shown; of more, the ends and what changed."""
ENDS = 12
"""Of a long container, so many at either end."""
MOST_LINES = 6
"""Lines of a text that grows."""
MARK_CELLS = 2
"""The column of marks."""

FOLD = "fold"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row."""

    pointer: str
    """Of the value it shows, or that it is a line of; empty for a gap."""
    depth: int = 0
    key: str = ""
    value: Any = None
    is_container: bool = False
    is_open: bool = False
    change: Change | None = None
    """What the event did to this very value."""
    has_changes: bool = False
    """Whether the event changed something inside."""
    piece: tuple[int, int] | None = None
    """For a further line of a text: the characters it shows."""
    gap: int = 0
    """How many rows are left out here."""


@dataclass(frozen=True, kw_only=True)
class Look:
    """What rows are drawn with."""

    symbols: Symbols
    cells: int
    known: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of the signatures of this response, by their text."""
    palette: Palette = field(default_factory=Palette)
    watched: AbstractSet[str] = frozenset()
    """Pointers with a breakpoint."""

    @property
    def value_at(self) -> int:
        """The cell at which values begin where keys leave room."""
        return min(30, max(12, self.cells * 2 // 5))

    @property
    def text_cells(self) -> int:
        """Cells for a line of a text that grows."""
        return max(8, self.cells - MARK_CELLS - 6)


def assembled_rows(
    frame: Frame, look: Look, folded: AbstractSet[str] = frozenset()
) -> list[Row]:
    """All rows of a message. `folded`: containers the user has folded."""
    changes = {change.pointer: change for change in frame.changes}
    touched = {above for pointer in changes for above in _above(pointer)}
    rows: list[Row] = []
    if isinstance(frame.body, dict):
        _grow(rows, frame.body, "", 0, changes, touched, folded, look)
    return rows


def _above(pointer: str) -> Iterator[str]:
    while pointer:
        pointer = pointer.rpartition("/")[0]
        yield pointer


def _grow(
    rows: list[Row],
    holder: Json,
    at: str,
    depth: int,
    changes: Mapping[str, Change],
    touched: AbstractSet[str],
    folded: AbstractSet[str],
    look: Look,
) -> None:
    if depth > 60:
        rows.append(Row(pointer=at, depth=depth, gap=len(holder)))
        return
    members = list(holder.items()) if isinstance(holder, dict) else list(
        enumerate(holder))  # fmt: skip
    for key, value, gap in _shown(members, at, changes, touched):
        if gap:
            rows.append(Row(pointer="", depth=depth, gap=gap))
            continue
        pointer, label, value = _chained(pointers.join(at, key), str(key), value)
        is_container = isinstance(value, dict | list)
        is_open = is_container and bool(value) and pointer not in folded
        change = changes.get(pointer)
        rows.append(
            Row(
                pointer=pointer,
                depth=depth,
                key=label,
                value=value,
                is_container=is_container,
                is_open=is_open,
                change=change,
                has_changes=pointer in touched or pointer + "/" in changes,
            )
        )
        if is_open:
            _grow(rows, value, pointer, depth + 1, changes, touched, folded, look)
        elif change is not None and isinstance(value, str):
            rows += _text_rows(pointer, depth, value, change, look)


def _chained(pointer: str, label: str, value: Json) -> tuple[str, str, Json]:
    """A container with one container in it is one row: "choices/0"."""
    while isinstance(value, dict | list) and len(value) == 1 and len(label) < 24:
        key, inner = (
            next(iter(value.items())) if isinstance(value, dict) else (0, value[0])
        )
        if not isinstance(inner, dict | list):
            break
        pointer = pointers.join(pointer, key)
        label, value = f"{label}/{key}", inner
    return pointer, label, value


def _shown(
    members: list[tuple[Any, Any]],
    at: str,
    changes: Mapping[str, Change],
    touched: AbstractSet[str],
) -> Iterator[tuple[Any, Any, int]]:
    """Members to show, and the sizes of the gaps between them."""
    if len(members) <= MOST_CHILDREN:
        for key, value in members:
            yield key, value, 0
        return
    left_out = 0
    for index, (key, value) in enumerate(members):
        near_end = index < ENDS or index >= len(members) - ENDS
        pointer = pointers.join(at, key)
        if near_end or pointer in changes or pointer in touched:
            if left_out:
                yield None, None, left_out
                left_out = 0
            yield key, value, 0
        else:
            left_out += 1


def _text_rows(
    pointer: str, depth: int, value: str, change: Change, look: Look
) -> Iterator[Row]:
    """Further lines of a text that does not fit its row: the last ones of it."""
    if value in look.known or cell_len(value[:2000]) <= value_room(look, depth, 30):
        return
    for start, end in _last_lines(value, look.text_cells, MOST_LINES):
        yield Row(pointer=pointer, depth=depth, value=value, change=change,
                  piece=(start, end))  # fmt: skip


def _last_lines(text: str, cells: int, most: int) -> list[tuple[int, int]]:
    """The last lines of a text, each as long as fits. Looks at the end only."""
    near = max(0, len(text) - cells * most)
    head = text.rfind("\n", 0, near) + 1
    # Lines break at the same places however long the text grows.
    start = head + (near - head) // cells * cells
    found: list[tuple[int, int]] = []
    at = start
    while at < len(text):
        feed = text.find("\n", at, at + cells)
        end = feed + 1 if feed >= 0 else min(len(text), at + cells)
        while end > at + 1 and cell_len(text[at:end].rstrip("\n")) > cells:
            end -= 1
        found.append((at, end))
        at = end
    return found[-most:]


def value_room(look: Look, depth: int, key_cells: int) -> int:
    """Cells for a value behind a key."""
    begin = max(look.value_at, MARK_CELLS + depth * 2 + 2 + key_cells + 1)
    return max(6, look.cells - min(begin, look.value_at))


# --- Drawing --------------------------------------------------------------------------


def draw_row(row: Row, look: Look) -> Line:
    """One row as a line that fits."""
    spans = _row_spans(row, look)
    return tuple(clip(spans, look.cells, signs_for(look.symbols).ellipsis))


def _row_spans(row: Row, look: Look) -> Line:
    signs = signs_for(look.symbols)
    glyph, ink = _mark(row, signs)
    indent = min(row.depth * 2, look.cells // 3)
    if row.gap:
        rule = look.symbols.rule * 2
        return (Span(" " * (MARK_CELLS + indent + 2)),
                Span(f"{rule} {row.gap:,} more {rule}", "faint"))  # fmt: skip
    if row.piece is not None:
        return (Span(" " * (MARK_CELLS + 4)), *_piece(row, look))
    is_watched = row.pointer in look.watched
    mark = [Span(signs.stop if is_watched else " ", "bad"), Span(glyph, ink)]
    fold = " "
    if row.is_container and row.value:
        fold = look.symbols.unfolded if row.is_open else look.symbols.folded
    key_room = max(6, look.cells - indent - 12)
    key = spans_of(_clip(row.key, key_room, signs), ink if row.change else "")
    spans = [*mark, Span(" " * indent), Span(fold, "dim", FOLD), Span(" "), *key]
    pad = max(1, look.value_at - cells_of(spans))
    spans.append(Span(" " * pad))
    room = max(4, look.cells - cells_of(spans))
    return (*spans, *_value(row, look, room))


def _mark(row: Row, signs: Signs) -> tuple[str, str]:
    """Glyph and ink of what the event did here."""
    if row.change is not None:
        return {
            "added": (signs.added, "good bold"),
            "changed": (signs.changed, "warn bold"),
            "extended": (signs.extended, "info bold"),
        }[row.change.kind]
    if row.has_changes and not row.is_open:
        return signs.changed, "warn"
    return " ", ""


def _value(row: Row, look: Look, room: int) -> list[Span]:
    value, signs = row.value, signs_for(look.symbols)
    if isinstance(value, str):
        return _text(row, value, look, room)
    if isinstance(value, dict):
        words = f"{{{_counted(len(value), 'field')}}}"
        return [Span(_clip(words, room, signs), "dim")]
    if isinstance(value, list):
        return [Span(_clip(f"[{_counted(len(value), 'item')}]", room, signs), "dim")]
    ink = "word" if value is None or isinstance(value, bool) else "number"
    return [Span(_clip(json.dumps(value), room, signs), ink)]


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _text(row: Row, value: str, look: Look, room: int) -> list[Span]:
    """A string on its row: whole, its beginning, or its new end."""
    symbols, signs = look.symbols, signs_for(look.symbols)
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
        words = f"{grown} {signs.ellipsis}" if grown else signs.ellipsis
        return [Span(words, "info"), Span(f"{length} chars", "dim")]
    head = spans_of(_escaped(value[: room + 1]), "string")
    fitted = _fit(head, room - len(length) - 3, signs)
    return [Span('"', "string"), *fitted, Span('"', "string"), Span(length, "dim")]


def _quoted(value: str, change: Change | None) -> list[Span]:
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


def _piece(row: Row, look: Look) -> list[Span]:
    """A line of a text that grows."""
    assert row.piece is not None
    start, end = row.piece
    change, value = row.change, row.value
    at = change.start if change is not None and change.kind == "extended" else 0
    cut = min(max(at, start), end)
    spans = [
        *spans_of(value[start:cut].rstrip("\n"), "string"),
        *spans_of(value[cut:end].rstrip("\n"), "good bold underline"),
    ]
    if end == len(value):
        spans.append(Span(signs_for(look.symbols).end, "accent"))
    return spans


def _escaped(text: str) -> str:
    r"""As JSON spells it, without the quotes: a line feed is `\n`."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _clip(text: str, room: int, signs: Signs) -> str:
    if cell_len(text) <= room:
        return text
    return text[: max(0, room - 1)] + signs.ellipsis


def _fit(spans: Sequence[Span], room: int, signs: Signs) -> list[Span]:
    kept: list[Span] = []
    left = max(1, room)
    for span in spans:
        size = cell_len(span.text)
        if size <= left:
            kept.append(span)
            left -= size
            continue
        text = span.text[: max(0, left - 1)]
        while cell_len(text) > left - 1 and text:
            text = text[:-1]
        kept.append(Span(text + signs.ellipsis, span.ink))
        break
    return kept


def row_of(rows: Sequence[Row], pointer: str) -> int | None:
    """The row of a value, or of the nearest one around it."""
    best: tuple[int, int] | None = None
    for index, row in enumerate(rows):
        if row.piece is not None or not row.pointer:
            continue
        if row.pointer == pointer:
            return index
        if pointer.startswith(row.pointer + "/"):
            size = len(row.pointer)
            if best is None or size > best[0]:
                best = (size, index)
    return best[1] if best else None


def main_change(frame: Frame) -> Change | None:
    """The change that an event is about: the most telling, of several the last that
    lengthened something."""

    def weight(change: Change) -> tuple[int, int]:
        return ORDER.index(change.effect), 0 if change.kind == "extended" else 1

    return min(frame.changes, key=weight, default=None)
