"""Messages of event streams and WebSockets that browsers add to HAR entries.

Chrome writes `_webSocketMessages` (type, time, opcode, data) and, for every stream of
events, `_eventSourceMessages` (time, eventName, eventId, data); other exporters call
these `_eventStreamMessages`. Times are seconds since 1970. What fetch() reads has its
body beside them, what EventSource reads has not. The data is missing from what Chrome
calls a sanitized export, its default; `eventId` is the last one there was. (Chrome 156,
seen in its exports.) sigscope's own exports have `_chunks` and `_framing`.
"""

from __future__ import annotations

from datetime import datetime
from typing import cast, get_args

from sigscope.capture.bodies import Found
from sigscope.capture.shape import Tree, mapping, number, text, whole
from sigscope.capture.values import text_bytes, utc_time
from sigscope.capture.websocket import from_frames
from sigscope.exchange import Chunk, Exchange, Framing
from sigscope.wire.frames import choose_framing, frame
from sigscope.wire.headers import Headers

SANITIZED = (
    "the recording leaves out the body and what its events say: Chrome does so "
    'unless HAR is exported "with sensitive data"'
)
_LONGEST_MS = 24 * 3600 * 1000.0
"""A stream lasts no day; a larger difference means another clock or unit."""


def web_socket(url: str, headers: Headers, messages: list[Tree]) -> list[Exchange]:
    """Exchanges of a WebSocket connection."""
    parts = [mapping(message) for message in messages]
    return from_frames(
        url,
        headers,
        [
            (
                text(each.get("type")) in ("send", "request"),
                text(each.get("data")),
                number(each.get("time")),
            )
            for each in parts
        ],
    )


def rebuilt_stream(messages: list[Tree]) -> Found | None:
    """An event stream with these events, where the recording has no other body; None
    where their data has been left out."""
    out: list[bytes] = []
    last = ""
    for message in messages:
        parts = mapping(message)
        if "data" not in parts:
            return None
        name = text(parts.get("eventName", parts.get("event")))
        identity = text(parts.get("eventId", parts.get("id", last)))
        if name and name != "message":
            out.append(b"event: " + text_bytes(name) + b"\n")
        if identity != last:
            out.append(b"id: " + text_bytes(identity) + b"\n")
            last = identity
        for line in text(parts.get("data")).split("\n"):
            out.append(b"data: " + text_bytes(line) + b"\n")
        out.append(b"\n")
    return b"".join(out), "rebuilt from the recorder's events"


def stream_times(
    body: bytes, messages: list[Tree], started: Tree, first_byte_ms: float | None
) -> tuple[tuple[Chunk, ...], str]:
    """Arrivals of a body's events, where the recording has a time for each, and a
    remark on those that it cannot know.

    Chrome stamps what it had read before its developer tools asked for the body with
    the moment when the request began; but nothing comes before the head does.
    """
    began = utc_time(started)
    if not messages or began is None:
        return (), ""
    events = frame(body, choose_framing((), body)).events
    if len(events) != len(messages):
        return (), ""
    head = first_byte_ms or 0.0
    unknown = 0
    start = datetime.fromisoformat(began).timestamp()
    chunks: list[Chunk] = []
    last = 0.0
    for event, message in zip(events, messages, strict=True):
        at = number(mapping(message).get("time"))
        at_ms = -1.0 if at is None else (at - start) * 1000
        if not last <= at_ms <= _LONGEST_MS:
            return (), ""
        last = at_ms
        unknown += at_ms < head
        chunks.append(Chunk(end=event.end, at_ms=round(max(at_ms, head), 3)))
    if not unknown:
        return tuple(chunks), ""
    which = "the first event" if unknown == 1 else f"the first {unknown} events"
    return tuple(chunks), f"when {which} came is not known; with the head is assumed"


def own_times(body: bytes, pieces: list[Tree]) -> tuple[Chunk, ...]:
    """Arrivals as sigscope exports them: [{"end": 512, "atMs": 12.5}, ...]; nothing
    where they do not fit the body."""
    chunks: list[Chunk] = []
    end, last = 0, 0.0
    for piece in map(mapping, pieces):
        reached, at = whole(piece.get("end")), number(piece.get("atMs"))
        if reached is None or at is None or not (end <= reached <= len(body)):
            return ()
        if at < last:
            return ()
        chunks.append(Chunk(end=reached, at_ms=at))
        end, last = reached, at
    return tuple(chunks)


def own_framing(value: Tree) -> Framing | None:
    """How a stream divides into events, as sigscope exports it."""
    name = text(value)
    return cast(Framing, name) if name in get_args(Framing) else None
