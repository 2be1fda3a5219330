"""Holding requests: looked at, changed with edits, released or dropped.

    holding = Holding([parse_breakpoint("sig dropped")], on_held=...)
    Recording(order, holding=holding, ...)
    held = holding.held[0]
    held.release(held.fixes)      # or held.release(), held.drop()

For front ends: all of it runs in the recorder's loop; only the judging is done in a
thread, while the request waits. Nothing waits for ever: a request that nobody decides
about is sent as it came, before its client gives up.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from itertools import count

from sigscope.edits.apply import apply_to_request
from sigscope.edits.notation import describe
from sigscope.edits.records import Edit
from sigscope.engine.recording.breakpoints import Breakpoint, reasons
from sigscope.engine.recording.forecast import Outlook, Watch
from sigscope.errors import SigscopeError
from sigscope.exchange import Body, Exchange, Request, held_for
from sigscope.recorder.gate import Decision, Drop, Release
from sigscope.recorder.rewrites import measured
from sigscope.rules.cure import cure_of
from sigscope.session import WAITING, Step
from sigscope.store.redact import Redactor

PATIENCE = 240.0
"""Seconds after which a request goes out as it came. Clients wait longer unless they
are told otherwise: fetch in Node.js 300 s for the head of an answer (undici's
`headersTimeout`), openai-python and anthropic-sdk-python 600 s (`_constants.py`)."""


class HeldRequest:
    def __init__(
        self,
        number: int,
        outlook: Outlook,
        why: Sequence[str],
        *,
        step: int = 0,
        limit: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.number = number
        """Counts what was held, from 1."""
        self.step = step
        """The number that it has, or will have, in the session."""
        self.outlook = outlook
        self.why = tuple(why)
        """Which breakpoints hold it, in words."""
        self.limit = limit
        """Seconds after which it goes out as it came; None: never."""
        self.decision: asyncio.Future[Decision] = asyncio.Future()
        self._clock = clock
        self._since = clock()
        self._is_left = False

    @property
    def waited(self) -> float:
        """Seconds since it was held."""
        return self._clock() - self._since

    @property
    def request(self) -> Request:
        """As the client sent it."""
        request = self.outlook.reading.exchange.request
        assert request is not None
        return request

    @property
    def fixes(self) -> tuple[Edit, ...]:
        """What the findings' fixes would change, as far as they go together."""
        reading = self.outlook.reading
        return cure_of(self.outlook.findings, reading.request_text).edits

    @property
    def is_waiting(self) -> bool:
        """Whether it still waits; not if decided, nor if the client has gone."""
        return not self.decision.done()

    @property
    def is_sent(self) -> bool:
        """Whether it goes out; not if it was dropped, nor if its client has gone."""
        decision = self.decision
        return (
            decision.done()
            and not decision.cancelled()
            and not self._is_left
            and isinstance(decision.result(), Release)
        )

    def leave(self) -> None:
        """Its client has gone, perhaps just when somebody decided."""
        self._is_left = True
        self.decision.cancel()

    def shown(self) -> Step:
        """As a step of the session, without secrets: as the file will have it."""
        step = Step(
            number=self.step,
            id=f"held-{self.number}",
            source=WAITING,
            exchange=Exchange(request=self.request, remarks=("it is held", *self.why)),
        )
        return Redactor().step(step)[0]

    def edited(self, edits: Sequence[Edit]) -> Request:
        """The request with edits. Raises EditError."""
        decoded = self.outlook.reading.request_body
        return apply_to_request(
            edits, self.request, decoded=decoded.data if decoded.codings else None
        )

    def release(self, edits: Sequence[Edit] = ()) -> None:
        """Send it, with edits. Raises EditError; it then still waits."""
        request = self.edited(edits) if edits else None
        note = "; ".join(edit.label or describe(edit) for edit in edits)
        self._release(request, note and f"edited: {note}")

    def release_body(self, body: bytes) -> None:
        """Send it with another body, as it is."""
        self._release(
            measured(self.request, Body(body)), "edited: the body was replaced"
        )

    def drop(self, reason: str = "dropped at a breakpoint") -> None:
        """Do not send it; the client is told so."""
        self._decide(Drop(reason=reason, held=self._held()))

    def expire(self) -> None:
        """Send it as it came: nobody has decided."""
        held = f"{self._held()}; nobody decided, so it was sent as it came"
        self._decide(Release(held=held))

    def _release(self, request: Request | None, note: str) -> None:
        self._decide(Release(request=request, note=note, held=self._held()))

    def _held(self) -> str:
        return f"{held_for(self.waited)}: {'; '.join(self.why)}"

    def _decide(self, decision: Decision) -> None:
        if self.is_waiting:
            self.decision.set_result(decision)


