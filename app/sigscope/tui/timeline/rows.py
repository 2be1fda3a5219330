"""A lane as a row: its name, its bar, figures beside it. Pure.

Both the timeline screen and pane 5 draw these rows, so that a step looks the same in
either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import partial

from sigscope.ledger import FateAt
from sigscope.records import dataclass
from sigscope.timeline.lanes import Lane
from sigscope.timeline.window import Window
from sigscope.tui.figures import count, millis
from sigscope.tui.lines import Line, Span, column, cut, fit, width
from sigscope.tui.symbols import UNICODE, Symbols
from sigscope.tui.timeline.bars import lay_bar, look_of
from sigscope.tui.timeline.words import figures_of
from sigscope.tui.views.palette import Palette
from sigscope.tui.views.signatures import say_fate

HEAD = 7
"""Cells of a lane's name."""
BAR = 2
"""Cells of the cursor, at the left of every row."""
FIGURES_FROM = 70
"""Cells from which figures stand beside the bars, unless told otherwise."""
MOST_FIGURES = 0.45
"""Share of a row that figures may take."""

Key = tuple[str, int]
"""Of a lane: ("step", 2), ("run", 4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayHead:
    key: Key
    """The lane it stands in."""
    moment: float
    """On the axis."""
    label: str = ""
    """Number of the event; empty where the answer was not streamed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSheet:
    """What all rows of one drawing share."""

    window: Window = field(default_factory=partial(Window, total=1.0))
    is_timed: bool = True
    """The unit of the axis: milliseconds, or events."""
    has_axis: bool = True
    """False where nothing is measured: no lane has times or events."""
    offsets: Mapping[Key, float] = field(default_factory=dict)
    """Where lanes begin on the axis; at 0 if not named."""
    figures: int = 0
    """Cells of the longest figures."""
    figures_from: int = FIGURES_FROM
    """Cells of a row from which they stand beside the bars."""
    head: PlayHead | None = None
    fates: Mapping[int, FateAt] = field(default_factory=dict)
    """What became of the followed signature, by step."""
    symbols: Symbols = UNICODE
    palette: Palette = field(default_factory=Palette)

    def bar_cells(self, cells: int) -> int:
        """Cells of the bars in rows of so many."""
        room = cells - HEAD
        if cells >= self.figures_from:
            room -= min(self.figures + 2, int(cells * MOST_FIGURES))
        return max(10, room)

    def moment_at(self, x: int, cells: int) -> float | None:
        """The moment on the axis in a column of a row that is pointed at; None beside
        the bar. `cells`: of the text of a row."""
        cell, bar = x - BAR - HEAD, self.bar_cells(cells)
        return self.window.moment(cell, bar) if 0 <= cell < bar else None


def _is_timed(lanes: Sequence[Lane]) -> bool:
    return any(lane.is_timed and lane.end for lane in lanes)


def whole_axis(lanes: Sequence[Lane], offsets: Mapping[Key, float]) -> Window:
    """One axis for all lanes. Where none has times, it counts events."""
    timed = _is_timed(lanes)
    ends = [
        offsets.get(lane.key, 0.0) + lane.end
        for lane in lanes
        if lane.is_timed == timed
    ]
    return Window(total=max(ends, default=0.0) or 1.0)


def sheet_for(
    lanes: Sequence[Lane],
    symbols: Symbols,
    palette: Palette,
    *,
    offsets: Mapping[Key, float] | None = None,
    figures_from: int = FIGURES_FROM,
) -> RowSheet:
    """How all of these are drawn, on the whole of their axis."""
    offsets = offsets or {}
    listed = (figures_of(lane, symbols) for lane in lanes)
    return RowSheet(
        window=whole_axis(lanes, offsets),
        is_timed=_is_timed(lanes),
        has_axis=_is_timed(lanes) or any(lane.events for lane in lanes),
        offsets=offsets,
        figures=max((width((Span(text),)) for text in listed), default=0),
        figures_from=figures_from,
        symbols=symbols,
        palette=palette,
    )


def lay_lane(lane: Lane, sheet: RowSheet, cells: int) -> Line:
    """ "  1    ───▒▒▒▒▓▓◆      thought 17 · tool call 8 · signature ev 14 of 25" """
    bar = sheet.bar_cells(cells)
    spans = [*_name(lane, sheet)]
    if sheet.has_axis and lane.is_timed == sheet.is_timed:
        head = sheet.head if sheet.head and sheet.head.key == lane.key else None
        spans += lay_bar(
            lane,
            sheet.window,
            bar,
            sheet.symbols,
            sheet.palette,
            offset=sheet.offsets.get(lane.key, 0.0),
            head=head.moment if head else None,
        )
    else:
        spans += _off_the_axis(lane, sheet, bar)
    room = cells - width(spans) - 2
    if cells >= sheet.figures_from and room > 8:
        words = figures_of(lane, sheet.symbols)
        if width((Span(words),)) > room:
            words = cut(figures_of(lane, sheet.symbols, is_short=True), room)
        spans += [Span("  "), Span(words, "bad" if lane.is_refused else "dim")]
    return fit(tuple(spans), cells)


def _name(lane: Lane, sheet: RowSheet) -> Line:
    """The number, and beside a step what became of the followed signature in it."""
    if lane.run is not None:
        return (Span(" "), column(f"{sheet.symbols.child} #{lane.run}", 6, "dim"))
    fate = sheet.fates.get(lane.step)
    glyph, ink = (" ", "")
    if fate is not None:
        glyph, _, ink = say_fate(fate, sheet.symbols)
    return (
        column(str(lane.step), 3, "bold", right=True),
        Span(" "),
        Span(glyph, f"{ink} bold".strip()),
        Span("  "),
    )


def _off_the_axis(lane: Lane, sheet: RowSheet, cells: int) -> Line:
    """What an axis of another unit cannot hold: the marks in order, and why."""
    marks: list[Span] = []
    for mark in lane.marks:
        glyph, ink = look_of(mark, sheet.symbols, sheet.palette)
        target = f"signature:{mark.sha256}" if mark.sha256 else None
        marks += [Span(glyph, ink, target)]
    dot = f" {sheet.symbols.dot} "
    words = ["no arrival times"] if lane.has_answer else []
    if lane.events:
        words.append(count(lane.events, "event"))
    if lane.took is not None:
        words.append(f"took {millis(lane.took)}")
    line = fit(
        (*marks, Span(" " if marks else ""), Span(dot.join(words), "dim")), cells
    )
    return (*line, Span(" " * (cells - width(line))))
