"""Spools: memory shared with the scribe, appended to and never waited for.

A write costs a copy of the bytes and no more, however slow the disk is. What lies in a
spool stays readable for the scribe when this process is killed.
"""

from __future__ import annotations

import os
import tempfile

SIZE = 32 * 1024 * 1024
"""Bytes after which the next spool begins, so that written ones can be let go."""


class Spool:
    """One piece of shared memory, append-only."""

    def __init__(self) -> None:
        """Raises OSError where the system gives none."""
        self.fd = _make()
        self.size = 0

    def write(self, head: bytes, data: bytes) -> None:
        """Append a frame. Raises OSError where there is no memory."""
        total = len(head) + len(data)
        try:
            done = os.writev(self.fd, (head, data)) if data else os.write(self.fd, head)
            if done < total:
                whole = memoryview(head + data)
                while done < total:
                    done += os.write(self.fd, whole[done:])
        except OSError:
            # Half a frame would make the rest unreadable.
            os.ftruncate(self.fd, self.size)
            os.lseek(self.fd, self.size, os.SEEK_SET)
            raise
        self.size += total

    def close(self) -> None:
        """Let it go; the scribe has a handle of its own."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def _make() -> int:
    create = getattr(os, "memfd_create", None)
    if create is not None:
        try:
            fd: int = create("sigscope-spool")
            return fd
        except OSError:
            pass  # a kernel without it, or a sandbox
    with tempfile.TemporaryFile(prefix="sigscope-spool-", buffering=0) as file:
        return os.dup(file.fileno())
