"""Streams of JSON documents without SSE: an array of chunks, or JSON Lines.

Gemini without alt=sse sends `[{...}`, then a comma, a line end and `{...}` for every
further chunk, and `]` at the end; a body recorded while it arrived ends anywhere in
that. People who convert a stream by hand write the same array, prettier. JSON Lines
come from Ollama, from log files and from tests that keep one chunk a line.
"""

from __future__ import annotations

import re

from sigscope.utf8 import is_utf8
from sigscope.wire.arrivals import Arrivals
from sigscope.wire.events import INVALID_UTF8, NOT_JSON, UNFINISHED, Event, Framed
from sigscope.wire.jsonspan import skip_space, value_end
from sigscope.wire.sse import skip_bom

_BETWEEN = re.compile(rb"[ \t\r\n,]*")
_JUNK = re.compile(rb'[^{\["][^{\["\]]*')
_LINE = re.compile(rb"[^\r\n]*")
_LINE_END = re.compile(rb"[ \t]*(?:\r\n|\r|\n|\Z)")
_NEXT_DOCUMENT = re.compile(rb'(?<![\r\n])[\r\n]++\x1e?(?=\{")')
"""A line that begins an object. Within a document, however pretty, none does."""


def frame_json_list(data: bytes, arrivals: Arrivals) -> Framed:
    """One event for each element; the brackets and commas belong to none."""
    events: list[Event] = []
    remarks: list[str] = []
    at = skip_space(data, skip_bom(data))
    opened = data[at : at + 1] == b"["
    at += opened
    closed = False
    while not closed:
        between = _BETWEEN.match(data, at)
        at = between.end() if between else at
        if at >= len(data):
            break
        if opened and data[at] == 0x5D:
            closed = True
            at += 1
        else:
            end, flag = _element_end(data, at)
            events.append(_event(data, at, end, end, len(events) + 1, flag, arrivals))
            at = end
    if opened and not closed:
        remarks.append("the array of chunks is not closed: the stream was cut off")
    rest = skip_space(data, at)
    if rest < len(data):
        remarks.append(f"{len(data) - rest} bytes follow the array, at byte {rest}")
    return Framed(framing="json-list", events=tuple(events), remarks=tuple(remarks))


def _element_end(data: bytes, start: int) -> tuple[int, str]:
    end = value_end(data, start)
    if end is not None:
        return end, ""
    junk = _JUNK.match(data, start)
    return (junk.end(), NOT_JSON) if junk else (len(data), UNFINISHED)


def frame_json_lines(data: bytes, arrivals: Arrivals) -> Framed:
    """One event for each document: usually a line, but documents that are printed
    over several lines or stand in one line are told apart too."""
    events: list[Event] = []
    ahead = _Ahead(data)
    at = skip_space(data, skip_bom(data))
    while at < len(data):
        text_end, flag = _document_end(data, at, ahead)
        line_end = _LINE_END.match(data, text_end)
        end = line_end.end() if line_end else text_end
        events.append(_event(data, at, text_end, end, len(events) + 1, flag, arrivals))
        at = skip_space(data, end)
    return Framed(framing="json-lines", events=tuple(events))


class _Ahead:
    """Where the next line and the next document begin. Asked for ascending offsets;
    each is searched for once, since it may be far, or nowhere."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._line = self._document = -1

    def line_end(self, start: int) -> int:
        """Offset of the next LF; the length of the data if there is none."""
        if self._line < start:
            found = self._data.find(b"\n", start)
            self._line = len(self._data) if found < 0 else found
        return self._line

    def document(self, start: int) -> int:
        """Where the line end before the next document's line begins; the length of
        the data if there is none."""
        if self._document < start:
            found = _NEXT_DOCUMENT.search(self._data, start)
            self._document = found.start() if found else len(self._data)
        return self._document


def _document_end(data: bytes, start: int, ahead: _Ahead) -> tuple[int, str]:
    """Where the document ends; a torn line must not swallow the ones after it."""
    if data[start] not in b'{["':
        line = _LINE.match(data, start)
        return (line.end() if line else len(data)), NOT_JSON
    line_end = ahead.line_end(start)
    is_line = line_end < len(data)
    end = value_end(data, start, line_end) if is_line else None
    if end is not None:
        return end, ""
    limit = ahead.document(start)
    end = value_end(data, start, limit)
    if end is not None:
        return end, ""
    return limit, NOT_JSON if limit < len(data) else UNFINISHED


def _event(
    data: bytes,
    start: int,
    text_end: int,
    end: int,
    number: int,
    flag: str,
    arrivals: Arrivals,
) -> Event:
    text = data[start:text_end]
    flags = [flag] if flag else []
    if not is_utf8(text):
        flags.append(INVALID_UTF8)
    return Event(
        number=number,
        start=start,
        end=end,
        data=text,
        data_start=start,
        at_ms=arrivals.at(end),
        complete=flag != UNFINISHED,
        flags=tuple(flags),
    )
