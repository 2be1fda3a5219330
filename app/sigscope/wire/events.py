"""The records that framing yields: events, and what stands between them."""

from __future__ import annotations

from typing import Literal

from sigscope.records import dataclass

Framing = Literal[
    "json", "sse", "data-lines", "json-list", "json-lines", "eventstream", "text"
]
"""How a response body divides into events.

`json`: one document, not streamed. `sse`: a text/event-stream. `data-lines`: the
`data:` lines of such a stream without the blank lines between them. `json-list`:
a JSON array of chunks (Gemini without alt=sse, and hand-made captures).
`json-lines`: one JSON document a line. `eventstream`: the binary messages of
application/vnd.amazon.eventstream. `text`: none of these.
"""

UNFINISHED = "unfinished"
"""The body ends inside it. By the standard a client discards such an event."""
BOM = "bom"
"""A byte-order mark stands before it; some clients lose the line that follows."""
INVALID_UTF8 = "invalid-utf8"
"""Holds bytes that are not UTF-8; a client sees U+FFFD in their place."""
NUL_IN_ID = "nul-in-id"
"""Its `id` line holds a NUL and is therefore ignored."""
BAD_RETRY = "bad-retry"
"""Its `retry` line is not a number and is therefore ignored."""
UNKNOWN_FIELD = "unknown-field"
"""Has lines with a field name the standard does not know; kept in `extra`."""
NOT_JSON = "not-json"
"""Stands where a JSON document was due, and is none."""
BAD_CHECKSUM = "bad-checksum"
"""A binary message whose checksum does not fit its bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IgnoredField:
    """A line of an event that the standard tells clients to ignore."""

    name: bytes
    value: bytes
    start: int
    """Offset of the line in the decoded body."""
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event of a stream, as it stands in the decoded body."""

    number: int
    """From 1; counts what a client is told, "[DONE]" too, comments not."""
    start: int
    """Byte span of all its lines in the decoded body, with the blank line."""
    end: int
    data: bytes
    """The payload: data lines joined by LF without "data:" and one blank, or the
    JSON text of an item."""
    data_start: int | None = None
    """Where `data` stands in the decoded body in one piece; None if in several."""
    name: str = ""
    """The SSE `event` field, or a binary message's event type; empty if none."""
    id: str | None = None
    """Its own `id` line; None if it has none (clients then keep the last one)."""
    retry: int | None = None
    """Milliseconds, from its own `retry` line."""
    at_ms: float | None = None
    """Arrival of its last byte, milliseconds after the request began; None if the
    recording tells no times."""
    complete: bool = True
    """False for the tail of a body that ends inside the event."""
    flags: tuple[str, ...] = ()
    """What is odd about it; the constants of this module."""
    extra: tuple[IgnoredField, ...] = ()
    """Lines with unknown field names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A line that begins with a colon: a keep-alive, ": OPENROUTER PROCESSING"."""

    start: int
    end: int
    text: bytes
    """What follows the colon and one blank."""
    at_ms: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SilentLines:
    """Lines that tell a client nothing: a block without data, or no event at all."""

    start: int
    end: int
    name: str = ""
    id: str | None = None
    """Clients remember it as the last event id, though no event is told."""
    retry: int | None = None
    at_ms: float | None = None
    complete: bool = True
    flags: tuple[str, ...] = ()
    extra: tuple[IgnoredField, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Framed:
    """A decoded body divided. Every byte is in an event, a comment or a block, or is
    a blank line, a separator or a byte-order mark between them."""

    framing: Framing
    events: tuple[Event, ...] = ()
    comments: tuple[Comment, ...] = ()
    blocks: tuple[SilentLines, ...] = ()
    remarks: tuple[str, ...] = ()
    """What the user should know about the body as a whole."""
