"""Every ready-made edit, and which fit a step."""

from __future__ import annotations

import re

from sigscope import extensions
from sigscope.edits.records import Edit
from sigscope.readymade.context import Context
from sigscope.readymade.dialects import REPERTOIRES
from sigscope.readymade.generic import GENERIC
from sigscope.readymade.records import Ready

_OWN: tuple[Ready, ...] = (
    *(ready for repertoire in REPERTOIRES for ready in repertoire.ready),
    *GENERIC,
)


def _refuse(ready: Ready) -> str:
    """Why an edit of others cannot be taken; "" if it can."""
    if any(ready.name == own.name for own in _OWN):
        return f"there is a ready-made edit {ready.name!r} already"
    if not _NAME.fullmatch(ready.name):
        return f"{ready.name!r} is no name: PREFIX.words-in-small-letters"
    return ""


_NAME = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+")
READY: tuple[Ready, ...] = (*_OWN, *extensions.loaded("edits", Ready, _refuse))


def by_name(name: str) -> Ready | None:
    """The ready-made edit of this name; None if there is none."""
    return next((ready for ready in READY if ready.name == name), None)


def applicable(context: Context) -> tuple[tuple[Ready, tuple[Edit, ...]], ...]:
    """Those that change something in this step, with their edits."""
    found = ((ready, _edits(ready, context)) for ready in READY)
    return tuple((ready, edits) for ready, edits in found if edits)


def _edits(ready: Ready, context: Context) -> tuple[Edit, ...] | None:
    try:
        return ready.edits(context)
    except Exception as error:
        if not extensions.blamed(ready, error):
            raise
        return None
