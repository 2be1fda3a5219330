"""Sending the request on show: upstream, progress, cancelling, runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace
from functools import partial

from sigscope.engine.engine import Target
from sigscope.engine.sending.orders import Order
from sigscope.errors import SigscopeError
from sigscope.runs import Run, Verdict
from sigscope.tui.debugger.desk import Desk, Loudness
from sigscope.tui.debugger.model import DebuggerModel, Sent
from sigscope.tui.lines import cut
from sigscope.tui.ownloop import in_own_loop
from sigscope.tui.shown import one_line
from sigscope.tui.views.runs import host_of, say_verdict
from sigscope.upstreams.target import SIMULATOR

_GROUP = "send"
_LOUDNESS: dict[Verdict, Loudness] = {
    Verdict.GONE: "information",
    Verdict.REPRODUCED: "warning",
}


class Sender:
    """Sends what the model shows, with its edits, and says what came of it."""

    def __init__(self, model: DebuggerModel, desk: Desk) -> None:
        self._model = model
        self._desk = desk
        self._is_confirmed = False
        """Whether the user was asked about paid sends, and said not to ask again."""
        self._undone = ""
        """What was refused while the request was under way."""

    def _tell_nothing(self) -> None:
        has_steps = bool(self._model.document.steps)
        what = "nothing is on show yet: choose a step"
        self._desk.tell(what if has_steps else "there is no step to send yet")

    def is_free(self, undone: str = "the other request was not sent") -> bool:
        """Whether nothing is under way; else says so, and once more with what came of
        the request, which may come at once: what was `undone` for it."""
        if self._model.under_way is not None:
            key = self._desk.key("back")
            self._desk.tell(f"a request is under way; {key} cancels it")
            self._undone = f"; {undone}"
        return self._model.under_way is None

    def target(self) -> Target | None:
        """Where it would go; None if that cannot be said, and then says why."""
        try:
            return self._model.upstream.target()
        except SigscopeError as error:
            self._desk.tell(
                str(error), title="Cannot send", severity="error", timeout=8
            )
            return None

    def send(self, order: Order | None = None) -> None:
        """Send what is on show, or what is ordered; first ask where it may cost
        money."""
        if not self.is_free():
            return
        order = order or self._shown()
        if order is None:
            self._tell_nothing()
            return
        target = self.target()
        if target is None or not self._can_send(order, target):
            return
        if target.is_live and not target.is_loopback and not self._is_confirmed:
            self._desk.begin("ask", partial(self._ask, order, target))
        else:
            self._begin(order, target)

    def simulate(self, order: Order) -> None:
        """Have the simulator answer what is ordered, wherever requests go: nothing
        leaves the machine."""
        if not self.is_free():
            return
        here = self.simulator()
        if self._can_send(order, here):
            self._begin(order, here)

    def simulator(self) -> Target:
        """The simulator as it is set, whether requests go there or not."""
        return replace(self._model.upstream, url=SIMULATOR).target()

    def _shown(self) -> Order | None:
        """What is on show, with the edits that are on; None where nothing is."""
        base = self._model.base
        if base is None:
            return None
        return Order(step=base[0], edits=self._model.edits, parent=base[1])

    def _can_send(self, order: Order, target: Target) -> bool:
        """Whether it is worth trying; else says why not, and what to do."""
        model = self._model
        why = model.engine.why_unsent(model.document, order)
        has_request = model.document.reading(order.step).exchange.request is not None
        if not why or (target.is_live and has_request):
            return True
        key = self._desk.key
        what = f"{key('step.previous')} and {key('step.next')} go to other steps"
        if has_request:
            send, palette = key("send.upstream"), key("app.palette")
            what = (
                f"{send} sends it to the service; Dialect ({palette}) says what it"
                " speaks"
            )
        self._desk.tell(
            f"{why}.\n{what}",
            title=f"Step {order.step} was not sent",
            severity="warning",
            timeout=12,
        )
        return False

    async def _ask(self, order: Order, target: Target) -> None:
        from sigscope.tui.screens.upstream import Confirm

        answer = await self._desk.ask(Confirm(host_of(target.url)))
        if answer is None or not answer.is_agreed:
            return
        self._is_confirmed = answer.is_for_session
        self._begin(order, target)

    async def choose_upstream(self) -> None:
        """Choose where requests go: the simulator, or a live API."""
        from sigscope.tui.screens.upstream import UpstreamDialog

        now = self._model.upstream
        chosen = await self._desk.ask(UpstreamDialog(now))
        if chosen is not None:
            if chosen.url != now.url:
                self._is_confirmed = False
            self._model.upstream = chosen

    def cancel(self) -> None:
        """Stop what is under way."""
        self._desk.cancel(_GROUP)

    # --- Under way -------------------------------------------------------------------

    def _begin(self, order: Order, target: Target) -> None:
        self._undone = ""
        self._model.under_way = Sent(upstream=target.url)
        self._desk.begin(_GROUP, partial(self._send, order, target))

    async def _send(self, order: Order, target: Target) -> None:
        model, last = self._model, None
        before = len(model.document.unkept)
        ended: Callable[[], object] = self._ended
        replay = model.engine.replay(model.document, order, target)
        sent = in_own_loop(replay, lambda item: not isinstance(item, Run))
        try:
            async with aclosing(sent) as items:
                async for item in items:
                    if isinstance(item, Run):
                        last = item
                        model.take_runs()
                    else:
                        model.under_way = Sent(upstream=target.url, progress=item)
            ended = partial(self._ended, last)
        except SigscopeError as error:
            ended = partial(self._failed, order.step, str(error), before, last)
        except asyncio.CancelledError:
            ended = self._cancelled
            raise
        except Exception as error:  # noqa: BLE001 - said, and the screen goes on
            ended = partial(self._broken, error)
        finally:
            self._desk.later(ended)

    def _ended(self, run: Run | None = None) -> None:
        self._model.under_way = None
        if run is not None:
            self._tell(run)
            self._model.last_run = run

    def _failed(
        self, step: int, problem: str, unkept_before: int, run: Run | None
    ) -> None:
        self._model.take_runs()
        if len(self._model.document.unkept) > unkept_before:
            self._tell_unkept(problem)
        else:
            title = f"Step {step} was not sent"
            self._desk.tell(problem, title=title, severity="error", timeout=12)
        self._ended(run)

    def _cancelled(self) -> None:
        self._model.under_way = None
        self._model.take_runs()
        runs = self._model.runs
        if runs and runs[-1].number in self._model.document.unkept:
            self._tell_unkept("What came until it was cancelled is not written.")
        else:
            words = "cancelled; what came is kept as a run"
            self._desk.tell(words, title="Send")

    def _broken(self, error: Exception) -> None:
        self._model.under_way = None
        self._desk.tell(
            f"{type(error).__name__}: {error}",
            title="Send failed unexpectedly; please report it",
            severity="error",
            timeout=12,
        )

    # --- What came -------------------------------------------------------------------

    def _tell_unkept(self, problem: str) -> None:
        self._desk.tell(
            f"{problem}\nIt is here until you leave; export writes the session, with"
            " its runs, to a file of your choice.",
            title=f"Run {max(self._model.document.unkept)} is in no file",
            severity="error",
            timeout=12,
        )

    def _tell(self, run: Run) -> None:
        overview = self._model.overview
        title = f"Run {run.number}"
        failed = bool(overview and run.step in overview.refusals)
        words = run_words(run, failed=failed)
        if run.contradiction:
            self._desk.tell(
                one_line(run.contradiction),
                title=f"{title} contradicts the prediction",
                severity="warning",
                timeout=8,
            )
        room = self._desk.width - len(title) - len(self._undone) - 6
        further = self._next(run) if failed and not self._undone else ""
        longer = f"{words} · {further}" if further else words
        words = longer if len(longer) <= room else words
        self._desk.tell(
            cut(words, room) + self._undone,
            title=title,
            severity=_LOUDNESS.get(run.verdict, "warning"),
            timeout=5,
        )

    def _next(self, run: Run) -> str:
        """What to press after a run of a refused step; "" where nothing is certain."""
        key = self._desk.key
        if run.verdict is Verdict.GONE and run.edits:
            return f"{key('bisect')} proves it, {key('export')} exports"
        refused = run.verdict in (Verdict.REPRODUCED, Verdict.DIFFERENT)
        if refused and self._model.has_fix_off:
            return f"{key('fix')} applies the next fix"
        return ""


def run_words(run: Run, *, failed: bool) -> str:
    """ "200, gone: fix confirmed"; `failed`: whether the recorded step was refused. On
    one line; all of an error stands in the chat of the run."""
    status = str(run.status) if run.status is not None else "no answer"
    words = f"{status}, {say_verdict(run, failed=failed)}"
    if run.error and run.verdict is not Verdict.REPRODUCED:
        words = f"{words}: {one_line(run.error)}"
    return words
