"""The reasoning timeline as lines: one lane per step on one time axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sigscope.tui.lines import Line, Span, column, cut, fit, width
from sigscope.tui.symbols import Symbols
from sigscope.tui.views.lanes import Kind, Lane
from sigscope.tui.views.palette import Palette

INKS: Mapping[Kind, str] = {
    "wait": "faint",
    "thought": "seg-thought",
    "text": "seg-text",
    "call": "seg-call",
    "other": "seg-other",
}
FIGURES_FROM = 70
"""Cells from which figures stand beside the lanes."""
STEPS_OF_AXIS = (
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000,
    60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000,
)  # fmt: skip
"""Milliseconds (or events) between two marks of the axis: round numbers only."""
APART = 12
"""Cells between two marks of the axis, at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """How lanes are laid on cells."""

    cells: int
    """For the bars alone."""
    span: float
    """What the bars' width stands for: milliseconds, or events."""
    digits: int
    is_timed: bool

    def at(self, value: float) -> int:
        """The cell of a moment."""
        if self.span <= 0:
            return 0
        return min(self.cells - 1, max(0, int(value / self.span * (self.cells - 1))))


def frame_for(lanes: Sequence[Lane], cells: int) -> Frame:
    """Fit all lanes into a width. Where no lane has times, the axis counts events."""
    timed = any(lane.is_timed and lane.end for lane in lanes)
    digits = len(str(max((lane.number for lane in lanes), default=1)))
    room = cells - digits - 3
    if cells >= FIGURES_FROM:
        room -= min(figures_width(lanes) + 3, int(cells * 0.5))
    span = max((x.end for x in lanes if x.is_timed == timed), default=0.0)
    return Frame(cells=max(10, room), span=span, digits=digits, is_timed=timed)


def figures_width(lanes: Sequence[Lane]) -> int:
    """Cells of the longest figures."""
    return max((width((Span(lane.figures),)) for lane in lanes), default=0)


def lay_lane(
    lane: Lane, frame: Frame, cells: int, symbols: Symbols, palette: Palette
) -> Line:
    """ " 1 ▒▒▒▒▒▒▓▓▓◆      thought 17 · tool call 8" """
    head = (column(str(lane.number), frame.digits + 1, right=True), Span("  "))
    bar = _bar(lane, frame, symbols, palette)
    spans: list[Span] = [*head, *bar]
    if cells >= FIGURES_FROM:
        room = cells - width(spans) - 2
        spans += [Span("  "), Span(cut(lane.figures, max(0, room)), "dim")]
    return fit(tuple(spans), cells)


def _bar(lane: Lane, frame: Frame, symbols: Symbols, palette: Palette) -> list[Span]:
    """One cell each, as spans: fills of the segments, marks on top."""
    glyphs = [" "] * frame.cells
    inks = [""] * frame.cells
    targets: list[str | None] = [None] * frame.cells
    if lane.is_timed == frame.is_timed:
        _fill(lane, frame, symbols, glyphs, inks, targets)
        for mark in lane.marks:
            at = frame.at(mark.at)
            glyphs[at], inks[at] = symbols.signature, palette.ink(mark.sha256)
            targets[at] = f"signature:{mark.sha256}"
    if lane.failed_at is not None:
        at = frame.at(lane.failed_at)
        glyphs[at], inks[at] = symbols.bad, "bad bold"
    return _runs(glyphs, inks, targets)


def _fill(
    lane: Lane,
    frame: Frame,
    symbols: Symbols,
    glyphs: list[str],
    inks: list[str],
    targets: list[str | None],
) -> None:
    fills: Mapping[Kind, str] = {
        "wait": symbols.rule,
        "thought": symbols.thought_fill,
        "text": symbols.text_fill,
        "call": symbols.call_fill,
        "other": symbols.other_fill,
    }
    for segment in lane.segments:
        start, end = frame.at(segment.start), frame.at(segment.end)
        for cell in range(start, max(end, start + 1)):
            glyphs[cell], inks[cell] = fills[segment.kind], INKS[segment.kind]
            if segment.first:
                targets[cell] = f"event:{segment.first}"


def _runs(
    glyphs: Sequence[str], inks: Sequence[str], targets: Sequence[str | None]
) -> list[Span]:
    spans: list[Span] = []
    for glyph, ink, target in zip(glyphs, inks, targets, strict=True):
        last = spans[-1] if spans else None
        if last and (last.ink, last.target) == (ink, target):
            spans[-1] = Span(last.text + glyph, ink, target)
        else:
            spans.append(Span(glyph, ink, target))
    return spans


def lay_axis(frame: Frame, cells: int) -> Line:
    """ "0 s      0.5      1.0      1.5" """
    if frame.span <= 0:
        return ()
    wanted = frame.span / max(1, frame.cells // APART)
    step = next((s for s in STEPS_OF_AXIS if s >= wanted), STEPS_OF_AXIS[-1])
    text = " " * frame.cells
    value = 0.0
    while value <= frame.span:
        label = _label(value, step, is_timed=frame.is_timed)
        at = frame.at(value)
        if at + len(label) <= len(text):
            text = text[:at] + label + text[at + len(label) :]
        value += step
    return fit((Span(" " * (frame.digits + 3)), Span(text.rstrip(), "dim")), cells)


def _label(value: float, step: float, *, is_timed: bool) -> str:
    if not is_timed:
        return f"{value:,.0f}" if value else "event 0"
    if not value:
        return "0 s"
    if step < 10:
        return f"{value / 1000:.3f}"
    if step < 100:
        return f"{value / 1000:.2f}"
    if step < 1000:
        return f"{value / 1000:.1f}"
    return f"{value / 1000:,.0f}"


def legend(lanes: Sequence[Lane], symbols: Symbols) -> Line:
    """What the fills mean, of those that are there."""
    kinds = {segment.kind for lane in lanes for segment in lane.segments}
    names: list[tuple[Kind, str, str]] = [
        ("wait", symbols.rule, "wait"),
        ("thought", symbols.thought_fill, "thought"),
        ("text", symbols.text_fill, "text"),
        ("call", symbols.call_fill, "tool call"),
        ("other", symbols.other_fill, "other"),
    ]
    spans: list[Span] = []
    for kind, glyph, name in names:
        if kind in kinds:
            spans += [Span(glyph * 2, INKS[kind]), Span(f" {name}  ", "dim")]
    return tuple(spans)
