"""Names that lead to what is no file: devices, pipes, sockets, and what is open.

`--out /dev/null --force` must not put a file in the place of the device, which a
superuser could: every program on the machine would write into it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable

_OPEN = "/proc/"
"""Folders of descriptors, `/dev/fd` too, are there."""
_DEVICES = "/dev"


def is_special(path: str) -> bool:
    """Whether nothing may be put in the place of it. A file that is open is special by
    the names that tell its descriptor, `/dev/stdout`."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        return True
    folder = os.path.realpath(os.path.dirname(os.path.abspath(path)))
    return folder == _DEVICES or folder.startswith(_OPEN)


def write_special(path: str, pieces: Iterable[bytes]) -> int:
    """Write into it; tell how much. Raises OSError, at once where a pipe is read by
    nobody."""
    fd = _maybe_own(path)
    if fd is None:
        flags = os.O_WRONLY | os.O_NONBLOCK | getattr(os, "O_CLOEXEC", 0)
        fd = os.open(path, flags)
        os.set_blocking(fd, True)
    with os.fdopen(fd, "wb") as file:
        return sum(map(file.write, pieces))


def _maybe_own(path: str) -> int | None:
    """A copy of our own descriptor that the name tells, `/dev/stdout`: opened anew, a
    file would be written from its beginning."""
    names = [path]
    if os.path.islink(path):
        names.append(os.path.join(os.path.dirname(path), os.readlink(path)))
    for name in names:
        folder, number = os.path.split(name)
        if number.isdecimal() and os.path.realpath(folder) == f"/proc/{os.getpid()}/fd":
            return os.dup(int(number))
    return None
