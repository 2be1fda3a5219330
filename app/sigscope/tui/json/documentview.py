"""A document as rows: reading it, drawing it, going to a node of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from textual.message import Message
from textual.worker import Worker, get_current_worker

from sigscope.edits.records import Edit
from sigscope.jsontext import Node
from sigscope.tui import figures
from sigscope.tui.json import places
from sigscope.tui.json.badges import PlacedMarks, place_marks
from sigscope.tui.json.copies import Copied, copied
from sigscope.tui.json.outline import Outline, Spot
from sigscope.tui.json.overlay import Offer, Overlay
from sigscope.tui.json.rows import Look, draw
from sigscope.tui.json.rowview import RowView
from sigscope.tui.json.source import Source
from sigscope.tui.json.subject import Mark, Offered
from sigscope.tui.json.textsearch import Hit, Query
from sigscope.tui.json.twigs import Envelope, Grower, position_of
from sigscope.tui.lines import Line


@dataclass(frozen=True, kw_only=True)
class Leaf:
    """What the cursor is on."""

    pointer: str
    """Of the node in the document; of the string that holds the value, inside one."""
    inner: str = ""
    """Where in the JSON inside that string; empty outside."""
    node: Node | None = None
    """None where no node of the document itself stands there."""


class DocumentView(RowView):
    """Shows one document; a large one while it is being read."""

    @dataclass
    class _Warmed(Message):
        """The reading thread has come further."""

        source: Source
        share: float
        is_done: bool

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._source: Source | None = None
        self._outline: Outline | None = None
        self._grower = Grower(lambda depth: self._look.text_cells(depth))
        self._overlay: Overlay | None = None
        self._edits: tuple[Edit, ...] = ()
        self._offered: tuple[Offered, ...] = ()
        self._parked: list[Edit] = []
        self._marks: Mapping[str, tuple[Mark, ...]] = {}
        self._shape = places.Shape()
        self._title = ""
        self._can_switch = False
        self._is_ready = False
        self._share = 0.0
        self._was_unsized = False
        self._wanted: str | None = None
        self._is_moved = False
        """Whether the user has moved while it was being read."""

    # --- What is shown ---------------------------------------------------------------

    def show(
        self,
        source: Source | None,
        *,
        title: str = "",
        note: str = "",
        marks: Mapping[str, tuple[Mark, ...]] | None = None,
        can_switch: bool = False,
        edits: tuple[Edit, ...] = (),
        offered: tuple[Offered, ...] = (),
    ) -> None:
        """Show a document. Folds and cursor stay where the pointers are the same."""
        is_same = source is not None and source is self._source
        if not is_same:
            self._keep_shape()
            self._source, self._outline, self._overlay = source, None, None
            self._parked = []
            self._is_ready = self._is_moved = False
        self._title, self.note = title, note
        self._marks = marks or {}
        self._can_switch = can_switch
        self._edits, self._offered = edits, offered
        if source is None:
            self._forget_look()
            self.refresh_rows()
        elif is_same:
            self._change()
        elif source.is_large:
            size = figures.size(len(source.document.raw))
            self.note = f"reading {size} {self.signs.ellipsis}"
            self._forget_look()
            self.refresh_rows()
            self.run_worker(
                lambda: self._warm(source), thread=True, exclusive=True, group="open"
            )
        else:
            self._open()
            self._finish()

    def _keep_shape(self) -> None:
        if self._outline is not None and self._source is not None:
            self._shape = places.shape_of(self._outline, self._source, self.spot)

    def _warm(self, source: Source) -> None:
        """In a thread: read the large containers."""
        worker: Worker[None] = get_current_worker()
        for share in source.warm():
            if worker.is_cancelled:
                return
            self.post_message(self._Warmed(source, share, False))
        self.post_message(self._Warmed(source, 1.0, True))

    def on_document_view__warmed(self, message: _Warmed) -> None:
        """Show the top as soon as it is known, and the rest when all is."""
        message.stop()
        if message.source is not self._source:
            return
        if self._outline is None:
            self._open()
        self._share = message.share
        if message.is_done:
            self._finish()
        else:
            self.refresh()

    def _open(self) -> None:
        """Make the outline; edits and marks come when everything is known."""
        assert self._source is not None
        overlay = None
        if not self._source.is_large and self._can_switch:
            overlay = self._make_overlay()
        self._overlay = overlay
        self._outline = Outline(
            self._grower.top(self._source, overlay), self._grower.grow
        )
        self._outline.unfold(Spot(self._outline.top, 0))
        self._forget_look()
        self.set_reactive(RowView.cursor, 0)
        self.scroll_to(y=0, animate=False, force=True)
        self.refresh_rows()

    def _finish(self) -> None:
        """All is known: edits, marks, folds, cursor."""
        assert self._source is not None
        assert self._outline is not None
        self._is_ready = True
        self._share = 1.0
        if self._can_switch and self._overlay is None:
            self._regrow()
        self._forget_look()
        if self._shape.unfolded and self._has_shape():
            places.apply_shape(self._outline, self._source, self._shape)
        else:
            self._was_unsized = self.view_rows <= 1
            self._unfold_first()
        self.refresh_rows()
        self._first_cursor()
        self.became_ready()

    def became_ready(self) -> None:
        """The document is read."""

    def _has_shape(self) -> bool:
        """Whether the document is of the kind that was shown before."""
        assert self._source is not None
        inner = [pointer for pointer in self._shape.unfolded if pointer]
        return any(self._source.maybe_locate(pointer) for pointer in inner[:20])

    def _unfold_first(self) -> None:
        assert self._source is not None
        assert self._outline is not None
        worth = [*list(self._look.marks.at)[:12]]
        if self._overlay:
            worth += self._overlay.containers()[:12]
        places.unfold_first(self._outline, self._source, self.view_rows, worth)

    def _first_cursor(self) -> None:
        assert self._source is not None
        wanted, self._wanted = self._wanted, None
        if wanted is not None and self.go_to(wanted):
            return
        node = None
        if self._shape.cursor and not self._is_moved:
            node = self._source.maybe_locate(self._shape.cursor)
        spot = places.reveal(self._outline, node) if node and self._outline else None
        if spot is not None:
            self.put_spot(spot, tell=False)

    def switch(
        self, edits: tuple[Edit, ...], offered: tuple[Offered, ...] | None = None
    ) -> None:
        """Show other edits of the same document."""
        self._edits = edits
        if offered is not None:
            self._offered = offered
        self._change()

    def set_marks(self, marks: Mapping[str, tuple[Mark, ...]]) -> None:
        """Show other badges."""
        self._marks = marks
        self._forget_look()
        self.refresh()

    def _change(self) -> None:
        if self._outline is None or not self._is_ready:
            return
        if self._can_switch:
            self._regrow()
        self._forget_look()
        self.refresh_rows()

    def _make_overlay(self) -> Overlay:
        assert self._source is not None
        return Overlay(self._source, self._edits, self._offered, self._parked)

    def _regrow(self) -> None:
        """Take in other edits, or another width; cursor and folds stay."""
        outline, source = self._outline, self._source
        if outline is None or source is None:
            return
        before, spot = self.cursor, self.spot
        items = places.trail(spot) if spot else []
        if self._can_switch:
            self._overlay = self._make_overlay()
        outline.regrow(self._grower.top(source, self._overlay), position_of)
        self._stay(items, before)

    def _stay(self, items: list[Any], before: int) -> None:
        """Put the cursor back on what it was on, and that where it was."""
        assert self._outline is not None
        place = places.follow(self._outline, items)
        row = self._outline.row(place) if place else 0
        top = self.scroll_offset.y
        self.refresh_rows()
        self.set_reactive(RowView.cursor, row)
        if row != before:
            self.scroll_to(y=max(0, top + row - before), animate=False, force=True)
        self.refresh()

    def relaid(self) -> None:
        """Texts are wrapped anew."""
        self._forget_look()
        self._regrow()
        if self._was_unsized and self._is_ready and self.view_rows > 1:
            self._was_unsized = False
            before, spot = self.cursor, self.spot
            items = places.trail(spot) if spot else []
            self._unfold_first()
            self._stay(items, before)

    # --- Rows ------------------------------------------------------------------------

    @property
    def source(self) -> Source | None:
        """The document shown."""
        return self._source

    @property
    def is_ready(self) -> bool:
        """Whether everything of the document is known, or there is none."""
        return self._is_ready or self._source is None

    @property
    def is_reading(self) -> bool:
        """Whether a large document is being read."""
        return not self.is_ready

    @property
    def overlay(self) -> Overlay | None:
        """Its edits and offers; None where nothing can be switched."""
        return self._overlay

    @property
    def row_count(self) -> int:
        """Rows that are unfolded."""
        return len(self._outline) if self._outline else 0

    def row_line(self, row: int) -> Line:
        assert self._outline is not None
        return draw(self._outline.spot(row), self._look)

    @property
    def spot(self) -> Spot | None:
        """What the cursor is on."""
        if self._outline is None or not 0 <= self.cursor < len(self._outline):
            return None
        return self._outline.spot(self.cursor)

    @cached_property
    def _look(self) -> Look:
        return Look(
            symbols=self.symbols,
            signs=self.signs,
            cells=self.view_cells,
            title=self._said_title(),
            has_checks=self._can_switch,
            marks=self._placed_marks(),
            found=self.query_shown,
        )

    def _said_title(self) -> str:
        if self._is_ready or self._source is None:
            return self._title
        return f"{self._title} {self.signs.ellipsis}"

    def _forget_look(self) -> None:
        self.__dict__.pop("_look", None)

    def watch_symbols(self) -> None:
        """Draw with the other set."""
        self._forget_look()
        super().watch_symbols()

    def _placed_marks(self) -> PlacedMarks:
        if not self._is_ready or self._source is None:
            return PlacedMarks()
        return place_marks(self._source, self._overlay, self._marks)

    def leaf(self, spot: Spot | None = None) -> Leaf | None:
        """What the cursor, or a spot, is on."""
        spot = spot or self.spot
        if spot is None or self._source is None:
            return None
        item, ground = spot.item, spot.level.context
        if isinstance(item, Node):
            if ground.host is None and ground.source is self._source:
                return Leaf(pointer=self._source.pointer(item), node=item)
            inner = ground.source.pointer(item)
            host = self._holder_pointer(spot)
            return Leaf(pointer=host, inner=inner)
        if isinstance(item, Offer):
            return Leaf(pointer=item.edit.pointer)
        if isinstance(item, Envelope):
            return Leaf(pointer=item.edit.pointer)
        return Leaf(pointer=self._holder_pointer(spot))

    def _holder_pointer(self, spot: Spot) -> str:
        """The pointer of the nearest row around that stands for a place of its own."""
        here = spot.parent()
        while here is not None:
            item, ground = here.item, here.level.context
            if isinstance(item, Offer):
                return item.edit.pointer
            if isinstance(item, Node) and ground.source is self._source:
                return self._source.pointer(item) if self._source else ""
            here = here.parent()
        return ""

    def copied(self, what: str) -> Copied | None:
        """The row, value or path under the cursor as text."""
        spot, leaf = self.spot, self.leaf()
        if spot is None or leaf is None:
            return None
        return copied(what, spot, f"{leaf.pointer}{leaf.inner}")

    # --- Moving ----------------------------------------------------------------------

    def put_cursor(self, row: int) -> None:
        """Move the cursor, and tell."""
        self._is_moved = self._is_moved or not self._is_ready
        super().put_cursor(row)

    def put_spot(self, spot: Spot, *, tell: bool = True) -> None:
        """Move the cursor to a spot."""
        assert self._outline is not None
        self.refresh_rows()
        row = self._outline.row(spot)
        if row == self.cursor:
            self.show_cursor(middle=True)
            return
        top, room = self.scroll_offset.y, self.view_rows
        self.set_reactive(RowView.cursor, row)
        if not top <= row < top + room:
            self.show_cursor(middle=True)
        self.refresh()
        if tell:
            self.moved()

    def go_to(self, pointer: str) -> bool:
        """Unfold down to a node and move there, without telling. While the document
        is being read this is remembered. False if there is no such node."""
        if self._source is None:
            return False
        if not self._is_ready:
            self._wanted = pointer
            return True
        node = self._source.maybe_locate(pointer)
        spot = places.reveal(self._outline, node) if node and self._outline else None
        if spot is None:
            spot = self._spot_of_offer(pointer)
        if spot is None:
            return False
        self.put_spot(spot, tell=False)
        return True

    def _spot_of_offer(self, pointer: str) -> Spot | None:
        """A row that is not in the recorded body, by its pointer."""
        if self._overlay is None or self._outline is None:
            return None
        for container in self._overlay.containers():
            for _, offer in self._overlay.added(container):
                if offer.edit.pointer == pointer:
                    return self.reveal_offer(container, offer)
        return None

    def reveal_offer(self, container: Node, offer: Offer) -> Spot | None:
        """Unfold down to a row that is not in the recorded body."""
        if self._outline is None:
            return None
        around = places.reveal(self._outline, container)
        level = self._outline.unfold(around) if around else None
        position = position_of(level, offer) if level else None
        if level is None or position is None:
            return None
        return Spot(level, position)

    def reveal_hit(self, hit: Hit) -> None:
        """Unfold down to something found and move there."""
        if self._outline is None or self._source is None:
            return
        spot = places.reveal(self._outline, hit.node)
        if spot is None:
            return
        room = max(8, self.view_cells - self._look.value_at - 12)
        if hit.node.kind == "string" and hit.offset - hit.node.start > room:
            spot = places.reveal_offset(self._outline, spot, hit.offset)
        self.put_spot(spot)

    def seek(self, query: Query | None) -> None:
        """Make what is searched for stand out."""
        self.query_shown = query.on_screen if query else None
        self._forget_look()
        self.refresh()

    @property
    def cursor_offset(self) -> int:
        """Offset in the document's data of what the cursor is on."""
        here = self.spot
        while here is not None:
            if isinstance(here.item, Node) and here.level.context.host is None:
                return here.item.begin
            here = here.parent()
        return 0
