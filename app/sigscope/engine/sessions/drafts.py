"""Edits that were made and not sent, kept while one works and from one start to the
next.

Small files in the state folder, each of one session and one program that had it open:

    {"format": 1, "session": "…", "drafts": [{"step": 2, "run": null, "edits": [{…}]}]}

A program holds a lock on its files. Where two have a session open, neither takes what
the other one is at; the drafts of a program that ended, or was killed, are free, and
whoever opens the session next goes on with them.

Edits with a secret in them (a key typed into a header) are not written: half an edit is
none, and secrets reach no disk.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from sigscope.records import dataclass
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from threading import RLock
from typing import Any

from sigscope.edits.asjson import from_json, to_json
from sigscope.edits.records import Edit
from sigscope.engine.settings.places import state_dir
from sigscope.errors import InputError, SigscopeError
from sigscope.runs import Run
from sigscope.session import Session
from sigscope.store.locks import is_held
from sigscope.store.private import make_private_folder, open_private
from sigscope.utf8 import to_bytes

FORMAT = 1
Base = tuple[int, int | None]
"""Step, and the run whose request is edited; None: as recorded."""
Edits = tuple[Edit, ...]
_TRIES = 100
_PAUSE = 0.001
"""Seconds; it takes another program less to clear a file away."""

_UNREADABLE = (
    OSError, ValueError, TypeError, LookupError, ArithmeticError, RecursionError,
    SigscopeError,
)  # fmt: skip
"""What a file, or a row of it, that holds no drafts is read with."""

_READ_ONLY = (errno.EACCES, errno.EPERM, errno.EROFS)


@dataclass(slots=True, kw_only=True)
class _Claim:
    """A file of drafts that is ours."""

    fd: int
    """Open as long as we hold the file's lock."""
    rows: tuple[tuple[Base, Edits], ...]
    is_taken_over: bool = False
    """Whether all of it is among the edits that we write down ourselves."""


class Drafts:
    """Writes and reads them. May be called from threads."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or state_dir() / "drafts"
        self._token = token_hex(4)
        self._claims: dict[Path, _Claim] = {}
        self._absent: dict[str, tuple[tuple[Base, Edits], ...]] = {}
        """What was kept of steps and runs that are not in their sessions now; a file
        that was cut may be whole again the next time."""
        self._lock = RLock()

    def keep(self, session: Session, drafts: Mapping[Base, Sequence[Edit]]) -> int:
        """Write them in place of what was kept for the session before; tell how many
        edits were left out for a secret. What another program left of the same
        requests, and is not on now, stays. Raises InputError."""
        from sigscope.store import Redactor  # dear to import; nothing is on at first

        redactor = Redactor()
        rows: list[tuple[Base, Edits]] = []
        left_out = 0
        for base, edits in drafts.items():
            fit = tuple(edit for edit in edits if not redactor.edit(edit)[1])
            left_out += len(edits) - len(fit)
            if fit:
                rows.append((base, fit))
        with self._lock:
            rows += self._absent.get(self._stem(session), ())
            if rows:
                self._write(session, tuple(rows))
            self._remove(
                path
                for path, claim in self._claims_on(session).items()
                if claim.is_taken_over or (path == self._path(session) and not rows)
            )
        return left_out

    def kept(self, session: Session) -> dict[Base, Edits]:
        """What was kept, of each request the latest."""
        return dict(self.found(session))

    def found(self, session: Session) -> tuple[tuple[Base, Edits], ...]:
        """What was kept, the oldest first: several of one request where several
        programs left some. They are ours from now on. What cannot be read of a file,
        drafts of what is not in the session any more, and those of a program that
        still runs are as if they were not there."""
        with self._lock:
            self._claim_all(session)
            claims = self._claims_on(session).values()
            latest = {base: edits for claim in claims for base, edits in claim.rows}
            for claim in claims:
                claim.is_taken_over = all(latest[b] == edits for b, edits in claim.rows)
            rows = [row for claim in claims for row in claim.rows]
        steps = {step.number for step in session.steps} if rows else set()
        runs = {None, *(run.number for run in session.runs)}
        fit = tuple(
            ((step, run), edits)
            for (step, run), edits in dict.fromkeys(rows)
            if step in steps and run in runs and edits
        )
        with self._lock:
            absent = tuple(row for row in dict.fromkeys(rows) if row not in fit)
            self._absent[self._stem(session)] = absent
        return fit

    def drop(self, session: Session) -> None:
        """Keep nothing that was kept here or found: what another program has left
        meanwhile is nobody's to drop, who was never shown it. Raises InputError."""
        with self._lock:
            absent = self._absent.get(self._stem(session))
            if absent:
                self._write(session, absent)
            own = self._path(session)
            claims = self._claims_on(session)
            self._remove(path for path in claims if not absent or path != own)

    def close(self) -> None:
        """Let go of what is kept: whoever opens the sessions next may have it."""
        with self._lock:
            for claim in self._claims.values():
                os.close(claim.fd)
            self._claims.clear()

    # --- Files -----------------------------------------------------------------------

    def _stem(self, session: Session) -> str:
        path = os.path.realpath(session.path) if session.path else None
        told = to_bytes(f"{path}\n{session.id}")
        return sha256(told).hexdigest()[:16]

    def _path(self, session: Session) -> Path:
        """Our own file."""
        return self._folder / f"{self._stem(session)}.{self._token}.json"

    def _claims_on(self, session: Session) -> dict[Path, _Claim]:
        """Files of a session that are ours, by age; our own is the last."""
        stem, own = self._stem(session), self._path(session)
        found = [path for path in self._claims if path.name.startswith(stem)]
        found.sort(key=lambda path: (path == own, _age(self._claims[path].fd)))
        return {path: self._claims[path] for path in found}

    def _claim_all(self, session: Session) -> None:
        """Take what no other program holds; clear away what one was killed over."""
        stem = self._stem(session)
        try:
            there = list(self._folder.iterdir())
        except OSError:
            return
        for path in there:
            if path.name.startswith(stem) and path not in self._claims:
                self._claim(path)
            elif path.name.startswith(f".{stem}"):
                fd = _open_free(path)
                if fd is not None:
                    path.unlink(missing_ok=True)
                    os.close(fd)

    def _claim(self, path: Path) -> None:
        fd = _open_free(path)
        if fd is None:
            return
        try:
            with open(fd, encoding="utf-8", closefd=False) as file:
                whole = dict(json.load(file))
            if int(whole.get("format", FORMAT)) > FORMAT:
                os.close(fd)  # a newer sigscope can go on with it
                return
            told = list(whole["drafts"])
        except _UNREADABLE:
            told = []  # and it goes away with the next ones
        rows = []
        for row in told:
            with contextlib.suppress(*_UNREADABLE):
                rows.append(_read(row))
        self._claims[path] = _Claim(fd=fd, rows=tuple(rows))

    def _write(self, session: Session, rows: tuple[tuple[Base, Edits], ...]) -> None:
        """Our own file, locked before anybody can see it."""
        path = self._path(session)
        whole = {
            "format": FORMAT,
            "session": session.id,
            "drafts": [
                {"step": step, "run": run, "edits": [to_json(edit) for edit in edits]}
                for (step, run), edits in rows
            ],
        }
        data = json.dumps(whole, ensure_ascii=True, indent=1).encode()
        beside = path.with_name(f".{path.name}")
        try:
            make_private_folder(path.parent)
            fd = _open_new(beside)
        except OSError as error:
            raise _unwritable(path, error) from error
        try:
            with open(fd, "wb", closefd=False) as file:
                file.write(data)
            os.replace(beside, path)
        except OSError as error:
            with contextlib.suppress(OSError):
                beside.unlink()
            os.close(fd)
            raise _unwritable(path, error) from error
        before = self._claims.pop(path, None)
        if before is not None:
            os.close(before.fd)
        self._claims[path] = _Claim(fd=fd, rows=rows)

    def _remove(self, paths: Iterator[Path] | Mapping[Path, _Claim]) -> None:
        for path in list(paths):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
            os.close(self._claims.pop(path).fd)


