"""The recorder as a whole: listens, and ends in order."""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from sigscope.openfiles import tell_scarcity
from sigscope.recorder.client import ClientSide
from sigscope.recorder.gate import Gate
from sigscope.recorder.hub import Hub
from sigscope.recorder.journal import Journal
from sigscope.recorder.mend import RequestMender
from sigscope.recorder.routes import Routes
from sigscope.recorder.upstream import Pool
from sigscope.sockets import LOOPBACK
from sigscope.store.private import leave_no_core
from sigscope.wire.access import Access

T = TypeVar("T")

BACKLOG = 512
"""Connections that wait to be taken; of more at once, some come a second later."""


class Recorder:
    """A reverse proxy on loopback. `start`, later `stop`."""

    def __init__(
        self,
        routes: Routes,
        journal: Journal,
        listener: socket.socket,
        *,
        gate: Gate | None = None,
        mender: RequestMender | None = None,
        context: ssl.SSLContext | None = None,
        access: Access | None = None,
        on_refused: Callable[[str], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`listener`: on loopback and nothing else, as whoever reaches it talks to the
        API. `context`: for TLS to upstreams. `access`: who is served besides programs
        of this machine. `on_refused`: is told why somebody was not."""
        self.journal = journal
        self._hub = Hub(
            routes=routes,
            journal=journal,
            pool=Pool(context),
            clock=clock,
            gate=gate,
            mender=mender,
            access=access or Access(),
            on_refused=on_refused,
        )
        self._clients: set[ClientSide] = set()
        self._socket = listener
        self.port: int = self._socket.getsockname()[1]
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """What to give a client as its base URL, before the path."""
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def refused(self) -> int:
        """Requests that were not served, and are recorded nowhere."""
        return self._hub.refused

    @property
    def routes(self) -> Routes:
        return self._hub.routes

    async def start(self) -> None:
        """Take requests from now on. What is taken can be written: the scribe reads."""
        self.journal.start()
        await self.journal.ready()
        loop = asyncio.get_running_loop()
        tell_scarcity(self.journal.tell)
        self._server = await loop.create_server(
            lambda: ClientSide(self._hub, self._clients),
            sock=self._socket,
            backlog=BACKLOG,
        )

    async def stop(self) -> None:
        """Take no more, end what is open, have everything written."""
        self._hub.is_over = True
        if self._server is not None:
            self._server.close()
        self._socket.close()
        for client in list(self._clients):
            client.stop()
        self._hub.pool.close()
        await self.journal.close()


def run_loop(main: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run`, on a loop that passes events on sooner where there can be one."""
    leave_no_core()
    if sys.platform != "linux":
        return asyncio.run(main)
    from sigscope.recorder.relayloop import RelayLoop

    with asyncio.Runner(loop_factory=RelayLoop) as runner:
        return runner.run(main)
