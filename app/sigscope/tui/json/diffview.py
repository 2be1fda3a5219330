"""The tree of differences between two documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.worker import get_current_worker

from sigscope.tui.json.difference import Change, Difference, Gap, TextLine
from sigscope.tui.json.outline import Outline, Spot
from sigscope.tui.json.rows import FOLD, clip
from sigscope.tui.json.rowview import RowView
from sigscope.tui.json.source import Source
from sigscope.tui.json.values import label_of, value_spans
from sigscope.tui.json.visible import cells_of, spans_of
from sigscope.tui.lines import Line, Span, cut, highlit

_LARGE = 256 * 1024
"""Bytes of both documents from which on a thread compares them."""

_SIGNS = {"removed": "-", "added": "+", "changed": "~", "spelled": "≈", "inside": " "}
_INKS = {"removed": "bad", "added": "good", "changed": "warn", "spelled": "info"}
_AHEAD = 12
"""Characters of a long line shown before the place where it differs."""


class DiffView(RowView):
    """Rows with + and - and ~."""

    NAME = "in the differences"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l,right", "unfold", "Unfold", False, id="json.diff-unfold",
                tooltip="Unfold, or go to the first child"),
        Binding("h,left", "fold", "Fold", False, id="json.diff-fold",
                tooltip="Fold, or go to what is around"),
        Binding("enter", "flip", "Fold or unfold", False, id="json.diff-flip",
                tooltip="Fold or unfold"),
        Binding("v", "only", "Only what differs", id="json.diff-only",
                tooltip="Leave out what is the same, or show it"),
    ]  # fmt: skip

    @dataclass
    class Moved(Message):
        """The user moved to another row."""

        view: DiffView

        @property
        def control(self) -> DiffView:
            return self.view

    @dataclass
    class Compared(Message):
        """The documents are compared."""

        view: DiffView

        @property
        def control(self) -> DiffView:
            return self.view

    @dataclass
    class _Made(Message):
        difference: Difference
        outline: Outline

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._difference: Difference | None = None
        self._outline: Outline | None = None
        self._waiting: Difference | None = None
        self.only_differing = True
        self.title = ""
        """What is compared, said in the row of the whole documents."""
        self.said = ""
        """How much differs: "2 changed, 1 added"."""

    def show(
        self,
        old: Source | None,
        new: Source | None,
        *,
        title: str = "",
        note: str = "",
    ) -> None:
        """Compare two documents; None: only say the note."""
        self.title = title
        self._outline = self._difference = self._waiting = None
        self.note, self.said = note, ""
        self.set_reactive(RowView.cursor, 0)
        self.refresh_rows()
        if old is None or new is None:
            return
        difference = Difference(old, new, self.only_differing)
        self._waiting = difference
        if len(old.data) + len(new.data) > _LARGE:
            self.note = f"comparing {self.signs.ellipsis}"
            self.run_worker(
                lambda: self._compare(difference),
                thread=True, exclusive=True, group="diff",
            )  # fmt: skip
        else:
            self._take(difference, difference.outline())

    def _compare(self, difference: Difference) -> None:
        """In a thread."""
        worker = get_current_worker()
        outline = difference.outline()
        if not worker.is_cancelled:
            self.post_message(self._Made(difference, outline))

    def on_diff_view__made(self, message: _Made) -> None:
        """Show what the thread has found."""
        message.stop()
        if message.difference is self._waiting:
            self._take(message.difference, message.outline)

    def _take(self, difference: Difference, outline: Outline) -> None:
        difference.note_moves(outline)
        self._waiting = None
        counts = difference.figures(outline)
        words = {"spelled": "spelled differently"}
        self.said = ", ".join(
            f"{count:,} {words.get(op, op)}" for op, count in counts.items() if count
        )
        root = outline.top.members[0]
        if root.op == "same":
            self.note, self.said = "no difference: the same bytes", ""
            self.refresh_rows()
        else:
            self._difference, self._outline = difference, outline
            self.refresh_rows()
            self._to_first()
        self.post_message(self.Compared(self))

    def _to_first(self) -> None:
        row = self._next(-1, 1)
        if row is not None:
            self.set_reactive(RowView.cursor, row)
            self.show_cursor(middle=True)

    # --- Rows ------------------------------------------------------------------------

    @property
    def row_count(self) -> int:
        """Rows that are unfolded."""
        return len(self._outline) if self._outline else 0

    @property
    def is_reading(self) -> bool:
        """Whether the documents are being compared."""
        return self._waiting is not None

    @property
    def spot(self) -> Spot | None:
        """What the cursor is on."""
        if self._outline is None or self.cursor >= len(self._outline):
            return None
        return self._outline.spot(self.cursor)

    @property
    def place(self) -> tuple[str | None, str | None]:
        """Pointers under the cursor, in the old and in the new document."""
        here, difference = self.spot, self._difference
        while here is not None and not isinstance(here.item, Change):
            here = here.parent()
        if here is None or difference is None:
            return None, None
        old, new = here.item.old, here.item.new
        if here.item.op == "same" and old is new:
            return None, difference.new.pointer(new)
        return (
            difference.old.pointer(old) if old is not None else None,
            difference.new.pointer(new) if new is not None else None,
        )

    def row_line(self, row: int) -> Line:
        assert self._outline is not None
        spot = self._outline.spot(row)
        spans = self._row_spans(spot)
        return tuple(
            clip(highlit(spans, self.query_shown), self.view_cells, self.signs.ellipsis)
        )

    def _row_spans(self, spot: Spot) -> list[Span]:
        indent = min(max(0, spot.depth - 1) * 2, max(2, self.view_cells // 3))
        blank = " " * indent
        item = spot.item
        if isinstance(item, Gap):
            gap = self.signs.gap * 2
            return [Span(f"  {blank}  {gap} {item.count:,} the same {gap}", "faint")]
        if isinstance(item, TextLine):
            return self._text_spans(item, indent)
        return self._change_spans(spot, item, blank)

    def _text_spans(self, item: TextLine, indent: int) -> list[Span]:
        ink = {"-": "bad", "+": "good", " ": "dim"}[item.sign]
        room = self.view_cells - indent - 5
        text, head = item.text, ""
        if cell_len(text[: 2 * room]) > room and item.at > _AHEAD:
            text, head = text[item.at - _AHEAD :], self.signs.ellipsis
        bar = Span(f"  {' ' * indent}{self.symbols.axis} ", "faint")
        spans = spans_of(text[: room * 2], ink)
        return [bar, Span(f"{item.sign} ", ink), Span(head, "dim"), *spans]

    def _change_spans(self, spot: Spot, item: Change, blank: str) -> list[Span]:
        difference = self._difference
        assert difference is not None
        sign = _SIGNS.get(item.op, self.signs.same)
        if self.symbols.ascii and sign == "≈":
            sign = "="
        ink = _INKS.get(item.op, "dim" if item.op == "same" else "")
        marker = " "
        if difference.may_unfold(item):
            marker = self.symbols.unfolded if spot.is_open else self.symbols.folded
        spans = [Span(f"{sign} ", f"{ink} bold"), Span(blank)]
        spans.append(Span(f"{marker} ", "" if ink != "dim" else "dim", FOLD))
        key = self._key(item)
        spans += [replace(span, ink=span.ink or ink) for span in key]
        at = min(30, max(10, self.view_cells * 2 // 5))
        used = cells_of(spans)
        gap = max(2, at - used if spot.depth else 2) if key else 0
        room = max(8, self.view_cells - used - gap)
        spans.append(Span(" " * gap))
        nodes = [node for node in (item.old, item.new) if node is not None]
        moves = [f"  {said}" for node in nodes if (said := difference.moves.get(node))]
        moved = cut("".join(moves), room // 2)
        spans += self._value(item, room - cell_len(moved))
        spans.append(Span(moved, "info"))
        return spans

    def _key(self, item: Change) -> list[Span]:
        difference = self._difference
        assert difference is not None
        side, node = (
            (difference.new, item.new)
            if item.new is not None
            else (difference.old, item.old)
        )
        assert node is not None
        if node.parent is None:
            return [Span(self.title, "heading")] if self.title else []
        if node.parent.kind == "object":
            return spans_of(side.key(node)) or [Span('""', "dim")]
        label = label_of(side, node)
        number = str(node.index)
        if item.old is not None and item.new is not None:
            old, new = item.old.index, item.new.index
            if old != new:
                number = f"{old}{self.symbols.arrow}{new}"
        return [Span(number, "dim"), *spans_of(f" {label}" if label else "")]

    def _value(self, item: Change, room: int) -> Sequence[Span]:
        difference = self._difference
        assert difference is not None
        ellipsis = self.signs.ellipsis
        if item.op not in ("changed", "spelled"):
            side, node = (
                (difference.new, item.new)
                if item.new is not None
                else (difference.old, item.old)
            )
            assert node is not None
            return value_spans(side, node, room, ellipsis)
        assert item.old is not None
        assert item.new is not None
        half = max(4, (room - 3) // 2)
        new = value_spans(difference.new, item.new, half, ellipsis)
        old = value_spans(
            difference.old, item.old, max(half, room - 3 - cells_of(new)), ellipsis
        )
        arrow = Span(f" {self.symbols.arrow} ", "dim")
        struck = [replace(span, ink="bad strike") for span in old]
        return [*struck, arrow, *new]

    # --- Moving ----------------------------------------------------------------------

    def moved(self) -> None:
        """Tell the pane."""
        self.post_message(self.Moved(self))

    def hit(self, row: int, target: Any, chain: int) -> None:
        """A click on the marker folds, a double click too."""
        if target == FOLD or chain == 2:
            self.action_flip()

    def step(self, by: int) -> bool:
        """To the next or previous difference; False if there is none."""
        row = self._next(self.cursor, by)
        if row is not None:
            self.put_cursor(row)
        return row is not None

    def _next(self, row: int, by: int) -> int | None:
        if self._outline is None:
            return None
        row += by
        while 0 <= row < len(self._outline):
            spot = self._outline.spot(row)
            item = spot.item
            if isinstance(item, Change) and item.op not in ("same", "inside"):
                above = spot.parent()
                if above is None or getattr(above.item, "op", "") != item.op:
                    return row
            row += by
        return None

    # --- Actions ---------------------------------------------------------------------

    def action_unfold(self) -> None:
        """Unfold, or go to the first child."""
        spot = self.spot
        if spot is None or self._outline is None:
            return
        if spot.is_open:
            self.put_cursor(self.cursor + 1)
        elif self._outline.unfold(spot) is not None:
            self.refresh_rows()

    def action_fold(self) -> None:
        """Fold, or go to what is around."""
        spot = self.spot
        if spot is None or self._outline is None:
            return
        if self._outline.fold(spot):
            self.refresh_rows()
        else:
            above = spot.parent()
            if above is not None:
                self.put_cursor(self._outline.row(above))

    def action_flip(self) -> None:
        """Fold or unfold."""
        spot = self.spot
        if spot is None or self._outline is None:
            return
        if not self._outline.fold(spot):
            self._outline.unfold(spot)
        self.refresh_rows()

    def action_only(self) -> None:
        """Leave out what is the same, or show it."""
        self.only_differing = not self.only_differing
        difference = self._difference
        if difference is None:
            return
        place = self.spot
        item = place.item if place else None
        difference.only_differing = self.only_differing
        self._outline = difference.outline()
        self.refresh_rows()
        for row in range(min(len(self._outline), 4000)):
            if self._outline.spot(row).item is item:
                self.cursor = row
                break
