"""Retention: which sessions of the data folder are old, or more than there is room for.

Only session files that sigscope keeps in its own folder are ever meant: those a user
named elsewhere, recordings of other tools and bundled sessions are not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from os.path import lexists
from sigscope.records import dataclass
from pathlib import Path

from sigscope.engine.sessions.library import Library, can_delete, is_kept_here
from sigscope.engine.settings.places import SUFFIX, data_dir
from sigscope.errors import InputError, UsageError
from sigscope.foldercontents import files_in, maybe_closed
from sigscope.store.locks import has_writer

_AGES = {"h": 3600.0, "d": 86400.0, "w": 7 * 86400.0, "y": 365 * 86400.0}
_SIZES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_AGE = re.compile(r"\s*(\d{1,6})\s*([hdwy])\s*", re.IGNORECASE)
_SIZE = re.compile(r"\s*(\d{1,9}(?:\.\d{1,3})?)\s*([kmgt]?)b?\s*", re.IGNORECASE)
IN_USE = 600.0
"""Seconds since its last change in which a session may still be recorded."""


def age_of(words: str) -> float:
    """Seconds of "12h", "30d", "8w", "1y". Raises UsageError."""
    found = _AGE.fullmatch(words)
    if found is None:
        raise UsageError(f"{words!r} is no age; write 12h, 30d, 8w or 1y")
    return int(found[1]) * _AGES[found[2].lower()]


def size_of(words: str) -> int:
    """Bytes of "500MB", "2GB". Raises UsageError."""
    found = _SIZE.fullmatch(words)
    if found is None:
        raise UsageError(f"{words!r} is no size; write 500MB or 2GB")
    return int(float(found[1]) * _SIZES[found[2].lower()])


@dataclass(frozen=True, slots=True, kw_only=True)
class Retained:
    """A session file of the data folder."""

    path: Path
    size: int
    """Bytes."""
    age: float
    """Seconds since it was changed last."""
    changed_at: float
    """When that was, in seconds since 1970."""
    is_open: bool = False
    """A program has it open to write to it: a recorder that waits, for one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excess:
    """What may go, and why."""

    file: Retained
    why: str
    """ "older than 30d", "beyond 2GB"."""


def kept_files(now: float) -> list[Retained]:
    """The session files in the data folder, the oldest first. `now`: seconds since
    1970. Raises InputError where nobody can tell."""
    folder = data_dir() / "sessions"
    if closed := maybe_closed(folder):
        raise InputError(closed, path=str(folder))
    found = []
    for path in files_in(folder, SUFFIX):
        try:
            state = path.lstat()
        except OSError:
            continue
        if can_delete(path) and not path.is_symlink() and is_kept_here(path):
            age = max(0.0, now - state.st_mtime)
            is_open = has_writer(path)
            found.append(
                Retained(
                    path=path,
                    size=state.st_size,
                    age=age,
                    changed_at=state.st_mtime,
                    is_open=is_open,
                )
            )
    return sorted(found, key=lambda kept: (-kept.age, kept.path.name))


def excess(
    files: Sequence[Retained], *, older_than: str = "", max_size: str = ""
) -> list[Excess]:
    """Which of these, the oldest first, are older or beyond the size of all together.
    One that is open, or was changed a moment ago, stays. Raises UsageError."""
    limit = age_of(older_than) if older_than else None
    room = size_of(max_size) if max_size else None
    left = sum(file.size for file in files)
    found = []
    for file in files:
        if file.is_open or file.age < IN_USE:
            continue
        if limit is not None and file.age > limit:
            why = f"older than {older_than}"
        elif room is not None and left > room:
            why = f"beyond {max_size}"
        else:
            continue
        left -= file.size
        found.append(Excess(file=file, why=why))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruning:
    """What came of deleting them."""

    deleted: list[Excess]
    """Not those that were gone already: another program may delete them, too."""
    problems: list[str]
    """One for each that stays, and should not."""


def delete(found: Iterable[Excess]) -> Pruning:
    """Delete them, but for one that was written to since it was listed, or is open."""
    library = Library()
    done = Pruning(deleted=[], problems=[])
    for each in found:
        path = each.file.path
        try:
            state = path.lstat()
            if (state.st_size, state.st_mtime) != (
                each.file.size,
                each.file.changed_at,
            ):
                raise InputError("was written to just now", path=str(path))
            if has_writer(path):
                raise InputError("is being recorded to", path=str(path))
            library.delete(path)
        except (InputError, UsageError, OSError) as error:
            if lexists(path):
                reason = getattr(error, "strerror", None)
                done.problems.append(f"{path}: {reason}" if reason else str(error))
        else:
            done.deleted.append(each)
    return done
