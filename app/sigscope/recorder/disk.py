"""The rhythm in which what is written reaches the disk itself.

A write survives a killed process, but not a machine without power; that takes
`fdatasync`, which waits for the disk and so has a thread of its own: writing goes on
meanwhile.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress

SYNC_SECONDS = 0.25
"""Pause between two syncs: half of the 0.5 s after which a whole answer is safe."""


class Disk:
    """Syncs a file that grows, at most every `SYNC_SECONDS`, and once at the end."""

    def __init__(self, seconds: float = SYNC_SECONDS) -> None:
        self._seconds = seconds
        self._fd = -1
        self._lock = threading.Lock()
        self._news = threading.Event()
        self._end = threading.Event()
        self._thread: threading.Thread | None = None

    def follow(self, fd: int) -> None:
        """Something was written to the file, which stays open until `close`."""
        self._fd = fd
        self._news.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="disk", daemon=True)
            self._thread.start()

    def rest(self) -> None:
        """The file is about to be closed: leave it alone until another is followed."""
        with self._lock:
            self._fd = -1

    def close(self) -> None:
        """Have everything on the disk."""
        self._end.set()
        self._news.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._end.is_set():
            self._news.wait()
            self._news.clear()
            self._sync()
            self._end.wait(self._seconds)
        self._sync()

    def _sync(self) -> None:
        # Pipes and some network file systems know none; writing tells what is wrong.
        with self._lock, suppress(OSError):
            sync = getattr(os, "fdatasync", os.fsync)
            sync(self._fd)