class Holding:
    """A gate with breakpoints."""

    def __init__(
        self,
        breakpoints: Sequence[Breakpoint] = (),
        *,
        on_held: Callable[[HeldRequest], None] = lambda _: None,
        on_gone: Callable[[HeldRequest], None] = lambda _: None,
        on_expired: Callable[[HeldRequest], None] = lambda _: None,
        on_problem: Callable[[str], None] = lambda _: None,
        patience: float | None = PATIENCE,
    ) -> None:
        """`on_held`: somebody has to decide. `on_gone`: the client has not waited.
        `on_expired`: nobody has decided for `patience` seconds (None: for ever)."""
        self.breakpoints: tuple[Breakpoint, ...] = tuple(breakpoints)
        self.hold_next = False
        """Hold the next request whatever it is: break by hand."""
        self.hold_all = False
        """Hold every request: by hand, until it is taken back."""
        self.held: list[HeldRequest] = []
        """What waits now, the oldest first."""
        self.patience = patience
        self._on_held = on_held
        self._on_gone = on_gone
        self._on_expired = on_expired
        self._on_problem = on_problem
        self._numbers = count(1)
        self._watch: tuple[str, Watch] | None = None
        """With the path of its file."""
        self._path: Callable[[], str] = str
        self._settled: Callable[[], Awaitable[None]] | None = None
        self._lock = asyncio.Lock()

    @property
    def is_on(self) -> bool:
        """Whether any request may be held."""
        return bool(self.breakpoints) or self.hold_next or self.hold_all

    def follow(
        self,
        path: Callable[[], str],
        settled: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Judge by this file, another one after that was moved or deleted. `settled`
        waits until what has ended is in it; None: whoever asks has waited."""
        self._path = path
        self._settled = settled

    def let_go(self) -> None:
        """Hold nothing any more; what waits is sent as it came."""
        self.breakpoints = ()
        self.hold_next = self.hold_all = False
        for held in list(self.held):
            held.release()

    async def __call__(self, request: Request, step: int) -> Decision:
        """The gate: a decision for each request."""
        if not self.is_on:
            return Release()
        by_hand = self._by_hand()
        try:
            outlook = await self._look(request, step)
        except SigscopeError as error:
            self._on_problem(f"a request was not looked at, and passes: {error}")
            return Release()
        why = [*reasons(self.breakpoints, outlook), *by_hand]
        if not why:
            return Release()
        held = HeldRequest(
            next(self._numbers), outlook, why, step=step, limit=self.patience
        )
        self.held.append(held)
        try:
            self._on_held(held)
            return await self._decision(held)
        except asyncio.CancelledError:
            held.leave()
            self._on_gone(held)
            raise
        finally:
            self.held.remove(held)

    async def _decision(self, held: HeldRequest) -> Decision:
        await asyncio.wait({held.decision}, timeout=held.limit)
        if held.is_waiting:
            held.expire()
            self._on_expired(held)
        return held.decision.result()

    def _by_hand(self) -> list[str]:
        """Takes the order to hold the next one: of two that come at once, the first
        is held and not both."""
        if self.hold_next:
            self.hold_next = False
            return ["held by hand"]
        return ["held by hand, as all are"] if self.hold_all else []

    async def _look(self, request: Request, step: int) -> Outlook:
        """One at a time: the ledger is built from the whole session."""
        async with self._lock:
            if self._settled is not None:
                await self._settled()
            return await asyncio.to_thread(self._judge, request, step)

    def _judge(self, request: Request, step: int) -> Outlook:
        path = self._path()
        if self._watch is None or self._watch[0] != path:
            self._watch = path, Watch(path)
        return self._watch[1].look(request, step)
