"""The first line of the timeline screen: what is on show, and where the head is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import partial

from textual.reactive import var

from sigscope.records import dataclass
from sigscope.timeline import Window
from sigscope.tui.figures import count, millis
from sigscope.tui.lines import Line, Span, sides, width
from sigscope.tui.panes.oneliners import OneLine
from sigscope.tui.shown import one_line
from sigscope.tui.symbols import Symbols
from sigscope.tui.timeline.sight import Sight
from sigscope.tui.views.palette import Palette


@dataclass(frozen=True, slots=True, kw_only=True)
class Top:
    title: str = ""
    told: str = ""
    """Why something could not be done; in place of the title."""
    is_read: bool = False
    sight: Sight | None = None
    """None where the turns are in front."""
    window: Window = field(default_factory=partial(Window, total=1.0))
    on_clock: bool = False
    followed: str = ""
    """SHA-256 of the signature that is followed."""
    turns: str = ""
    """ "8 turns"."""
    palette: Palette = field(default_factory=Palette)


class TimelineTopLine(OneLine):
    top: var[Top] = var(Top(), init=False)

    def watch_top(self) -> None:
        self.refresh()

    def spans(self, cells: int) -> Line:
        """Left and right."""
        top = self.top
        words = Span(top.told, "warn") if top.told else Span(one_line(top.title, 200))
        left = (Span("sigscope ", "accent bold"), Span(" "), words)
        return sides(left, lay_right(top, cells // 2, self.symbols), cells)


def lay_right(top: Top, cells: int, symbols: Symbols) -> Line:
    """ "4 lanes · step 2, event 4 of 5 · 2.0 s · ×2 · session clock"; where that is too
    much, the last words matter most."""
    if not top.is_read:
        return (Span("reading …", "accent"),)
    if top.sight is None:
        return (Span(top.turns, "dim"),)
    said = [*_of_sight(top.sight)]
    if top.followed:
        glyph = f"{symbols.signature} {top.palette.id(top.followed)}"
        said.insert(1, Span(glyph, top.palette.ink(top.followed)))
    if not top.window.is_whole:
        said.append(Span(f"×{top.window.factor:.3g}", "accent"))
    if top.on_clock:
        said.append(Span("session clock", "accent"))
    dot = Span(f" {symbols.dot} ", "faint")
    while len(said) > 1 and width(_join(said, dot)) > cells:
        del said[0]
    return _join(said, dot)


def _of_sight(sight: Sight) -> Iterator[Span]:
    yield Span(count(len(sight.lanes), "lane"), "dim")
    lane = sight.lane
    if lane is not None:
        name = f"run {lane.run}" if lane.run is not None else f"step {lane.step}"
        if lane.is_streamed and sight.event:
            name += f", event {sight.event:,} of {lane.events:,}"
        yield Span(name, "dim")
        if lane.is_timed:
            yield Span(millis(lane.at(sight.event)), "bold")


def _join(spans: Sequence[Span], between: Span) -> Line:
    """One after the other, something between."""
    return tuple(x for span in spans for x in (between, span))[1:]
