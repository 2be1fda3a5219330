"""The six panes of the debugger: bound to what the model says, heard for its parts."""

from __future__ import annotations

from collections.abc import Callable

from textual import getters, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.reactive import var

from sigscope.edits.records import Edit
from sigscope.runs import Run
from sigscope.tui.debugger.jsonlink import JsonLink
from sigscope.tui.debugger.layout import DiffDetour
from sigscope.tui.debugger.model import SETTLED, DebuggerModel
from sigscope.tui.debugger.router import PaneRouter
from sigscope.tui.debugger.screendesk import ScreenDesk
from sigscope.tui.itemlist import ItemList
from sigscope.tui.json import JsonPane
from sigscope.tui.panes.chat import ChatPane
from sigscope.tui.panes.findings import FindingsPane
from sigscope.tui.panes.signatures import SignaturesPane
from sigscope.tui.panes.steps import StepsPane
from sigscope.tui.panes.timeline import TimelinePane
from sigscope.tui.screens import arrangement
from sigscope.tui.selection import Selection
from sigscope.tui.symbols import UNICODE, Symbols
from sigscope.tui.views.facts import StepFacts
from sigscope.tui.views.outcome import SentOutcome
from sigscope.tui.views.shownsession import Overview, Shown

MIRRORED = ("facts", "overview", "selection", "shown", "edits", "runs", "outcome")
"""Fields of the model that panes are bound to."""


PANES = {
    arrangement.STEPS: StepsPane,
    arrangement.SIGNATURES: SignaturesPane,
    arrangement.CHAT: ChatPane,
    arrangement.JSON: JsonPane,
    arrangement.TIMELINE: TimelinePane,
    arrangement.FINDINGS: FindingsPane,
}
"""By number."""


class PaneBoard(Vertical):
    """Holds what panes are bound to; passes on what they tell."""

    steps = getters.query_one(StepsPane)
    signatures = getters.query_one(SignaturesPane)
    chat = getters.query_one(ChatPane)
    json = getters.query_one(JsonPane)
    timeline = getters.query_one(TimelinePane)
    findings = getters.query_one(FindingsPane)

    symbols: var[Symbols] = var(UNICODE, init=False)
    facts: var[tuple[StepFacts, ...]] = var((), init=False)
    overview: var[Overview | None] = var(None, init=False)
    selection: var[Selection | None] = var(None, init=False)
    shown: var[Shown | None] = var(None, init=False)
    edits: var[tuple[Edit, ...]] = var((), init=False)
    runs: var[tuple[Run, ...]] = var((), init=False)
    outcome: var[SentOutcome | None] = var(None, init=False)

    def __init__(
        self,
        model: DebuggerModel,
        desk: ScreenDesk,
        router: PaneRouter,
        link: JsonLink,
        diff: DiffDetour,
        *,
        symbols: Symbols,
        placed: Callable[[], object],
    ) -> None:
        """`placed` is told when the place in the Diff tab is another."""
        super().__init__()
        self.set_reactive(PaneBoard.symbols, symbols)
        self._model = model
        self._desk = desk
        self.router = router
        self._link = link
        self._diff = diff
        self._placed = placed

    def compose(self) -> ComposeResult:
        """Every pane is there; which are on show is a matter of size."""
        here = PaneBoard
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield StepsPane(classes="pane").data_bind(
                    here.symbols, here.facts, here.overview, here.selection
                )
                yield SignaturesPane(classes="pane").data_bind(
                    here.symbols,
                    here.overview,
                    here.shown,
                    here.selection,
                    here.outcome,
                )
            yield ChatPane(classes="pane").data_bind(
                here.symbols,
                here.facts,
                here.overview,
                here.shown,
                here.selection,
                here.outcome,
            )
            yield JsonPane(classes="pane").data_bind(here.symbols, here.edits)
        with Vertical(id="lower"):
            yield TimelinePane(classes="pane").data_bind(
                here.symbols, here.facts, here.overview, here.shown, here.selection
            )
            yield FindingsPane(classes="pane").data_bind(
                here.symbols,
                here.overview,
                here.shown,
                here.selection,
                here.edits,
                here.runs,
                here.outcome,
            )

    # --- What the model tells --------------------------------------------------------

    def take(self, what: str) -> None:
        """Something of the model is another; `what`: its name."""
        model = self._model
        if what == "shown":
            self._link.show(self.json, self.symbols)
        if what in MIRRORED:
            setattr(self, what, getattr(model, what))
        if what == "outcome":
            self._link.mark(self.json, self.symbols)
            if model.outcome is not None and self.findings.has_focus:
                self.findings.keep_in_sight(("run", model.outcome.run.number))
        elif what == SETTLED:
            self._link.reveal(self.json)
        elif what == "problem" and model.problem:
            self._tell_unread()
        elif what == "last_run" and model.last_run is not None:
            self._show_run(model.last_run)

    def _tell_unread(self) -> None:
        """What is made from all steps together is not there."""
        overview, note = self.overview, "not all steps could be read"
        if overview is None:
            self.signatures.show([], note=note)
        if overview is None or not overview.is_checked:
            self.chat.show([], note=note)
            self.findings.show([], note=note)

    def _show_run(self, run: Run) -> None:
        row = ("run", run.number)
        if self.findings.has_focus:
            self.findings.keep_in_sight(row)
        else:
            self.findings.select(row)

    # --- What panes tell -------------------------------------------------------------

    @on(ItemList.Moved)
    def _moved(self, message: ItemList.Moved) -> None:
        message.stop()
        self.router.take(message.list, message.key)

    @on(ItemList.Chosen)
    def _chosen(self, message: ItemList.Chosen) -> None:
        message.stop()
        self.router.take(message.list, message.key, is_opened=True)

    @on(ItemList.Hit)
    def _hit(self, message: ItemList.Hit) -> None:
        message.stop()
        self.router.take(message.list, message.key)
        self.router.follow_target(str(message.target), message.key)

    @on(TimelinePane.Pointed)
    def _pointed(self, message: TimelinePane.Pointed) -> None:
        message.stop()
        self.router.point(message)

    @on(JsonPane.NodeChosen)
    def _node_chosen(self, message: JsonPane.NodeChosen) -> None:
        message.stop()
        self._link.take(message)

    @on(JsonPane.DiffMoved)
    def _diff_moved(self, message: JsonPane.DiffMoved) -> None:
        message.stop()
        self._link.take_diff(message)
        self._placed()

    @on(JsonPane.EditsChanged)
    def _edits_changed(self, message: JsonPane.EditsChanged) -> None:
        message.stop()
        self._model.take_edits(message.edits, message.label)

    @on(JsonPane.MarkChosen)
    def _mark_chosen(self, message: JsonPane.MarkChosen) -> None:
        message.stop()
        self.router.follow_mark(message.mark.target)

    @on(JsonPane.EditorWanted)
    def _editor_wanted(self, message: JsonPane.EditorWanted) -> None:
        message.stop()
        if self._model.under_way is not None:
            # Everything stands still while the terminal is the editor's.
            key = self._desk.key("back")
            self._desk.tell(f"a request is under way; wait for it, or {key} cancels it")
        else:
            self._link.edit_outside(self.json, message)

    @on(JsonPane.CopyRequested)
    def _copy_requested(self, message: JsonPane.CopyRequested) -> None:
        message.stop()
        sent = (step.exchange.request for step in self._model.document.steps)
        self._desk.copy(message.text, message.what, sent)

    @on(JsonPane.TabShown)
    def _tab_shown(self, message: JsonPane.TabShown) -> None:
        message.stop()
        self._diff.take(message.name)
        self._placed()
