"""The dialog that goes on for some turns: does the fix hold?"""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Static
from textual.worker import Worker, WorkerState, get_current_worker

from sigscope.characters import printable
from sigscope.converse.shapes import SHAPES, TURNS
from sigscope.engine.sending.confirmation import (
    Confirmation,
    ConfirmationOutcome,
    HeldShape,
)
from sigscope.tui import figures
from sigscope.tui.screens.dialog import Dialog

FORK = "fork"
"""The answer of who wants a client of their choice to go on."""


class ConfirmationDialog(Dialog[str]):
    """Holds the conversations of a confirmation, with the simulator, and tells. Its
    answer is None, or `FORK`."""

    DEFAULT_CSS = """
    ConfirmationDialog > .box { width: 84; }
    """
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(
        self, confirmation: Confirmation, step: int, *, unasked: str = ""
    ) -> None:
        """`unasked`: the service that requests go to, and these do not."""
        super().__init__()
        self._unasked = unasked
        self._confirmation = confirmation
        self._step = step
        self.lines: list[str] = []
        """One a shape that was held."""
        self.outcome: ConfirmationOutcome | None = None
        """What they come to; None before that, and where it was stopped."""

    def compose(self) -> ComposeResult:
        """What is done; what came of it; the button."""
        with Vertical(classes="box") as box:
            box.border_title = f"Continue step {self._step}"
            box.border_subtitle = self.ways(closes="stops")
            aside = f"{self._unasked} is not asked, and " if self._unasked else ""
            yield Static(
                f"Does the fix hold over {TURNS} turns? With the simulator; {aside}"
                "nothing leaves this machine.",
                classes="words label",
                markup=False,
            )
            yield Static("", id="held", markup=False)
            yield Static("looking for a client that errs so …", id="told", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Stop", compact=True, id="close")
                yield Button("Fork …", compact=True, id=FORK)

    def on_mount(self) -> None:
        """Begin at once: it costs nothing."""
        self.query_one("#close").focus()
        self._hold()

    @work(thread=True, exclusive=True, group="hold")
    def _hold(self) -> ConfirmationOutcome | None:
        worker = get_current_worker()

        async def hold() -> ConfirmationOutcome | None:
            async for held in self._confirmation.shapes():
                if worker.is_cancelled:
                    return None
                self.app.call_from_thread(self._add, held)
            return self._confirmation.outcome

        return asyncio.run(hold())

    def _add(self, held: HeldShape) -> None:
        if not self.is_attached:
            return
        self.lines.append(_line(held))
        self.query_one("#held", Static).update("\n".join(self.lines))
        self.query_one("#told", Static).update(f"{len(self.lines)} of {len(SHAPES)} …")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """All were held, or it failed."""
        event.stop()
        if event.state is WorkerState.SUCCESS and event.worker.result is not None:
            self.outcome = self._confirmation.outcome
            words = printable(self.outcome.words)
            self._end(f"{words[0].upper()}{words[1:]}.", self.outcome.client)
        elif event.state is WorkerState.ERROR:
            self._end("It failed; no client is found.")

    def _end(self, said: str, client: str = "") -> None:
        by = f"\nThe client that goes on: {client}, simulated." if client else ""
        self.query_one("#told", Static).update(f"{said}{by}")
        self.query_one("#close", Button).label = "Close"
        self.query_one(".box").border_subtitle = self.ways()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == FORK:
            self.workers.cancel_group(self, "hold")
            self.dismiss(FORK)
            return
        self.action_close()

    def action_close(self) -> None:
        """Stop what is under way, and close."""
        self.workers.cancel_group(self, "hold")
        super().action_close()


def _line(held: HeldShape) -> str:
    if held.left_out:
        return f"{held.shape.name}: left out, {printable(held.left_out)}"
    said = f"{held.shape.name}: {figures.count(held.turns, 'turn')}"
    if held.broke is not None:
        return f"{said}, broke in turn {held.broke.turn}"
    return f"{said}, {figures.count(held.mended, 'mistake')} mended"
