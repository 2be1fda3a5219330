"""Keeps the JSON pane on what is selected, and takes the moves of its cursor."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from textual.app import App

from sigscope.errors import UsageError
from sigscope.reader import Reading
from sigscope.tui.debugger.desk import Desk
from sigscope.tui.debugger.model import DebuggerModel
from sigscope.tui.editor import edit_outside
from sigscope.tui.json.subject import NO_CHIPS, Chips, JsonSubject, MarkKey, NodeMark
from sigscope.tui.place import NodePlace
from sigscope.tui.selection import Selection
from sigscope.tui.study import offers
from sigscope.tui.symbols import Symbols
from sigscope.tui.views.jsonmarks import json_chips, json_marks
from sigscope.tui.views.outcome import marks_as_sent
from sigscope.tui.views.shownsession import Overview, Shown

if TYPE_CHECKING:
    from sigscope.readymade import OfferRow
    from sigscope.tui.json.pane import JsonPane


class JsonLink:
    """Neither of the two is told what it said itself."""

    def __init__(self, model: DebuggerModel, desk: Desk) -> None:
        self._model = model
        self._desk = desk
        self._told: NodePlace | None = None
        """Where the pane's cursor is by its own word."""
        self._studied: Overview | None = None
        self._symbols: Symbols | None = None
        self._chips: Chips = NO_CHIPS
        self.in_diff: NodePlace | None = None
        """Where the cursor of its Diff tab is."""

    def show(self, pane: JsonPane, symbols: Symbols) -> None:
        """Give the pane what is on show now, and soon the rows that could be switched
        on in it."""
        shown = self._model.shown
        self._told = None
        if shown is None:
            return
        pane.subject = subject_of(self._model, shown, symbols, self._named(symbols))

        def offer(rows: tuple[OfferRow, ...]) -> None:
            if rows and self._model.shown is shown:
                pane.offer(rows)

        look = partial(offers, self._model.document, shown)
        self._desk.aside("offer rows", look, offer)

    def mark(self, pane: JsonPane, symbols: Symbols) -> None:
        """Show other badges: it is known what came of the request."""
        shown = self._model.shown
        if shown is not None:
            pane.mark(marks_in(self._model, shown, symbols))

    def _named(self, symbols: Symbols) -> Chips:
        """The signatures of the session; made once for each study of it."""
        overview = self._model.overview
        is_same = self._studied is overview and self._symbols is symbols
        if overview is not None and not is_same:
            self._studied, self._symbols = overview, symbols
            self._chips = json_chips(overview.ledger, symbols, overview.palette)
        return self._chips

    def reveal(self, pane: JsonPane) -> None:
        """Go to the selected node, unless the pane is there by its own word, or nothing
        in particular is selected."""
        selection = self._model.selection
        place = selection.place if selection else None
        if selection is None or place is None or place == self._told:
            return
        if place == NodePlace() and _is_vague(selection):
            return
        self._told = place
        pane.show_node(place.side, place.event, place.pointer)

    def take(self, message: JsonPane.NodeChosen) -> None:
        """The pane's cursor has moved."""
        place = NodePlace(
            side=message.side, event=message.event, pointer=message.pointer
        )
        self._told = place
        self._model.choose_node(place)

    def take_diff(self, message: JsonPane.DiffMoved) -> None:
        """The cursor of its Diff tab has moved."""
        pointer = message.pointer
        self.in_diff = (
            None if pointer is None else NodePlace(side=message.side, pointer=pointer)
        )

    def edit_outside(self, pane: JsonPane, message: JsonPane.EditorWanted) -> None:
        """Hand a value to the user's editor; everything stands still meanwhile."""
        app: App[object] = pane.app
        sheet = message.sheet
        kept = pane.editor.kept_file(sheet)
        try:
            came = edit_outside(app, sheet.data, sheet.suffix, os.environ, kept)
        except UsageError as error:
            self._desk.tell(str(error), severity="warning", timeout=10)
        else:
            pane.do(pane.editor.take_back(sheet, came))


def _is_vague(selection: Selection) -> bool:
    return selection.signature is None and selection.finding is None


def subject_of(
    model: DebuggerModel, shown: Shown, symbols: Symbols, chips: Chips = NO_CHIPS
) -> JsonSubject:
    """What the pane shows of a step; of a run with its parent, or its step, to compare
    it with."""
    assert model.overview is not None
    document = model.document
    parent, title = None, ""
    here = f"step {shown.step}"
    if shown.run is not None:
        run = document.run(shown.run)
        if run.parent is not None:
            parent = document.run_reading(document.run(run.parent))
            title = f"run {run.parent}"
        else:
            parent = document.reading(shown.step)
            title = here
    return JsonSubject(
        title=here if shown.run is None else f"run {shown.run} of {here}",
        reading=shown.reading,
        base=shown.reading,
        parent=parent,
        parent_title=title,
        client=_client_of(model, shown),
        marks=marks_in(model, shown, symbols),
        chips=chips,
    )


def _client_of(model: DebuggerModel, shown: Shown) -> Reading | None:
    """What the client had sent, where the recorder mended it."""
    if shown.is_run or shown.reading.exchange.mended is None:
        return None
    return model.document.client_reading(shown.step)


def marks_in(
    model: DebuggerModel, shown: Shown, symbols: Symbols
) -> Mapping[MarkKey, tuple[NodeMark, ...]]:
    """Badges of what is on show; as they were sent, where it was sent as it is now."""
    assert model.overview is not None
    palette, outcome = model.overview.palette, model.outcome
    if outcome is None:
        return json_marks(shown.marks, symbols, palette)
    marks = marks_as_sent(shown.marks, outcome)
    return json_marks(marks, symbols, palette, mended=outcome.mended)
