"""A gate that asks the screens, which are in another process.

Fails open: what nobody there decides about is sent as it came.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from itertools import count

from sigscope.engine.recording.link import (
    LinkMessage,
    ProcessLink,
    read_decision,
    request_values,
)
from sigscope.exchange import Request, held_for
from sigscope.recorder.gate import Decision, Release

GRACE = 10.0
"""Seconds for the screens to decide or to give up, beyond the user's patience: after
that they hang."""


class DistantGate:
    """Asks about each request while it is on; costs nothing while it is not."""

    def __init__(
        self,
        link: ProcessLink,
        *,
        patience: float | None,
        on_problem: Callable[[str], None],
        on_asking: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`patience`: seconds until the screens decide by themselves; None: never.
        `on_asking`: tells them what they have to know before they judge."""
        self.is_on = False
        self._link = link
        self._limit = None if patience is None else patience + GRACE
        self._on_problem = on_problem
        self._on_asking = on_asking
        self._clock = clock
        self._numbers = count(1)
        self._asked: dict[int, tuple[float, asyncio.Future[Decision]]] = {}
        """What is not decided, with the time at which it was asked."""
        self._settled: Callable[[], Awaitable[None]] | None = None

    def follow(
        self, path: Callable[[], str], settled: Callable[[], Awaitable[None]]
    ) -> None:
        """Wait with `settled` before asking: those who judge read the file."""
        self._settled = settled

    async def __call__(self, request: Request, step: int) -> Decision:
        if self.is_on and self._settled is not None:
            await self._settled()
        if not self.is_on:
            return Release()
        if self._link.is_stuck:
            self._on_problem("the screens hang; requests pass without being held")
            return Release()
        number = next(self._numbers)
        future: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        self._asked[number] = self._clock(), future
        self._on_asking()
        values = request_values(request)
        self._link.send("asked", request.body.raw, id=number, step=step, **values)
        try:
            await asyncio.wait({future}, timeout=self._limit)
            if not future.done():
                self._pass(number, "the screens did not answer")
            return future.result()
        except asyncio.CancelledError:
            self._link.send("gone", id=number)
            raise
        finally:
            del self._asked[number]

    def take(self, message: LinkMessage) -> None:
        """What the screens decided; too late, if the client has gone."""
        _, future = self._asked.get(message.values["id"], (0.0, None))
        if future is not None and not future.done():
            future.set_result(read_decision(message))

    def let_go(self, why: str) -> None:
        """Ask no more; what waits is sent as it came."""
        self.is_on = False
        for number in self._asked:
            self._pass(number, why)

    def _pass(self, number: int, why: str) -> None:
        since, future = self._asked[number]
        if not future.done():
            waited = self._clock() - since
            held = f"{held_for(waited)}; {why}, so it was sent as it came"
            future.set_result(Release(held=held))
