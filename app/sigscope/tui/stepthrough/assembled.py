"""The assembled message as rows: what the event changed is marked. Pure.

    + ▾ tool_calls                [1 item]
    +     id                      "call_MHxR…"
    ›     arguments               "{\"path\": \"READ▏                       14

The row of a field that this event wrote is marked at its left; of a text that grows,
the new end is shown, and its last lines where it is long; unfolded, all of its lines.
Signatures are shown by their id. Costs: at most some hundred rows, unless the user
unfolds a long text; long lists are cut to what changed and their ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field
from typing import Any

from rich.cells import cell_len

from sigscope import pointer as pointers
from sigscope.conversation import Json
from sigscope.records import dataclass
from sigscope.stepthrough.happenings import ORDER
from sigscope.stepthrough.player import FieldChange, PlayerFrame
from sigscope.tui.stepthrough.breaks import Breaks, Piece
from sigscope.tui.symbols import Symbols
from sigscope.tui.views.palette import Palette

MOST_CHILDREN = 60
"""Members of a container that are shown; of more, the ends and what changed."""
ENDS = 12
"""Of a long container, so many at either end."""
MOST_LINES = 6
"""Lines of a text that grows."""
MOST_OPEN = 5000
"""Lines of a text that the user has unfolded; of more, the last ones."""
MARK_CELLS = 2
"""The column of marks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssembledRow:
    pointer: str
    """Of the value it shows, or that it is a line of; empty for a gap."""
    depth: int = 0
    key: str = ""
    value: Any = None
    is_container: bool = False
    may_open: bool = False
    """Whether there is more to show than stands in the row."""
    is_open: bool = False
    change: FieldChange | None = None
    """What the event did to this very value."""
    has_changes: bool = False
    """Whether the event changed something inside."""
    piece: tuple[int, int] | None = None
    """For a further line of a text: the characters it shows."""
    gap: int = 0
    """How many rows are left out here."""


