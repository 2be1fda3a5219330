"""A map of paths on cells: lanes, the lines between them, the marks on top. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from sigscope.ledger import Fate
from sigscope.paths import (
    PathLane,
    PathLink,
    PathMap,
    PathMark,
    PlaceShape,
    SignaturePath,
)
from sigscope.records import dataclass
from sigscope.tui.lines import Line, Span, column, fit
from sigscope.tui.symbols import Symbols, fate_glyph
from sigscope.tui.timeline.bars import BarCells
from sigscope.tui.views.palette import Palette
from sigscope.tui.views.signatures import say_fate

NAME = 11
"""Cells beside the lanes: bar, diamond, id."""
MOST_KEPT = 500
"""Rows that are kept as they were drawn: some screens full."""
LEAST = 5
"""Cells of a column: a line in, the mark, a line out."""
WIDEST = 12
"""Cells of a column where there is room for more: beyond that lines tell nothing."""

Row = PlaceShape | PathLane


@dataclass(frozen=True, slots=True, kw_only=True)
class Strokes:
    """Glyphs of lines."""

    along: str
    across: str
    gap: str
    """Along, where the signature is not sent."""
    break_: str
    """Across, where a gateway lost it."""
    cross: str
    down_left: str
    """From the left, then down."""
    up_left: str
    up_right: str
    """From above, then to the right."""
    down_right: str
    tee_down: str
    """A line goes on, and down."""
    tee_up: str
    tee_left: str
    """A line across goes on, and to the left."""
    tee_right: str


UNICODE = Strokes(
    along="─",
    across="│",
    gap="╌",
    break_="╎",
    cross="┼",
    down_left="┐",
    up_left="┘",
    up_right="└",
    down_right="┌",
    tee_down="┬",
    tee_up="┴",
    tee_left="┤",
    tee_right="├",
)
ASCII = Strokes(
    along="-",
    across="|",
    gap=".",
    break_=":",
    cross="+",
    down_left="+",
    up_left="+",
    up_right="+",
    down_right="+",
    tee_down="+",
    tee_up="+",
    tee_left="+",
    tee_right="+",
)


@dataclass(frozen=True, kw_only=True)
class PathGrid:
    """A map, and how it is to look."""

    paths: PathMap
    palette: Palette
    symbols: Symbols
    room: int = 0
    """Cells there are: the columns of a short session spread over them."""

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Titles of places, and lanes."""
        found: list[Row] = []
        for shape, lanes in self.paths.groups:
            found += [shape, *lanes]
        return tuple(found)

    @cached_property
    def _row_of(self) -> dict[int, int]:
        return {id(row): number for number, row in enumerate(self.rows)}

    def row_of(self, lane: PathLane) -> int:
        return self._row_of[id(lane)]

    @cached_property
    def column_cells(self) -> int:
        longest = max((len(c.label) for c in self.paths.columns), default=1)
        spread = (self.room - NAME) // max(1, len(self.paths.columns))
        return max(LEAST, longest + 2, min(WIDEST, spread))

    @property
    def _strokes(self) -> Strokes:
        return ASCII if self.symbols.ascii else UNICODE

    def columns_in(self, cells: int) -> int:
        """How many columns a width holds."""
        return max(1, (cells - NAME) // self.column_cells)

    # --- Lines -----------------------------------------------------------------------

    def head(self, first: int, cells: int, cursor: int) -> Line:
        """The numbers of the steps."""
        spans = [Span(" step".ljust(NAME), "dim")]
        shown = range(first, min(len(self.paths.columns), first + self._fit(cells)))
        for number in shown:
            label = self.paths.columns[number].label
            if self.symbols.ascii:
                label = label.replace("›", ">")
            ink = "accent bold" if number == cursor else "dim"
            spans.append(Span(label.center(self.column_cells), ink))
        return fit(spans, cells)

    def lay(
        self, row: int, first: int, cells: int, cursor: tuple[int, int] | None = None
    ) -> Line:
        """One row; `cursor`: row and column that are marked. Kept until others are."""
        key = (row, first, cells, cursor if cursor and cursor[0] == row else None)
        if key not in self._kept:
            if len(self._kept) > MOST_KEPT:
                self._kept.clear()
            self._kept[key] = self._lay(row, first, cells, key[3])
        return self._kept[key]

    @cached_property
    def _kept(self) -> dict[tuple[int, int, int, tuple[int, int] | None], Line]:
        return {}

    def _lay(
        self, row: int, first: int, cells: int, cursor: tuple[int, int] | None
    ) -> Line:
        shown = self.rows[row]
        drawn = BarCells(max(0, cells - NAME))
        if isinstance(shown, PathLane):
            self._line(drawn, shown, first)
        self._links(drawn, row, first)
        if isinstance(shown, PlaceShape):
            title = self.paths.title_of(shown)
            if self.symbols.ascii:
                title = title.replace("›", ">").replace("·", "-")
            spans = drawn.spans()
            return (Span(f" {title} ", "heading"), *_after(spans, len(title) + 2, NAME))
        name = shown.signature
        ink = self.palette.ink(name.sha256)
        if cursor and cursor[0] == row:
            at = self._x(cursor[1], first)
            for cell in range(max(0, at - 1), min(drawn.count, at + 2)):
                drawn.inks[cell] = f"{drawn.inks[cell] or ink} inverse"
        bar = self.symbols.bar if cursor and cursor[0] == row else " "
        return (
            Span(bar, "accent"),
            Span(f"{self.symbols.signature} ", ink),
            column(name.id, NAME - 3, f"{ink} bold"),
            *drawn.spans(),
        )

    def _fit(self, cells: int) -> int:
        return self.columns_in(cells)

    def _x(self, number: int, first: int) -> int:
        """The cell of a column's mark."""
        return (number - first) * self.column_cells + (self.column_cells - 1) // 2

    def _line(self, drawn: BarCells, lane: PathLane, first: int) -> None:
        """The marks of a lane, a line from each to the next."""
        ink = self.palette.ink(lane.signature.sha256)
        last = min(len(self.paths.columns), first + drawn.count // self.column_cells)
        before = first - 1 if lane.start < first else None
        for number in range(max(first, lane.start), last):
            mark = self.paths.mark(lane, number)
            if mark is None:
                continue
            if before is not None and not self.paths.comes_by_link(lane, number):
                self._stroke(drawn, (before, number), first, mark, ink)
            before = number
            drawn.put(self._x(number, first), *self._look(mark, ink))
        ahead = self.paths.mark_after(lane, last - 1) if before is not None else None
        if (
            ahead is not None
            and before is not None
            and not self.paths.comes_by_link(lane, ahead.column)
        ):
            self._stroke(drawn, (before, last), first, ahead, ink)
        if not self.paths.has_links(self.paths.path_of(lane)):
            return
        for number in range(max(first, lane.start), last):
            self._lead(drawn, lane, number, first, ink)

    def _stroke(
        self,
        drawn: BarCells,
        between: tuple[int, int],
        first: int,
        to: PathMark,
        ink: str,
    ) -> None:
        glyph, look = self._strokes.along, ink
        if not to.is_there:
            glyph = self._strokes.gap
            look = "bad" if to.state == "lost" else "faint"
        start, end = (self._x(each, first) for each in between)
        for cell in range(max(0, start + 1), min(drawn.count, end)):
            drawn.put(cell, glyph, look)

    def _lead(
        self, drawn: BarCells, lane: PathLane, number: int, first: int, ink: str
    ) -> None:
        """The line of a lane to the column in which it goes on elsewhere."""
        for link in self.paths.links(self.paths.path_of(lane), number):
            is_ours = link.source is lane and not link.is_arrival
            if is_ours and self.paths.mark(lane, number) is None:
                shown = range(lane.start, number)
                before = next(
                    (c for c in reversed(shown) if self.paths.mark(lane, c)), first - 1
                )
                for cell in range(self._x(before, first) + 1, self._x(number, first)):
                    if drawn.is_blank(cell, cell + 1):
                        drawn.put(cell, self._strokes.along, ink)

    def _look(self, mark: PathMark, ink: str) -> tuple[str, str]:
        if mark.fate is None:
            return self.symbols.signature, f"{ink} bold"
        glyph, _, look = say_fate(mark.fate, self.symbols)
        return glyph, f"{look} bold".strip()

    def _links(self, drawn: BarCells, row: int, first: int) -> None:
        """Lines that pass this row, or end in it."""
        last = min(len(self.paths.columns), first + drawn.count // self.column_cells)
        for path, top, low, start, end in self._linked:
            if not top - 1 <= row <= low:
                continue
            ink = self.palette.ink(path.signature.sha256)
            for number in range(max(first, start), min(last, end + 1)):
                for link in self.paths.links(path, number):
                    self._link(drawn, link, row, first, ink)

    @cached_property
    def _linked(self) -> list[tuple[SignaturePath, int, int, int, int]]:
        """Paths that have lines between lanes: their rows and columns, first to last.
        In a long session nearly all have one lane, and no such line."""
        found = []
        for path in self.paths.paths:
            if self.paths.has_links(path):
                rows = [self.row_of(lane) for lane in path.lanes]
                start = min(lane.start for lane in path.lanes)
                end = max(lane.end for lane in path.lanes)
                found.append((path, min(rows), max(rows), start, end))
        return found

    def _link(
        self, drawn: BarCells, link: PathLink, row: int, first: int, ink: str
    ) -> None:
        source = self.row_of(link.source)
        target = source - 1 if link.target is None else self.row_of(link.target)
        if not min(source, target) <= row <= max(source, target):
            return
        cell = self._x(link.column, first) + (1 if link.is_arrival else -1)
        look = "bad bold" if link.is_broken else ink
        strokes = self._strokes
        if link.target is None and row == target:
            glyph = fate_glyph(self.symbols, Fate.DROPPED)
        elif row in (source, target):
            goes_down = (row == source) == (source < target)
            glyph = self._corner(link, row == source, goes_down=goes_down)
            held = drawn.glyphs[cell] if 0 <= cell < drawn.count else " "
            if held == strokes.along and self._goes_on(link, row == source):
                glyph = strokes.tee_down if goes_down else strokes.tee_up
            elif held in (strokes.tee_down, strokes.tee_up):
                glyph = held
            elif held == strokes.across:
                glyph = strokes.tee_left if link.is_arrival else strokes.tee_right
        elif link.is_broken:
            glyph = strokes.break_
        else:
            glyph = self._passing(drawn, cell)
        drawn.put(cell, glyph, look)

    def _goes_on(self, link: PathLink, is_source: bool) -> bool:
        """Whether the line of the lane goes on beyond a link that begins there."""
        lane = link.source if is_source else link.target
        return lane is not None and (
            link.is_arrival or self.paths.mark(lane, link.column) is not None
        )

    def _passing(self, drawn: BarCells, cell: int) -> str:
        """A line across, over what is there already."""
        strokes = self._strokes
        held = drawn.glyphs[cell] if 0 <= cell < drawn.count else " "
        if held in (strokes.along, strokes.gap):
            return strokes.cross
        if held in (strokes.down_left, strokes.up_left):
            return strokes.tee_left
        if held in (strokes.down_right, strokes.up_right):
            return strokes.tee_right
        return held if held != " " else strokes.across

    def _corner(self, link: PathLink, is_source: bool, *, goes_down: bool) -> str:
        strokes = self._strokes
        # Beside the diamond of an answer, before the mark of a request.
        from_left = link.is_arrival or is_source
        if goes_down:
            return strokes.down_left if from_left else strokes.down_right
        return strokes.up_left if from_left else strokes.up_right

    # --- Words -----------------------------------------------------------------------

    @cached_property
    def legend(self) -> str:
        """What the marks of this map mean: "◆ received  ✓ exact  ✗ dropped"."""
        seen = {
            (part.fate.fate, say_fate(part.fate, self.symbols)[0])
            for path in self.paths.paths
            for lane in path.lanes
            for part in lane.stretches
        }
        seen.add((Fate.RECEIVED, fate_glyph(self.symbols, Fate.RECEIVED)))
        order = list(Fate)
        words = [
            f"{glyph} {'not sent' if glyph == self.symbols.nothing else fate}"
            for fate, glyph in sorted(seen, key=lambda one: order.index(one[0]))
        ]
        return "  ".join(words) if self.rows else ""

    def words_of(self, lane: PathLane) -> str:
        """What a lane is searched by: the id, the place, how it is spoken of."""
        return f"{lane.signature.id} {self.paths.title_of(lane.shape)}"

    def told(self, lane: PathLane, number: int) -> Sequence[Line]:
        """What there is to say of a lane in a column, on two lines."""
        mark = self.paths.mark(lane, number)
        ink = self.palette.ink(lane.signature.sha256)
        dot = Span(f" {self.symbols.dot} ", "faint")
        head = [
            Span(f" {self.symbols.signature} {lane.signature.id}", f"{ink} bold"), dot,
        ]  # fmt: skip
        here = self.paths.columns[number]
        if mark is None:
            steps = ", ".join(map(str, here.steps))
            return (*head, Span(f"step {steps}: nothing here", "dim")), ()
        head.append(Span(f"step {mark.step}", "bold"))
        if here.is_recorded:
            head.append(Span(" as recorded, not in this run", "warn"))
        if mark.fate is None:
            event = mark.sighting.event if mark.sighting else None
            where = f", event {event}" if event else ""
            head += [dot, Span(f"received{where}", "good")]
        else:
            glyph, words, look = say_fate(mark.fate, self.symbols)
            head += [dot, Span(f"{glyph} {words}", look)]
            if mark.fate.fate is Fate.EXACT or mark.state == "lost":
                head += [dot, Span(str(mark.fate.grade), "dim")]
        below = list(self._hop_words(lane, number))
        below += [mark.fate.note] if mark.fate and mark.fate.note else []
        below += [mark.sighting.pointer] if mark.sighting else []
        return tuple(head), (Span(f"   {f' {self.symbols.dot} '.join(below)}", "dim"),)

    def _hop_words(self, lane: PathLane, number: int) -> Iterator[str]:
        for link in self.paths.links(self.paths.path_of(lane), number):
            if link.is_broken and link.target is None:
                yield "the gateway did not hand it to the client"
            elif link.is_broken:
                yield "the client had sent it: the gateway lost it"


def _after(spans: Line, used: int, begun: int) -> Line:
    """What of a line stands right of a text; the line begins `begun` cells in."""
    skip = used - begun
    found: list[Span] = [Span(" " * -skip)] if skip < 0 else []
    for span in spans:
        if skip >= len(span.text):
            skip -= len(span.text)
            continue
        found.append(Span(span.text[max(0, skip) :], span.ink, span.target))
        skip = 0
    return tuple(found)
