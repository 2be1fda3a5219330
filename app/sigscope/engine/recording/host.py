"""A recording beside something else that wants the main thread: the screens.

    host = Host(order)
    host.start()
    host.state                    # looked at now and then
    host.release(held, edits)     # what the user decides
    host.finish()

    screens ── Host, a thread with a loop ── Holding: judges, holds, decides
                        │ link.py
                  RecorderProcess ── traffic ── journal ══ scribe

The recorder is a process of its own, so that no screen that is being drawn, and no
request that is being judged, delays an event. Where either side dies, the other goes
on as far as it can: `RecorderProcess` lets all go that was held, and this one says that
the recorder has ended. All methods are for the screens' thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from sigscope.edits.records import Edit
from sigscope.engine.loopthread import LoopThread
from sigscope.engine.recording.breakpoints import Breakpoint
from sigscope.engine.recording.clients import LaunchPlan
from sigscope.engine.recording.holds import PATIENCE, HeldRequest, Holding
from sigscope.engine.recording.launch import LaunchedClient
from sigscope.engine.recording.recording import RecordOrder
from sigscope.engine.recording.remoterecorder import RemoteRecorder
from sigscope.exchange import Request
from sigscope.recorder.gate import Decision
from sigscope.records import dataclass
from sigscope.store.private import leave_no_core

DRAIN_SECONDS = 600.0
"""How long answers that are on their way are waited for at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostState:
    """How a recording stands."""

    url: str
    upstreams: tuple[str, ...]
    """ "/openrouter → https://openrouter.ai"."""
    begun: int = 0
    """Requests of clients seen so far; one that was edited while held is one."""
    open: int = 0
    """Of these, not answered yet; held ones among them."""
    written: int = 0
    """Exchanges in the file."""
    held: tuple[HeldRequest, ...] = ()
    """What waits for a decision, the oldest first."""
    hold_next: bool = False
    hold_all: bool = False
    breakpoints: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    """All that was told so far."""
    has_ended: bool = False
    """Whether the recorder's process is gone: nothing answers any more."""
    client: LaunchedClient | None = None
    """The client that was started, if one was."""


