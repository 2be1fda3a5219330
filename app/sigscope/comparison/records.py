"""What a comparison says: rows, each a place in one request or in both."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from sigscope.jsontext import Node
from sigscope.records import dataclass

Side = Literal["left", "right"]

What = Literal["value", "history", "message", "part", "signature"]
"""`value`: JSON of both sides stands for itself. The others are rows of two histories
that are compared by what they mean."""


class RowChange(StrEnum):
    """How the two sides of a row stand to one another."""

    SAME = "same"
    MASKED = "masked"
    """They differ in what is masked and in nothing else."""
    INSIDE = "inside"
    """A container, or a message, in which something differs."""
    CHANGED = "changed"
    LEFT = "left only"
    RIGHT = "right only"


DIFFERENCES = frozenset({RowChange.CHANGED, RowChange.LEFT, RowChange.RIGHT})
"""What a difference can be; `INSIDE` only leads to some."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ComparedRow:
    """A place in one request or in both. Compares by identity."""

    op: RowChange
    what: What = "value"
    left: Node | None
    """None where the left request has no such thing."""
    right: Node | None
    left_place: str
    """JSON Pointer of the left value; where there is none, where it would stand (an
    index is that of the element it would stand before)."""
    right_place: str
    below: tuple[ComparedRow, ...] = ()
    """Rows inside it, where something in there differs."""
    said: tuple[str, str] | None = None
    """What both sides say, where not their JSON is compared but its meaning."""
    name: str = ""
    """What the row is called, where its places do not say it: "text", "signature"."""

    def node(self, side: Side) -> Node | None:
        """The value of one side."""
        return self.left if side == "left" else self.right

    def place(self, side: Side) -> str:
        """The pointer of one side."""
        return self.left_place if side == "left" else self.right_place

    @property
    def is_difference(self) -> bool:
        """Whether something differs here, and not only further inside."""
        return self.op in DIFFERENCES
