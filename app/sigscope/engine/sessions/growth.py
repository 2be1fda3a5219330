"""A session file that others append to: the recorder, runs of another window."""

from __future__ import annotations

import os
from collections.abc import Collection
from sigscope.records import dataclass

from sigscope.engine.sessions.runkeeper import is_shipped
from sigscope.runs import Run
from sigscope.session import Problem, Session, Step
from sigscope.store import SessionFile
from sigscope.store.reader import SKIMMED_FROM


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """What a look at the file brought."""

    steps: tuple[Step, ...] = ()
    """Steps that were not known, by number."""
    runs: tuple[Run, ...] = ()
    problems: tuple[Problem, ...] = ()
    """All that cannot be read of the file, as it is now."""
    was_replaced: bool = False
    """Another file stands at the path; nothing more will come of this one."""

    def __bool__(self) -> bool:
        return bool(self.steps or self.runs or self.was_replaced)


def can_grow(session: Session) -> bool:
    """Whether anybody may append to the file that a session was read from."""
    return (
        bool(session.path) and session.format == "session" and not is_shipped(session)
    )


def was_skimmed(session: Session) -> bool:
    """Whether a session that was opened for the screens may have been skimmed: what is
    wrong with it is known after the first look at its file, which reads it in full."""
    try:
        return can_grow(session) and os.stat(session.path or "").st_size >= SKIMMED_FROM
    except OSError:
        return False


class GrowingFile:
    """Follows one file. Not for two threads at a time."""

    def __init__(self, path: str) -> None:
        """Reads the heads of all lines. Raises InputError."""
        self._file = SessionFile(path)

    def look(self, known_steps: Collection[int], known_runs: Collection[int]) -> News:
        """What is there beside the known. Costs next to nothing where nothing was
        appended. Raises InputError."""
        self._file.poll()
        session = self._file.session
        return News(
            steps=self._unknown_steps(known_steps),
            runs=tuple(r for r in session.runs if r.number not in known_runs),
            problems=session.problems,
            was_replaced=self._file.was_replaced,
        )

    def _unknown_steps(self, known: Collection[int]) -> tuple[Step, ...]:
        """From the end: steps are made when looked at, and news stand last. What is
        known may be from a file that this one goes on from."""
        steps = self._file.session.steps
        missing = len(steps) - sum(map(self._file.has_step, known))
        found: list[Step] = []
        at = len(steps)
        while at and len(found) < missing:
            at -= 1
            if steps[at].number not in known:
                found.append(steps[at])
        return tuple(reversed(found))
