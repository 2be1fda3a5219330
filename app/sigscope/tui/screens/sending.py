"""Sending the request on show: upstream, progress, cancelling, runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textual import work
from textual.reactive import var
from textual.worker import Worker, WorkerState

from sigscope.engine.engine import Target
from sigscope.engine.sending.sender import Order, Progress
from sigscope.errors import SigscopeError
from sigscope.runs import Run, Verdict
from sigscope.tui import figures
from sigscope.tui.lines import cut
from sigscope.tui.screens.editing import Editing
from sigscope.tui.screens.upstream import Confirm, Upstream, UpstreamDialog
from sigscope.tui.shown import one_line
from sigscope.tui.views.runs import host_of, say_verdict

_SEVERITY = {Verdict.GONE: "information", Verdict.REPRODUCED: "warning"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A send that is under way."""

    upstream: str
    progress: Progress | None = None


class Sending(Editing):
    """Sends, shows how far it is, keeps the runs."""

    runs: var[tuple[Run, ...]] = var((), init=False)
    upstream: var[Upstream] = var(Upstream(), init=False)
    under_way: var[Sent | None] = var(None, init=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._is_confirmed = False
        """Whether the user was asked about paid sends, and said not to ask again."""

    # --- Actions ---------------------------------------------------------------------

    def action_send(self) -> None:
        """Send the request on show, with its edits, to the chosen upstream."""
        if self.under_way is not None:
            self.notify("a request is under way; esc cancels it", timeout=4)
            return
        if self.shown is None:
            self.notify("nothing is on show yet: choose a step", timeout=4)
            return
        try:
            target = self.upstream.target()
        except SigscopeError as error:
            self.notify(
                str(error),
                title="Cannot send",
                severity="error",
                markup=False,
                timeout=8,
            )
            return
        if target.is_live and not target.is_loopback and not self._is_confirmed:
            self._ask(target)
        else:
            self._begin(target)

    @work(exclusive=True, group="ask")
    async def _ask(self, target: Target) -> None:
        answer = await self.app.push_screen_wait(Confirm(host_of(target.url)))
        if answer is None or not answer.is_agreed:
            return
        self._is_confirmed = answer.is_for_session
        self._begin(target)

    @work(exclusive=True, group="ask")
    async def action_choose_upstream(self) -> None:
        """Choose where requests go: the simulator, or a live API."""
        chosen = await self.app.push_screen_wait(UpstreamDialog(self.upstream))
        if chosen is not None:
            if chosen.url != self.upstream.url:
                self._is_confirmed = False
            self.upstream = chosen

    def action_cancel_send(self) -> None:
        """Stop the send that is under way."""
        self.workers.cancel_group(self, "send")

    # --- The worker ------------------------------------------------------------------

    def _begin(self, target: Target) -> None:
        base = self.base
        if base is None:
            self.notify("nothing is on show yet: choose a step", timeout=4)
            return
        step, run = base
        self.under_way = Sent(upstream=target.url)
        self._send(Order(step=step, edits=self.edits, parent=run), target)

    @work(exclusive=True, group="send", exit_on_error=False)
    async def _send(self, order: Order, target: Target) -> Run | None:
        last: Run | None = None
        before = len(self.document.unkept)
        try:
            async for item in self.engine.replay(self.document, order, target):
                if isinstance(item, Run):
                    last = item
                    self.runs = tuple(self.document.runs)
                else:
                    self.under_way = Sent(upstream=target.url, progress=item)
        except SigscopeError as error:
            self.runs = tuple(self.document.runs)
            if len(self.document.unkept) > before:
                self._tell_unkept(str(error))
            else:
                self.notify(
                    str(error),
                    title=f"Step {order.step} was not sent",
                    severity="error",
                    markup=False,
                    timeout=12,
                )
        return last

    def _tell_unkept(self, problem: str) -> None:
        number = max(self.document.unkept)
        self.notify(
            f"{problem}\nIt is here until you leave; export writes the session, with"
            " its runs, to a file of your choice.",
            title=f"Run {number} is in no file",
            severity="error",
            markup=False,
            timeout=12,
        )

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A send has ended, in whatever way."""
        worker = event.worker
        if worker.group != "send" or worker.node is not self:
            return
        if event.state in (WorkerState.PENDING, WorkerState.RUNNING):
            return
        event.stop()
        self.under_way = None
        if event.state is WorkerState.CANCELLED:
            self.runs = tuple(self.document.runs)
            made = self.runs[-1].number if self.runs else None
            if made in self.document.unkept:
                self._tell_unkept("What came until it was cancelled is not written.")
            else:
                words = "cancelled; what came is kept as a run"
                self.notify(words, title="Send", timeout=4)
        elif event.state is WorkerState.ERROR:
            self.notify(
                f"{type(worker.error).__name__}: {worker.error}",
                title="Send failed unexpectedly; please report it",
                severity="error",
                timeout=12,
            )
        elif isinstance(worker.result, Run):
            self.ran(worker.result)

    def ran(self, run: Run) -> None:
        """A run has been made."""
        failed = bool(self.overview and run.step in self.overview.refusals)
        status = str(run.status) if run.status is not None else "no answer"
        title = f"Run {run.number}"
        words = f"{status}, {say_verdict(run, failed=failed)}"
        if run.error and run.verdict is not Verdict.REPRODUCED:
            # On one line; all of it stands in the chat of the run.
            words = f"{words}: {one_line(run.error)}"
        if run.contradiction:
            self.notify(
                one_line(run.contradiction),
                title=f"Run {run.number} contradicts the prediction",
                severity="warning",
                markup=False,
                timeout=8,
            )
        self.notify(
            cut(words, self.app.size.width - len(title) - 6),
            title=title,
            severity=_SEVERITY.get(run.verdict, "warning"),  # type: ignore[arg-type]
            markup=False,
            timeout=5,
        )

    @property
    def busy_words(self) -> str:
        """What the status line says while a send is under way."""
        sent = self.under_way
        if sent is None:
            return ""
        where = host_of(sent.upstream)
        words = [f"sending to {where}"]
        progress = sent.progress
        if progress is not None:
            if progress.status is not None:
                words.append(str(progress.status))
            words.append(figures.size(progress.size))
            words.append(figures.millis(progress.at_ms))
        words.append("esc cancels")
        return " · ".join(words)
