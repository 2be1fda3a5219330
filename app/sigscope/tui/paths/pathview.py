"""The map of paths, drawn as far as it is in sight, with a cursor on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from sigscope.paths import PathLane, PlaceShape
from sigscope.records import dataclass
from sigscope.search.text import Query
from sigscope.tui.lines import Line, Look, Span, fit
from sigscope.tui.linestrips import LineStrips
from sigscope.tui.lineview import LineView
from sigscope.tui.paths.grid import NAME, PathGrid
from sigscope.tui.search import Order, SearchHit

BELOW = 3
"""Lines below the map: a rule, and two of words."""


class PathView(LineView, can_focus=True):
    """Rows are places and signatures, columns are steps; one cell has the cursor."""

    HELP = (
        "One line per signature, from the response that brought it (◆) to each request"
        " that sent it back (✓). It breaks where the signature was lost, and turns to"
        " another place where it was put there. Where a gateway was recorded too, each"
        " column holds both hops, and the line passes from one to the other."
    )
    DEFAULT_CSS = "PathView { overflow-x: hidden; scrollbar-size-vertical: 1; }"

    @dataclass
    class Moved(Message):
        """The cursor is elsewhere, by a click."""

    def __init__(self, grid: PathGrid, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._strips = LineStrips(self)
        self.grid = grid
        self.at_row = next(iter(self._lane_rows), 0)
        self.at_column = 0
        self.first = 0
        """The first column in sight."""

    @property
    def _lane_rows(self) -> list[int]:
        rows = enumerate(self.grid.rows)
        return [number for number, row in rows if isinstance(row, PathLane)]

    @property
    def lane(self) -> PathLane | None:
        """The lane under the cursor."""
        if not 0 <= self.at_row < len(self.grid.rows):
            return None
        found = self.grid.rows[self.at_row]
        return None if isinstance(found, PlaceShape) else found

    def lay(self, grid: PathGrid, lane: PathLane | None = None) -> None:
        """Show another map; the cursor goes to a lane of it."""
        self.grid = replace(grid, room=self._cells)
        self.at_row = next(iter(self._lane_rows), 0)
        if lane is not None and any(lane is row for row in grid.rows):
            self.at_row = grid.row_of(lane)
        self._show()

    def put(self, lane: PathLane, column: int) -> None:
        """Move the cursor."""
        self.at_row, self.at_column = self.grid.row_of(lane), column
        self._show()

    def move(self, rows: int = 0, columns: int = 0) -> None:
        """Move the cursor among lanes and steps."""
        lanes = self._lane_rows
        if not lanes:
            return
        place = lanes.index(self.at_row) if self.at_row in lanes else 0
        self.at_row = lanes[min(max(0, place + rows), len(lanes) - 1)]
        lane = self.lane
        if rows and lane is not None:
            self.at_column = min(max(self.at_column, lane.start), lane.end)
        most = len(self.grid.paths.columns) - 1
        self.at_column = min(max(0, self.at_column + columns), most)
        self._show()

    @property
    def _cells(self) -> int:
        """Beside the scroll bar."""
        return self.scrollable_content_region.width

    @property
    def _room(self) -> int:
        return max(1, self.size.height - 1 - BELOW)

    def _show(self) -> None:
        """Bring the cursor into sight."""
        width = self._cells
        if width:
            fits = self.grid.columns_in(width)
            low, high = self.at_column - fits + 1, self.at_column
            self.first = min(max(self.first, low), high)
            self.first = max(0, min(self.first, len(self.grid.paths.columns) - fits))
        self.virtual_size = Size(width, len(self.grid.rows) + 1 + BELOW)
        at, room = self.scroll_offset.y, self._room
        above = (
            self.at_row - 1
            if self.at_row < 2 or self._is_title(self.at_row - 1)
            else None
        )
        top = self.at_row if above is None else above
        if top < at or self.at_row >= at + room:
            target = top if top < at else self.at_row - room + 1
            self.scroll_to(y=target, animate=False, force=True)
        cells, lines = self._cells, self.size.height
        self._strips.refresh(lines, cells, self._look_of)

    def _is_title(self, row: int) -> bool:
        return isinstance(self.grid.rows[row], PlaceShape)

    def on_resize(self, event: events.Resize) -> None:
        """As many columns as fit, as wide as there is room for."""
        self.grid = replace(self.grid, room=self._cells)
        self._legend()
        self._show()

    def _legend(self) -> None:
        """What the marks mean, in the lower border."""
        self.border_subtitle = self._said or self.grid.legend

    # --- Searched --------------------------------------------------------------------

    is_lasting = False
    _said = ""
    """How the search stands; empty where nothing is searched."""

    def find(self, query: Query) -> Iterator[tuple[float, Sequence[SearchHit]]]:
        """The lanes whose id or place is meant."""
        find, rows = query.on_screen.search, enumerate(self.grid.rows)
        found = [
            SearchHit(order=(number, 0))
            for number, row in rows
            if isinstance(row, PathLane) and find(self.grid.words_of(row))
        ]
        yield 1.0, found

    @property
    def here(self) -> Order:
        """The row of the cursor."""
        return self.at_row, 0

    def go_to_hit(self, found: SearchHit, query: Query) -> None:
        """To where the lane begins, or as far along it as the cursor is."""
        self.at_row = found.order[0]
        lane = self.lane
        if lane is not None:
            self.at_column = min(max(self.at_column, lane.start), lane.end)
        self._show()
        self.post_message(self.Moved())

    def tell_found(self, query: Query | None, words: str) -> None:
        """How the search stands, in place of the legend."""
        self._said = words
        self._legend()

    def forget_painted(self) -> None:
        self._strips.forget()

    def render_line(self, y: int) -> Strip:
        look, cells = self._look_of(y), self._cells
        return self._strips.strip(y, look, cells)

    def _look_of(self, y: int) -> Look:
        cells = self._cells
        if not self.grid.rows:
            words = " no signature in this session has a path" if y == 0 else ""
            return Look((Span(words, "dim"),))
        if y == 0:
            return Look(self.grid.head(self.first, cells, self.at_column))
        if y > self._room:
            return Look(self._below(y - self._room - 1, cells))
        row = y - 1 + self.scroll_offset.y
        if row >= len(self.grid.rows):
            return Look(())
        here = self.at_row, self.at_column
        return Look(self.grid.lay(row, self.first, cells, here))

    def _below(self, number: int, cells: int) -> Line:
        lane = self.lane
        if number == 0 or lane is None:
            rule = self.grid.symbols.rule * cells if number == 0 else ""
            return (Span(rule, "faint"),)
        lines = self.grid.told(lane, self.at_column)
        spans = lines[number - 1] if number <= len(lines) else ()
        return fit(spans, cells)

    def on_click(self, event: events.Click) -> None:
        """A click puts the cursor there."""
        offset = event.get_content_offset(self)
        if offset is None or not 0 < offset.y <= self._room:
            return
        row = offset.y - 1 + self.scroll_offset.y
        if row >= len(self.grid.rows) or self._is_title(row):
            return
        event.stop()
        self.at_row = row
        if offset.x >= NAME:
            column = self.first + (offset.x - NAME) // self.grid.column_cells
            self.at_column = min(column, len(self.grid.paths.columns) - 1)
        self._show()
        self.post_message(self.Moved())
