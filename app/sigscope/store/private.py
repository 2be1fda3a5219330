"""Files and folders for the user's eyes alone: 0600 and 0700.

What is recorded is sensitive however well it is masked. New files are born so, not
changed afterwards, so that there is no moment in which others can open them.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

FILE, FOLDER = 0o600, 0o700
_OTHERS = 0o077
_core_limits: list[tuple[int, int]] = []
"""Of core files, before we took them away."""


def make_private_folder(path: str | Path) -> None:
    """Make a folder and those above it that are missing, all of them private (the XDG
    Base Directory Specification asks the same). One that is there stays as it is.
    Raises OSError."""
    missing = []
    folder = Path(path)
    while not folder.is_dir():
        missing.append(folder)
        if folder.parent == folder:
            break
        folder = folder.parent
    for folder in reversed(missing):
        folder.mkdir(mode=FOLDER, exist_ok=True)


def open_private(path: str | Path, flags: int) -> int:
    """A descriptor of a file that, where it is made, is private. Raises OSError."""
    return os.open(path, flags | getattr(os, "O_CLOEXEC", 0), FILE)


def write_private(path: str | Path, data: bytes) -> None:
    """Write a small file of ours whole, with its folder: another one's reader sees the
    old or the new one. Raises OSError."""
    path = Path(path)
    make_private_folder(path.parent)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    fd = open_private(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def tighten(folder: str | Path) -> tuple[Path, ...]:
    """Take from others what they may do with a folder of ours and all in it, and tell
    what was open to them. Links are not followed; what is not ours stays."""
    changed = []
    for path in _below(Path(folder)):
        try:
            state = path.lstat()
            mode = stat.S_IMODE(state.st_mode)
            if stat.S_ISLNK(state.st_mode) or not mode & _OTHERS:
                continue
            path.chmod(mode & ~_OTHERS)
        except OSError:
            continue
        changed.append(path)
    return tuple(changed)


def _below(folder: Path) -> Iterator[Path]:
    if os.path.islink(folder) or not os.path.isdir(folder):
        return
    yield folder
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            yield Path(place, name)


def leave_no_core() -> None:
    """From now on no crash and no SIGQUIT writes this process's memory to a disk: what
    passes through is in there with its keys (core(5); systemd-coredump heeds the limit
    too). Processes that it starts have the same limit."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
        if soft:
            _core_limits.append((soft, hard))
            resource.setrlimit(resource.RLIMIT_CORE, (0, hard))


def allow_core(pid: int) -> None:
    """Give a program of the user's that was started from here the limit it would have
    without us, where the system can (Linux)."""
    with suppress(ImportError, AttributeError, OSError, ValueError):
        import resource

        for limits in _core_limits[:1]:
            resource.prlimit(pid, resource.RLIMIT_CORE, limits)
