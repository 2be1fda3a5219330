"""A mender in a process of its own, as the recorder sees it. Fails open.

mender = RemoteMender(MendOrder(only=("CPC-1",)), spoken, on_problem=...)
await mender.start()
await mender.mend(request, step)     # Mend or Unmended
mender.answered(step, response)
await mender.stop()
"""

from __future__ import annotations

import asyncio
import pickle
import socket
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress

from sigscope.engine.recording.childprocess import start_child
from sigscope.engine.recording.link import (
    LinkMessage,
    ProcessLink,
    read_request,
    request_values,
)
from sigscope.exchange import Remedy, Request, Response
from sigscope.recorder.mend import Mend, MendVerdict, Unmended
from sigscope.records import dataclass
from sigscope.session import Spoken

READY_SECONDS = 15.0
"""How long the start waits for it; it imports all rules, for about a second."""
_MODULE = "sigscope.engine.recording.menderprocess"
_ENDED = "the mender's process has ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class MendOrder:
    only: tuple[str, ...] = ()
    """What these rules find; empty: all that is certain."""


class RemoteMender:
    """Starts the process, asks it, tells it."""

    def __init__(
        self,
        order: MendOrder,
        spoken: Sequence[Spoken],
        *,
        on_problem: Callable[[str], None],
    ) -> None:
        """`spoken`: what named services speak."""
        self._order = order
        self._spoken = tuple(spoken)
        self._on_problem = on_problem
        self._process: subprocess.Popen[bytes] | None = None
        self._link: ProcessLink | None = None
        self._asked: dict[int, asyncio.Future[MendVerdict]] = {}
        self._ready = asyncio.Event()
        self._is_stopping = False
        self._listening: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """Of its process; None where there is none."""
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Have it ready, or tell that nothing will be mended."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                self._process = start_child(_MODULE, theirs.fileno())
            except OSError as error:
                ours.close()
                self._on_problem(
                    f"nothing is mended: its process cannot be started:"
                    f" {error.strerror or error}"
                )
                return
        self._link = await ProcessLink.over(ours)
        self._link.send("order", pickle.dumps((self._order, self._spoken)))
        self._listening = asyncio.create_task(self._listen(self._link))
        with suppress(TimeoutError):
            async with asyncio.timeout(READY_SECONDS):
                await self._ready.wait()

    async def stop(self) -> None:
        self._is_stopping = True
        if self._link is not None:
            await self._link.close()
        if self._listening is not None:
            await self._listening
        if self._process is not None:
            await asyncio.to_thread(self._end, self._process)

    @staticmethod
    def _end(process: subprocess.Popen[bytes]) -> None:
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    async def mend(self, request: Request, step: int) -> MendVerdict:
        """What to send. Where nobody waits for that any more, it is told so."""
        link = self._link
        if link is None or self._listening is None or self._listening.done():
            return Unmended(_ENDED)
        if link.is_stuck:
            return Unmended("the mender is too far behind")
        future: asyncio.Future[MendVerdict] = asyncio.get_running_loop().create_future()
        self._asked[step] = future
        values = request_values(request)
        link.send("asked", request.body.raw, step=step, **values)
        try:
            return await future
        except asyncio.CancelledError:
            link.send("gone", step=step)
            raise
        finally:
            del self._asked[step]

    def edited(self, came: Request, sent: Request, step: int) -> None:
        """Learn its answer as that of the client's request, where it stands for it."""
        if self._link is None or self._link.is_stuck:
            return
        self._link.send("came", came.body.raw, step=step, **request_values(came))
        self._link.send("edited", sent.body.raw, step=step, **request_values(sent))

    def answered(self, step: int, response: Response | None) -> None:
        """What came of a request that was asked about."""
        if self._link is None or self._link.is_stuck:
            return
        if response is None:
            self._link.send("answered", step=step, status=None)
            return
        self._link.send(
            "answered",
            response.body.raw,
            step=step,
            status=response.status,
            headers=response.headers,
        )

    async def _listen(self, link: ProcessLink) -> None:
        while (message := await link.receive()) is not None:
            if message.about == "ready":
                self._ready.set()
            elif message.about == "problem":
                self._on_problem(message.values["problem"])
            else:
                self._settle(message.values["step"], _verdict(message))
        self._ready.set()
        for step in self._asked:
            self._settle(step, Unmended(_ENDED))
        if not self._is_stopping:
            self._on_problem(f"{_ENDED}: requests go as they come from here on")

    def _settle(self, step: int, verdict: MendVerdict) -> None:
        future = self._asked.get(step)
        if future is not None and not future.done():
            future.set_result(verdict)


def _verdict(message: LinkMessage) -> MendVerdict:
    if message.about != "mended":
        return Unmended(message.values["reason"])
    return Mend(
        request=read_request(message.values["request"], message.body),
        remedies=tuple(Remedy(**each) for each in message.values["remedies"]),
    )
