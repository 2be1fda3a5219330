"""Every ready-made edit, and which fit a step."""

from __future__ import annotations

from sigscope.edits.records import Edit
from sigscope.readymade.context import Context
from sigscope.readymade.dialects import REPERTOIRES
from sigscope.readymade.generic import GENERIC
from sigscope.readymade.records import Ready

READY: tuple[Ready, ...] = (
    *(ready for repertoire in REPERTOIRES for ready in repertoire.ready),
    *GENERIC,
)


def by_name(name: str) -> Ready | None:
    """The ready-made edit of this name; None if there is none."""
    return next((ready for ready in READY if ready.name == name), None)


def applicable(context: Context) -> tuple[tuple[Ready, tuple[Edit, ...]], ...]:
    """Those that change something in this step, with their edits."""
    found = ((ready, ready.edits(context)) for ready in READY)
    return tuple((ready, edits) for ready, edits in found if edits)
