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
from sigscope.store.private import make_private_folder, open_private

_KEEPER = "sigscope.engine.recording.maskedlog"
_LAST_WORDS = 2.0
"""Seconds for what a client said last; who it has started may go on with its pipe."""


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
            self._process = await self._begin(ours, theirs)
        except OSError as error:
            reason = error.strerror or error
            raise InputError(
                f"cannot be started: {reason}", path=self._command[0]
            ) from error
        finally:
            os.close(ours)
            os.close(theirs)
            if self._process is None:
                await asyncio.to_thread(self._await_keeper)
        self._task = asyncio.create_task(self._watch(self._process))

    async def _begin(self, ours: int, theirs: int) -> asyncio.subprocess.Process:
        """Who writes the log, and then the client, at the ends of a pipe."""
        make_private_folder(self.log.parent)
        log = open_private(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        with os.fdopen(log, "ab"):
            self._keeper = start_child(
                _KEEPER, ours, out=log, environment=self._environment
            )
        return await asyncio.create_subprocess_exec(
            *self._command,
            env=self._environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=theirs,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )

    async def _watch(self, process: asyncio.subprocess.Process) -> None:
        code = await process.wait()
        await asyncio.to_thread(self._await_keeper)
        self.code = code if code >= 0 else 128 - code
        self._ended.set()

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
