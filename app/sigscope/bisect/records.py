"""What is varied, what is asked, what comes of it."""

from __future__ import annotations

from enum import StrEnum

from sigscope.edits.records import Edit
from sigscope.records import dataclass


class Observation(StrEnum):
    """Whether a request with some factors passes."""

    PASSES = "passes"
    """It was accepted, and answered."""
    FAILS = "fails"
    """It was refused, for whatever reason."""
    UNCLEAR = "unclear"
    """No evidence: a rate limit, a server error, a torn answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPiece:
    """A list that one side lacks as a whole, or an element of it."""

    pointer: str
    """Of the list."""
    size: int
    """How many elements the list has."""
    is_added: bool
    """Whether the recorded body lacks it; else the other one does."""
    index: int | None = None
    """Of the element; None: the list itself, empty."""
    value: str = ""
    """JSON text of an element that is added."""

    @property
    def group(self) -> tuple[str, bool]:
        """What the pieces of one list have in common."""
        return self.pointer, self.is_added

    @property
    def verb(self) -> str:
        """ "add", "drop"."""
        return "add" if self.is_added else "drop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Factor:
    """One change that is made or left out as a whole."""

    name: str
    """Short, for tables: "CPC-2", "edit 3"."""
    label: str
    """What it does, in words: "set content to null"."""
    edits: tuple[Edit, ...]
    """At least one; of several factors ask `edits_of`."""
    piece: ListPiece | None = None
    """What it is of a list that one side lacks; None for any other change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What a search has found, by the numbers of factors."""

    minimal: frozenset[int] | None
    """A set with which the request passes, and of which nothing could be taken away;
    empty if it passes as it is; None if no set was found."""
    is_proven: bool
    """Whether each question of the evidence has been answered clearly."""
    doubts: tuple[frozenset[int], ...] = ()
    """Questions without a clear answer that stand in the way of a proof."""
