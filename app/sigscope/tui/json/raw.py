"""The bytes of a request or a response, as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from sigscope.search.text import PIECE, Found, Query
from sigscope.tui.json.copies import Copied
from sigscope.tui.json.lineindex import NO_WRAP, LineIndex
from sigscope.tui.json.rows import clip, hex_spans
from sigscope.tui.json.rowview import RowView
from sigscope.tui.json.twigs import HexLines
from sigscope.tui.json.visible import spans_of, spans_of_bytes
from sigscope.tui.lines import Line, Span
from sigscope.utf8 import readable, to_bytes

_HEX_WIDTHS = (32, 16, 8, 4)


class RawView(RowView):
    """Lines with numbers, wrapped or not, or hex with offsets."""

    NAME = "in the bytes"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "wrap", "Wrap", id="json.wrap", tooltip="Break long lines"),
        Binding("t", "hex", "Text or hex", id="json.hex",
                tooltip="Show the bytes as text, or as hex digits"),
        Binding("enter", "choose", "Show in the tree", False, id="json.raw-choose",
                tooltip="Show the field, or the event, that stands here"),
        Binding("l,right", "aside(8)", "Right", False, id="json.right",
                tooltip="Scroll to the right"),
        Binding("h,left", "aside(-8)", "Left", False, id="json.left",
                tooltip="Scroll to the left"),
    ]  # fmt: skip

    class Moved(Message):
        """The user moved to another row."""

    class Chosen(Message):
        """The user wants to see what stands here."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._head: tuple[str, ...] = ()
        self._data = b""
        self._lines = LineIndex(b"")
        self._hex = HexLines(b"", 16)
        self.wraps = True
        self.is_hex = False

    def show(self, data: bytes, head: tuple[str, ...] = (), note: str = "") -> None:
        """Show other bytes; `head` is what is told of the message around them."""
        self.note = note
        is_same = data is self._data
        self._head, self._data = head, data
        if not is_same:
            self._lines = LineIndex(data)
            self.set_reactive(RowView.cursor, 0)
            self.scroll_to(x=0, y=0, animate=False, force=True)
        self.relaid()
        self.refresh_rows()

    # --- Rows ------------------------------------------------------------------------

    def relaid(self) -> None:
        """Lines are broken anew."""
        offset = self.offset_under_cursor
        cells = self.view_cells
        if self.is_hex:
            per_row = next((n for n in _HEX_WIDTHS if 10 + 4 * n <= cells), 4)
            self._hex = HexLines(self._data, per_row)
        else:
            room = cells - self._number_cells - 1
            self._lines.wrap(max(4, room) if self.wraps else NO_WRAP)
        if offset is not None:
            self.set_reactive(RowView.cursor, self.row_at(offset))

    @property
    def _number_cells(self) -> int:
        return len(str(self._lines.lines)) + 1

    @property
    def _body_rows(self) -> int:
        return len(self._hex) if self.is_hex else len(self._lines)

    @property
    def row_count(self) -> int:
        """Head and body."""
        return len(self._head) + self._body_rows

    def refresh_rows(self) -> None:
        """Unwrapped text scrolls sideways, a byte for a cell."""
        super().refresh_rows()
        if not self.wraps and not self.is_hex:
            wide = self._number_cells + self._lines.longest
            self.set_extent(Size(max(self.view_cells, wide), self.row_count))

    def row_line(self, row: int) -> Line:
        """One row, from the column that is scrolled to."""
        if row < len(self._head):
            text = self._head[row]
            return tuple(
                clip(spans_of(text, "dim"), self.view_cells, self.symbols.ellipsis)
            )
        row -= len(self._head)
        if self.is_hex:
            piece = self._hex[row]
            return hex_spans(piece.start, piece.data, self.symbols, self._hex.width)
        return self._text_line(row)

    def _text_line(self, row: int) -> Line:
        piece = self._lines[row]
        digits = self._number_cells - 1
        number = f"{piece.line:>{digits}} " if piece.is_first else " " * (digits + 1)
        start, end = piece.start, piece.end
        fed = self._data[end - 1 : end] == b"\n"
        end -= fed
        if not self.wraps:
            start = min(self._on_character(start + self.scroll_offset.x), end)
            end = min(end, start + self.view_cells)
        spans = spans_of_bytes(self._data[start:end], ascii_only=self.symbols.ascii)
        tail = [Span(self.symbols.line_end, "faint")] if fed else []
        return (Span(number, "faint"), *self.highlit([*spans, *tail]))

    def _on_character(self, at: int) -> int:
        while at < len(self._data) and self._data[at] & 0xC0 == 0x80:
            at += 1
        return at

    def render_line(self, y: int) -> Strip:
        """The rows take care of scrolling sideways themselves."""
        cells = self.size.width
        row = y + self.scroll_offset.y
        if row >= self.row_count:
            return super().render_line(y)
        spans = clip(self.row_line(row), cells, self.symbols.ellipsis)
        return self._paint_row(row, tuple(spans), cells)

    # --- Places ----------------------------------------------------------------------

    @property
    def data(self) -> bytes:
        """The bytes shown."""
        return self._data

    @property
    def offset_under_cursor(self) -> int | None:
        """Offset of the first byte in the row of the cursor; None in the head."""
        row = self.cursor - len(self._head)
        if not 0 <= row < self._body_rows:
            return None
        return self._hex[row].start if self.is_hex else self._lines[row].start

    @property
    def row_under_cursor(self) -> bytes:
        row = self.cursor - len(self._head)
        if row < 0:
            return to_bytes(self._head[self.cursor])
        if not row < self._body_rows:
            return b""
        if self.is_hex:
            return self._hex[row].data
        piece = self._lines[row]
        return self._data[piece.start : piece.end].rstrip(b"\r\n")

    def row_at(self, offset: int) -> int:
        """The row that holds a byte."""
        if self.is_hex:
            row = min(offset // self._hex.width, max(0, len(self._hex) - 1))
        else:
            row = self._lines.row_at(offset)
        return len(self._head) + row

    def go_to(self, offset: int) -> None:
        """Move to a byte, without telling."""
        row = self.row_at(offset)
        if row != self.cursor:
            self.set_reactive(RowView.cursor, row)
            self.show_cursor(middle=True)
        if not self.wraps and not self.is_hex:
            piece = self._lines[row - len(self._head)]
            self.scroll_to(
                x=max(0, offset - piece.start - 10), animate=False, force=True
            )
        self.refresh()

    def hits(self, query: Query) -> Iterator[Found]:
        """Places in the bytes."""
        data, size = self._data, max(1, len(self._data))
        for start in range(0, size, PIECE):
            stop = min(start + PIECE, len(data))
            reach = min(stop + 4096, len(data))
            starts = [
                match.start()
                for match in query.in_bytes.finditer(data, start, reach)
                if match.start() < stop and match.end() > match.start()
            ]
            yield stop / size, [(at, at) for at in starts]

    @property
    def searched_from(self) -> int:
        """Offset of the row of the cursor."""
        return self.offset_under_cursor or 0

    def reveal_hit(self, hit: Any) -> None:
        """Move to a byte."""
        self.go_to(hit)

    def copied(self, what: str) -> Copied | None:
        """The row, or its offset."""
        text = (
            str(self.searched_from)
            if what == "path"
            else readable(self.row_under_cursor)
        )
        return Copied(text, f"{what} at byte {self.searched_from}")

    def moved(self) -> None:
        """Tell the pane."""
        self.post_message(self.Moved())

    # --- Actions ---------------------------------------------------------------------

    def action_choose(self) -> None:
        """Show the field, or the event, that stands here."""
        self.post_message(self.Chosen())

    def hit(self, row: int, target: Any, chain: int) -> None:
        """A double click is like enter."""
        if chain == 2:
            self.action_choose()

    def action_wrap(self) -> None:
        """Break long lines, or not."""
        offset = self.offset_under_cursor
        self.wraps = not self.wraps
        self.is_hex = False
        self._again(offset)

    def action_hex(self) -> None:
        """As hex digits, or as text."""
        offset = self.offset_under_cursor
        self.is_hex = not self.is_hex
        self._again(offset)

    def _again(self, offset: int | None) -> None:
        self.relaid()
        if offset is not None:
            self.set_reactive(RowView.cursor, self.row_at(offset))
        self.refresh_rows()
        self.scroll_to(x=0, animate=False, force=True)
        self.show_cursor(middle=True)

    def action_aside(self, by: int) -> None:
        """Scroll sideways."""
        if not self.wraps and not self.is_hex:
            self.scroll_to(
                x=max(0, self.scroll_offset.x + by), animate=False, force=True
            )
