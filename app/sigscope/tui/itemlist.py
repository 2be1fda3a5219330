"""A list of items of one or more lines, with a cursor; draws only what is visible.

Costs: laying out asks every item for its lines once per width (items keep them), unless
it says how many they are; so a new list costs what its new items cost. A key press
repaints the pane.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from sigscope.tui.lines import Line, Span, highlit, plain
from sigscope.tui.rowlist import RowList


@dataclass(slots=True, eq=False)
class Item:
    key: Hashable
    """What it is; the cursor finds it again by this when the list changes."""
    lay: Callable[[int], Sequence[Line]]
    """Its lines at a width in cells."""
    selectable: bool = True
    """False: the cursor passes over it (a heading, a separator)."""
    height: int | None = None
    """How many lines it takes at any width; None if it must be laid out to know."""
    _laid: tuple[int, tuple[Line, ...]] | None = field(default=None, repr=False)
    _tall: tuple[int, int] | None = field(default=None, repr=False)

    def lines(self, cells: int) -> tuple[Line, ...]:
        """Lines at this width, made once."""
        if self._laid is None or self._laid[0] != cells:
            self._laid = (cells, tuple(self.lay(cells)))
            self._tall = (cells, len(self._laid[1]))
        return self._laid[1]

    def height_at(self, cells: int) -> int:
        """How many lines it takes; only the first time it has to be laid out for it."""
        if self.height is not None:
            return self.height
        if self._tall is not None and self._tall[0] == cells:
            return self._tall[1]
        return len(self.lines(cells))

    def forget(self) -> None:
        """Make the lines anew, as many as they were: what they show has changed."""
        self._laid = None


class ItemList(RowList):
    """Shows `items`; tells where the cursor was moved to and what was chosen."""

    MARK: ClassVar[Literal["row", "bar", "none"]] = "row"
    """How the cursor shows: the whole row, a bar at its left (tall items), or not at
    all (a text to read)."""
    EMPTY = "nothing here"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter", "choose", "Open", False, id="list.choose",
            tooltip="Open what is under the cursor",
        ),
    ]  # fmt: skip

    cursor: reactive[int] = reactive(-1, repaint=False)
    """Index of the item under the cursor; -1 if there is none."""
    hovered: reactive[int] = reactive(-1, repaint=False)

    @dataclass
    class Moved(Message):
        """The user moved the cursor to another item."""

        list: ItemList
        key: Any

        @property
        def control(self) -> ItemList:
            return self.list

    @dataclass
    class Chosen(Message):
        """The user opened an item (enter, or a click on the row under the cursor)."""

        list: ItemList
        key: Any

        @property
        def control(self) -> ItemList:
            return self.list

    @dataclass
    class Hit(Message):
        """The user clicked a span that means something of its own."""

        list: ItemList
        key: Any
        target: Any

        @property
        def control(self) -> ItemList:
            return self.list

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._items: tuple[Item, ...] = ()
        self._starts: list[int] = []
        self._height = 0
        self._cells = 0
        self.found = ""
        """How a search in this list stands: "3/17"."""
        self._pattern: re.Pattern[str] | None = None

    # --- Items -----------------------------------------------------------------------

    @property
    def items(self) -> tuple[Item, ...]:
        return self._items

    def show(self, items: Sequence[Item], note: str = "") -> None:
        """List other items. The cursor stays on the item with the same key."""
        key = self.key
        self._items = tuple(items)
        self.note = note
        self._lay_out()
        index = self.index_of(key) if key is not None else -1
        if index < 0:
            index = min(max(self.cursor, 0), len(self._items) - 1)
            index = self._selectable_near(index)
        self.set_reactive(ItemList.cursor, index)
        self._scroll_to_cursor()
        self.refresh()

    @property
    def key(self) -> Any:
        """Key of the item under the cursor; None if there is none."""
        if 0 <= self.cursor < len(self._items):
            return self._items[self.cursor].key
        return None

    def index_of(self, key: Hashable) -> int:
        """Where an item is; -1 if it is not listed."""
        for index, item in enumerate(self._items):
            if item.key == key:
                return index
        return -1

    def select(self, key: Hashable) -> bool:
        """Put the cursor on an item without telling anybody."""
        index = self.index_of(key)
        if index >= 0:
            self.cursor = index
        return index >= 0

    def reveal(self, key: Hashable) -> None:
        """Scroll an item into sight; the cursor stays where it is."""
        index = self.index_of(key)
        if index >= 0:
            self._bring_into_sight(index)

    def _selectable_near(self, index: int) -> int:
        around: list[int] = [*range(index, len(self._items)), *range(index - 1, -1, -1)]
        for found in around:
            if found >= 0 and self._items[found].selectable:
                return found
        return -1

    # --- Searching -------------------------------------------------------------------

    def text_of(self, item: Item) -> str:
        """What a search looks through: the lines of an item, and what it hides."""
        return "\n".join(plain(spans) for spans in item.lines(self.text_cells))

    def go_to(self, key: Hashable, pattern: re.Pattern[str] | None = None) -> None:
        """Move the cursor to something found, and tell. `pattern` is what was searched
        for, for a list that has to look what of an item was meant."""
        self._move_to(self.index_of(key))

    def tell_found(self, pattern: re.Pattern[str] | None, words: str) -> None:
        """Make what is searched for stand out; say how the search stands."""
        self._pattern, self.found = pattern, words
        self.refresh()

    # --- Layout ----------------------------------------------------------------------

    @property
    def text_cells(self) -> int:
        """Cells a line of an item may take."""
        bar = 2 if self.MARK == "bar" else 0
        return max(1, self._cells - bar)

    def _lay_out(self) -> None:
        self._cells = max(1, self._inner_width())
        starts, height, cells = [], 0, self.text_cells
        for item in self._items:
            starts.append(height)
            height += item.height_at(cells)
        self._starts, self._height = starts, height
        size = Size(self._cells, height + len(self.footer(self._cells)))
        if self.styles.is_auto_height and size.height != self.virtual_size.height:
            self.virtual_size = size  # the list is as high as what it holds
        else:
            self.set_extent(size)

    def _inner_width(self) -> int:
        """Width of the text. The scroll bar has its column at all times, so that one
        which appears does not break lines anew."""
        return self.scrollable_content_region.width

    def footer(self, cells: int) -> Sequence[Line]:
        """Lines that stay at the bottom while the items scroll."""
        return ()

    @property
    def room(self) -> int:
        """Lines there are for items."""
        height = self.scrollable_content_region.height
        return max(1, height - len(self.footer(self.text_cells)))

    def on_resize(self, event: events.Resize) -> None:
        """Lay out for the new width, and keep the cursor in sight."""
        if max(1, self._inner_width()) != self._cells:
            self._lay_out()
            self.refresh()  # it may have been painted before it knew its width
        self._scroll_to_cursor()

    def notify_style_update(self) -> None:
        """Paint with the new theme."""
        super().notify_style_update()
        self.refresh()

    # --- Painting --------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """One line of the visible part."""
        cells = self.size.width
        below = self.footer(self.text_cells)
        if below and y >= self.room and self._items:
            line_number = y - self.room
            spans = below[line_number] if line_number < len(below) else ()
            return self.paint(spans, cells)
        row = y + self.scroll_offset.y
        if not self._items:
            return self.paint_note(y, cells)
        if row >= self._height:
            return self.paint((), cells)
        index = bisect_right(self._starts, row) - 1
        item = self._items[index]
        spans = item.lines(self.text_cells)[row - self._starts[index]]
        if self._pattern is not None:
            spans = tuple(highlit(spans, self._pattern))
        return self._paint_row(index, spans, cells)

    def _paint_row(self, index: int, spans: Line, cells: int) -> Strip:
        at_cursor = index == self.cursor and self.MARK != "none"
        if self.MARK == "bar":
            bar = self.bar_glyph if at_cursor and spans else " "
            ink = "accent" if self.has_focus else "dim"
            return self.paint((Span(f"{bar} ", ink), *spans), cells)
        if at_cursor:
            return self.paint_at_cursor(spans, cells)
        if index == self.hovered and self._items[index].selectable:
            return self.paint(spans, cells, self.row("hover"))
        return self.paint(spans, cells)

    bar_glyph = "▌"

    def watch_has_focus(self, has_focus: bool) -> None:
        """The cursor looks different in the pane in focus."""
        super().watch_has_focus(has_focus)
        self.refresh()

    def watch_cursor(self) -> None:
        """Keep it in sight."""
        self._scroll_to_cursor()
        self.refresh()

    def watch_hovered(self) -> None:
        self.refresh()

    # --- Moving ----------------------------------------------------------------------

    def _span_of(self, index: int) -> tuple[int, int]:
        """First line of an item, and the line after its last."""
        after = index + 1
        end = self._starts[after] if after < len(self._starts) else self._height
        return self._starts[index], end

    def _scroll_to_cursor(self) -> None:
        if 0 <= self.cursor < len(self._starts):
            self._bring_into_sight(self.cursor)

    def _bring_into_sight(self, index: int) -> None:
        top, end = self._span_of(index)
        if self._selectable_near(0) == index:
            top = 0  # headings above the first item come into sight with it
        room = self.room
        at = self.scroll_offset.y
        if end - top >= room:
            inside = top <= at <= end - room
            target = at if inside else top
        elif top < at:
            target = top
        elif end > at + room:
            target = end - room
        else:
            return
        # By force: the bar of a list that has just outgrown its pane comes later.
        self.scroll_to(y=target, animate=False, force=True)

    def action_move(self, by: int) -> None:
        """Next or previous item; inside one taller than the pane, scroll first."""
        if self._scroll_inside(by):
            return
        index = self.cursor + by
        while 0 <= index < len(self._items) and not self._items[index].selectable:
            index += by
        if 0 <= index < len(self._items):
            self._move_to(index)

    def _scroll_inside(self, by: int) -> bool:
        if not 0 <= self.cursor < len(self._starts):
            return False
        top, end = self._span_of(self.cursor)
        room, at = self.room, self.scroll_offset.y
        if end - top <= room:
            return False
        if (by > 0 and end > at + room) or (by < 0 and top < at):
            self.scroll_to(y=at + 3 * by, animate=False)
            return True
        return False

    def action_end(self, way: int) -> None:
        """First or last item."""
        self._move_to(self._selectable_near(0 if way < 0 else len(self._items) - 1))

    def action_page(self, pages: float) -> None:
        """So many pages on."""
        if not 0 <= self.cursor < len(self._starts):
            return
        room = self.room
        by = int(room * pages) or (1 if pages > 0 else -1)
        row = min(max(0, self._starts[self.cursor] + by), self._height - 1)
        index = bisect_right(self._starts, row) - 1
        if index == self.cursor:
            self.action_move(1 if by > 0 else -1)
        else:
            self._move_to(self._selectable_near(index))

    def _move_to(self, index: int) -> None:
        if index >= 0 and index != self.cursor:
            self.cursor = index
            self.post_message(self.Moved(self, self.key))

    def action_choose(self) -> None:
        """Open the item under the cursor."""
        if self.key is not None:
            self.post_message(self.Chosen(self, self.key))

    # --- Mouse -----------------------------------------------------------------------

    def _index_at(self, y: int) -> int:
        row = y + self.scroll_offset.y
        if not 0 <= row < self._height or y >= self.room:
            return -1
        return bisect_right(self._starts, row) - 1

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Show which row a click would take."""
        offset = event.get_content_offset(self)
        self.hovered = self._index_at(offset.y) if offset else -1

    def on_leave(self, event: events.Leave) -> None:
        """No row is pointed at any more."""
        self.hovered = -1

    def on_click(self, event: events.Click) -> None:
        """A click selects, a double click opens, a click on a marker hits."""
        offset = event.get_content_offset(self)
        index = self._index_at(offset.y) if offset else -1
        if index < 0 or not self._items[index].selectable:
            return
        event.stop()
        target = event.style.meta.get("target")
        again = index == self.cursor and event.chain > 1
        self._move_to(index)
        if target is not None:
            self.post_message(self.Hit(self, self._items[index].key, target))
        elif again:
            self.action_choose()

    def get_line_region(self, index: int) -> Region:
        """Where an item is drawn, relative to the pane's content; for tests."""
        top, end = self._span_of(index)
        return Region(0, top - self.scroll_offset.y, self._cells, end - top)
