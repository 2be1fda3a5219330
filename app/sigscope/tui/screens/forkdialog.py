"""The dialogs of a fork: who goes on from a step, and the conversation that is held."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Static
from textual.worker import Worker, WorkerState, get_current_worker

from sigscope.characters import printable
from sigscope.converse.loop import TalkStep
from sigscope.converse.policy import Policy
from sigscope.engine.engine import Engine
from sigscope.engine.sending.continuation import Continuation, outcome_words
from sigscope.errors import SigscopeError
from sigscope.tomlfile import shortened
from sigscope.tui import figures
from sigscope.tui.itemstack import Item
from sigscope.tui.lines import Line, column, fit, line
from sigscope.tui.screens.choicedialog import ChoiceDialog
from sigscope.tui.screens.dialog import Dialog
from sigscope.tui.symbols import Symbols

LAST = 8
"""Requests on show; earlier ones are counted."""


def policy_dialog(continuation: Continuation, symbols: Symbols) -> ChoiceDialog:
    """Who is to go on. Raises UsageError for a step that cannot be continued."""
    policies = continuation.policies
    size = max((len(policy.name) for policy in policies), default=0)

    def lay(policy: Policy, cells: int) -> list[Line]:
        head = column(printable(policy.name), size, "bold")
        about = printable(policy.about)
        return [fit((head, *line("  ", (about, "dim"))), cells)]

    return ChoiceDialog(
        f"Fork step {continuation.fork.step}: who goes on?",
        [Item(policy.name, partial(lay, policy)) for policy in policies],
        more={policy.name: printable(policy.about) for policy in policies},
        symbols=symbols,
    )


class ForkDialog(Dialog[Path]):
    """Holds the conversation with the simulator, keeps it, and offers to open it. Its
    answer is the file to open; stopped early, nothing is kept."""

    DEFAULT_CSS = """
    ForkDialog > .box { width: 84; }
    """
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(
        self, continuation: Continuation, engine: Engine, policy: str, turns: int
    ) -> None:
        super().__init__()
        self._continuation = continuation
        self._engine = engine
        self._policy = policy
        self._turns = turns
        self.lines: list[str] = []
        """One a request that was answered."""
        self.path: Path | None = None
        """Where it was kept; None before that."""

    def compose(self) -> ComposeResult:
        """What is done; what came of it; the buttons."""
        with Vertical(classes="box") as box:
            box.border_title = f"Fork step {self._continuation.fork.step}"
            box.border_subtitle = self.ways(closes="stops")
            yield Static(
                f"{printable(self._policy)} goes on for"
                f" {figures.count(self._turns, 'turn')}, with the simulator; nothing"
                " leaves this machine. A live service: sigscope converse --from FILE"
                " --step N --to URL",
                classes="words label",
                markup=False,
            )
            yield Static("", id="held", markup=False)
            yield Static("the step is sent again …", id="told", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Stop", compact=True, id="close")
                yield Button("Open it", compact=True, id="open", disabled=True)

    def on_mount(self) -> None:
        """Begin at once: it costs nothing."""
        self.query_one("#close").focus()
        self._hold()

    @work(thread=True, exclusive=True, group="hold")
    def _hold(self) -> tuple[str, Path] | str | None:
        """Words, and where it was kept; words of why not; None where it was stopped."""
        worker = get_current_worker()
        try:
            holding = self._continuation.held_by(self._policy, self._turns)

            async def hold() -> None:
                async for taken in holding.steps():
                    if worker.is_cancelled:
                        return
                    self.app.call_from_thread(self._add, taken)

            asyncio.run(hold())
            if worker.is_cancelled:
                return None
            return outcome_words(holding), self._continuation.keep(
                self._engine, holding
            )
        except SigscopeError as error:
            return str(error)

    def _add(self, taken: TalkStep) -> None:
        if not self.is_attached:
            return
        self.lines.append(_line(taken))
        before = len(self.lines) - LAST
        earlier = [f"{figures.count(before, 'request')} before"] if before > 0 else []
        shown = "\n".join((*earlier, *self.lines[-LAST:]))
        self.query_one("#held", Static).update(shown)
        self.query_one("#told", Static).update(f"turn {taken.turn} of {self._turns} …")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """It was held and kept, or it failed."""
        event.stop()
        told = event.worker.result
        if event.state is WorkerState.ERROR:
            self._end("It failed; nothing is kept.")
        elif event.state is WorkerState.SUCCESS and isinstance(told, str):
            self._end(f"Nothing is kept: {printable(told)}")
        elif event.state is WorkerState.SUCCESS and told is not None:
            words, self.path = told
            words = printable(words)
            self._end(f"{words[0].upper()}{words[1:]}.\nKept in {shortened(self.path)}")
            opening = self.query_one("#open", Button)
            opening.disabled = False
            opening.focus()

    def _end(self, said: str) -> None:
        self.query_one("#told", Static).update(said)
        self.query_one("#close", Button).label = "Close"
        self.query_one(".box").border_subtitle = self.ways()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "open":
            self.dismiss(self.path)
            return
        self.action_close()

    def action_close(self) -> None:
        """Stop what is under way, and close."""
        self.workers.cancel_group(self, "hold")
        super().action_close()


def _line(taken: TalkStep) -> str:
    """ "step 3, turn 2: 200, calls read_file"."""
    said = f"step {taken.step.number}, turn {taken.turn}: {taken.status or 'no answer'}"
    calls = ", ".join(printable(call.name or "a tool") for call in taken.heard.calls)
    return f"{said}, calls {calls}" if calls else said
