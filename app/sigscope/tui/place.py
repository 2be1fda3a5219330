"""A place in an exchange: a node of the request, of the response, or of one event."""

from __future__ import annotations

from typing import Literal

from sigscope.records import dataclass

Side = Literal["request", "response", "event"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NodePlace:
    """One JSON node."""

    side: Side = "request"
    pointer: str = ""
    """JSON Pointer; "" for the whole document."""
    event: int | None = None
    """Which event, where `side` is "event"."""

    def holds(self, other: NodePlace) -> bool:
        """Whether the other one is this node or lies inside it."""
        if (self.side, self.event) != (other.side, other.event):
            return False
        here = self.pointer
        return other.pointer == here or other.pointer.startswith(here + "/")

    def __str__(self) -> str:
        if self.side == "event":
            return f"event {self.event} {self.pointer or '/'}"
        prefix = "response " if self.side == "response" else ""
        return f"{prefix}{self.pointer or '/'}"
