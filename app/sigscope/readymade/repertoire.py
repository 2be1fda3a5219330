"""What a dialect adds to the known mistakes and cures."""

from __future__ import annotations

from sigscope.readymade.records import Make, Ready
from sigscope.readymade.rewriter import Change
from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Repertoire:
    """The ready-made edits of one dialect, and how the general ones are made in it."""

    dialect: str
    """Its name."""
    ready: tuple[Ready, ...]
    """Its own, in the order in which they are offered."""
    split: Make | None = None
    """One reply in two messages, its calls apart from its signature; None: it has no
    such form."""
    merge: Make | None = None
    """What was split is one again."""
    restore: Make | None = None
    """Whole blocks or items of replies as received, where its signatures stand on such:
    each is also offered by itself."""
    is_signed: bool = True
    """False: its reasoning is readable, so that nothing is done to it as to bytes."""
    to_sibling: Change | None = None
    """The signature of the first of parallel calls on the second; None where a message
    has one for all its calls."""
