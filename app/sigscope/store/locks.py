"""One writer at a time, between programs as well as threads.

The lock is advisory and lies on the session file itself, so that nothing is left
behind by a program that is killed. Where the file system knows no locks, appending in
one write has to do.
"""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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


def has_writer(path: Path) -> bool:
    """Whether a program has a file open to write to it. Linux gives no read lease of
    such a file (fcntl(2), F_SETLEASE); where nothing tells, the answer is no."""
    if not hasattr(fcntl, "F_SETLEASE"):
        return False
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        # What asks to write while this is asked would have us ended by SIGIO.
        fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        return error.errno == errno.EAGAIN
    finally:
        os.close(fd)
    return False


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