class Host:
    """Has a recording done by another process, and decides what is held there."""

    def __init__(
        self,
        order: RecordOrder,
        *,
        breakpoints: Sequence[Breakpoint] = (),
        patience: float | None = PATIENCE,
        decide: Callable[[HeldRequest], None] = lambda _: None,
    ) -> None:
        """Raises as `Recording` does. `decide`: asked about each held request before
        the user is."""
        leave_no_core()
        self._problems: list[str] = []
        self.holding = Holding(
            breakpoints,
            on_held=decide,
            on_expired=self._note_expired,
            on_problem=self._problems.append,
            patience=patience,
        )
        self.client: LaunchedClient | None = None
        self._is_finished = False
        self._thread = LoopThread("recorder")
        try:
            self.recording = self._thread.wait_for(self._begin(order))
        except BaseException:
            self._thread.end()
            raise

    async def _begin(self, order: RecordOrder) -> RemoteRecorder:
        holding = self.holding
        recorder = await RemoteRecorder.begin(
            order,
            self._pass_gate,
            patience=holding.patience,
            on_problem=self._problems.append,
        )
        holding.follow(lambda: str(recorder.path))
        return recorder

    # --- From the other thread -------------------------------------------------------

    @property
    def state(self) -> HostState:
        recording, holding = self.recording, self.holding
        counts = recording.counts
        return HostState(
            url=recording.url,
            upstreams=recording.upstreams,
            begun=counts.begun - counts.replaced,
            open=counts.open,
            written=counts.written,
            held=tuple(held for held in list(holding.held) if held.is_waiting),
            hold_next=holding.hold_next,
            hold_all=holding.hold_all,
            breakpoints=tuple(each.text for each in holding.breakpoints),
            problems=tuple(self._problems),
            has_ended=recording.has_ended,
            client=self.client,
        )

    def start(self) -> None:
        """Take requests from now on."""
        self._thread.wait_for(self._start())

    def start_client(self, plan: LaunchPlan, log: Path) -> None:
        """Start a client in front of which the recorder stands; what it says goes to
        `log`. Raises InputError where it cannot be started."""
        self.client = LaunchedClient(plan, self.recording.url, log)
        self._thread.wait_for(self.client.start())
        if self.client.pid is not None:
            self._do(partial(self.recording.note_client, self.client.pid))

    def hold_next(self, is_wanted: bool) -> None:
        """Hold the next request, whatever it is."""
        self._change(lambda: setattr(self.holding, "hold_next", is_wanted))

    def hold_all(self, is_wanted: bool) -> None:
        """Hold every request until this is taken back."""
        self._change(lambda: setattr(self.holding, "hold_all", is_wanted))

    def break_at(self, breakpoints: Sequence[Breakpoint]) -> None:
        """Hold requests by these conditions from now on."""
        self._change(lambda: setattr(self.holding, "breakpoints", tuple(breakpoints)))

    def release(self, held: HeldRequest, edits: Sequence[Edit] = ()) -> bool:
        """Send a held request, with edits; False where it waits no more. Raises
        EditError; it then still waits."""
        return self._decide(held, partial(held.release, edits))

    def refuse(self, held: HeldRequest, reason: str) -> bool:
        """Do not send it; its client gets an error that says why. False where it waits
        no more."""
        return self._decide(held, partial(held.drop, reason))

    def let_go(self) -> None:
        """Hold nothing any more; all that waits is sent as it came. The state is fresh
        after that."""
        if not self._is_finished:
            self._thread.wait_for(self._let_go())

    def end_client(self) -> None:
        if self.client is not None:
            self._do(self.client.end)

    def wait(self, seconds: float | None = DRAIN_SECONDS) -> None:
        """Until the client has ended, or without one, until all that is on its way is
        answered. Can be interrupted."""
        if self.client is not None:
            self._thread.wait_for(self.client.wait())
        else:
            self._thread.wait_for(self.recording.idle(seconds))

    def finish(self) -> None:
        """Let all go that is held, end what is open, have everything written."""
        if self._is_finished:
            return
        self._is_finished = True
        self._thread.wait_for(self._stop())
        self._thread.end()

    # ---------------------------------------------------------------------------------

    async def _start(self) -> None:
        if self.holding.is_on:
            await self.recording.ask()
        await self.recording.start()

    async def _let_go(self) -> None:
        self.holding.let_go()
        self._ask_less()
        await self.recording.refresh()

    async def _stop(self) -> None:
        self.holding.let_go()
        await self.recording.finish()

    def _change(self, change: Callable[[], None]) -> None:
        if not self._is_finished:
            self._thread.wait_for(self._change_gate(change))

    async def _change_gate(self, change: Callable[[], None]) -> None:
        """What is said to be held is held: the recorder knows before it is said."""
        await self.recording.ask()
        change()
        if self.holding.is_on:
            await self.recording.ask()
        self._ask_less()

    def _decide(self, held: HeldRequest, how: Callable[[], None]) -> bool:
        """What is said to be decided is: it may be sent as it came, or its client go,
        while the user decides."""

        async def decide() -> bool:
            is_in_time = held.is_waiting
            if is_in_time:
                how()
            return is_in_time

        return not self._is_finished and self._thread.wait_for(decide())

    async def _pass_gate(self, request: Request, step: int) -> Decision:
        try:
            return await self.holding(request, step)
        finally:
            self._ask_less()  # it may have been the next one, which alone was wanted

    def _ask_less(self) -> None:
        if not self.holding.is_on:
            self.recording.ask_no_more()

    def _do(self, what: Callable[[], object]) -> None:
        if not self._is_finished:
            self._thread.do(what)

    def _note_expired(self, held: HeldRequest) -> None:
        self._problems.append(
            f"step {held.step} was held for {held.limit:g} s, and sent as it came:"
            " nobody decided"
        )
