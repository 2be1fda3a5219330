"""Keys in recordings of others, masked before an agent reads them.

A session file of ours holds none; a HAR or a log may hold whatever was sent. Keys are
known by their look, by their name, and, where a request of the same file came with
them, whatever they look like. Signatures stay: they are what the tools are about.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from sigscope.cli.keymask import mask_data
from sigscope.errors import SigscopeError
from sigscope.store.secrets.learner import keys_of

_MOST = 16
"""Files whose keys are kept in mind."""
_Stamp = tuple[str, int, int]


class AnswerMask:
    """Knows with which keys the requests of each file were sent."""

    def __init__(self) -> None:
        self._known: dict[_Stamp, tuple[str, ...]] = {}

    def mask(self, data: Any, files: Iterable[str]) -> Any:
        """JSON data with the keys in it as so many `*`."""
        known = tuple(key for file in files for key in self._keys(file))
        return mask_data(data, known)

    def _keys(self, file: str) -> tuple[str, ...]:
        """Costs reading the file once more, when it is new or has changed."""
        stamp = _stamp(file)
        found = self._known.get(stamp)
        if found is None:
            found = self._known[stamp] = _read_keys(file)
            for old in [*self._known][:-_MOST]:
                del self._known[old]
        return found


def _stamp(file: str) -> _Stamp:
    try:
        told = os.stat(file)
    except OSError:
        return file, 0, 0
    return file, told.st_mtime_ns, told.st_size


def _read_keys(file: str) -> tuple[str, ...]:
    from pathlib import Path

    from sigscope.engine.sessions.opener import open_file

    try:
        session = open_file(Path(file))
    except SigscopeError:
        return ()  # the verb says why
    exchanges = [step.exchange for step in session.steps]
    exchanges += [run.exchange for run in session.runs]
    mended = [each.mended.request for each in exchanges if each.mended is not None]
    return keys_of((*(each.request for each in exchanges), *mended))
