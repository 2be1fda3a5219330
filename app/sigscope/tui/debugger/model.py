"""What the debugger knows of the session it shows. No widget, no terminal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from sigscope.edits.records import Edit
from sigscope.engine.engine import Engine
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.drafts import Base
from sigscope.records import dataclass
from sigscope.rules.findings import Finding
from sigscope.runs import Run
from sigscope.tui.debugger.desk import Desk
from sigscope.tui.debugger.forecast import Forecast, foretell
from sigscope.tui.debugger.observed import Observable, Observed
from sigscope.tui.debugger.upstream import ChosenUpstream
from sigscope.tui.json.history import EditHistory
from sigscope.tui.place import NodePlace
from sigscope.tui.selection import (
    Selection,
    begin,
    begin_at,
    choose_finding,
    choose_place,
    choose_signature,
    choose_step,
    settle,
)
from sigscope.tui.study import StudyProgress, glances, look_at
from sigscope.tui.views.facts import StepFacts
from sigscope.tui.views.marks import place_received
from sigscope.tui.views.outcome import SentOutcome, outcome_of, run_of
from sigscope.tui.views.shownsession import Overview, Shown

if TYPE_CHECKING:  # dear to import; opening a session sends nothing
    from sigscope.engine.sending.sender import SendProgress

SETTLED = "settled"
"""Is told when the selection is complete: its step is on show, its node is found."""

NO_FORECAST = "no prediction: asking for it failed"
AT_ONCE = 256 * 1024
"""Bytes of a step that is looked at before the next paint; of a larger one the panes
follow the key."""

Rows = Callable[[Iterable[StepFacts]], tuple[StepFacts, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A send that is under way."""

    upstream: str
    progress: SendProgress | None = None


