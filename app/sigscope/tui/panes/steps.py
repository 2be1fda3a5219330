"""Pane 1: the steps of the session."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from textual import events
from textual.reactive import var

from sigscope.tui.itemstack import Item
from sigscope.tui.lines import Line
from sigscope.tui.panes.pane import Pane
from sigscope.tui.selection import Selection
from sigscope.tui.views.facts import StepFacts
from sigscope.tui.views.palette import Palette
from sigscope.tui.views.shownsession import Overview
from sigscope.tui.views.steps import (
    StepRow,
    lay_step,
    mark_cells,
    step_rows,
    step_title,
)


class StepsPane(Pane):
    """Shows `facts`, and what the overview adds; keys are step numbers."""

    NUMBER = 1
    NAME = "Steps"
    EMPTY = "no steps yet"
    HELP = (
        "Every recorded exchange: number, status, how it ended, time taken. A diamond"
        " stands for each signature its answer brought, a cross for a required one"
        " that its request lost. Side requests (titles, summaries) and forks are"
        " marked. A question mark: its request is not judged, for the dialect is not"
        " known (the command Dialect says it) or its body was not recorded. Moving"
        " the cursor shows the step in all panes."
    )

    facts: var[tuple[StepFacts, ...]] = var((), init=False)
    overview: var[Overview | None] = var(None, init=False)
    selection: var[Selection | None] = var(None, init=False)

    def watch_facts(self) -> None:
        """Another list."""
        self.rebuild()

    def watch_overview(self) -> None:
        """Signatures and threads are known now."""
        self.rebuild()

    def watch_selection(self, selection: Selection | None) -> None:
        """The cursor follows."""
        if selection is not None:
            self.select(selection.step)

    def rebuild(self) -> None:
        overview = self.overview
        rows = step_rows(self.facts, overview.ledger if overview else None)
        digits = len(str(max((fact.number for fact in self.facts), default=1)))
        palette = overview.palette if overview else Palette()
        marked = mark_cells(rows) + 1  # a blank before the scroll bar
        self.show(
            [
                Item(
                    row.facts.number,
                    partial(self._lay, row, digits, palette, marked),
                    height=1,
                )
                for row in rows
            ]
        )
        if self.selection is not None:
            self.select(self.selection.step)
        self._rows = rows
        self._tell_figures()

    _rows: Sequence[StepRow] = ()

    def on_resize(self, event: events.Resize) -> None:
        """Other figures may fit into the border."""
        super().on_resize(event)
        self._tell_figures()

    def _tell_figures(self) -> None:
        self.say(step_title(self._rows, self.outer_size.width - 6))

    def _lay(
        self, row: StepRow, digits: int, palette: Palette, marked: int, cells: int
    ) -> list[Line]:
        row_line = lay_step(row, cells, digits, self.symbols, palette, marked=marked)
        return [row_line]
