"""What a JSON document is made of, as places in its text."""

from __future__ import annotations

from typing import Literal

from sigscope.records import dataclass

Kind = Literal["object", "array", "string", "number", "true", "false", "null", "broken"]
"""`broken`: text that is no JSON value, or (empty) the place where one is missing."""

Flaw = Literal[
    "syntax", "duplicate-key", "number", "surrogate", "utf-8", "encoding", "depth"
]
"""What is the matter with a text.

`syntax`: not JSON by RFC 8259. The others are JSON that does not survive every
reader: equal keys, numbers beyond double precision, `\\ud800` without its partner,
bytes that are not UTF-8, UTF-16 and UTF-32, containers nested by the thousand.
"""


class Node:
    """A value: where it stands. Compares by identity; a document has each once."""

    __slots__ = (
        "closed",
        "end",
        "index",
        "key_end",
        "key_start",
        "kind",
        "parent",
        "start",
    )

    def __init__(
        self,
        kind: Kind,
        start: int,
        end: int,
        closed: bool,
        parent: Node | None,
        index: int,
        key_start: int | None = None,
        key_end: int | None = None,
    ) -> None:
        self.kind = kind
        self.start = start
        """Offset of the first byte of the value."""
        self.end = end
        """Offset one past its last byte; never before that of the key."""
        self.closed = closed
        """False for a string or container whose closing mark never comes."""
        self.parent = parent
        """None for the root."""
        self.index = index
        """Position among the children of the parent, from 0."""
        self.key_start = key_start
        """Offset of the key with its quotes; None outside objects."""
        self.key_end = key_end

    @property
    def begin(self) -> int:
        """Where the member begins: at its key, outside objects at the value."""
        return self.start if self.key_start is None else self.key_start

    @property
    def is_container(self) -> bool:
        """Whether it is an object or an array."""
        return self.kind in ("object", "array")

    def __repr__(self) -> str:
        return f"<{self.kind} {self.start}:{self.end}>"


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonProblem:
    """Something a reader of the text may stumble over."""

    flaw: Flaw
    offset: int
    """In the text that spans refer to (see `JsonText.data`)."""
    line: int
    """From 1."""
    column: int
    """From 1, in bytes."""
    pointer: str
    """The deepest value that covers the offset, in a thousand containers at most."""
    message: str

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"
