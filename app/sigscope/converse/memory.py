"""What the client remembers: replies in pieces, and what it captured beside them."""

from __future__ import annotations

from typing import Any, Literal

from sigscope.records import dataclass

PieceKind = Literal["text", "thought", "call"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyPiece:
    """One piece of a reply, in the order it came."""

    kind: PieceKind
    text: str = ""
    call_id: str = ""
    """As it came; empty where the service gives none."""
    name: str = ""
    arguments: str = ""
    """JSON text of a call's arguments."""
    item_id: str = ""
    """Of the item that it is, where answers are lists of items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """One signature taken from a reply."""

    value: str
    piece: int | None = None
    """Index of the piece it came on; None where it came on the message."""
    entry: dict[str, Any] | None = None
    """The whole `reasoning_details` entry around it. Entries without a signature are
    captured too, with an empty value: they have to go back as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A reply as the provider's code has it when the stream has ended."""

    pieces: tuple[ReplyPiece, ...] = ()
    captured: tuple[Captured, ...] = ()
    finish: str = ""
    is_error: bool = False
    """Whether the stream brought an error instead of an answer."""

    @property
    def calls(self) -> tuple[ReplyPiece, ...]:
        """Its calls, in order."""
        return tuple(piece for piece in self.pieces if piece.kind == "call")

    @property
    def text(self) -> str:
        """Its visible text."""
        return "".join(p.text for p in self.pieces if p.kind == "text")

    @property
    def thoughts(self) -> str:
        """Its readable reasoning."""
        return "".join(p.text for p in self.pieces if p.kind == "thought")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The user spoke: a turn begins."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedReply:
    """The model spoke, as the message store keeps it."""

    pieces: tuple[ReplyPiece, ...]
    captured: tuple[Captured, ...] = ()

    @property
    def calls(self) -> tuple[ReplyPiece, ...]:
        """Its calls, in order."""
        return tuple(piece for piece in self.pieces if piece.kind == "call")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a tool returned for one call."""

    call_id: str
    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """Results of all calls of one reply."""

    results: tuple[ToolResult, ...]


Entry = Words | RememberedReply | Results
"""One entry of the message store."""
