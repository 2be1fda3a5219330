"""Widgets of the step-through screen: events, message, client."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import var
from textual.strip import Strip

from sigscope.stepthrough.mainstream import Kept, MainstreamReader
from sigscope.stepthrough.player import PlayerFrame
from sigscope.tui.json.events import EventList
from sigscope.tui.json.rowview import RowView
from sigscope.tui.lines import Line
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
from sigscope.tui.stepthrough.client import Room, lay_client
from sigscope.tui.stepthrough.messagerow import FOLD, draw_row
from sigscope.tui.views.palette import Palette


class StepEvents(EventList):
    """The events of the response; those to come are faint."""

    HELP = "The events of the response. The cursor is the event you stand at."

    def row_line(self, row: int) -> Line:
        spans = super().row_line(row)
        if row <= self.cursor:
            return spans
        return tuple(replace(span, ink="faint") for span in spans)

    def watch_cursor(self, old: int, new: int) -> None:
        """What was to come has come; what was drawn otherwise is drawn again."""
        first, last = min(old, new), max(old, new)
        if last - first > self.view_rows:
            self.refresh()
        else:
            for row in range(first, last + 1):
                self._strips.pop(row, None)
            self.refresh_lines(first, last - first + 1)
        self.show_cursor()


class MessageList(RowView):
    """The message assembled so far."""

    HELP = (
        "The message as it stands after this event. Marked at the left: + what the"
        " event added, ~ what it changed, › what it lengthened. Ask a field which"
        " event wrote it with {stepping.author}; stop when it changes with"
        " {stepping.watch}. {stepping.unfold} unfolds what is folded, a long text into"
        " its lines too."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w,enter", "ask(1)", "Who wrote it", id="stepping.author",
                tooltip="Go to the event that wrote this field; again: the next one"),
        Binding("W", "ask(-1)", "Who wrote this, backwards", False,
                id="stepping.author-back",
                tooltip="Go to the last event that wrote this field; again: the one"
                " before"),
        Binding("B", "watch", "Break here", id="stepping.watch",
                tooltip="Set or remove a breakpoint on this value"),
        Binding("h,left", "fold", "Fold", False, id="stepping.fold", tooltip="Fold"),
        Binding("l,right", "unfold", "Unfold", False, id="stepping.unfold",
                tooltip="Unfold"),
    ]  # fmt: skip

    palette: var[Palette] = var(Palette(), init=False)

    @dataclass
    class Asked(Message):
        """The user asks a field which event wrote it."""

        pointer: str
        way: int

    @dataclass
    class Watched(Message):
        """The user wants to stop when a value changes, or no longer."""

        pointer: str

    @dataclass
    class Moved(Message):
        """The cursor is on another row."""

        pointer: str

    @dataclass
    class Hit(Message):
        """The user clicked something that means something of its own."""

        target: str

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._frame: PlayerFrame | None = None
        self._rows: list[AssembledRow] = []
        self._folded: set[str] = set()
        self._opened: set[str] = set()
        self._reached: frozenset[str] = frozenset()
        self._breaks = Breaks()
        self._known: dict[str, str] = {}
        self._watched: frozenset[str] = frozenset()
        self._is_held = False
        """Whether the user has chosen a row, so that the cursor does not follow."""

    # --- What is shown ---------------------------------------------------------------

    def show(self, frame: PlayerFrame | None, note: str = "") -> None:
        """Show the message after an event. The cursor goes to what it changed, unless
        the user has put it somewhere."""
        with self.alike():
            self._show(frame, note)

    def _show(self, frame: PlayerFrame | None, note: str) -> None:
        here = self.here
        self._frame, self.note = frame, note
        self._rebuild()
        change = main_change(frame) if frame is not None else None
        if change is None or self._is_held:
            self._put(*here)
        else:
            # Of a text that is unfolded, the end is what is new.
            is_open = change.pointer in self._opened
            self._put(change.pointer, change.end - 1 if is_open else None)

    def know(self, known: dict[str, str]) -> None:
        """The signatures of this response by their text."""
        self._known = known
        self._folded.clear()
        self._opened.clear()
        self._reached = frozenset()
        self._breaks.forget()
        self._is_held = False

    def watch_for(self, pointers: frozenset[str]) -> None:
        """Mark values with a breakpoint."""
        self._watched = pointers
        self.refresh()

    def _rebuild(self) -> None:
        self._rows = []
        if self._frame is not None:
            folds = Folds(
                folded=self._folded, opened=self._opened, reached=self._reached
            )
            self._rows = assembled_rows(self._frame, self._look, folds)
        self.refresh_rows()

    def _put(self, pointer: str | None, offset: int | None = None) -> None:
        row = row_of(self._rows, pointer, offset) if pointer else None
        if row is None:
            row = min(self.cursor, max(0, len(self._rows) - 1))
        self.set_reactive(RowView.cursor, row)
        last = row
        while last + 1 < len(self._rows) and self._rows[last + 1].piece is not None:
            last += 1
        top, room = self.scroll_offset.y, self.view_rows
        if row < top or last >= top + room:
            aim = max(0, min(row, last - room + 1)) if row >= top else row
            self.scroll_to(y=aim, animate=False, force=True)

    @property
    def _look(self) -> AssembledLook:
        return AssembledLook(
            symbols=self.symbols,
            cells=self.view_cells,
            known=self._known,
            palette=self.palette,
            watched=self._watched,
            breaks=self._breaks,
        )

    def relaid(self) -> None:
        """Texts are broken anew; the cursor stays on its field."""
        here = self.here
        self._rebuild()
        self._put(*here)

    # --- Rows ------------------------------------------------------------------------

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def row_line(self, row: int) -> Line:
        return tuple(self.highlit(draw_row(self._rows[row], self._look)))

    @property
    def rows(self) -> list[AssembledRow]:
        return self._rows

    @property
    def pointer(self) -> str | None:
        """The field under the cursor."""
        if 0 <= self.cursor < len(self._rows):
            return self._rows[self.cursor].pointer or None
        return None

    @property
    def here(self) -> tuple[str | None, int | None]:
        """The field under the cursor, and the character its line begins with."""
        if not 0 <= self.cursor < len(self._rows):
            return None, None
        row = self._rows[self.cursor]
        return row.pointer or None, row.piece[0] if row.piece else None

    def select(self, pointer: str) -> bool:
        """Put the cursor on a field, and keep it there. False if it is not there."""
        row = row_of(self._rows, pointer)
        if row is None:
            return False
        self._is_held = True
        self.cursor = row
        self.refresh()
        return self._rows[row].pointer == pointer

    def reveal(self, pointer: str, offset: int | None = None) -> None:
        """Unfold down to a field, or to a character of its text, and go there."""
        self._is_held = True
        self._folded -= {pointer, *above(pointer)}
        self._reached = frozenset({pointer})
        self._rebuild()
        row = row_of(self._rows, pointer)
        if offset is not None and row is not None and self._rows[row].may_open:
            self._opened.add(pointer)
            self._rebuild()
        self._put(pointer, offset)
        self.show_cursor(middle=True)
        self.refresh()
        self.post_message(self.Moved(pointer))

    def release(self) -> None:
        """Let the cursor follow the changes again."""
        self._is_held = False

    def moved(self) -> None:
        """The user chose a row: it stays chosen."""
        self._is_held = True
        self.refresh()
        self.post_message(self.Moved(self.pointer or ""))

    # --- Actions ---------------------------------------------------------------------

    def action_ask(self, way: int) -> None:
        """Ask the field which event wrote it."""
        if self.pointer:
            self._is_held = True
            self.post_message(self.Asked(self.pointer, way))

    def action_watch(self) -> None:
        """Stop when it changes."""
        if self.pointer:
            self.post_message(self.Watched(self.pointer))

    def action_fold(self) -> None:
        """Fold what is under the cursor, or go to what is around."""
        pointer = self.pointer
        row = row_of(self._rows, pointer) if pointer else None
        if pointer is None or row is None:
            return
        if pointer in self._opened:
            self._opened.discard(pointer)
        elif self._rows[row].is_open:
            self._folded.add(pointer)
        else:
            outside = row_of(self._rows, pointer.rpartition("/")[0])
            if outside is not None:
                self.put_cursor(outside)
            return
        self._rebuild()
        self._put(pointer)

    def action_unfold(self) -> None:
        """Unfold what is under the cursor, a long text too."""
        pointer = self.pointer
        row = row_of(self._rows, pointer) if pointer else None
        if pointer is None or row is None:
            return
        if pointer in self._folded:
            self._folded.discard(pointer)
        elif self._rows[row].may_open and not self._rows[row].is_container:
            self._opened.add(pointer)
        else:
            return
        self._rebuild()

    def hit(self, row: int, target: Any, chain: int) -> None:
        """A click on the marker folds, on a signature follows it, twice asks."""
        if target == FOLD:
            if self._rows[row].is_open:
                self.action_fold()
            else:
                self.action_unfold()
        elif target is not None:
            self.post_message(self.Hit(str(target)))
        elif chain == 2:
            self.action_ask(1)


class ClientList(RowView):
    """What a mainstream client has kept."""

    HELP = (
        "What a client has that reads only text and calls, what it never"
        " looked at, and which events its reader (httpx-sse) told it."
    )

    palette: var[Palette] = var(Palette(), init=False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._given: tuple[Kept, MainstreamReader, int] | None = None
        self._breaks = Breaks()
        self._lines: list[Line] = []

    def show(
        self,
        kept: Kept | None,
        reader: MainstreamReader | None,
        number: int,
        note: str = "",
    ) -> None:
        """Show what it has after an event; the note says why there is nothing."""
        self._given, self.note = None, note
        if kept is not None and reader is not None:
            self._given = (kept, reader, number)
        with self.alike():
            self.relaid()
            self.refresh_rows()

    def relaid(self) -> None:
        """Break the lines for the width."""
        self._lines = []
        if self._given is not None:
            kept, reader, number = self._given
            look = Room(
                symbols=self.symbols,
                palette=self.palette,
                cells=self.view_cells,
                breaks=self._breaks,
            )
            self._lines = lay_client(kept, reader, number, look)

    @property
    def row_count(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    def row_line(self, row: int) -> Line:
        return tuple(self.highlit(self._lines[row]))

    @property
    def lines(self) -> list[Line]:
        return self._lines

    def _paint_row(self, row: int, spans: Line, cells: int) -> Strip:
        """There is nothing to choose: the cursor only scrolls."""
        return self.paint(spans, cells)
