"""A client that runs without a terminal, while the terminal shows the screens."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

from sigscope.engine.recording.childprocess import start_child
from sigscope.engine.recording.clients import LaunchPlan
from sigscope.errors import InputError
from sigscope.processes import start_failure
from sigscope.store.private import allow_core, make_private_folder, open_private

_KEEPER = "sigscope.engine.recording.maskedlog"
_LAST_WORDS = 2.0
"""Seconds for what a client said last; who it has started may go on with its pipe."""

_LOOK_EVERY = 0.2
"""Seconds between two looks whether the log is still written."""
_STARTS = 5
"""How often it is begun again."""


class LaunchedClient:
    """One process, in a session of its own: it can neither read nor write what is on
    the screen, not by `/dev/tty` either."""

    def __init__(self, plan: LaunchPlan, url: str, log: Path) -> None:
        """`url`: the recorder's. `log`: takes its stdout and stderr, without keys."""
        self.name = plan.client
        self.log = log
        self.code: int | None = None
        """Its exit code, 128 + n where signal n ended it; None while it runs."""
        self._command = plan.command(os.environ, url)
        self._environment = plan.environment(os.environ, url)
        self._process: asyncio.subprocess.Process | None = None
        self._ended = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._keeper: subprocess.Popen[bytes] | None = None
        """Writes the log."""

    @property
    def pid(self) -> int | None:
        """Its process id; None before it was started."""
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Start it. Raises InputError."""
        ours, theirs = os.pipe()
        try:
            self._start_keeper(ours)
            self._process = await self._begin(theirs)
        except OSError as error:
            program = self._command[0]
            reason = start_failure(program, error)
            raise InputError(f"cannot be started: {reason}", path=program) from error
        finally:
            os.close(theirs)
            if self._process is None:
                os.close(ours)
                await asyncio.to_thread(self._await_keeper)
        allow_core(self._process.pid)
        self._task = asyncio.create_task(self._watch(self._process, ours))

    def _start_keeper(self, ours: int) -> None:
        """Who writes the log, at our end of the client's pipe. Raises InputError."""
        try:
            make_private_folder(self.log.parent)
            log = open_private(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            with os.fdopen(log, "ab"):
                self._keeper = start_child(
                    _KEEPER, ours, out=log, environment=self._environment
                )
        except OSError as error:
            reason = error.strerror or error
            raise InputError(f"cannot be written: {reason}", path=str(self.log)) from (
                error
            )

    async def _begin(self, theirs: int) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *self._command,
            env=self._environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=theirs,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )

    async def _watch(self, process: asyncio.subprocess.Process, ours: int) -> None:
        minding = asyncio.create_task(self._mind(ours))
        code = await process.wait()
        minding.cancel()
        self._start_keeper_again(ours)
        os.close(ours)
        await asyncio.to_thread(self._await_keeper)
        self.code = code if code >= 0 else 128 - code
        self._ended.set()

    async def _mind(self, ours: int) -> None:
        """Start the log's writer again where it is killed: we hold its end of the pipe
        meanwhile, or the client would be ended by what it says next."""
        starts = 0
        while starts < _STARTS:
            await asyncio.sleep(_LOOK_EVERY)
            starts += self._start_keeper_again(ours)

    def _start_keeper_again(self, ours: int) -> bool:
        """Whether it was killed; nothing is to be done where it has come to its end."""
        was_killed = self._keeper is not None and bool(self._keeper.poll())
        if was_killed:
            with suppress(InputError):
                self._start_keeper(ours)
        return was_killed

    def _await_keeper(self) -> None:
        """Until what the client said last is in the log."""
        if self._keeper is not None:
            with suppress(subprocess.TimeoutExpired):
                self._keeper.wait(_LAST_WORDS)

    async def wait(self) -> None:
        """Until it has ended."""
        await self._ended.wait()

    def end(self) -> None:
        """Tell it, and what it has started, to end; a second time harder."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        number = signal.SIGKILL if self._was_told else signal.SIGTERM
        self._was_told = True
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)

    _was_told = False
