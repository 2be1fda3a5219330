"""The shelf of sessions: those opened lately, and those that come with sigscope."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from sigscope.records import dataclass
from os.path import dirname, exists, isfile, realpath
from pathlib import Path
from typing import Any

from sigscope.dialects.registry import service_at
from sigscope.engine.settings.places import (
    FIRST,
    SUFFIX,
    data_dir,
    is_shipped_session,
    shipped,
    state_dir,
)
from sigscope.errors import InputError, SigscopeError, UsageError
from sigscope.foldercontents import files_in
from sigscope.session import Session
from sigscope.store.private import write_private
from sigscope.wire.urls import split_url

KEPT = 30
"""Recent sessions that are remembered."""
TAG = r"[^\s,#]+"
"""What a tag may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCard:
    """What the list shows of a session, read from its line heads alone."""

    name: str
    """File name without ".session.jsonl"; the command line opens it by that."""
    path: str
    title: str
    story: str
    shelf: str
    """"bundled" or "recent"."""
    steps: int
    failed: int
    """Steps that were answered with a status of 400 or more."""
    runs: int
    model: str = ""
    hosts: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    problem: str = ""
    """Why it cannot be opened; empty if it can."""

    def row(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "name": self.name,
            "path": self.path,
            "title": self.title,
            "shelf": self.shelf,
            "steps": self.steps,
            "failed": self.failed,
            "runs": self.runs,
            "tags": list(self.tags),
            "services": list(self.services),
        }

    @property
    def services(self) -> tuple[str, ...]:
        """Whose APIs were asked, as far as the hosts tell."""
        known = (service_at(host.partition(":")[0].lower()) for host in self.hosts)
        return tuple(dict.fromkeys(service.name for service in known if service))


class Library:
    """Finds sessions; remembers which were opened."""

    def cards(self) -> list[SessionCard]:
        """The user's own, the latest first; then those that come with sigscope, by
        name, the best to begin with before them."""
        first = f"{FIRST}{SUFFIX}"
        bundled = sorted(
            shipped("sessions").glob(f"*{SUFFIX}"),
            key=lambda path: (path.name != first, path.name),
        )
        known = {realpath(path) for path in bundled}
        recent = [p for p in self.recent() if realpath(p) not in known]
        return [
            *(read_card(path, "recent") for path in recent),
            *(read_card(path, "bundled") for path in bundled),
        ]

    def recent(self) -> list[Path]:
        """Files opened lately that still exist, and those kept in the data folder."""
        listed = [Path(name) for name in self._names()]
        kept = sorted(
            files_in(data_dir() / "sessions", SUFFIX),
            key=_changed_at,
            reverse=True,
        )
        unique = dict.fromkeys(p for p in (*listed, *kept) if exists(p))
        return list(unique)[:KEPT]

    def remember(self, path: str | Path) -> None:
        """Put a file first among the recent ones. A state folder that cannot be
        written costs the memory, nothing else."""
        name = realpath(path)
        self._write([name, *(other for other in self._names() if other != name)][:KEPT])

    def forget(self, path: str | Path) -> None:
        """Take a file off the recent ones; the file stays."""
        names, listed = {str(path), realpath(path)}, [*self._names()]
        if not names.isdisjoint(listed):
            self._write([other for other in listed if other not in names])

    def delete(self, path: str | Path) -> None:
        """Delete a session file of the user's. Raises UsageError for one that comes
        with sigscope and for the recording of another tool, InputError where it cannot
        be deleted."""
        from sigscope.store.remains import discard  # dear to import

        file = Path(path)
        if not can_delete(file):
            raise UsageError(f"{path} is not a session file of yours; it stays")
        try:
            file.unlink()
        except OSError as error:
            raise InputError(
                f"cannot be deleted: {error.strerror}", path=str(path)
            ) from error
        discard(str(file))
        self.forget(path)

    def _write(self, names: list[str]) -> None:
        try:
            write_private(self._file, json.dumps(names, indent=1).encode())
        except OSError:
            return

    @property
    def _file(self) -> Path:
        return state_dir() / "recent.json"

    def _names(self) -> Iterable[str]:
        try:
            names = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return []
        return (
            [n for n in names if isinstance(n, str)] if isinstance(names, list) else []
        )


def can_delete(path: Path) -> bool:
    """Whether a file is a session of the user's own, and not a recording of another
    tool: those are nobody's to delete but that tool's user's."""
    is_own = path.name.endswith(SUFFIX) and isfile(path)
    return is_own and not is_shipped_session(path)


def is_kept_here(path: Path) -> bool:
    """Whether a file lies in the data folder, and is listed for that alone."""
    return dirname(realpath(path)) == realpath(data_dir() / "sessions")


def read_tags(words: str) -> tuple[str, ...]:
    """Tags as they are typed: "zed copilot", "#zed, #copilot". Raises UsageError."""
    typed = filter(None, re.split(r"[\s,]+", words))
    found = tuple(dict.fromkeys(tag.removeprefix("#") for tag in typed))
    wrong = [tag for tag in found if not re.fullmatch(TAG, tag)]
    if wrong:
        raise UsageError(f"{wrong[0]!r} is no tag: one word, without comma and #")
    return found


def _changed_at(path: Path) -> float:
    """Seconds; 0 for one that somebody has just taken away."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def read_card(path: Path, shelf: str) -> SessionCard:
    """Read what the list needs. A file that cannot be opened says why."""
    from sigscope.store import open_session  # dear to import; the list paints first

    name = path.name.removesuffix(SUFFIX)
    try:
        is_session = path.name.endswith(SUFFIX)
        session = open_session(str(path), skims=True) if is_session else None
    except SigscopeError as error:
        return _empty_card(name, path, shelf, str(error))
    if session is None:
        return _empty_card(name, path, shelf, "")
    return _card(name, path, shelf, session)


def _empty_card(name: str, path: Path, shelf: str, problem: str) -> SessionCard:
    return SessionCard(
        name=name,
        path=str(path),
        title=path.name,
        story="",
        shelf=shelf,
        steps=0,
        failed=0,
        runs=0,
        problem=problem,
    )


def _card(name: str, path: Path, shelf: str, session: Session) -> SessionCard:
    statuses = [
        s.exchange.response.status for s in session.steps if s.exchange.response
    ]
    urls = [s.exchange.request.url for s in session.steps if s.exchange.request]
    hosts = dict.fromkeys(filter(None, (split_url(url).host for url in urls)))
    return SessionCard(
        name=name,
        path=str(path),
        title=session.title or name,
        story=session.story,
        shelf=shelf,
        steps=len(session.steps),
        failed=sum(1 for status in statuses if status and status >= 400),
        runs=len(session.runs),
        hosts=tuple(hosts),
        tags=session.tags,
    )
