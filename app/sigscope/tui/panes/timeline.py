"""Pane 5: when the parts of each response arrived."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from textual.reactive import var

from sigscope.tui.itemlist import Item
from sigscope.tui.lines import Line, fit, line, sides, width
from sigscope.tui.panes.pane import Pane
from sigscope.tui.selection import Selection
from sigscope.tui.views.facts import StepFacts
from sigscope.tui.views.lanes import Lane
from sigscope.tui.views.palette import Palette
from sigscope.tui.views.studied import Overview
from sigscope.tui.views.timeline import (
    FIGURES_FROM,
    Frame,
    frame_for,
    lay_axis,
    lay_lane,
    legend,
)


class TimelinePane(Pane):
    """Shows the lanes in `facts`; keys are step numbers."""

    NUMBER = 5
    NAME = "Reasoning timeline"
    EMPTY = "no responses"
    HELP = (
        "One lane per step on one time axis: waiting, thought, text, tool calls, and"
        " the moment each signature arrived, in its colour. Where a recording has no"
        " arrival times, lanes count events instead. A click on a bar opens the event."
    )

    facts: var[tuple[StepFacts, ...]] = var((), init=False)
    overview: var[Overview | None] = var(None, init=False)
    selection: var[Selection | None] = var(None, init=False)

    _frame: Callable[[int], Frame] = staticmethod(partial(frame_for, ()))
    """How the lanes are laid on so many cells."""

    def watch_facts(self) -> None:
        """Other lanes."""
        self.rebuild()

    def watch_overview(self) -> None:
        """Colours are known now."""
        self.rebuild()

    def watch_selection(self, selection: Selection | None) -> None:
        """The cursor follows."""
        if selection is not None:
            self.select(selection.step)

    @property
    def lanes(self) -> list[Lane]:
        """What there is to draw."""
        return [fact.lane for fact in self.facts if fact.lane is not None]

    def rebuild(self) -> None:
        """A lane for each step."""
        palette = self.overview.palette if self.overview else Palette()
        lanes = self.lanes
        # Fitting the frame looks at every lane: once for all of them, at each width.
        self._frame = lru_cache(maxsize=4)(partial(frame_for, lanes))
        self.show(
            [
                Item(lane.number, partial(self._lay, lane, palette), height=1)
                for lane in lanes
            ],
            note="reading …" if self.facts else "",
        )
        if self.selection is not None:
            self.select(self.selection.step)
        timed = any(lane.is_timed for lane in lanes)
        self.say("" if timed or not lanes else "no arrival times recorded: by event")

    def _lay(self, lane: Lane, palette: Palette, cells: int) -> list[Line]:
        return [lay_lane(lane, self._frame(cells), cells, self.symbols, palette)]

    def footer(self, cells: int) -> Sequence[Line]:
        """The axis, and what the fills mean."""
        lanes = self.lanes
        if not lanes:
            return ()
        axis = lay_axis(self._frame(cells), cells)
        if cells < FIGURES_FROM:
            return (axis,) if axis else ()
        key = legend(lanes, self.symbols)
        if axis and width(axis) + 2 + width(key) > cells:
            return (axis, fit(key, cells))
        return (sides(axis or line(""), key, cells),)
