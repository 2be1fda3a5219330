"""What was answered, and its file did not take: written elsewhere.

A disk that filled up, or was pulled, while a service thought about its answer. Keys are
taken out as everywhere.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from sigscope import store
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.runkeeper import kept_path
from sigscope.engine.settings.places import SUFFIX, refuges
from sigscope.errors import InputError, WouldOverwrite
from sigscope.session import Session
from sigscope.store.private import make_private_folder

_MOST_NAMES = 1000


def unkept_part(document: Document, numbers: Collection[int]) -> Session:
    """A session of these runs and the steps they were made from."""
    runs = [run for run in document.runs if run.number in numbers]
    made_from = {run.step for run in runs}
    steps = tuple(s for s in document.session.steps if s.number in made_from)
    # The steps go along, as they are: no run has to know them again.
    runs = [replace(run, recording="") for run in runs]
    path = kept_path(document.session)
    return replace(document.session, path=path, steps=steps, runs=runs, notes=[])


def rescue(session: Session, known: Sequence[str] = ()) -> str | None:
    """Write a session beside its path, or else to the user's folders or the system's
    for what is temporary; gives the file, None where none of them takes it. `known`:
    keys to take out."""
    for path in _places(Path(session.path or f"session{SUFFIX}")):
        try:
            make_private_folder(path.parent)
            store.save_session(session, str(path), redactor=store.Redactor(known=known))
        except (OSError, InputError, WouldOverwrite):
            continue
        return str(path)
    return None


def lines_of(session: Session, known: Sequence[str] = ()) -> Iterator[str]:
    """The same as ASCII, for a terminal: lines without the sums of their bytes."""
    for line in store.session_lines(session, store.Redactor(known=known)):
        value = json.loads(line)
        del value["sum"]
        yield json.dumps(value).replace("\x7f", "\\u007f")


def _places(path: Path) -> Iterator[Path]:
    stem = path.name.removesuffix(SUFFIX)
    for folder in (path.parent, *refuges()):
        for number in count(1):
            found = folder / f"{stem}-unkept-{number}{SUFFIX}"
            if number == _MOST_NAMES or not os.path.lexists(found):
                yield found
                break