def _open_free(path: Path) -> int | None:
    """The file, locked for us; None where another program has it, or it is gone."""
    try:
        fd = open_private(path, os.O_RDWR)
    except OSError as error:
        if error.errno not in _READ_ONLY:
            return None
        try:
            # What is there can still be offered; some network file systems lock no
            # file that is open to read alone.
            fd = open_private(path, os.O_RDONLY)
        except OSError:
            return None
    try:
        if is_held(fd) and os.path.samestat(os.fstat(fd), path.stat()):
            return fd
    except OSError:
        pass  # it went away between the two
    os.close(fd)
    return None


def _open_new(path: Path) -> int:
    """An empty file, locked for us. Who opens the session just now may take it for what
    one was killed over, and clear it away before we hold it: then it is another one.
    Raises OSError."""
    flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC
    for _ in range(_TRIES):
        fd = open_private(path, flags)
        try:
            if is_held(fd) and os.path.samestat(os.fstat(fd), path.stat()):
                return fd
        except FileNotFoundError:
            pass
        os.close(fd)
        time.sleep(_PAUSE)
    raise OSError(errno.EAGAIN, "another program clears it away time and again")


def _age(fd: int) -> int:
    return os.fstat(fd).st_mtime_ns


def _unwritable(path: Path, error: OSError) -> InputError:
    reason = error.strerror or error
    return InputError(f"cannot be written: {reason}", path=str(path))


def _read(row: Any) -> tuple[Base, Edits]:
    run = row["run"]
    base = int(row["step"]), None if run is None else int(run)
    return base, tuple(from_json(edit) for edit in row["edits"])


def unsent(drafts: Mapping[Base, Edits], runs: Sequence[Run]) -> dict[Base, Edits]:
    """Those of these edits that no run has been made with."""
    sent = {(run.step, run.parent, frozenset(run.edits)) for run in runs}
    return {
        (step, run): edits
        for (step, run), edits in drafts.items()
        if edits and (step, run, frozenset(edits)) not in sent
    }
