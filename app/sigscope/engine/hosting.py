"""A recording beside something else that wants the main thread: the screens.

    host = Host(order)
    host.start()
    host.state                    # looked at now and then
    host.release(held, edits)     # what the user decides
    host.finish()

The recorder has a thread and a loop of its own, so that a screen that is being drawn
keeps no traffic waiting longer than a switch of threads. All methods are for the other
thread; what they hand over is obeyed in the recorder's loop.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path

from sigscope.edits.records import Edit
from sigscope.engine.breaking import Breakpoint
from sigscope.engine.clients import Plan
from sigscope.engine.holding import PATIENCE, Held, Holding
from sigscope.engine.launching import Client
from sigscope.engine.recording import Recording, RecordOrder

SWITCH_SECONDS = 0.0005
"""How long the other thread may keep the interpreter while bytes wait. Python's own
5 ms would be the delay of every event (5.4 ms at the median, on a busy machine; 2.2 ms
with this)."""
MOST_PROBLEMS = 50
"""Beyond, requests that are refused are only counted."""
DRAIN_SECONDS = 600.0
"""How long answers that are on their way are waited for at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostState:
    """How a recording stands."""

    url: str
    upstreams: tuple[str, ...]
    """ "/openrouter → https://openrouter.ai"."""
    begun: int = 0
    """Requests seen so far."""
    open: int = 0
    """Of these, not answered yet; held ones among them."""
    written: int = 0
    """Exchanges in the file."""
    held: tuple[Held, ...] = ()
    """What waits for a decision, the oldest first."""
    hold_next: bool = False
    hold_all: bool = False
    breakpoints: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    """All that was told so far."""
    client: Client | None = None
    """The client that was started, if one was."""


class Host:
    """Runs a recording in a thread."""

    def __init__(
        self,
        order: RecordOrder,
        *,
        breakpoints: Sequence[Breakpoint] = (),
        patience: float | None = PATIENCE,
        decide: Callable[[Held], None] = lambda _: None,
    ) -> None:
        """Raises as `Recording` does. `decide`: asked about each held request before
        the user is."""
        self._problems: list[str] = []
        self.holding = Holding(
            breakpoints,
            on_held=decide,
            on_expired=self._note_expired,
            on_problem=self._problems.append,
            patience=patience,
        )
        self.recording = Recording(
            order,
            on_problem=self._problems.append,
            holding=self.holding,
            on_refused=self._note_refused,
        )
        self.client: Client | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._is_finished = False

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    # --- From the other thread -------------------------------------------------------

    @property
    def state(self) -> HostState:
        """How it stands now."""
        recording, holding = self.recording, self.holding
        journal = recording.recorder.journal
        return HostState(
            url=recording.url,
            upstreams=tuple(map(str, recording.recorder.routes.all)),
            begun=journal.begun,
            open=journal.open,
            written=journal.written,
            held=tuple(held for held in list(holding.held) if held.is_waiting),
            hold_next=holding.hold_next,
            hold_all=holding.hold_all,
            breakpoints=tuple(each.text for each in holding.breakpoints),
            problems=tuple(self._problems),
            client=self.client,
        )

    def start(self) -> None:
        """Take requests from now on."""
        self._interval = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_SECONDS)
        self._thread.start()
        self._wait_for(self.recording.start())

    def start_client(self, plan: Plan, log: Path) -> None:
        """Start a client in front of which the recorder stands; what it says goes to
        `log`. Raises InputError where it cannot be started."""
        self.client = Client(plan, self.recording.url, log)
        self._wait_for(self.client.start())

    def hold_next(self, is_wanted: bool) -> None:
        """Hold the next request, whatever it is."""
        self._do(lambda: setattr(self.holding, "hold_next", is_wanted))

    def hold_all(self, is_wanted: bool) -> None:
        """Hold every request until this is taken back."""
        self._do(lambda: setattr(self.holding, "hold_all", is_wanted))

    def break_at(self, breakpoints: Sequence[Breakpoint]) -> None:
        """Hold requests by these conditions from now on."""
        self._do(lambda: setattr(self.holding, "breakpoints", tuple(breakpoints)))

    def release(self, held: Held, edits: Sequence[Edit] = ()) -> None:
        """Send a held request, with edits. Raises EditError; it then still waits."""
        if edits:
            held.edited(edits)
        self._do(lambda: held.release(edits))

    def refuse(self, held: Held, reason: str) -> None:
        """Do not send it; its client gets an error that says why."""
        self._do(lambda: held.drop(reason))

    def let_go(self) -> None:
        """Hold nothing any more; all that waits is sent as it came."""
        self._do(self.holding.let_go)

    def end_client(self) -> None:
        """Tell the client to end."""
        if self.client is not None:
            self._do(self.client.end)

    def wait(self, seconds: float | None = DRAIN_SECONDS) -> None:
        """Until the client has ended, or without one, until all that is on its way is
        answered. Can be interrupted."""
        if self.client is not None:
            self._wait_for(self.client.wait())
        else:
            self._wait_for(self.recording.recorder.journal.idle(seconds))

    def finish(self) -> None:
        """Let all go that is held, end what is open, have everything written."""
        if self._is_finished:
            return
        self._is_finished = True
        if self._thread.is_alive():
            self._wait_for(self._stop())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            sys.setswitchinterval(self._interval)

    # ---------------------------------------------------------------------------------

    async def _stop(self) -> None:
        self.holding.let_go()
        await self.recording.stop()

    def _do(self, what: Callable[[], object]) -> None:
        if not self._is_finished:
            self._loop.call_soon_threadsafe(what)

    def _wait_for(self, what: Coroutine[object, object, None]) -> None:
        asyncio.run_coroutine_threadsafe(what, self._loop).result()

    def _note_refused(self, reason: str) -> None:
        problem = f"refused a request: {reason}"
        if problem not in self._problems and len(self._problems) < MOST_PROBLEMS:
            self._problems.append(problem)

    def _note_expired(self, held: Held) -> None:
        self._problems.append(
            f"step {held.step} was held for {held.limit:g} s, and sent as it came:"
            " nobody decided"
        )
