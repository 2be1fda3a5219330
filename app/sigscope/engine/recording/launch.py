"""A client that runs without a terminal, while the terminal shows the screens."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path

from sigscope.engine.recording.clients import LaunchPlan
from sigscope.engine.recording.maskedlog import MaskedLog
from sigscope.errors import InputError
from sigscope.store.private import make_private_folder, open_private

_READ = 64 * 1024
_LAST_WORDS = 0.5
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
        self._reader: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """Its process id; None before it was started."""
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Start it. Raises InputError."""
        try:
            make_private_folder(self.log.parent)
            fd = open_private(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            log = MaskedLog(os.fdopen(fd, "ab", buffering=0), self._environment)
        except OSError as error:
            raise self._unstarted(error) from error
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                env=self._environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            log.close()
            raise self._unstarted(error) from error
        self._reader = asyncio.create_task(_take_down(self._process, log))
        self._task = asyncio.create_task(self._watch(self._process))

    def _unstarted(self, error: OSError) -> InputError:
        reason = error.strerror or error
        return InputError(f"cannot be started: {reason}", path=self._command[0])

    async def _watch(self, process: asyncio.subprocess.Process) -> None:
        code = await process.wait()
        if self._reader is not None:
            await asyncio.wait((self._reader,), timeout=_LAST_WORDS)
        self.code = code if code >= 0 else 128 - code
        self._ended.set()

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


async def _take_down(process: asyncio.subprocess.Process, log: MaskedLog) -> None:
    """What a client says, until the last who has its pipe closes it."""
    assert process.stdout is not None
    try:
        while data := await process.stdout.read(_READ):
            log.write(data)
    finally:
        log.close()
