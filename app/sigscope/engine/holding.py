"""Holding requests: looked at, changed with edits, released or dropped.

    holding = Holding([parse_breakpoint("sig dropped")], on_held=...)
    Recording(order, holding=holding, ...)
    held = holding.held[0]
    held.release(held.fixes)      # or held.release(), held.drop()

For front ends: all of it runs in the recorder's loop; only the judging is done in a
thread, while the request waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from itertools import count

from sigscope.edits.apply import apply_to_request
from sigscope.edits.notation import describe
from sigscope.edits.records import Edit
from sigscope.engine.breaking import Breakpoint, reasons
from sigscope.engine.watching import Outlook, Watch
from sigscope.errors import SigscopeError
from sigscope.exchange import Body, Request
from sigscope.recorder.gate import Decision, Drop, Release
from sigscope.recorder.rewriting import measured


class Held:
    """One request that waits."""

    def __init__(self, number: int, outlook: Outlook, why: Sequence[str]) -> None:
        self.number = number
        """Counts what was held, from 1."""
        self.outlook = outlook
        self.why = tuple(why)
        """Which breakpoints hold it, in words."""
        self.decision: asyncio.Future[Decision] = asyncio.Future()

    @property
    def request(self) -> Request:
        """As the client sent it."""
        request = self.outlook.reading.exchange.request
        assert request is not None
        return request

    @property
    def fixes(self) -> tuple[Edit, ...]:
        """What the findings' fixes would change, without repetitions."""
        edits = (e for found in self.outlook.findings for e in found.fix or ())
        return tuple(dict.fromkeys(edits))

    @property
    def is_waiting(self) -> bool:
        """Whether it still waits; not if decided, nor if the client has gone."""
        return not self.decision.done()

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
        self._decide(Release(request=request, note=note and f"edited: {note}"))

    def release_body(self, body: bytes) -> None:
        """Send it with another body, as it is."""
        request = measured(self.request, Body(body))
        self._decide(Release(request=request, note="edited: the body was replaced"))

    def drop(self, reason: str = "dropped at a breakpoint") -> None:
        """Do not send it; the client is told so."""
        self._decide(Drop(reason=reason))

    def _decide(self, decision: Decision) -> None:
        if self.is_waiting:
            self.decision.set_result(decision)


class Holding:
    """A gate with breakpoints."""

    def __init__(
        self,
        breakpoints: Sequence[Breakpoint] = (),
        *,
        on_held: Callable[[Held], None],
        on_gone: Callable[[Held], None] = lambda _: None,
        on_problem: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`on_held`: somebody has to decide. `on_gone`: the client has not waited."""
        self.breakpoints: tuple[Breakpoint, ...] = tuple(breakpoints)
        self.hold_next = False
        """Hold the next request whatever it is: break by hand."""
        self.held: list[Held] = []
        """What waits now, the oldest first."""
        self._on_held = on_held
        self._on_gone = on_gone
        self._on_problem = on_problem
        self._numbers = count(1)
        self._watch: Watch | None = None
        self._path = ""
        self._settled: Callable[[], Awaitable[None]] | None = None
        self._lock = asyncio.Lock()

    def follow(self, path: str, settled: Callable[[], Awaitable[None]]) -> None:
        """Judge by this file. `settled` waits until what has ended is in it."""
        self._path = path
        self._settled = settled

    async def __call__(self, request: Request) -> Decision:
        """The gate: a decision for each request."""
        if not self.breakpoints and not self.hold_next:
            return Release()
        try:
            outlook = await self._look(request)
        except SigscopeError as error:
            self._on_problem(f"a request was not looked at, and passes: {error}")
            return Release()
        why = reasons(self.breakpoints, outlook)
        if self.hold_next:
            self.hold_next = False
            why.append("held by hand")
        if not why:
            return Release()
        held = Held(next(self._numbers), outlook, why)
        self.held.append(held)
        try:
            self._on_held(held)
            return await held.decision
        except asyncio.CancelledError:
            held.decision.cancel()
            self._on_gone(held)
            raise
        finally:
            self.held.remove(held)

    async def _look(self, request: Request) -> Outlook:
        """One at a time: the ledger is built from the whole session."""
        async with self._lock:
            if self._settled is not None:
                await self._settled()
            return await asyncio.to_thread(self._judge, request)

    def _judge(self, request: Request) -> Outlook:
        if self._watch is None:
            self._watch = Watch(self._path)
        return self._watch.look(request)
