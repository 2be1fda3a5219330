"""The message assembled so far, as rows: what is folded and chosen in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sigscope.stepthrough.player import PlayerFrame
from sigscope.tui.json.rowroom import RowRoom
from sigscope.tui.lines import Line, highlit
from sigscope.tui.stepthrough.assembled import (
    AssembledLook,
    AssembledRow,
    Folds,
    above,
    assembled_rows,
    main_change,
    row_of,
)
from sigscope.tui.stepthrough.breaks import Breaks
from sigscope.tui.stepthrough.messagerow import draw_row
from sigscope.tui.symbols import UNICODE, Symbols
from sigscope.tui.views.palette import Palette


class MessageModel:
    """Plain Python; `MessageList` paints it."""

    def __init__(self) -> None:
        self.look = AssembledLook(symbols=UNICODE, cells=1)
        self.rows: list[AssembledRow] = []
        self.row = 0
        """The one that is chosen."""
        self._frame: PlayerFrame | None = None
        self._folded: set[str] = set()
        self._opened: set[str] = set()
        self._reached: frozenset[str] = frozenset()
        self._is_held = False
        """Whether the user has chosen a row, so that it does not follow the changes."""

    # --- What is shown ---------------------------------------------------------------

    def know(self, known: Mapping[str, str]) -> None:
        """Another response; its signatures by their text."""
        self.look = replace(self.look, known=known, breaks=Breaks())
        self._folded, self._opened, self._reached = set(), set(), frozenset()
        self._is_held = False

    def show(self, frame: PlayerFrame | None) -> None:
        """Show the message after an event, and choose what it changed, unless the user
        has chosen something."""
        here, self._frame = self.here, frame
        self._rebuild()
        change = main_change(frame) if frame is not None else None
        if change is None or self._is_held:
            self._put(*here)
        else:
            # Of a text that is unfolded, the end is what is new.
            is_open = change.pointer in self._opened
            self._put(change.pointer, change.end - 1 if is_open else None)

    def lay(self, cells: int, symbols: Symbols, palette: Palette) -> None:
        """Break texts anew; what is chosen stays."""
        here = self.here
        self.look = replace(self.look, cells=cells, symbols=symbols, palette=palette)
        self._rebuild()
        self._put(*here)

    def watch(self, pointers: frozenset[str]) -> None:
        """Mark values with a breakpoint."""
        self.look = replace(self.look, watched=pointers)

    def _rebuild(self) -> None:
        folds = Folds(folded=self._folded, opened=self._opened, reached=self._reached)
        frame = self._frame
        self.rows = assembled_rows(frame, self.look, folds) if frame else []

    def _put(self, pointer: str | None, offset: int | None = None) -> None:
        row = row_of(self.rows, pointer, offset) if pointer else None
        last = max(0, len(self.rows) - 1)
        self.row = min(self.row, last) if row is None else row

    # --- Rows ------------------------------------------------------------------------

    @property
    def row_count(self) -> int:
        return len(self.rows)

    def line(self, row: int, room: RowRoom) -> Line:
        """A row as it was laid."""
        return tuple(highlit(draw_row(self.rows[row], self.look), room.found))

    @property
    def _chosen(self) -> AssembledRow | None:
        return self.rows[self.row] if 0 <= self.row < len(self.rows) else None

    @property
    def last(self) -> int:
        """The last line of the text that is chosen, or its row."""
        last = self.row
        while last + 1 < len(self.rows) and self.rows[last + 1].piece is not None:
            last += 1
        return last

    @property
    def pointer(self) -> str | None:
        """The field that is chosen."""
        return (self._chosen and self._chosen.pointer) or None

    @property
    def here(self) -> tuple[str | None, int | None]:
        """The field that is chosen, and the character its line begins with."""
        piece = self._chosen.piece if self._chosen else None
        return self.pointer, piece[0] if piece else None

    # --- Choosing --------------------------------------------------------------------

    def choose(self, row: int) -> None:
        """The user has chosen a row: it stays chosen."""
        self.row, self._is_held = row, True

    def select(self, pointer: str) -> bool:
        """Choose a field, or what it is folded in. False if it is not in sight."""
        row = row_of(self.rows, pointer)
        if row is None:
            return False
        self.choose(row)
        return self.rows[row].pointer == pointer

    def reveal(self, pointer: str, offset: int | None = None) -> None:
        """Unfold down to a field, or to a character of its text, and choose it."""
        self._is_held = True
        self._folded -= {pointer, *above(pointer)}
        self._reached = frozenset({pointer})
        self._rebuild()
        row = row_of(self.rows, pointer)
        if offset is not None and row is not None and self.rows[row].may_open:
            self._opened.add(pointer)
            self._rebuild()
        self._put(pointer, offset)

    def fold(self) -> int | None:
        """Fold what is chosen; where nothing is to fold, the row of what is around."""
        pointer = self.pointer
        row = row_of(self.rows, pointer) if pointer else None
        if pointer is None or row is None:
            return None
        if pointer in self._opened:
            self._opened.discard(pointer)
        elif self.rows[row].is_open:
            self._folded.add(pointer)
        else:
            return row_of(self.rows, pointer.rpartition("/")[0])
        self._rebuild()
        self._put(pointer)
        return None

    def unfold(self) -> None:
        """Unfold what is chosen, a long text too."""
        pointer = self.pointer
        row = row_of(self.rows, pointer) if pointer else None
        if pointer is None or row is None:
            return
        if pointer in self._folded:
            self._folded.discard(pointer)
        elif self.rows[row].may_open and not self.rows[row].is_container:
            self._opened.add(pointer)
        self._rebuild()
