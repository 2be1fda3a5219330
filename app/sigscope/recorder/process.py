"""The scribe's process, as the recorder sees it."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

WAKE = b"w"
"""There is something to read."""
_MODULE = "sigscope.recorder.scribe"
SPOOL = b"s"
"""Another spool comes with this byte."""


class ScribeProcess:
    """Starts a scribe, hands it spools, hears what it says."""

    def __init__(
        self,
        path: str,
        spools: Sequence[int],
        *,
        elsewhere: Sequence[str] = (),
        on_message: Callable[[dict[str, Any]], None],
        on_end: Callable[[], None],
    ) -> None:
        """`elsewhere`: folders for what the file's own does not take. Raises OSError
        where no process can be started. Needs a running loop."""
        self._on_message = on_message
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self._unread = b""
        self._waiting: list[int] = []
        """Spools that could not be handed over yet."""
        ours, theirs = socket.socketpair()
        with theirs:
            ours.setblocking(False)
            try:
                self._process = _start(path, theirs.fileno(), spools, elsewhere)
            except OSError:
                ours.close()
                raise
        self._socket = ours
        self._loop.add_reader(ours, self._hear)

    @property
    def pid(self) -> int:
        return self._process.pid

    def wake(self) -> None:
        """Tell that an exchange is complete."""
        if self._waiting:
            self._hand_over()
        with suppress(OSError):  # full of wakes: it will look; gone: we hear of it
            self._socket.send(WAKE)

    def hand(self, fd: int) -> None:
        """Give it the next spool."""
        self._waiting.append(fd)
        self._hand_over()

    def finish(self) -> None:
        """Nothing more will come; it writes what there is and ends."""
        self._hand_over()
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    async def wait(self) -> int:
        """Its exit code."""
        return await asyncio.to_thread(self._process.wait)

    def kill(self) -> None:
        """End it at once, and leave nothing of it."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Hear no more of it."""
        if self._socket.fileno() >= 0:
            self._loop.remove_reader(self._socket)
            self._socket.close()

    def _hand_over(self) -> None:
        while self._waiting:
            try:
                socket.send_fds(self._socket, [SPOOL], self._waiting[:1])
            except OSError:
                return
            del self._waiting[0]

    def hear_out(self) -> None:
        """Take what it said last."""
        while self._socket.fileno() >= 0 and self._hear():
            pass

    def _hear(self) -> bool:
        """Take what it said; False where there is nothing more now."""
        try:
            data = self._socket.recv(65536)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self.close()
            self._on_end()
            return False
        *lines, self._unread = (self._unread + data).split(b"\n")
        for line in lines:
            self._on_message(json.loads(line))
        return True


def _start(
    path: str, fd: int, spools: Sequence[int], elsewhere: Sequence[str]
) -> subprocess.Popen[bytes]:
    """In a session of its own: what ends the recorder must not end the scribe."""
    root = str(Path(__file__).resolve().parents[2])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    numbers = [str(os.getpid()), str(fd), ",".join(map(str, spools))]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", _MODULE, path, *numbers, *elsewhere],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        pass_fds=(fd, *spools),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
