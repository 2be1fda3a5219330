"""Lanes as cells: what came when, marks on top, the play head. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import groupby
from operator import itemgetter

from sigscope.records import dataclass
from sigscope.timeline.lanes import Kind, Lane, Mark
from sigscope.timeline.window import Window
from sigscope.tui.figures import millis
from sigscope.tui.lines import Line, Span, width
from sigscope.tui.symbols import Symbols
from sigscope.tui.views.palette import Palette

INKS: Mapping[Kind, str] = {
    "wait": "faint",
    "thought": "seg-thought",
    "text": "seg-text",
    "call": "seg-call",
    "signature": "seg-other",
    "usage": "seg-other",
    "error": "bad",
    "whole": "seg-other",
    "other": "seg-other",
}
NAMES: Mapping[Kind, str] = {
    "wait": "wait",
    "thought": "thought",
    "text": "text",
    "call": "tool call",
    "signature": "signature",
    "usage": "usage",
    "error": "error",
    "whole": "in one piece",
    "other": "other",
}

APART = 10
"""Cells between two ticks, at least."""

_WEIGHT = {"usage": 0, "finish": 1, "signature": 2, "error": 3}
"""Which mark shows where several share a cell: the heaviest."""


@dataclass(slots=True)
class BarCells:
    """A row in the making."""

    count: int
    glyphs: list[str] = field(init=False)
    inks: list[str] = field(init=False)
    targets: list[str | None] = field(init=False)

    def __post_init__(self) -> None:
        self.glyphs = [" "] * self.count
        self.inks = [""] * self.count
        self.targets = [None] * self.count

    def put(self, cell: int, glyph: str, ink: str, target: str | None = None) -> None:
        """Draw one cell, if it is in sight."""
        if 0 <= cell < self.count:
            self.glyphs[cell], self.inks[cell] = glyph, ink
            self.targets[cell] = target

    def write(self, cell: int, text: str, ink: str) -> None:
        """Draw a text, as far as it is in sight."""
        for index, glyph in enumerate(text):
            self.put(cell + index, glyph, ink)

    def is_blank(self, start: int, end: int) -> bool:
        """Whether nothing is drawn there; outside of sight nothing may be."""
        inside = start >= 0 and end <= self.count
        return inside and all(glyph == " " for glyph in self.glyphs[start:end])

    def spans(self) -> Line:
        """The row, neighbours in one ink as one span."""
        looks = zip(self.inks, self.targets, strict=True)
        cells = zip(self.glyphs, looks, strict=True)
        return tuple(
            Span("".join(glyph for glyph, _ in run), *look)
            for look, run in groupby(cells, key=itemgetter(1))
        )


def lay_bar(
    lane: Lane,
    window: Window,
    cells: int,
    symbols: Symbols,
    palette: Palette,
    *,
    offset: float = 0.0,
    head: float | None = None,
) -> Line:
    """One lane. `offset`: where it begins on the axis; `head`: the play head's moment
    on the axis."""
    row = BarCells(cells)
    _fill(row, lane, window, symbols, offset)
    for mark in sorted(lane.marks, key=lambda mark: _WEIGHT[mark.kind]):
        glyph, ink = look_of(mark, symbols, palette)
        target = f"signature:{mark.sha256}" if mark.sha256 else None
        row.put(window.cell(offset + mark.at, cells), glyph, ink, target)
    if head is not None:
        cell = window.cell(head, cells)
        if 0 <= cell < cells:
            row.inks[cell] = f"{row.inks[cell]} inverse".strip()
            if row.glyphs[cell] == " ":
                row.glyphs[cell] = symbols.head_line
                row.inks[cell] = "accent"
    return row.spans()


def look_of(mark: Mark, symbols: Symbols, palette: Palette) -> tuple[str, str]:
    """Glyph and ink of a mark."""
    if mark.kind == "signature":
        return symbols.signature, f"{palette.ink(mark.sha256)} bold"
    if mark.kind == "finish":
        return symbols.finish, "good"
    if mark.kind == "usage":
        return symbols.usage, "dim"
    return symbols.bad, "bad bold"


def _fill(
    row: BarCells, lane: Lane, window: Window, symbols: Symbols, offset: float
) -> None:
    glyphs = fills(symbols)
    cells = row.count
    for span in lane.spans:
        first = window.cell(offset + span.start, cells)
        last = window.cell(offset + span.end, cells)
        if last < 0 or first >= cells:
            continue
        for cell in range(max(0, first), min(cells, max(last, first + 1))):
            row.put(cell, glyphs[span.kind], INKS[span.kind])
    if _shows_first_byte(lane):
        cell = window.cell(offset + (lane.first_byte or 0.0), cells)
        row.put(cell, symbols.first_byte, "dim")
    for gap in lane.gaps:
        first = window.cell(offset + gap.start, cells) + 1
        last = window.cell(offset + gap.end, cells)
        sign = symbols.silence
        for cell in range(max(0, first), min(cells, last)):
            row.put(cell, sign, "faint")
        said = f" {millis(gap.length)} "
        if last - first >= len(said) + 4:
            row.write(first + (last - first - len(said)) // 2, said, "dim")


def _shows_first_byte(lane: Lane) -> bool:
    """Whether the first byte came before the first event."""
    wait = lane.spans[0] if lane.spans and lane.spans[0].kind == "wait" else None
    return bool(wait and lane.first_byte and lane.first_byte < wait.end)


def fills(symbols: Symbols) -> Mapping[Kind, str]:
    """The glyph of each kind."""
    return {
        "wait": symbols.rule,
        "thought": symbols.thought_fill,
        "text": symbols.text_fill,
        "call": symbols.call_fill,
        "signature": symbols.other_fill,
        "usage": symbols.other_fill,
        "error": symbols.other_fill,
        "whole": symbols.whole,
        "other": symbols.other_fill,
    }


def lay_head(
    window: Window,
    cells: int,
    symbols: Symbols,
    head: float,
    label: str,
    stops: Iterable[float] = (),
) -> Line:
    """ "   ●     ▲ 14": the play head below a bar, and where breakpoints lie."""
    row = BarCells(cells)
    for stop in stops:
        row.put(window.cell(stop, cells), symbols.stop, "bad")
    cell = window.cell(head, cells)
    if 0 <= cell < cells:
        room = cells - cell - 2
        if len(label) <= room:
            row.write(cell + 2, label, "accent bold")
        elif cell > len(label):
            row.write(cell - len(label) - 1, label, "accent bold")
        row.put(cell, symbols.play_head, "accent bold")
    return row.spans()


def lay_axis(
    window: Window,
    cells: int,
    *,
    is_timed: bool,
    above: Line = (),
) -> Line:
    """ "0 s      0.5      1.0      1.5"; `above`: a line that is drawn in place of the
    ticks where it says something."""
    row = BarCells(cells)
    at = 0
    for span in above:
        if span.text.strip():
            row.write(at, span.text, span.ink)
        at += width((span,))
    if window.length <= 0:
        return row.spans()
    most = max(1, cells // APART)
    step = window.step(most)
    for tick in window.ticks(most):
        label = tick_label(tick, step, is_timed=is_timed)
        cell = window.cell(tick, cells)
        # Not so near to the play head that two numbers would read as one.
        margin = 2 if above else 0
        left, right = max(0, cell - margin), cell + len(label)
        if right <= cells and row.is_blank(left, min(cells, right + margin)):
            row.write(cell, label, "dim")
    return row.spans()


def tick_label(value: float, step: float, *, is_timed: bool) -> str:
    """ "0 s", "0.5", "12", "1:30"; "4 ms"; where events are counted, "5"."""
    if not is_timed:
        return f"{value:,.0f}" if value else "event"
    if step < 10 and value < 1000:
        return f"{value:g} ms"
    if not value:
        return "0 s"
    if step >= 60_000 or value >= 600_000:
        seconds = round(value / 1000)
        hours, minutes = divmod(seconds // 60, 60)
        tail = f"{minutes:02d}:{seconds % 60:02d}"
        return f"{hours}:{tail}" if hours else tail.removeprefix("0")
    digits = 3 if step < 10 else 2 if step < 100 else 1 if step < 1000 else 0
    return f"{value / 1000:,.{digits}f}"


def lay_legend(lanes: Sequence[Lane], symbols: Symbols) -> Line:
    """What fills and marks mean, of those that are there."""
    kinds = {span.kind for lane in lanes for span in lane.spans}
    marks = {mark.kind for lane in lanes for mark in lane.marks}
    glyphs = fills(symbols)
    spans: list[Span] = []
    for kind in ("wait", "thought", "text", "call", "whole"):
        if kind in kinds:
            spans += [
                Span(glyphs[kind] * 2, INKS[kind]),
                Span(f" {NAMES[kind]}  ", "dim"),
            ]
    if kinds & {"other", "signature", "usage"}:
        spans += [Span(glyphs["other"] * 2, INKS["other"]), Span(" other  ", "dim")]
    refused = glyphs["error"] if "error" in kinds else ""
    listed = (
        ("signature", symbols.signature, "sig-1"),
        ("finish", symbols.finish, "good"),
        ("usage", symbols.usage, "dim"),
        ("error", refused + symbols.bad, "bad"),
    )
    for name, glyph, ink in listed:
        if name in marks:
            spans += [Span(glyph, ink), Span(f" {name}  ", "dim")]
    if any(_shows_first_byte(lane) for lane in lanes):
        spans += [Span(symbols.first_byte, "dim"), Span(" first byte  ", "dim")]
    return tuple(spans)


def flow_legend(
    lanes: Sequence[Lane], symbols: Symbols, cells: int
) -> tuple[Line, ...]:
    """The same, all of it, on as many lines as that takes."""
    spans = lay_legend(lanes, symbols)
    rows: list[Line] = [()]
    for glyph, words in zip(spans[::2], spans[1::2], strict=True):
        entry = (glyph, replace(words, text=words.text.rstrip()))
        if rows[-1] and width(rows[-1]) + 2 + width(entry) > cells:
            rows.append(())
        gap = (Span("  "),) if rows[-1] else ()
        rows[-1] = (*rows[-1], *gap, *entry)
    return tuple(rows) if rows[0] else ()
