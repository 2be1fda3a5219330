"""Other screens that are opened on what is selected, and what they bring back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sigscope.engine.sending.orders import Order
from sigscope.errors import SigscopeError
from sigscope.reader import Reading
from sigscope.runs import Run
from sigscope.tui import figures
from sigscope.tui.debugger.anomalytour import AnomalyTour, selected
from sigscope.tui.debugger.desk import Desk
from sigscope.tui.debugger.model import DebuggerModel
from sigscope.tui.debugger.sends import Sender
from sigscope.tui.debugger.sessionreader import SessionReader
from sigscope.tui.place import NodePlace
from sigscope.tui.symbols import Symbols
from sigscope.tui.views.headline import name_of
from sigscope.tui.views.outcome import run_of
from sigscope.tui.views.runs import host_of
from sigscope.tui.views.shownsession import Overview

if TYPE_CHECKING:  # a screen is imported when it is visited
    from pathlib import Path

    from sigscope.edits.records import Edit
    from sigscope.refusals import Refusal
    from sigscope.stepthrough import StreamBreakpoint
    from sigscope.timeline.decline import Decline
    from sigscope.tui.bodysearch.model import BodySearchModel
    from sigscope.tui.stepthrough.start import Start
    from sigscope.tui.stepthrough.walk import Landing
    from sigscope.tui.timeline.records import Moment, TimelineSubject
    from sigscope.tui.views.shownsession import Shown


class SideTrips:
    """Goes to a screen and takes up what it answers. Call its methods in a task."""

    def __init__(
        self, model: DebuggerModel, desk: Desk, symbols: Symbols, tour: AnomalyTour
    ) -> None:
        self._model = model
        self._tour = tour
        self._desk = desk
        self._symbols = symbols
        self._stops: frozenset[StreamBreakpoint] | None = None
        """Breakpoints as they were chosen last; None before that."""
        self._search: BodySearchModel | None = None
        """What was searched for in all bodies; None before the first time."""

    def _tell_early(self) -> None:
        """Why nothing can be opened."""
        is_empty = not self._model.document.steps
        words = (
            "there is no step yet" if is_empty else "the session is still being read"
        )
        self._desk.tell(words)

    def _event_selected(self) -> int | None:
        place = self._model.selection.place if self._model.selection else None
        return place.event if place and place.side == "event" else None

    # --- Stepping through ------------------------------------------------------------

    async def step_through(self) -> None:
        """Step through the response on show."""
        from sigscope.tui.stepthrough.start import start_of

        overview, selection = self._model.overview, self._model.selection
        shown = self._model.shown
        if overview is None or selection is None or shown is None:
            self._tell_early()
            return
        start = start_of(selection, shown)
        landing = await self._walk(overview, start)
        if landing is None or not self._is_where(landing, start):
            self._land(landing)
        else:  # who only looked stays at what was refused
            self._stops = landing.stops

    @staticmethod
    def _is_where(landing: Landing, start: Start) -> bool:
        """Whether the user leaves an answer they were led to, and went nowhere."""
        if not start.is_elsewhere or landing.signature is not None:
            return False
        return (landing.step, landing.event) == (start.step, start.event)

    async def _walk(self, overview: Overview, start: Start) -> Landing | None:
        """Show the screen; a run alone, a step among all steps."""
        from sigscope.refusals import read_refusal
        from sigscope.tui.stepthrough.screen import StepScreen
        from sigscope.tui.stepthrough.walk import FIRST_STOPS, Walk

        document, step, run = self._model.document, start.step, start.run
        readings = document.readings
        names: tuple[str, ...] = ()
        refusals = dict(overview.refusals)
        index = next((i for i, r in enumerate(readings) if r.number == step), 0)
        if run is not None:
            readings = (document.run_reading(document.run(run)),)
            names, index = (f"run {run} of step {step}",), 0
            refusal = read_refusal(readings[0])
            refusals = {step: refusal} if refusal else {}
        walk = Walk(
            title=name_of(document.session),
            readings=readings,
            names=names,
            refusals=refusals,
            palette=overview.palette,
            stops=FIRST_STOPS if self._stops is None else self._stops,
            anomalies=self._tour.anomalies if run is None else None,
        )
        screen = StepScreen(
            walk,
            index=index,
            event=start.event,
            told=self._why_here(overview, start),
            symbols=self._symbols,
        )
        return await self._desk.ask(screen)

    def _why_here(self, overview: Overview, start: Start) -> str:
        """Why another answer is shown than that of the step on show."""
        shown = self._model.shown
        if not start.is_elsewhere or shown is None:
            return ""
        name = f"{self._symbols.signature} {overview.palette.id(start.lost)}"
        what = f"run {shown.run}" if shown.run is not None else f"step {shown.step}"
        return f"{name} arrived here; {what} lost it, and was refused"

    def _land(self, landing: Landing | None) -> None:
        """Go on where the user left."""
        model = self._model
        if landing is None or model.selection is None:
            return
        self._stops = landing.stops
        if landing.step != model.selection.step:
            model.choose_step(landing.step)
        if landing.signature is not None:
            model.choose_sha256(landing.signature)
        elif landing.event:
            place = NodePlace(
                side="event", event=landing.event, pointer=landing.pointer
            )
            model.choose_node(place)

    # --- The timeline ----------------------------------------------------------------

    def show_fading(self) -> None:
        """Show the turns, at the first one from which readable reasoning fades."""
        from sigscope.timeline.decline import decline_of

        if self._model.overview is None:
            self._tell_early()
            return
        document = self._model.document

        def look() -> Decline:
            return decline_of(document.readings, document.ledger, document.findings)

        self._desk.aside("fading", look, self._show_decline)

    def _show_decline(self, found: Decline) -> None:
        from sigscope.export.decline import told, why

        if found.fading is None:
            self._desk.tell(f"{told(found)}.", title="Fading")
            return
        step = found.fading.change.step
        remark = "\n".join([f"{told(found)}.", f"Cause, {why(found)}.", *found.advice])
        self._desk.begin("visit", lambda: self.show_timeline(at=step, remark=remark))

    async def show_timeline(self, at: int | None = None, remark: str = "") -> None:
        """Show when everything arrived; step through what is opened there. `at`: show
        the turns, at this step, not at the one on show; `remark` is said there."""
        from sigscope.tui.timeline.screen import TimelineScreen

        overview, selection = self._model.overview, self._model.selection
        if overview is None or selection is None:
            self._tell_early()
            return
        screen = TimelineScreen(
            self._session(overview),
            step=selection.step if at is None else at,
            run=selection.run if at is None else None,
            event=self._event_selected() if at is None else None,
            view="lanes" if at is None else "turns",
            remark=remark,
            followed=selection.signature,
            symbols=self._symbols,
        )
        moment = await self._desk.ask(screen)
        if moment is not None:
            await self._open_moment(overview, moment)

    def _session(self, overview: Overview) -> TimelineSubject:
        from sigscope.engine.settings.prices import own_prices
        from sigscope.refusals import read_refusal
        from sigscope.tui.timeline.records import TimelineSubject

        document = self._model.document
        runs = []
        for run in document.runs:
            reading = document.run_reading(run)
            refusal: Refusal | None = read_refusal(reading)
            runs.append((run.number, reading, refusal))
        return TimelineSubject(
            title=name_of(document.session),
            readings=document.readings,
            ledger=overview.ledger,
            refusals=overview.refusals,
            runs=runs,
            palette=overview.palette,
            prices=own_prices().table,
            anomalies=self._tour.anomalies,
        )

    async def _open_moment(self, overview: Overview, moment: Moment) -> None:
        """Show what was opened in the timeline."""
        from sigscope.tui.stepthrough.start import Start

        step, run, event = moment.step, moment.run, moment.event
        if event:
            self._model.choose_event(step, run, event, moment.signature)
        else:
            self._model.choose_step(step, run)
        if moment.steps_through:
            start = Start(step=step, run=run, event=event)
            self._land(await self._walk(overview, start))

    # --- The overview ----------------------------------------------------------------

    async def show_overview(self) -> None:
        """Show all steps at a glance, while the session grows too; go to the step the
        user chose there."""
        from sigscope.engine.sessions.spending import DocumentSpending
        from sigscope.tui.overview.screen import OverviewScreen

        model, overview, selection = (
            self._model, self._model.overview, self._model.selection,
        )  # fmt: skip
        if overview is None or selection is None:
            self._tell_early()
            return
        strip, anomalies = self._tour.made_of(overview)
        screen = OverviewScreen(
            strip,
            anomalies,
            overview.ledger,
            overview.findings_of,
            title=name_of(model.document.session),
            step=selection.step,
            problem=model.problem and f"could not read all: {model.problem}",
            runs=model.runs,
            symbols=self._symbols,
        )

        def look(what: str) -> None:
            now = model.overview
            if what == "overview" and now is not None:
                made = self._tour.made_of(now)
                screen.take(*made, now.ledger, now.findings_of)

        def count() -> str:
            return DocumentSpending(model.document).total_words

        self._desk.aside("spending", count, screen.tell_spending)
        model.observe(look)
        try:
            step = await self._desk.ask(screen)
        finally:
            model.forget(look)
        now = model.selection
        if step is None or (now and (now.step, now.run) == (step, None)):
            return
        found = [each for each in self._tour.anomalies.listed if each.step == step]
        if found:
            model.choose(selected(found[0]))
        else:
            model.choose_step(step)

    # --- Paths -----------------------------------------------------------------------

    async def show_paths(self) -> None:
        """Show where signatures went; go where the user wants to look."""
        from sigscope.paths import continued, map_paths
        from sigscope.tui.paths.screen import PathScreen

        overview, selection = self._model.overview, self._model.selection
        shown = self._model.shown
        if overview is None or selection is None:
            self._tell_early()
            return
        document = self._model.document
        title, ledger = name_of(document.session), overview.ledger
        run = shown.run if shown is not None else None
        if shown is not None and run is not None:  # what it sent, in the step's place
            ledger = continued(shown.ledger, shown.step, ledger)
            place = f"run {run} in place of step {shown.step}"
            title = f"{place}, then (as recorded) {self._symbols.dot} {title}"
        screen = PathScreen(
            map_paths(
                ledger,
                document.hops,
                document.hop_losses,
                recorded_after=None if run is None or shown is None else shown.step,
            ),
            overview.palette,
            title=title,
            unjudged=sum(len(group.steps) for group in overview.unjudged),
            step=selection.step,
            signature=selection.signature,
            symbols=self._symbols,
        )
        stop = await self._desk.ask(screen)
        if stop is not None:
            is_of_run = shown is not None and stop.step == shown.step
            self._model.choose(replace(stop.selection, run=run if is_of_run else None))

    # --- Hops ------------------------------------------------------------------------

    async def show_hops(self) -> None:
        """Show what a gateway made of the step on show, and of its answer."""
        from sigscope.comparison.hop import HopComparison, compare_hops
        from sigscope.ledger.unjudged import lacks_body
        from sigscope.tui.hops.pairs import HopPair, hop_pairs, pair_at, why_one_hop
        from sigscope.tui.hops.screen import HopScreen

        overview, selection = self._model.overview, self._model.selection
        if overview is None or selection is None:
            self._tell_early()
            return
        document = self._model.document
        pairs = hop_pairs(document.hops)
        at = pair_at(pairs, selection.step)
        if at is None:
            bare = lacks_body(document.reading(selection.step))
            words = why_one_hop(pairs, selection.step, lacks_body=bare)
            self._desk.tell(words, title="Hops", timeout=15)
            return

        def compare(pair: HopPair) -> HopComparison:
            client, provider = map(document.reading, pair)
            return compare_hops(client, provider)

        screen = HopScreen(
            pairs,
            compare,
            at=at,
            title=name_of(document.session),
            palette=overview.palette,
            symbols=self._symbols,
        )
        wanted = await self._desk.ask(screen)
        if wanted is not None:
            self._model.choose(wanted)

    # --- Searching all bodies --------------------------------------------------------

    async def search_bodies(self, went: Callable[[], object]) -> None:
        """Search all requests and answers; go to the hit that is opened, and tell."""
        from sigscope.tui.bodysearch.model import BodySearchModel
        from sigscope.tui.bodysearch.screen import BodySearchScreen

        if self._search is None:
            self._search = BodySearchModel(self._readings, self._desk)
        title = name_of(self._model.document.session)
        screen = BodySearchScreen(self._search, title=title, symbols=self._symbols)
        selection = await self._desk.ask(screen)
        if selection is not None:
            self._model.choose(selection)
            went()

    def _readings(self) -> Sequence[Reading]:
        return self._model.document.readings

    # --- Bisecting, comparing --------------------------------------------------------

    async def bisect(self, sender: Sender) -> None:
        """Look for the smallest set of edits that matters: of the edits that are on,
        else of those of the run on show, else of the fixes of the findings."""
        from sigscope.tui.screens.bisectdialog import BisectDialog, Quest

        model, shown = self._model, self._model.shown
        if shown is None:
            self._tell_early()
            return
        target = sender.target() if sender.is_free("bisect did not begin") else None
        if target is None:
            return
        quest = Quest(
            document=model.document,
            step=shown.step,
            run=shown.run,
            edits=model.edits if shown.run is None else (),
            target=target,
        )
        dialog = BisectDialog(
            model.engine, quest, symbols=self._symbols, ran=self._keep_run
        )
        edits = await self._desk.ask(dialog)
        if not edits:
            return
        self._switch_on(shown, edits, "edits that Bisect found")
        words = f"{figures.count(len(edits), 'edit')} on"
        self._desk.tell(words, title="Bisect", timeout=5)

    async def show_matrix(self, sender: Sender) -> None:
        """Show all combinations of fixes, or ready-made edits, and the edits that are
        on. A cell that is opened becomes a run: that in which it was sent, else one
        that the simulator answers; its edits are on."""
        from sigscope.tui.matrix.model import MatrixModel
        from sigscope.tui.matrix.screen import MatrixScreen

        model, shown = self._model, self._model.shown
        if shown is None:
            self._tell_early()
            return
        matrix = MatrixModel(
            model.document,
            shown.step,
            self._desk,
            edits=model.edits if shown.run is None else (),
            base=sender.simulator().simulator,
        )
        title = name_of(model.document.session)
        screen = MatrixScreen(matrix, title=title, symbols=self._symbols)
        cell = await self._desk.ask(screen)
        if cell is None:
            return
        self._switch_on(shown, cell.edits, "edits of a cell of the Matrix")
        order = Order(step=shown.step, edits=cell.edits, title=cell.title)
        if cell.is_sent:
            sender.send(order)
        elif run_of(model.runs, shown.step, None, cell.edits) is None:
            sender.simulate(order)

    async def confirm(self, sender: Sender) -> Path | None:
        """See whether the edits that are on, or those of the run on show, hold when the
        conversation goes on. A path: of a session that was made, to be opened."""
        from sigscope.engine.sending.confirmation import Confirmation
        from sigscope.tui.screens.confirmationdialog import FORK, ConfirmationDialog

        model, order = self._model, self._on_show()
        if order is None:
            return None
        if not order.edits and order.parent is None:
            self._desk.tell(
                f"no edits are on: apply a fix ({self._desk.key('fix')}) to see whether"
                f" it holds; Fork ({self._desk.key('app.palette')}) goes on from the"
                " step as it was recorded"
            )
            return None
        confirmation = Confirmation(
            model.document,
            order.step,
            order.edits,
            base=sender.simulator().simulator,
            parent=order.parent,
        )
        host = host_of(model.upstream.url) if model.upstream.is_live else ""
        dialog = ConfirmationDialog(confirmation, order.step, unasked=host)
        if await self._desk.ask(dialog) == FORK:
            return await self.fork(sender)
        return None

    async def fork(self, sender: Sender) -> Path | None:
        """Go on from the step on show, with the edits that are on or the run's, under a
        policy that is chosen. A path: of the session that was made, to be opened."""
        from sigscope.converse.shapes import TURNS
        from sigscope.engine.sending.continuation import Continuation
        from sigscope.engine.sending.fork import Fork
        from sigscope.tui.screens.forkdialog import ForkDialog, policy_dialog
        from sigscope.tui.screens.lineinput import LineDialog

        model, order = self._model, self._on_show()
        if order is None:
            return None
        fork = Fork(model.document, order.step, order.edits, parent=order.parent)
        going_on = Continuation(fork, sender.simulator().simulator)
        try:
            dialog = policy_dialog(going_on, self._symbols)
        except SigscopeError as error:
            self._desk.tell(str(error), title="Fork", timeout=8)
            return None
        for problem in going_on.problems:
            self._desk.tell(problem, severity="warning", timeout=8)
        policy = await self._desk.ask(dialog)
        if policy is None:
            return None
        turns = await self._desk.ask(
            LineDialog(
                f"Fork step {order.step}",
                f"turns that {policy} goes on for, the step's own among them",
                value=str(TURNS),
                done="goes on, with the simulator",
                problem_of=going_on.problem_of,
            )
        )
        if not turns:
            return None
        return await self._desk.ask(
            ForkDialog(going_on, model.engine, policy, int(turns))
        )

    def _on_show(self) -> Order | None:
        """What is on show as it would be sent: the step, or a run and what it was made
        from. None, and said why, while nothing is."""
        model, shown = self._model, self._model.shown
        if shown is None:
            self._tell_early()
            return None
        run = None if shown.run is None else model.document.run(shown.run)
        if run is not None and run.parent is None and not model.edits:
            return Order(step=shown.step, edits=run.edits)
        return Order(step=shown.step, edits=model.edits, parent=shown.run)

    def _switch_on(self, shown: Shown, edits: tuple[Edit, ...], label: str) -> None:
        """Edits of the step, whether that or one of its runs is on show."""
        model = self._model
        if shown.run is None and model.base == (shown.step, None):
            model.take_edits(edits, label)
        else:
            model.histories[shown.step, None].push(edits, label)
            model.choose_step(shown.step)

    def _keep_run(self, run: Run) -> None:
        self._model.take_runs()

    async def compare(self) -> None:
        """Compare the request on show: a run with its step, a step with the one that
        is likely meant; another can be chosen there."""
        from sigscope.tui.picks import Pick
        from sigscope.tui.screens.compare import CompareScreen
        from sigscope.tui.views.facts import likely_partner

        model, shown, overview = self._model, self._model.shown, self._model.overview
        if shown is None or overview is None:
            self._tell_early()
            return
        step, base, document = shown.step, model.base, model.document
        partner = step if shown.run is not None else likely_partner(model.facts, step)
        screen = CompareScreen(
            model.engine,
            Pick(document=document, step=step, run=shown.run),
            None if partner is None else Pick(document=document, step=partner),
            edits=model.edits,
            facts=model.facts,
            palette=overview.palette,
            symbols=self._symbols,
        )
        edits = await self._desk.ask(screen)
        if edits is not None and base == model.base:
            model.take_edits(edits, "edits chosen in Compare")

    # --- Export, dialect -------------------------------------------------------------

    async def export(self, *, for_sharing: bool = False) -> None:
        """Write a file to show to others. `for_sharing`: with stand-ins in place of
        signatures, unless the user says otherwise."""
        from sigscope.tui.screens.exportdialog import ExportDialog

        selection = self._model.selection
        dialog = ExportDialog(
            self._model.engine,
            self._model.document,
            step=selection.step if selection else None,
            run=selection.run if selection else None,
            for_sharing=for_sharing,
        )
        told = await self._desk.ask(dialog)
        if told:
            self._desk.tell(told, title="Written", timeout=10)

    async def choose_dialect(self, reader: SessionReader) -> None:
        """Say what the step on show speaks; keep it, and read again."""
        from sigscope.tui.screens.dialectdialog import (
            decided,
            dialect_choices,
            dialect_dialog,
        )

        model = self._model
        if model.selection is None or model.overview is None:
            self._tell_early()
            return
        step = model.selection.step
        choices = dialect_choices(model.document, step)
        how = decided(model.document, step)
        key = await self._desk.ask(dialect_dialog(choices, how, self._symbols))
        chosen = next((choice for choice in choices if choice.key == key), None)
        if chosen is None:
            return
        try:
            model.engine.keeper.keep_spoken(model.document, chosen.spoken)
        except SigscopeError as error:
            words = f"{error}; for one call: --dialect NAME"
            self._desk.tell(words, severity="warning", timeout=10)
            return
        reader.read_again(model.document.reread())
        now = decided(model.document, step)
        words = f"{chosen.name} for {chosen.scope}; step {step} is {now}"
        self._desk.tell(words, title="Dialect", timeout=6)
