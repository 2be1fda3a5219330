"""One writer at a time, between programs as well as threads.

The lock is advisory and lies on the session file itself, so that nothing is left
behind by a program that is killed. Where the file system knows no locks, appending in
one write has to do.
"""

from __future__ import annotations

import errno
import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sigscope.errors import InputError

PATIENCE = 10.0
"""Seconds to wait for another writer, who needs milliseconds."""
_PAUSE = 0.005
_BUSY = (errno.EAGAIN, errno.EACCES, errno.EINTR)


@contextmanager
def locked(fd: int, path: str, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the file's lock. Raises `InputError` if another program never lets go."""
    held = _acquire(fd, path, patience)
    try:
        yield
    finally:
        if held:
            fcntl.flock(fd, fcntl.LOCK_UN)


def is_held(fd: int) -> bool:
    """Take a file's lock for as long as this descriptor is open; False where another
    one has it. Where the file system knows no locks nobody has any."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in _BUSY
    return True


def _acquire(fd: int, path: str, patience: float) -> bool:
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in _BUSY:
                return False
        else:
            return True
        if time.monotonic() >= deadline:
            raise InputError(
                f"another program has held the file locked for {patience:g} seconds;"
                " nothing was written",
                path=path,
            )
        time.sleep(_PAUSE)
