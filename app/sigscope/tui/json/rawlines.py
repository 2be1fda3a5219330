"""Bytes as rows: lines with numbers, broken or not, or hex with offsets."""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.search.text import PIECE, Found, Query
from sigscope.tui.json.lineindex import NO_WRAP, LineIndex
from sigscope.tui.json.rowroom import RowRoom
from sigscope.tui.json.rows import clip, hex_spans
from sigscope.tui.json.twigs import HexLines
from sigscope.tui.json.visible import spans_of, spans_of_bytes
from sigscope.tui.lines import Line, Span, highlit
from sigscope.utf8 import to_bytes

_HEX_WIDTHS = (32, 16, 8, 4)


class RawLines:
    """Rows of a message: what is told of it, and its bytes. Plain Python."""

    def __init__(self) -> None:
        self.head: tuple[str, ...] = ()
        """What is told of the message around the bytes."""
        self.data = b""
        self._lines = LineIndex(b"")
        self._hex = HexLines(b"", 16)
        self.wraps = True
        self.is_hex = False

    def show(self, data: bytes, head: tuple[str, ...]) -> bool:
        """Show other bytes, laid out by `lay`. False if they are the same."""
        is_other = data is not self.data
        self.head, self.data = head, data
        if is_other:
            self._lines = LineIndex(data)
        return is_other

    def lay(self, cells: int) -> None:
        """Break lines for a width."""
        if self.is_hex:
            per_row = next((n for n in _HEX_WIDTHS if 10 + 4 * n <= cells), 4)
            self._hex = HexLines(self.data, per_row)
        else:
            room = cells - self._number_cells - 1
            self._lines.wrap(max(4, room) if self.wraps else NO_WRAP)

    @property
    def is_sideways(self) -> bool:
        """Whether there may be more at the right, a byte for a cell."""
        return not self.wraps and not self.is_hex

    @property
    def widest(self) -> int:
        """Cells of the longest line that is not broken."""
        return self._number_cells + self._lines.longest

    @property
    def _number_cells(self) -> int:
        return len(str(self._lines.lines)) + 1

    # --- Rows ------------------------------------------------------------------------

    @property
    def _body(self) -> HexLines | LineIndex:
        return self._hex if self.is_hex else self._lines

    @property
    def row_count(self) -> int:
        """Head and body."""
        return len(self.head) + len(self._body)

    def line(self, row: int, room: RowRoom) -> Line:
        """One row, from the column that is scrolled to."""
        if row < len(self.head):
            head = spans_of(self.head[row], "dim")
            return tuple(clip(head, room.cells, room.symbols.ellipsis))
        row -= len(self.head)
        if self.is_hex:
            piece = self._hex[row]
            return hex_spans(piece.start, piece.data, room.symbols, self._hex.width)
        return self._text_line(row, room)

    def _text_line(self, row: int, room: RowRoom) -> Line:
        piece = self._lines[row]
        digits = self._number_cells - 1
        number = f"{piece.line:>{digits}} " if piece.is_first else " " * (digits + 1)
        start, end = piece.start, piece.end
        fed = self.data[end - 1 : end] == b"\n"
        end -= fed
        if not self.wraps:
            start = min(self._on_character(start + room.left), end)
            end = min(end, start + room.cells)
        spans = spans_of_bytes(self.data[start:end], ascii_only=room.symbols.ascii)
        tail = [Span(room.symbols.line_end, "faint")] if fed else []
        return (Span(number, "faint"), *highlit([*spans, *tail], room.found))

    def _on_character(self, at: int) -> int:
        while at < len(self.data) and self.data[at] & 0xC0 == 0x80:
            at += 1
        return at

    # --- Places ----------------------------------------------------------------------

    def offset(self, row: int) -> int | None:
        """Offset of the first byte in a row; None in the head."""
        row -= len(self.head)
        return self._body[row].start if 0 <= row < len(self._body) else None

    def bytes_of(self, row: int) -> bytes:
        """What stands in a row, without the line end."""
        if row < len(self.head):
            return to_bytes(self.head[row])
        row -= len(self.head)
        if row >= len(self._body):
            return b""
        if self.is_hex:
            return self._hex[row].data
        piece = self._lines[row]
        return self.data[piece.start : piece.end].rstrip(b"\r\n")

    def row_at(self, offset: int) -> int:
        """The row that holds a byte."""
        if self.is_hex:
            row = min(offset // self._hex.width, max(0, len(self._hex) - 1))
        else:
            row = self._lines.row_at(offset)
        return len(self.head) + row

    def hits(self, query: Query) -> Iterator[Found]:
        """Places in the bytes."""
        data, size = self.data, max(1, len(self.data))
        for start in range(0, size, PIECE):
            stop = min(start + PIECE, len(data))
            reach = min(stop + 4096, len(data))
            starts = [
                match.start()
                for match in query.in_bytes.finditer(data, start, reach)
                if match.start() < stop and match.end() > match.start()
            ]
            yield stop / size, [(at, at) for at in starts]
