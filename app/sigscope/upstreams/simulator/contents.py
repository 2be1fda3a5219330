"""Google's `contents`, as a client sent them or as a gateway translates to them.

All four dialects end here: each part remembers the pointer it was read from, so that
a judgement about the translated request names the node of the request that came in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Literal

from sigscope.records import dataclass
from sigscope.upstreams.simulator.config import Anchor
from sigscope.upstreams.simulator.records import Json

PartKind = Literal["text", "thought", "call", "result", "data", "other"]


@dataclass(slots=True, kw_only=True)
class ContentPart:
    """One part. Mutable: translators sign parts after building them."""

    kind: PartKind
    pointer: str
    """Where it was read from in the request body that came in."""
    text: str = ""
    name: str = ""
    call_id: str = ""
    arguments: Json = None
    """Parsed arguments of a call, the response of a result."""
    signature: str = ""
    """As it would go upstream; empty for none."""
    mistyped: Json = None
    """What goes upstream in the signature's place and is no string."""
    signature_pointer: str = ""
    vouched: bool = False
    """A gateway opened the signature itself and found it good: not looked at again."""
    stamped: bool = False
    """The gateway put the signature there, not the client."""
    raw: Json = None
    """The part as sent, where it is sent on as it is."""

    @property
    def anchor(self) -> Anchor:
        """What a signature on this part would have to be minted for."""
        if self.kind == "call":
            return Anchor(
                kind="call",
                name=self.name,
                call_id=self.call_id,
                arguments=self.arguments,
            )
        return Anchor(
            kind="thought" if self.kind == "thought" else "text", text=self.text
        )

    def to_json(self) -> Json:
        """The part as it goes to Google."""
        if self.raw is not None:
            return self.raw
        part: dict[str, Json]
        if self.kind == "call":
            part = {"functionCall": {"name": self.name, "args": self.arguments}}
            if self.call_id:
                part["functionCall"]["id"] = self.call_id
        elif self.kind == "result":
            part = {"functionResponse": {"name": self.name, "response": self.arguments}}
            if self.call_id:
                part["functionResponse"]["id"] = self.call_id
        elif self.kind == "thought":
            part = {"text": self.text, "thought": True}
        else:
            part = {"text": self.text}
        if self.vouched:
            part["thoughtSignature"] = f"(opened from {self.signature_pointer})"
        elif self.signature or self.mistyped is not None:
            part["thoughtSignature"] = self.signature or self.mistyped
        return part


@dataclass(slots=True, kw_only=True)
class Content:
    """One entry of `contents`."""

    role: str
    pointer: str
    parts: list[ContentPart] = field(default_factory=list)

    def has(self, kind: PartKind) -> bool:
        return kind in [part.kind for part in self.parts]

    @property
    def calls(self) -> list[ContentPart]:
        return [part for part in self.parts if part.kind == "call"]

    def to_json(self) -> Json:
        return {"role": self.role, "parts": [part.to_json() for part in self.parts]}


def turn_starts(contents: Sequence[Content]) -> list[int]:
    """Indices of the contents that open a turn: users with ordinary content.

    A content that holds any function result opens none, even if it holds text too:
    clients coalesce the two (docs/wire/README.md#turns; the server's own view is not
    known).
    """
    return [
        index
        for index, content in enumerate(contents)
        if content.role != "model" and content.parts and not content.has("result")
    ]


def current_turn(contents: Sequence[Content]) -> int:
    """Index of the first content after the last user message."""
    starts = turn_starts(contents)
    return starts[-1] + 1 if starts else 0


def call_ids(contents: Sequence[Content]) -> frozenset[str]:
    """Ids of all calls of a conversation."""
    return frozenset(
        part.call_id
        for content in contents
        for part in content.parts
        if part.kind == "call" and part.call_id
    )
