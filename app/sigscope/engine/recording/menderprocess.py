"""The process of a mender, beside the recorder's: judging delays no event of traffic.

    python -m sigscope.engine.recording.menderprocess FD

Started by `RemoteMender`, which asks over the socket FD about requests, and tells of
answers. What came is handled in order, as answers have to be known before requests are
judged by them; a request that nobody waits for any more is passed over. It ends when
the recorder has gone.
"""

from __future__ import annotations

import asyncio
import pickle
import signal
import socket
import sys
from collections import deque
from dataclasses import asdict

from sigscope.engine.recording.link import (
    LinkMessage,
    ProcessLink,
    read_request,
    request_values,
)
from sigscope.engine.recording.mender import Mender
from sigscope.engine.sessions.namings import profile_namings, session_namings
from sigscope.engine.settings.carriers import own_carriers
from sigscope.exchange import Body, Request, Response
from sigscope.recorder.mend import Mend
from sigscope.session import Session
from sigscope.store.private import leave_no_core

MOST_OPEN = 1_000
"""Requests that wait for their answers."""


class MenderProcess:
    """Serves one link."""

    def __init__(self, link: ProcessLink, mender: Mender) -> None:
        self._link = link
        self._mender = mender
        self._came: deque[LinkMessage] = deque()
        self._news = asyncio.Event()
        self._gone: set[int] = set()
        """Steps that nobody waits for any more."""
        self._open: dict[int, Request] = {}
        self._is_over = False

    async def run(self) -> None:
        """Until the recorder has gone."""
        listening = asyncio.create_task(self._listen())
        self._link.send("ready")
        while not self._is_over:
            await self._news.wait()
            self._news.clear()
            while self._came:
                self._handle(self._came.popleft())
                await asyncio.sleep(0)  # who has given up is heard of meanwhile
        listening.cancel()
        await self._link.close()

    async def _listen(self) -> None:
        while (message := await self._link.receive()) is not None:
            if message.about == "gone":
                self._gone.add(message.values["step"])
            self._came.append(message)
            self._news.set()
        self._is_over = True
        self._news.set()

    def _handle(self, message: LinkMessage) -> None:
        step = message.values["step"]
        if message.about == "asked":
            self._mend(step, read_request(message.values, message.body))
        elif message.about == "answered":
            self._learn(step, message)
        elif message.about == "came":
            self._keep(step, read_request(message.values, message.body))
        elif message.about == "edited":
            self._weigh(step, read_request(message.values, message.body))
        else:
            self._gone.discard(step)

    def _keep(self, step: int, request: Request) -> None:
        self._open[step] = request
        while len(self._open) > MOST_OPEN:
            del self._open[next(iter(self._open))]

    def _weigh(self, step: int, sent: Request) -> None:
        """Forget a request whose answer is that of another one."""
        came = self._open.get(step)
        try:
            if came is not None and not self._mender.stands_for(sent, came):
                del self._open[step]
        except Exception as error:  # noqa: BLE001 - the others are known all the same
            self._open.pop(step, None)
            told = f"step {step} is not known to --mend: {type(error).__name__}"
            self._link.send("problem", problem=f"{told}: {error}")

    def _mend(self, step: int, request: Request) -> None:
        self._keep(step, request)
        if step in self._gone:
            return
        try:
            verdict = self._mender.mend(request)
        except Exception as error:  # noqa: BLE001 - the request goes as it came
            reason = f"judging it failed: {type(error).__name__}: {error}"
            self._link.send("unmended", step=step, reason=reason)
            return
        if not isinstance(verdict, Mend):
            self._link.send("unmended", step=step, reason=verdict.reason)
            return
        self._link.send(
            "mended",
            verdict.request.body.raw,
            step=step,
            request=request_values(verdict.request),
            remedies=[asdict(remedy) for remedy in verdict.remedies],
        )

    def _learn(self, step: int, message: LinkMessage) -> None:
        request = self._open.pop(step, None)
        if request is None or message.values["status"] is None:
            return
        response = Response(
            status=message.values["status"],
            headers=tuple((n, v) for n, v in message.values["headers"]),
            body=Body(message.body),
            ending="complete",
        )
        try:
            self._mender.learn(request, response, step)
        except Exception as error:  # noqa: BLE001 - the others are known all the same
            told = f"step {step} is not known to --mend: {type(error).__name__}"
            self._link.send("problem", problem=f"{told}: {error}")


async def _serve(connection: socket.socket) -> None:
    link = await ProcessLink.over(connection)
    message = await link.receive()
    if message is None:
        return
    # From the process that has started this one: nobody else has the socket.
    order, spoken = pickle.loads(message.body)
    dialects = own_carriers().dialects
    session = Session(id="", spoken=list(spoken))
    namings = (*profile_namings(dialects), *session_namings(session, dialects))
    mender = Mender(only=order.only, dialects=dialects, namings=namings)
    await MenderProcess(link, mender).run()


def main(argv: list[str]) -> int:
    """Read what `RemoteMender` starts it with."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    leave_no_core()
    asyncio.run(_serve(socket.socket(fileno=int(argv[0]))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
