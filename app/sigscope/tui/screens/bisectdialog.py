"""The bisect dialog: plan, search, certificate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any, ClassVar, Literal

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Button, Static
from textual.worker import Worker, WorkerState

from sigscope.bisect import Factor
from sigscope.edits.records import Edit
from sigscope.engine.engine import Engine, Target
from sigscope.engine.sending.bisection import (
    BUDGET,
    AskedQuestion,
    BisectPlan,
    Certificate,
    Foreteller,
    Trial,
    bisect,
    plan_bisect,
    sends_needed,
)
from sigscope.engine.sending.bisectwords import (
    conclusion,
    contradiction_words,
    cost_words,
    needed_words,
    question_words,
)
from sigscope.engine.sending.factors import own_factors, run_factors, usual_factors
from sigscope.engine.sending.sender import SendProgress
from sigscope.engine.sessions.document import Document
from sigscope.errors import SigscopeError
from sigscope.records import dataclass
from sigscope.runs import Run
from sigscope.tui import figures
from sigscope.tui.bisectpanel import BisectPanel
from sigscope.tui.faults import take_fault
from sigscope.tui.itemlist import ItemList
from sigscope.tui.itemstack import Item
from sigscope.tui.lines import Line
from sigscope.tui.ownloop import in_own_loop
from sigscope.tui.screens.dialog import Dialog
from sigscope.tui.symbols import UNICODE, Symbols
from sigscope.tui.views.bisect import (
    factor_lines,
    heading,
    standing_lines,
    trial_lines,
)
from sigscope.tui.views.runs import host_of

_WAYS = "switch on what is to be varied (fields in pane 4, fixes), then bisect"
State = Literal["planning", "ready", "searching", "done", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quest:
    """What is to be looked into."""

    document: Document
    step: int
    run: int | None = None
    """Whose edits are varied; None: those that are on, or the findings' fixes."""
    edits: tuple[Edit, ...] = ()
    """Edits that are on."""
    target: Target

    @property
    def question(self) -> str:
        """What is to be found out, in words."""
        if self.run is not None:
            return f"Which of the edits of run {self.run} make the request pass?"
        if len(self.edits) == 1:
            return "Does the edit that is on make the request pass?"
        if self.edits:
            return f"Which of the {len(self.edits)} edits now on make the request pass?"
        return "Which of the fixes of the findings make the request pass?"

    def plan(self, told: Callable[[int], object]) -> BisectPlan:
        """Ask the simulator; `told`: of each question. Raises SigscopeError."""
        base = self.target.simulator
        teller = Foreteller(self.document, self.step, base, told=told)
        if self.run is not None:
            factors = run_factors(self.document, self.run)
        elif self.edits:
            factors = own_factors(self.document, self.step, self.edits)
        else:
            factors = usual_factors(self.document, self.step, teller.passes, ways=_WAYS)
        return plan_bisect(self.document, self.step, factors, teller)


