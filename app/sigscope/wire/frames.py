"""A decoded body divided into events, whichever way it is framed.

    framing = choose_framing(response.headers, data, response.framing)
    framed = frame(data, framing, chunks)

The content type is asked first, but recordings lie about it: an error under
text/event-stream is plain JSON, a pasted stream has no headers at all, a chunk list
made by hand says application/json. So what the bytes say wins where they are plain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from sigscope.wire.arrivals import Arrivals, Chunk
from sigscope.wire.events import (
    Comment,
    Event,
    Framed,
    Framing,
    IgnoredField,
    SilentLines,
)
from sigscope.wire.eventstream import frame_eventstream, starts_message
from sigscope.wire.headers import Headers, media_type
from sigscope.wire.jsonspan import is_whole, skip_space, value_end
from sigscope.wire.jsonstreams import frame_json_lines, frame_json_list
from sigscope.wire.sse import SseDecoder, skip_bom

__all__ = [
    "Chunk",
    "Comment",
    "Event",
    "Framed",
    "Framing",
    "IgnoredField",
    "SilentLines",
    "choose_framing",
    "frame",
]

_SSE_LINE = re.compile(rb"(?:data|event|id|retry)(?:[:\r\n]|$)|:")
_HEAD = 256 * 1024
"""Bytes looked at first to tell apart the two framings with data lines."""

_LINES_TYPES = frozenset(
    {
        "application/x-ndjson",
        "application/ndjson",
        "application/jsonl",
        "application/x-jsonlines",
        "application/json-lines",
        "application/stream+json",
        "application/json-seq",
    }
)
_EVENTSTREAM = "application/vnd.amazon.eventstream"


def frame(data: bytes, framing: Framing, chunks: Sequence[Chunk] = ()) -> Framed:
    """Divide a decoded body into events.

    `chunks` are arrival times by offsets in *this* data (`bodies.decode` maps them).
    `json` and `text` bodies have no events: the body itself is the whole. Never
    raises; a torn body gives what is there, the last event flagged. Costs one pass.
    """
    return FRAMERS[framing](data, Arrivals(chunks))


def choose_framing(
    headers: Headers, data: bytes, hint: Framing | None = None
) -> Framing:
    """Say how a decoded body is framed: by the hint, its content type, its bytes."""
    if hint is not None:
        return hint
    kind = media_type(headers)
    if kind == _EVENTSTREAM or starts_message(data):
        return "eventstream"
    start = skip_space(data, skip_bom(data))
    first = data[start : start + 1]
    if _is_sse(data, start, claimed=kind == "text/event-stream"):
        return _sse_framing(data)
    if first in (b"{", b"["):
        return _json_framing(data, start, lines=kind in _LINES_TYPES)
    if kind in _LINES_TYPES:
        return "json-lines"
    is_json = kind == "application/json" or kind.endswith("+json")
    if is_json and (not first or is_whole(data)):
        return "json"
    return "text"


def _is_sse(data: bytes, start: int, *, claimed: bool) -> bool:
    """Whether there are lines of an event stream. Where the content type says so,
    anything like one will do, even the stump of a first line."""
    begins = _SSE_LINE.match(data, start) is not None
    if claimed:
        stump = b"data:".startswith(data[start : start + 5])
        return begins or stump or _has_data_line(data)
    return begins and _has_data_line(data)


def _has_data_line(data: bytes) -> bool:
    first = data[skip_space(data, skip_bom(data)) :][:5]
    return first == b"data:" or b"\ndata:" in data or b"\rdata:" in data


def _sse_framing(data: bytes) -> Framing:
    """Whether blank lines part the events, or each data line is one by itself.

    Two data lines with no blank line between them decide, if each is a whole chunk
    by itself: data that a server splits over several lines is not.
    """
    for text in (data[:_HEAD], data):
        last = b""
        seen = 0
        for line in text.splitlines():
            if line.startswith(b"data:"):
                seen += 1
                if last and _stands_alone(last) and _stands_alone(line):
                    return "data-lines"
                last = line
            elif not line:
                last = b""
        if seen > 1:
            break
    return "sse"


def _stands_alone(line: bytes) -> bool:
    value = line[5:].strip()
    return value == b"[DONE]" or (value[:1] == b"{" and is_whole(value))


def _json_framing(data: bytes, start: int, *, lines: bool = False) -> Framing:
    if data[start] == 0x5B:
        return "json-list" if _is_chunk_list(data, start) else "json"
    end = value_end(data, start)
    if end is None:
        # Torn: one document, or one line of several.
        lines = lines or b'\n{"' in data
        return "json-lines" if lines or _is_chunk(data) else "json"
    after = skip_space(data, end)
    follower = data[after : after + 1]
    if follower == b"{":
        return "json-lines"
    if follower == b"," and data[skip_space(data, after + 1) :][:1] == b"{":
        return "json-list"
    return "json-lines" if lines or _is_chunk(data) else "json"


def _is_chunk(data: bytes) -> bool:
    """Whether a document alone is one chunk of a stream: people save the one that
    matters. Chat completions write a whole answer in another way."""
    return (
        _DELTA.search(data) is not None
        and _CHOICES.search(data) is not None
        and _MESSAGE.search(data) is None
    )


def _is_chunk_list(data: bytes, start: int) -> bool:
    """Whether a JSON array is a stream's chunks. An error alone in an array is not:
    Google's OpenAI-compatible endpoint answers that way without streaming."""
    first = skip_space(data, start + 1)
    if data[first : first + 1] != b"{":
        return False
    end = value_end(data, first)
    if end is None:
        return True
    after = skip_space(data, end)
    alone = data[after : after + 1] in (b"]", b"")
    return not (alone and _LONE_ERROR.match(data, first))


_DELTA = re.compile(rb'"delta"\s*:\s*\{')
_CHOICES = re.compile(rb'"choices"\s*:\s*\[')
_MESSAGE = re.compile(rb'"message"\s*:\s*\{')
_LONE_ERROR = re.compile(rb'\{\s*"error"\s*:')


def _frame_sse(data: bytes, arrivals: Arrivals) -> Framed:
    decoder = SseDecoder(arrivals)
    framed = _decode("sse", decoder, data)
    if framed.events and not framed.events[-1].complete:
        remark = "ends without a blank line: by the standard its last event is void"
        return replace(framed, remarks=(*framed.remarks, remark))
    return framed


def _frame_data_lines(data: bytes, arrivals: Arrivals) -> Framed:
    return _decode("data-lines", SseDecoder(arrivals, each_line=True), data)


def _decode(framing: Framing, decoder: SseDecoder, data: bytes) -> Framed:
    events = (*decoder.feed(data), *decoder.finish())
    bom = "begins with a byte-order mark, which some clients take for data"
    return Framed(
        framing=framing,
        events=events,
        comments=tuple(decoder.comments),
        blocks=tuple(decoder.blocks),
        remarks=(bom,) if decoder.has_bom else (),
    )


def _no_events(framing: Framing) -> Callable[[bytes, Arrivals], Framed]:
    return lambda data, arrivals: Framed(framing=framing)


FRAMERS: dict[Framing, Callable[[bytes, Arrivals], Framed]] = {
    "json": _no_events("json"),
    "sse": _frame_sse,
    "data-lines": _frame_data_lines,
    "json-list": frame_json_list,
    "json-lines": frame_json_lines,
    "eventstream": frame_eventstream,
    "text": _no_events("text"),
}
"""How each framing is divided."""