class DebuggerModel(Observable):
    """One session, one selection that every pane shows, edits, runs, a forecast."""

    facts: Observed[tuple[StepFacts, ...]] = Observed(())
    overview: Observed[Overview | None] = Observed(None)
    """What is known of the whole session; None until it was studied, and without
    findings until the rules have run."""
    selection: Observed[Selection | None] = Observed(None)
    shown: Observed[Shown | None] = Observed(None)
    """The step, or run, on show; behind the selection while it is read."""
    edits: Observed[tuple[Edit, ...]] = Observed(())
    """Edits switched on for the request on show."""
    forecast: Observed[Forecast | None] = Observed(None)
    """None while it is asked for."""
    runs: Observed[tuple[Run, ...]] = Observed(())
    outcome: Observed[SentOutcome | None] = Observed(None)
    """What came of the request on show as it is now; None where it was not sent so, or
    while that is read."""
    last_run: Observed[Run | None] = Observed(None)
    """That which ended last, in this visit."""
    upstream: Observed[ChosenUpstream] = Observed(ChosenUpstream())
    under_way: Observed[Sent | None] = Observed(None)
    pace: Observed[StudyProgress | None] = Observed(None)
    """How far the study is; None when it is done."""
    problem: Observed[str] = Observed("")
    """Why not all could be read; empty if it could, or while it is read."""

    def __init__(
        self, engine: Engine, document: Document, desk: Desk, *, rows: Rows = tuple
    ) -> None:
        """`rows`: what the source of the session makes of the rows of its steps."""
        super().__init__()
        self.engine = engine
        self.document = document
        self.histories: defaultdict[Base, EditHistory] = defaultdict(EditHistory)
        """What was done to each request."""
        self._desk = desk
        self.key = desk.key
        """What to press for a command, to be named in words."""
        self._rows = rows
        self.plain_facts: tuple[StepFacts, ...] = ()
        """What the steps themselves say; `facts` is what the source makes of it."""
        self._opened_on: Selection | None = None
        """What was selected for the user; not looked at if they moved on."""
        self.observe(self._look_for_outcome)

    # --- The session -----------------------------------------------------------------

    def begin(self) -> None:
        """List the steps, and choose what is looked at first."""
        self.take_runs()
        self.take_facts(glances(self.document))
        failed = [f.number for f in self.facts if (f.status or 0) >= 400]
        self.selection = begin([fact.number for fact in self.facts], failed)
        self._opened_on = self.selection

    def take_facts(self, facts: Iterable[StepFacts]) -> None:
        """List the steps anew."""
        self.plain_facts = tuple(facts)
        self.arrange_facts()

    def arrange_facts(self) -> None:
        """The source makes something else of the same rows now."""
        self.facts = self._rows(self.plain_facts)

    @property
    def is_held(self) -> bool:
        """Whether the request of the selected step waits for a decision."""
        step = self.selection.step if self.selection else None
        return any(fact.is_held for fact in self.facts if fact.number == step)

    @property
    def has_fix_off(self) -> bool:
        """Whether a finding on show offers a fix that is off."""
        fixes = [f.fix for f in self.shown.findings if f.fix] if self.shown else ()
        return any(not {*fix} <= {*self.edits} for fix in fixes)

    def take_runs(self) -> None:
        """The session has other runs now."""
        self.runs = tuple(self.document.runs)

    def take_pace(self, pace: StudyProgress, facts: Iterable[StepFacts]) -> None:
        """The study has come further."""
        self.pace = pace
        self.take_facts(facts)

    def take_followed(self, overview: Overview) -> None:
        """The ledger is there, the rules are asked next. It is taken where nothing was
        known before; what is on show stays until all is known."""
        if self.overview is None or not self.overview.is_checked:
            self.take_facts(overview.facts)
            self.overview = overview

    def take_overview(self, overview: Overview) -> None:
        """The study is done: go to what is wrong, unless the user went elsewhere."""
        self.pace = None
        self.take_facts(overview.facts)
        self.overview = overview
        if self.selection is None:
            return
        refused = [f.number for f in self.facts if f.is_accepted is False]
        wrong = begin_at(overview.findings, refused)
        if self.selection is self._opened_on and wrong is not None:
            self.selection = wrong
        self.show_selected()

    def fail_study(self, problem: str) -> None:
        """Not all can be read."""
        self.pace = None
        self.problem = problem

    # --- Selecting -------------------------------------------------------------------

    def choose(self, wanted: Selection) -> None:
        """Show what is wanted, in every pane."""
        now = self.selection
        if wanted == now:
            return
        self.selection = wanted
        if now is None or (now.step, now.run) != (wanted.step, wanted.run):
            self.show_selected()
        else:
            self._settle()

    def choose_step(self, step: int, run: int | None = None) -> None:
        """Show another step, or a run."""
        if self.selection is not None:
            ledger = self.overview.ledger if self.overview else None
            self.choose(choose_step(self.selection, step, ledger, run))

    def choose_sha256(self, sha256: str) -> None:
        """Follow a signature."""
        overview, now = self.overview, self.selection
        if overview is None or now is None:
            return
        ledgers = [overview.ledger, *([self.shown.ledger] if self.shown else [])]
        for ledger in ledgers:
            for signature in ledger.signatures:
                if signature.sha256 == sha256:
                    self.choose(choose_signature(now, signature))
                    return

    def choose_finding(self, finding: Finding) -> None:
        """Show what a finding is about."""
        if self.selection is not None:
            self.choose(choose_finding(self.selection, finding))

    def choose_node(self, place: NodePlace) -> None:
        if self.selection is not None and self.shown is not None:
            self.choose(choose_place(self.selection, place, self.shown.marks))

    def choose_event(
        self, step: int, run: int | None, event: int, sha256: str | None
    ) -> None:
        """Show an event; where a signature came in it, the node of that."""
        place = NodePlace(side="event", event=event)
        for signature in self.overview.ledger.signatures if self.overview else ():
            for spot in signature.received if signature.sha256 == sha256 else ():
                if spot.step == step and spot.sighting.event == event:
                    place = place_received(spot.sighting)
        self.choose(Selection(step=step, run=run, place=place, signature=sha256))

    # --- Showing ---------------------------------------------------------------------

    def show_selected(self) -> None:
        """Show what is selected: a step at once, a large one or a run (its ledger has
        to be made) in a thread. Not what is still being read; not anew what is on show
        already."""
        selection, overview, shown = self.selection, self.overview, self.shown
        if selection is None or overview is None or not overview.is_checked:
            return
        step, run = selection.step, selection.run
        facts = next((one for one in overview.facts if one.number == step), None)
        if facts is None:
            return
        is_shown = shown is not None and (shown.step, shown.run) == (step, run)
        look = partial(look_at, self.document, overview, step, run)
        if run is None and facts.size > AT_ONCE and not is_shown:
            self._desk.aside("look at a step", look, self._take_look)
        elif run is None:
            found = look()
            if shown is not None and is_shown and _says_the_same(found, shown):
                self._settle()
            else:
                self._show(found)
        elif is_shown:
            self._settle()
        else:
            self._desk.aside("look at a step", look, self._take_look)

    def _take_look(self, found: Shown) -> None:
        selection = self.selection
        if selection and (found.step, found.run) == (selection.step, selection.run):
            self._show(found)

    def _show(self, shown: Shown) -> None:
        if shown != self.shown:
            # Other edits belong to another request.
            self.edits = self.histories[shown.step, shown.run].edits
            self.forecast = None
            self.shown = shown
            self.foretell()
        self._settle()

    def _settle(self) -> None:
        """Find the node of what is selected, if it is not known yet."""
        selection, shown = self.selection, self.shown
        if selection is None or shown is None:
            return
        if (shown.step, shown.run) == (selection.step, selection.run):
            self.selection = settle(selection, shown.marks, shown.findings)
            self.tell(SETTLED)

    # --- Edits -----------------------------------------------------------------------

    @property
    def base(self) -> Base | None:
        """What is edited now; None while nothing is on show."""
        return (self.shown.step, self.shown.run) if self.shown else None

    @property
    def history(self) -> EditHistory | None:
        """The history of what is edited now."""
        return self.histories[self.base] if self.base else None

    def take_edits(self, edits: Sequence[Edit], label: str) -> None:
        """Switch to a set of edits; can be undone."""
        history = self.history
        if history is not None and history.push(tuple(edits), label):
            self._edited(history)

    def undo(self) -> str | None:
        """Take the last change of the edits back: what it was, in words. None if there
        is none."""
        return self._go(EditHistory.undo)

    def redo(self) -> str | None:
        """Make the last undone change again: what it is, in words. None if there is
        none."""
        return self._go(EditHistory.redo)

    def _go(self, way: Callable[[EditHistory], str | None]) -> str | None:
        history = self.history
        label = way(history) if history is not None else None
        if history is not None and label is not None:
            self._edited(history)
        return label

    def _edited(self, history: EditHistory) -> None:
        self.edits = history.edits
        self.foretell()

    # --- What came of it -------------------------------------------------------------

    @property
    def run_here(self) -> Run | None:
        """The newest run of the request on show with the edits that are on."""
        return run_of(self.runs, *self.base, self.edits) if self.base else None

    def _look_for_outcome(self, what: str) -> None:
        if what not in ("shown", "edits", "runs"):
            return
        run, shown, overview = self.run_here, self.shown, self.overview
        if run is None or shown is None or overview is None:
            self.outcome = None
        elif what == "shown" or _number_of(self.outcome) != run.number:
            self.outcome = None
            look = partial(look_at, self.document, overview, run.step, run.number)
            self._desk.aside("outcome", look, partial(self._take_outcome, run, shown))

    def _take_outcome(self, run: Run, shown: Shown, sent: Shown) -> None:
        now = self.run_here
        if now is not None and now.number == run.number and self.shown is shown:
            self.outcome = outcome_of(shown, sent, run)

    # --- Forecast --------------------------------------------------------------------

    def foretell(self) -> None:
        """Ask what the request on show would bring."""
        if self.base is not None:
            asked = partial(foretell, self.engine, self.document, self.base, self.edits)
            none = Forecast(base=self.base, edits=self.edits, problem=NO_FORECAST)
            self._desk.aside(
                "foretell",
                asked,
                self._take_forecast,
                lambda _: self._take_forecast(none),
            )

    def _take_forecast(self, forecast: Forecast) -> None:
        if (forecast.base, forecast.edits) == (self.base, self.edits):
            self.forecast = forecast


def _number_of(outcome: SentOutcome | None) -> int | None:
    return outcome.run.number if outcome is not None else None


def _says_the_same(now: Shown, shown: Shown) -> bool:
    """Whether later steps change nothing about what is on show."""
    return now.reading is shown.reading and (
        (now.findings, now.marks, now.refusal, now.facts)
        == (shown.findings, shown.marks, shown.refusal, shown.facts)
    )