class BisectDialog(Dialog[tuple[Edit, ...]]):
    """Finds the smallest set of edits that matters; answers with it."""

    DEFAULT_CSS = """
    BisectDialog {
        & > .box { width: 104; max-height: 90%; padding: 1 1 0 2; }
        ItemList { background: $surface; height: auto; }
        #told { margin-top: 1; height: auto; }
        .buttons { margin: 1 1 1 0; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go", "Go on", False, id="dialog.go",
                tooltip="Start the search; switch on what it found"),
    ]  # fmt: skip

    @dataclass
    class Foretold(Message):
        """The simulator was asked once more; nothing was sent."""

        asked: int

    def __init__(
        self,
        engine: Engine,
        quest: Quest,
        *,
        symbols: Symbols = UNICODE,
        ran: Callable[[Run], object] = lambda run: None,
    ) -> None:
        """`ran` is told of every run at once."""
        super().__init__()
        self._engine = engine
        self._quest = quest
        self._symbols = symbols
        self._ran = ran
        self._state: State = "planning"
        self._plan: BisectPlan | None = None
        self._certificate: Certificate | None = None
        self._panel: BisectPanel | None = None

    def compose(self) -> ComposeResult:
        """What is varied and asked; what came of it; the buttons."""
        with Vertical(classes="box") as box:
            box.border_title = f"Bisect step {self._quest.step}"
            yield Static(
                self._quest.question,
                classes="label",
                markup=False,
            )
            yield ItemList()
            yield Static("asking the simulator …", id="told", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Close", compact=True, id="close")
                go = Button("Start", compact=True, variant="primary", id="go")
                # A button is deaf while it looks pressed; a search may end sooner.
                go.active_effect_duration = 0
                yield go

    def on_mount(self) -> None:
        """Plan at once: it costs nothing and sends nothing."""
        self._enter("planning")
        self._make_plan()

    def _enter(self, state: State, told: str = "") -> None:
        self._state = state
        if told:
            self.query_one("#told", Static).update(told)
        go = self.query_one("#go", Button)
        go.display = state == "ready" or (state == "done" and bool(self._edits))
        if state == "done":
            go.label = "Leave only these on" if self._quest.edits else "Switch them on"
        close = self.query_one("#close", Button)
        close.label = "Stop" if state == "searching" else "Close"
        (go if go.display else close).focus()
        box = self.query_one(".box")
        box.border_subtitle = self.ways(
            closes="stops" if state == "searching" else "closes"
        )

    # --- Planning --------------------------------------------------------------------

    @work(thread=True, exclusive=True, group="plan", exit_on_error=False)
    def _make_plan(self) -> BisectPlan:
        return self._quest.plan(lambda asked: self.post_message(self.Foretold(asked)))

    def on_bisect_dialog_foretold(self, message: Foretold) -> None:
        """Say how far the plan is; many questions may be answered in between."""
        message.stop()
        if self._state == "planning":
            asked = figures.count(message.asked, "question")
            words = f"asking the simulator … {asked}, nothing sent"
            self.query_one("#told", Static).update(words)

    @work(exclusive=True, group="search", exit_on_error=False)
    async def _search(self, plan: BisectPlan) -> Certificate | None:
        found: Certificate | None = None
        quest = self._quest
        panel = self._panel = BisectPanel(plan, host_of(quest.target.url))
        asked = bisect(self._engine, quest.document, plan, quest.target)
        sent = in_own_loop(asked, lambda item: isinstance(item, SendProgress))
        async with aclosing(sent) as items:
            async for item in items:
                if isinstance(item, Certificate):
                    found = item
                    continue
                panel.take(item)
                if isinstance(item, Run):
                    self._ran(item)
                elif isinstance(item, AskedQuestion | Trial):
                    self._list()
                self._tell(panel)
        return found

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Planning or searching has ended, in whatever way."""
        event.stop()
        worker = event.worker
        if worker.node is not self or event.state in (
            WorkerState.PENDING,
            WorkerState.RUNNING,
        ):
            return
        if self._panel is not None:
            self._panel.end()
            self._list()
        if event.state is WorkerState.CANCELLED:
            self._enter("done", self._stopped())
        elif event.state is WorkerState.ERROR:
            if worker.error and not isinstance(worker.error, SigscopeError):
                take_fault(self.app, worker.error, "bisect")
            self._enter("failed", _said(worker.error))
        elif isinstance(worker.result, BisectPlan):
            self._take_plan(worker.result)
        elif isinstance(worker.result, Certificate):
            self._certificate = worker.result
            found = worker.result
            self._list()
            said = [conclusion(found), *map(contradiction_words, found.contradictions)]
            self._enter("done", ". ".join(s[0].upper() + s[1:] for s in said) + ".")

    def _take_plan(self, plan: BisectPlan) -> None:
        self._plan = plan
        target = self._quest.target
        needed = sends_needed(self._quest.document, plan, target)
        believed = f"The simulator says: {needed_words(plan.hint)}."
        if not plan.is_foreseen:
            believed = "The simulator cannot tell"
            if plan.is_refused:
                with_it = "it" if len(plan.factors) == 1 else "all of them"
                believed = f"The simulator refuses the request with {with_it}, too"
            believed += "; the service has to tell." if target.is_live else "."
        cost = cost_words(needed, BUDGET, target, plan)
        if target.is_live and not target.is_loopback:
            cost += "; they may cost money"
            host = host_of(target.url)
            self.query_one("#go", Button).label = f"Send to {host}"
        self._list()
        self._enter("ready", f"{believed} {cost[0].upper()}{cost[1:]}.")

    def _stopped(self) -> str:
        panel = self._panel
        count = figures.count(len(panel.trials) if panel else 0, "answer")
        known = f" {panel.known}." if panel else ""
        return f"Stopped. {count} so far; what came is kept as runs.{known}"

    def _tell(self, panel: BisectPanel) -> None:
        self.query_one("#told", Static).update("\n".join(panel.told(self._symbols)))

    # --- The list --------------------------------------------------------------------

    @property
    def _trials(self) -> Sequence[Trial]:
        """What has been answered; in the end, what the proof rests on."""
        found = self._certificate
        if found is not None:
            return (*(found.evidence or found.trials), *found.repeats)
        return self._panel.trials if self._panel else ()

    @property
    def _edits(self) -> tuple[Edit, ...]:
        """What can be taken back: none where just these are on."""
        found = self._certificate
        if found is None or found.flaky or set(found.edits) == set(self._quest.edits):
            return ()
        return found.edits

    def _list(self) -> None:
        plan = self._plan
        if plan is None:
            return
        size = min(max(len(factor.name) for factor in plan.factors), 30)
        items = [
            Item(("factor", number), self._factor(plan, number, factor, size))
            for number, factor in enumerate(plan.factors, 1)
        ]
        trials = self._trials
        if trials:
            items.append(Item("evidence", partial(heading, self._symbols), False))
        found = self._certificate
        minimal = found.proof.minimal if found and found.proof else None
        asked = [question_words(plan, trial, minimal) for trial in trials]
        size = max(map(len, asked), default=0)
        items += [
            Item(
                ("trial", trial.run.number),
                partial(trial_lines, trial, words, size, self._symbols),
            )
            for trial, words in zip(trials, asked, strict=True)
        ]
        listed = self.query_one(ItemList)
        listed.styles.max_height = max(3, self.app.size.height - 14)
        listed.show(items)

    def _factor(
        self, plan: BisectPlan, number: int, factor: Factor, size: int
    ) -> Callable[[int], Sequence[Line]]:
        """A row: what is believed before anything is sent, then what is known."""
        if self._panel is not None:
            return partial(
                standing_lines, number, factor, size, self._panel, self._symbols
            )
        hint = plan.hint if plan.is_foreseen else None
        return partial(factor_lines, number, factor, size, hint, self._symbols)

    # --- Keys and buttons ------------------------------------------------------------

    def action_go(self) -> None:
        """Start, or take what was found."""
        if self._state == "ready" and self._plan is not None:
            self._enter("searching", "sending …")
            self._search(self._plan)
        elif self._state == "done" and self._edits:
            self.dismiss(self._edits)

    @on(ItemList.Chosen)
    def _chosen(self, message: ItemList.Chosen) -> None:
        message.stop()
        self.action_go()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "go":
            self.action_go()
        else:
            self.action_close()

    def action_close(self) -> None:
        """Stop what is under way; then close."""
        if self._state == "searching":
            self.workers.cancel_group(self, "search")
        else:
            super().action_close()


def _said(error: Any) -> str:
    if isinstance(error, SigscopeError):
        words = str(error)
        return words[0].upper() + words[1:] + "."
    return f"{type(error).__name__}: {error}; please report it"