@dataclass(frozen=True, kw_only=True)
class AssembledLook:
    """What rows are drawn with."""

    symbols: Symbols
    cells: int
    known: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of the signatures of this response, by their text."""
    palette: Palette = field(default_factory=Palette)
    watched: AbstractSet[str] = frozenset()
    """Pointers with a breakpoint."""
    breaks: Breaks = field(default_factory=Breaks)
    """Where lines of long texts break; kept from event to event."""

    @property
    def value_at(self) -> int:
        """The cell at which values begin where keys leave room."""
        return min(30, max(12, self.cells * 2 // 5))

    @property
    def text_cells(self) -> int:
        """Cells for a line of a text that grows."""
        return max(8, self.cells - MARK_CELLS - 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Folds:
    """What the user has folded and unfolded, by pointer."""

    folded: AbstractSet[str] = frozenset()
    """Containers."""
    opened: AbstractSet[str] = frozenset()
    """Long texts."""
    reached: AbstractSet[str] = frozenset()
    """Values to be shown though they stand in the middle of a long list."""


def assembled_rows(
    frame: PlayerFrame, look: AssembledLook, folds: Folds | None = None
) -> list[AssembledRow]:
    grower = _Grower(frame, look, folds or Folds())
    if isinstance(frame.body, dict):
        grower.grow(frame.body, "", 0)
    return grower.rows


def above(pointer: str) -> Iterator[str]:
    """The pointers around one, the nearest first."""
    while pointer:
        pointer = pointer.rpartition("/")[0]
        yield pointer


class _Grower:
    """Makes the rows of one frame."""

    def __init__(self, frame: PlayerFrame, look: AssembledLook, folds: Folds) -> None:
        self.rows: list[AssembledRow] = []
        self._look, self._folds = look, folds
        self._changes = {change.pointer: change for change in frame.changes}
        self._touched = {place for p in self._changes for place in above(p)}
        reached = {place for p in folds.reached for place in (p, *above(p))}
        self._worth = self._touched | self._changes.keys() | reached

    def grow(self, holder: Json, at: str, depth: int) -> None:
        """Rows for all that is in a container."""
        if depth > 60:
            self.rows.append(AssembledRow(pointer=at, depth=depth, gap=len(holder)))
            return
        members = list(holder.items()) if isinstance(holder, dict) else list(
            enumerate(holder))  # fmt: skip
        for key, value, gap in _shown(members, at, self._worth):
            if gap:
                self.rows.append(AssembledRow(pointer="", depth=depth, gap=gap))
            else:
                self._member(*_chained(pointers.join(at, key), str(key), value), depth)

    def _member(self, pointer: str, label: str, value: Json, depth: int) -> None:
        change = self._changes.get(pointer)
        is_container = isinstance(value, dict | list)
        pieces: list[AssembledRow] = []
        if is_container:
            may_open = bool(value)
            is_open = may_open and pointer not in self._folds.folded
        else:
            may_open = isinstance(value, str) and _is_long(value, depth, self._look)
            is_open = may_open and pointer in self._folds.opened
            if may_open and (is_open or change is not None):
                pieces = self._pieces(pointer, value, depth, is_open=is_open)
        row = AssembledRow(
            pointer=pointer,
            depth=depth,
            key=label,
            value=value,
            is_container=is_container,
            may_open=may_open,
            is_open=is_open,
            change=change,
            has_changes=pointer in self._touched,
        )
        self.rows += (row, *pieces)
        if is_container and is_open:
            self.grow(value, pointer, depth + 1)

    def _pieces(
        self, pointer: str, text: str, depth: int, *, is_open: bool
    ) -> list[AssembledRow]:
        """Further lines of a text that does not fit its row: all of them, or of one
        that grows the last ones. A signature has none until it is unfolded."""
        look, change = self._look, self._changes.get(pointer)
        if not is_open and text in look.known:
            return []
        lines = look.breaks.lines(pointer, text, look.text_cells)
        most = MOST_OPEN if is_open else MOST_LINES
        found = [
            AssembledRow(
                pointer=pointer, depth=depth, value=text, change=change, piece=piece
            )
            for piece in _without_blank_ends(lines[-most:], text)
        ]
        if is_open and len(lines) > most:
            found.insert(
                0, AssembledRow(pointer="", depth=depth, gap=len(lines) - most)
            )
        return found


def _without_blank_ends(lines: list[Piece], text: str) -> list[Piece]:
    """Line feeds at the end of a text as part of its last line, which shows them; no
    blank line before the first word either."""
    first, last = 0, len(lines)
    while first < last and text[slice(*lines[first])].isspace():
        first += 1
    while last > first + 1 and not text[slice(*lines[last - 1])].strip("\n"):
        last -= 1
    kept = lines[first:last]
    if last < len(lines):
        kept[-1] = (kept[-1][0], len(text))
    return kept


def _is_long(text: str, depth: int, look: AssembledLook) -> bool:
    """Whether a text does not fit its row."""
    if text in look.known:
        return True
    return cell_len(text[:2000]) > value_room(look, depth, 30)


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
    members: list[tuple[Any, Any]], at: str, worth: AbstractSet[str]
) -> Iterator[tuple[Any, Any, int]]:
    """Members to show, and the sizes of the gaps between them."""
    if len(members) <= MOST_CHILDREN:
        for key, value in members:
            yield key, value, 0
        return
    left_out = 0
    for index, (key, value) in enumerate(members):
        near_end = index < ENDS or index >= len(members) - ENDS
        if near_end or pointers.join(at, key) in worth:
            if left_out:
                yield None, None, left_out
                left_out = 0
            yield key, value, 0
        else:
            left_out += 1


def value_room(look: AssembledLook, depth: int, key_cells: int) -> int:
    """Cells for a value behind a key."""
    begin = max(look.value_at, MARK_CELLS + depth * 2 + 2 + key_cells + 1)
    return max(6, look.cells - min(begin, look.value_at))


def row_of(
    rows: Sequence[AssembledRow], pointer: str, offset: int | None = None
) -> int | None:
    """The row of a value, or of the nearest one around it; with `offset` the line that
    holds this character of the text, where its lines are shown."""
    best: tuple[int, int] | None = None
    for index, row in enumerate(rows):
        if not row.pointer:
            continue
        if row.pointer == pointer:
            begin, end = row.piece or (0, 0)
            if offset is None or begin <= offset < end:
                return index
            if best is None or best[0] < len(pointer):
                best = (len(pointer), index)
        elif row.piece is None and pointer.startswith(row.pointer + "/"):
            size = len(row.pointer)
            if best is None or size > best[0]:
                best = (size, index)
        elif best is None and row.pointer.startswith(pointer + "/"):
            best = (-1, index)  # a container with one container in it is one row
    return best[1] if best else None


def main_change(frame: PlayerFrame) -> FieldChange | None:
    """The change that an event is about: the most telling, of several the last that
    lengthened something."""

    def weight(change: FieldChange) -> tuple[int, int]:
        return ORDER.index(change.effect), 0 if change.kind == "extended" else 1

    return min(frame.changes, key=weight, default=None)
