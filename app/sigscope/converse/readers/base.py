"""What every reader does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from sigscope.converse.memory import Captured, Heard, ReplyPiece
from sigscope.converse.policy import Read


def kept_of(
    signed: list[Captured], pieces: Sequence[ReplyPiece], read: Read
) -> tuple[Captured, ...]:
    """Those of the signatures of a reply that a client keeps."""
    if read.only_with_calls and not any(piece.kind == "call" for piece in pieces):
        return ()
    if read.keep == "first":
        return tuple(signed[:1])
    return tuple(signed[-1:] if read.keep in ("last", "overwrite") else signed)


class Reader(Protocol):
    """Takes events in order; says at the end what it heard."""

    def feed(self, data: Any) -> None:
        """Take the JSON of one event, or of the whole body."""
        ...

    def heard(self) -> Heard: ...
