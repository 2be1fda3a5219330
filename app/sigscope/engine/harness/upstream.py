"""A strict upstream for a client under test, on a free port, with a recorder before it.

    client ── HTTP ── recorder ── HTTP ── strict simulator
                         └── session file

Both live in a thread of their own, so that a test may be of any kind: plain, of
asyncio, or one that starts processes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self, get_args

from sigscope.engine.harness.surroundings import Surroundings, surroundings
from sigscope.engine.loopthread import LoopThread
from sigscope.engine.recording.recording import Recording, RecordOrder
from sigscope.engine.sessions.document import Document
from sigscope.errors import InputError, UsageError
from sigscope.recorder.routes import parse_route
from sigscope.records import dataclass
from sigscope.session import Spoken
from sigscope.upstreams.simulator import SimConfig
from sigscope.upstreams.simulator.config import Move
from sigscope.upstreams.simulator.server import Server

TURNS: tuple[Move, ...] = ("calls", "parallel", "text")
"""The shapes that clients fail at: one call, two at once, then an answer."""
PATIENCE = 2.0
"""Seconds that answers still on their way are waited for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UpstreamOrder:
    """What is to be imitated, and where the session goes."""

    dialect: str
    session: Path
    turns: tuple[Move, ...] = TURNS
    """The replies, one after the other; empty: what the user's words ask for."""
    model: str = ""
    """Answers where a request names none; empty: the dialect's."""
    seed: str = "sigscope"
    title: str = ""
    force: bool = False
    """Replace the session file if there is one."""


class StrictUpstream:
    """Serves from its making until `close`."""

    def __init__(self, order: UpstreamOrder) -> None:
        """Raises UsageError (WouldOverwrite too), InputError, UpstreamError."""
        self.order = order
        self.surroundings: Surroundings = surroundings(order.dialect)
        self.problems: list[str] = []
        """What could not be written."""
        config = SimConfig(
            dialect=order.dialect,
            model=order.model or self.surroundings.model,
            seed=order.seed,
            script=order.turns,
        )
        self._server = Server(config, port=0)
        self._recording = Recording(self._order(), on_problem=self.problems.append)
        self._is_closed = False
        self._thread = LoopThread("upstream")
        self._serving = self._thread.begin(self._server.run())
        self._thread.wait_for(self._recording.start())

    def _order(self) -> RecordOrder:
        order, url = self.order, self._server.url
        spoken = Spoken(
            dialect=order.dialect,
            at="",
            endpoint=url + self.surroundings.path,
            by="the test",
            is_service=False,
        )
        return RecordOrder(
            routes=(parse_route(url),),
            out=order.session,
            title=order.title or f"Client under test: {order.dialect}",
            force=order.force,
            named=(spoken,),
            is_remembered=False,
        )

    # --- From the other thread -------------------------------------------------------

    @property
    def base_url(self) -> str:
        """What a client takes for the address of its API."""
        return self._recording.url + self.surroundings.path

    @property
    def session(self) -> Path:
        return self._recording.path

    @property
    def environment(self) -> dict[str, str]:
        """Variables that tell a client of it."""
        return self.surroundings.variables(self.base_url)

    def document(self) -> Document:
        """What came so far. Raises InputError, also where not all of it is in the file:
        nothing can be said then."""
        if not self._is_closed:
            self._thread.wait_for(self._settle())
        path = str(self.session)
        if self.problems:
            raise InputError("; ".join(self.problems), path=path)
        if missing := self._recording.lost:
            plural = "s are" if missing > 1 else " is"
            raise InputError(
                f"{missing} request{plural} still being answered: let the client end"
                " before it is judged",
                path=path,
            )
        return self._recording.document()

    def close(self) -> None:
        """End what is open, and have everything written."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            self._thread.wait_for(self._stop())
        finally:
            self._thread.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # ---------------------------------------------------------------------------------

    async def _settle(self) -> None:
        await self._recording.recorder.journal.idle(PATIENCE)
        await self._recording.settled()

    async def _stop(self) -> None:
        await self._recording.stop()
        self._server.stop()
        await asyncio.wrap_future(self._serving)


def moves(turns: Sequence[str]) -> tuple[Move, ...]:
    """Turns by their names. Raises UsageError."""
    known: dict[str, Move] = {move: move for move in get_args(Move)}
    for turn in turns:
        if turn not in known:
            raise UsageError(f"turn {turn!r} is not one of {', '.join(known)}")
    return tuple(known[turn] for turn in turns)
