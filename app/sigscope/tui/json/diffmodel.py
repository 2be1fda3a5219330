"""Two documents compared, as rows: what is unfolded and chosen, and how it is drawn.

Plain Python; `diffview` paints it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.cells import cell_len

from sigscope.jsontext import Node
from sigscope.records import dataclass
from sigscope.tui.json.difference import Difference, DifferenceRow, SameRows, TextLine
from sigscope.tui.json.folds import OutlineFolds
from sigscope.tui.json.outline import Outline, Spot
from sigscope.tui.json.rowroom import RowRoom
from sigscope.tui.json.rows import FOLD, clip
from sigscope.tui.json.source import JsonSource
from sigscope.tui.json.subject import NO_CHIPS, Chips
from sigscope.tui.json.values import chip_of, label_of, told_apart, value_spans
from sigscope.tui.json.visible import cells_of, spans_of
from sigscope.tui.lines import Line, Span, cut, highlit, plain
from sigscope.tui.symbols import Symbols

_SIGNS = {"removed": "-", "added": "+", "changed": "~", "spelled": "≈", "inside": " "}
_INKS = {"removed": "bad", "added": "good", "changed": "warn", "spelled": "info"}
_AHEAD = 12
"""Characters of a long line shown before the place where it differs."""
_MOST_SOUGHT = 4000
"""Rows in which a row is looked for after others were left out or taken in."""


class DiffModel:
    """The rows of a comparison, and the one that is chosen."""

    def __init__(self) -> None:
        self.difference: Difference | None = None
        self.folds: OutlineFolds | None = None
        """None while there is nothing to show."""
        self.only_differing = True
        self.title = ""
        """What is compared, said in the row of the whole documents."""
        self.chips = NO_CHIPS
        """Signatures, to be named before their text."""
        self.said = ""
        """How much differs: "2 changed, 1 added"."""

    def begin(self, title: str, chips: Chips = NO_CHIPS) -> None:
        """Nothing is compared yet."""
        self.title, self.chips, self.said = title, chips, ""
        self.difference = self.folds = None

    def take(self, difference: Difference, outline: Outline) -> bool:
        """Show a comparison, from the first difference on. False if there is none."""
        difference.note_moves(outline)
        if outline.top.members[0].op == "same":
            return False
        words = {"spelled": "spelled differently"}
        self.said = ", ".join(
            f"{count:,} {words.get(op, op)}"
            for op, count in difference.figures(outline).items()
            if count
        )
        self.difference, self.folds = difference, OutlineFolds(outline)
        self.folds.row = self.next(-1, 1) or 0
        return True

    @property
    def row_count(self) -> int:
        """Rows that are unfolded."""
        return len(self.folds.outline) if self.folds else 0

    @property
    def place(self) -> tuple[str | None, str | None]:
        """Pointers of what is chosen, in the old and in the new document."""
        here = self.folds.spot if self.folds else None
        difference = self.difference
        while here is not None and not isinstance(here.item, DifferenceRow):
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

    def next(self, row: int, by: int) -> int | None:
        """The next or previous difference from a row on; None if there is none."""
        outline = self.folds.outline if self.folds else ()
        row += by
        while self.folds is not None and 0 <= row < len(outline):
            spot = self.folds.outline.spot(row)
            item = spot.item
            if isinstance(item, DifferenceRow) and item.op not in ("same", "inside"):
                above = spot.parent()
                if above is None or getattr(above.item, "op", "") != item.op:
                    return row
            row += by
        return None

    def switch_only(self) -> None:
        """Leave out what is the same, or show it; stay on what is chosen."""
        self.only_differing = not self.only_differing
        difference, folds = self.difference, self.folds
        if difference is None or folds is None:
            return
        item = folds.spot.item if folds.spot else None
        difference.only_differing = self.only_differing
        outline = difference.outline()
        row = min(folds.row, len(outline) - 1)
        for spot_row, spot in enumerate(outline.window(0, _MOST_SOUGHT)):
            if spot.item is item:
                row = spot_row
                break
        self.folds = OutlineFolds(outline)
        self.folds.row = row

    # --- Drawing ---------------------------------------------------------------------

    def line(self, row: int, room: RowRoom) -> Line:
        """A row, as much of it as fits."""
        assert self.folds is not None
        assert self.difference is not None
        pen = _Pen(self.difference, self.title, self.chips, room.cells, room.symbols)
        spans = highlit(pen.row(self.folds.outline.spot(row)), room.found)
        return tuple(clip(spans, room.cells, room.symbols.ellipsis))


@dataclass(frozen=True, slots=True)
class _Pen:
    """Draws rows of a comparison."""

    difference: Difference
    title: str
    chips: Chips
    cells: int
    symbols: Symbols

    def row(self, spot: Spot) -> list[Span]:
        indent = min(max(0, spot.depth - 1) * 2, max(2, self.cells // 3))
        blank = " " * indent
        item = spot.item
        if isinstance(item, SameRows):
            gap = self.symbols.gap * 2
            return [Span(f"  {blank}  {gap} {item.count:,} the same {gap}", "faint")]
        if isinstance(item, TextLine):
            return self._text_spans(item, indent)
        return self._change_spans(spot, item, blank)

    def _text_spans(self, item: TextLine, indent: int) -> list[Span]:
        ink = {"-": "bad", "+": "good", " ": "dim"}[item.sign]
        room = self.cells - indent - 5
        text, head = item.text, ""
        if cell_len(text[: 2 * room]) > room and item.at > _AHEAD:
            text, head = text[item.at - _AHEAD :], self.symbols.ellipsis
        bar = Span(f"  {' ' * indent}{self.symbols.axis} ", "faint")
        spans = spans_of(text[: room * 2], ink)
        return [bar, Span(f"{item.sign} ", ink), Span(head, "dim"), *spans]

    def _change_spans(self, spot: Spot, item: DifferenceRow, blank: str) -> list[Span]:
        difference = self.difference
        sign = _SIGNS.get(item.op, " ")
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
        at = min(30, max(10, self.cells * 2 // 5))
        used = cells_of(spans)
        gap = max(2, at - used if spot.depth else 2) if key else 0
        room = max(8, self.cells - used - gap)
        spans.append(Span(" " * gap))
        nodes = [node for node in (item.old, item.new) if node is not None]
        moves = [f"  {said}" for node in nodes if (said := difference.moves.get(node))]
        moved = cut("".join(moves), room // 2)
        spans += self._value(item, room - cell_len(moved))
        spans.append(Span(moved, "info"))
        return spans

    def _key(self, item: DifferenceRow) -> list[Span]:
        difference = self.difference
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

    def _value(self, item: DifferenceRow, room: int) -> Sequence[Span]:
        difference = self.difference
        if item.op not in ("changed", "spelled"):
            side, node = (
                (difference.new, item.new)
                if item.new is not None
                else (difference.old, item.old)
            )
            assert node is not None
            return self._named(side, node, room)
        assert item.old is not None
        assert item.new is not None
        half = max(4, (room - 3) // 2)
        new = self._named(difference.new, item.new, half)
        same = plain(self._named(difference.old, item.old, half)) == plain(new)
        if same and item.op == "changed":
            words = told_apart((difference.old, item.old), (difference.new, item.new))
            new, half = [Span(words, "warn")], 4
        left = max(half, room - 3 - cells_of(new))
        old = self._named(difference.old, item.old, left)
        arrow = Span(f" {self.symbols.arrow} ", "dim")
        struck = [replace(span, ink="bad strike") for span in old]
        return [*struck, arrow, *new]

    def _named(self, side: JsonSource, node: Node, room: int) -> list[Span]:
        chip = chip_of(side, node, self.chips)
        return value_spans(side, node, room, self.symbols.ellipsis, chip)
