"""A recorder in another process, as the screens' process sees it.

    recorder = await RemoteRecorder.begin(order, gate, ...)
    await recorder.start()
    recorder.counts          # as it was told last
    await recorder.finish()

If that process dies, nobody waits for it any more: what was asked is answered, what was
held is gone with its client, and what it had recorded is written by the scribe.
"""

from __future__ import annotations

import asyncio
import pickle
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from sigscope.engine.recording.childprocess import start_child
from sigscope.engine.recording.link import (
    LinkMessage,
    ProcessLink,
    read_request,
    send_decision,
)
from sigscope.engine.recording.recording import RecordOrder, recorded_document
from sigscope.engine.sessions.document import Document
from sigscope.errors import (
    InputError,
    SigscopeError,
    UpstreamError,
    UsageError,
    WouldOverwrite,
)
from sigscope.processes import is_running
from sigscope.recorder.gate import Decision, Gate, Release
from sigscope.records import dataclass
from sigscope.store import open_session

ANSWERS_WITHIN = 3.0
"""Seconds in which a recorder that is well has long answered."""
LOOK_EVERY = 0.1
"""Seconds between two looks at what the scribe of a recorder that died has written."""
SCRIBE_SECONDS = 5.0
"""How long that scribe is waited for while nothing comes of it."""
_MODULE = "sigscope.engine.recording.recorderprocess"
_KINDS: dict[str, Callable[[str], SigscopeError]] = {
    kind.__name__: kind for kind in (UsageError, UpstreamError)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How far a recording is."""

    begun: int = 0
    """Exchanges seen so far."""
    replaced: int = 0
    """Of these, requests in whose place another one was sent."""
    open: int = 0
    """Of these, not answered yet; held ones among them."""
    written: int = 0
    """Exchanges in the file."""
    refused: int = 0
    """Requests that were not served, and are recorded nowhere."""
    path: str
    """The session file."""
    scribe: int | None = None
    """Process id of who writes it."""


class RemoteRecorder:
    """Starts a recorder's process, tells it what to do, hears what it says.

    For one loop, in which `gate` is asked; what is no coroutine may be looked at from
    other threads.
    """

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        link: ProcessLink,
        made: LinkMessage,
        gate: Gate,
        on_problem: Callable[[str], None],
    ) -> None:
        """Use `begin`."""
        self.url: str = made.values["url"]
        self.first: int = made.values["first"]
        """Number of the first step that this recording makes."""
        self.upstreams = tuple(made.values["upstreams"])
        """ "/openrouter → https://openrouter.ai"."""
        self.counts = Counts(path=made.values["path"])
        self.has_ended = False
        """Whether its process is gone."""
        self._process = process
        self._link = link
        self._gate = gate
        self._on_problem = on_problem
        self._numbers = count(1)
        self._calls: dict[int, asyncio.Future[None]] = {}
        self._asked: dict[int, asyncio.Task[None]] = {}
        self._is_asking = False
        """Whether the gate is asked about requests."""
        self._is_finishing = False
        """Whether it was told here to end."""
        self._is_finished = False
        """Whether all was written before the process ended."""
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def begin(
        cls,
        order: RecordOrder,
        gate: Gate,
        *,
        patience: float | None,
        on_problem: Callable[[str], None],
    ) -> RemoteRecorder:
        """Have the file made and the port taken. `patience`: seconds in which the gate
        decides, at most. Raises as `Recording` does."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                process = start_child(_MODULE, theirs.fileno())
            except OSError as error:
                ours.close()
                raise InputError(
                    f"the recorder cannot be started: {error.strerror or error}"
                ) from error
        link = await ProcessLink.over(ours)
        link.send("order", pickle.dumps((order, patience)))
        made = await link.receive()
        while made is not None and made.about == "problem":
            on_problem(made.values["problem"])
            made = await link.receive()
        if made is not None and made.about == "made":
            return cls(process, link, made, gate, on_problem)
        await link.close()
        code = await asyncio.to_thread(process.wait)
        if made is None:
            raise InputError(f"the recorder's process {_said(code)} before it began")
        raise _error(made)

    @property
    def pid(self) -> int:
        return self._process.pid

    # --- For those who tell what was recorded ----------------------------------------

    @property
    def path(self) -> Path:
        """The session file."""
        return Path(self.counts.path)

    @property
    def begun(self) -> int:
        """Exchanges seen."""
        return self.counts.begun

    @property
    def written(self) -> int:
        """Exchanges in the file."""
        return self.counts.written

    @property
    def lost(self) -> int:
        """Exchanges that passed and are not in the file."""
        return self.begun - self.written

    @property
    def refused(self) -> int:
        """Requests that were not served, and are recorded nowhere."""
        return self.counts.refused

    @property
    def is_empty(self) -> bool:
        """Whether nothing was recorded."""
        return self.begun == 0

    def document(self) -> Document:
        """What was recorded. Raises InputError."""
        return recorded_document(self.path, is_empty=self.is_empty)

    # --- What it is told -------------------------------------------------------------

    async def start(self) -> None:
        """Take requests from now on."""
        await self._call("start")

    async def ask(self) -> None:
        """Have the gate asked about each request from now on."""
        if not self._is_asking:
            self._is_asking = True
            await self._call("gate", ANSWERS_WITHIN, is_on=True)

    def ask_no_more(self) -> None:
        """Have requests pass; those that wait still do."""
        if self._is_asking:
            self._is_asking = False
            self._link.send("gate", id=0, is_on=False)

    async def refresh(self) -> None:
        """Have the counts as they are now."""
        await self._call("counts", ANSWERS_WITHIN)

    async def idle(self, seconds: float | None) -> None:
        """Until nothing is under way, but not for ever."""
        await self._call("idle", seconds=seconds)

    def note_client(self, pid: int) -> None:
        """Record as long as this process runs, even where the screens are gone."""
        self._link.send("client", pid=pid)

    async def finish(self) -> None:
        """End what is open, have everything written."""
        self._is_finishing = True
        self._link.send("finish")
        await self._listening
        await self._link.close()

    # --- What it says ----------------------------------------------------------------

    async def _listen(self) -> None:
        while (message := await self._link.receive()) is not None:
            values = message.values
            if message.about == "counts":
                self.counts = Counts(**values)
            elif message.about == "problem":
                self._on_problem(values["problem"])
            elif message.about == "done":
                self._note_done(values["id"])
            elif message.about == "asked":
                task = asyncio.create_task(self._answer(message))
                self._asked[values["id"]] = task
            elif message.about == "gone" and values["id"] in self._asked:
                self._asked[values["id"]].cancel()
            elif message.about == "finished":
                self._is_finished = True
        await self._note_end()

    def _note_done(self, number: int) -> None:
        future = self._calls.get(number)
        if future is not None and not future.done():
            future.set_result(None)

    async def _answer(self, message: LinkMessage) -> None:
        number, step = message.values["id"], message.values["step"]
        decision: Decision = Release()
        try:
            decision = await self._gate(
                read_request(message.values, message.body), step
            )
        except Exception as error:  # noqa: BLE001 - a broken gate stops no traffic
            self._on_problem(f"step {step} was not looked at, and passes: {error!r}")
        finally:
            del self._asked[number]
        send_decision(self._link, number, decision)

    async def _note_end(self) -> None:
        self.has_ended = True
        asked = list(self._asked.values())
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        for number in self._calls:
            self._note_done(number)
        code = await asyncio.to_thread(self._process.wait)
        if not self._is_finishing:
            how = "was told to end" if self._is_finished else _said(code)
            self._on_problem(
                f"the recorder's process {how}: nothing answers at {self.url} any"
                f" more. What came before is in {self.path}; leave with q, and record"
                " again with --append to go on"
            )
        if not self._is_finished:
            await self._await_scribe()

    async def _await_scribe(self) -> None:
        """The scribe reads what its recorder left, and ends; count what comes of it. A
        recorder that was killed may have begun more than it had told."""
        since = time.monotonic()
        is_there = True
        while is_there and time.monotonic() - since < SCRIBE_SECONDS:
            scribe = self.counts.scribe
            is_there = scribe is not None and is_running(scribe)
            before = self.counts.written
            self._count_steps()
            if self.counts.written != before:
                since = time.monotonic()
            if is_there:
                await asyncio.sleep(LOOK_EVERY)

    def _count_steps(self) -> None:
        with suppress(SigscopeError):
            steps = open_session(str(self.path)).steps
            written = sum(step.number >= self.first for step in steps)
            begun = max(self.counts.begun, written)
            self.counts = replace(self.counts, begun=begun, open=0, written=written)

    async def _call(
        self, about: str, patience: float | None = None, **values: Any
    ) -> None:
        """Tell it, and wait until it is done, or until nobody is there to do it."""
        if self.has_ended:
            return
        number = next(self._numbers)
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._calls[number] = future
        self._link.send(about, id=number, **values)
        await asyncio.wait({future}, timeout=patience)
        del self._calls[number]


def _error(failed: LinkMessage) -> SigscopeError:
    kind, words = failed.values["kind"], failed.values["words"]
    path = failed.values["path"]
    if kind == WouldOverwrite.__name__:
        return WouldOverwrite(path)
    make = _KINDS.get(kind)
    return make(words) if make else InputError(words, path=path)


def _said(code: int) -> str:
    if code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    return f"has ended with exit code {code}" if code else "has ended"
