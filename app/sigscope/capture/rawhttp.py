"""HTTP messages as text: the output of `curl -i`, a `.http` file, a saved raw request.

    POST /v1/chat/completions HTTP/1.1        HTTP/1.1 400 Bad Request
    Host: api.example.com                     content-type: application/json

    {"model": ...}                            {"error": ...}

A request is followed by its answer, if at all; requests that all come before their
answers are answered in order. A Content-Length or the chunks tell where one message
ends and the next begins, be it in the middle of a line; else the next start line does.
A length that is wrong is said, and what stands there is kept. Source: RFC 9112,
sections 6 (lengths), 7.1 (chunks) and 9.3 (persistence).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from sigscope.capture.bare import response_of
from sigscope.capture.base import Imported
from sigscope.capture.source import Source
from sigscope.capture.values import text_bytes
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Headers, Request, Response
from sigscope.session import Problem
from sigscope.utf8 import readable
from sigscope.wire.frames import choose_framing
from sigscope.wire.headers import header

_REQUEST = re.compile(
    rb"(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) +(\S+)(?: +(HTTP/[\d.]+))?[ \t]*"
    rb"(?:\r?\n|\r?\Z)"
)
_STATUS = re.compile(rb"(HTTP/[\d.]+) +(\d{3})(?: +([^\r\n]*))?[ \t]*(?:\r?\n|\r?\Z)")
_FIELD = re.compile(
    rb"([!#$%&'*+.^_`|~0-9A-Za-z:-]+?)[ \t]*:[ \t]*([^\r\n]*)(?:\r?\n|\r?\Z)"
)
_STUMP = re.compile(rb"(?:(?<=[^\r\n]\n)|(?<=[^\r\n]\r\n))[A-Za-z0-9-]++\r?\Z")
"""The begin of a field's name, at the end of the text."""
_BLANK = re.compile(rb"\r?\n|\r?\Z")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})(?:;[^\r\n]*)?\r?\n")
_SEPARATOR = re.compile(rb"(?m)^#{3,}.*(?:\r?\n|$)")
_START = re.compile(
    rb"(?m)^(?:%b|%b|#{3,})" % (_STATUS.pattern, _REQUEST.pattern),
)

_JOINED = "the chunks of the transfer coding are joined"
_IN_NO_CHUNKS = "Transfer-Encoding says chunked, its chunks are broken; kept as it is"
_LONGEST_LENGTH = 18
"""Digits; no body has a length of more."""

_FENCE = re.compile(rb"\n```\s*$")
"""The end of a code block in Markdown, from which commands are pasted."""


def recognise(source: Source) -> bool:
    """Whether it begins with a start line and a header."""
    data = source.data[:65536]
    at = _skip(data, 0)
    start = _STATUS.match(data, at) or _REQUEST.match(data, at)
    if start is None:
        return False
    return bool(start[1].startswith(b"HTTP/") or start[3]) or bool(
        _FIELD.match(data, start.end())
    )


class HttpMessage(NamedTuple):
    side: Request | Response
    remarks: tuple[str, ...]
    end: int
    """Offset behind it."""


def read(source: Source) -> Imported:
    """Read the messages, each answer with its request. Raises InputError."""
    problems: list[Problem] = []
    exchanges = tuple(paired(messages_in(source.data, problems)))
    if not exchanges:
        raise InputError("it holds no HTTP message", path=source.name)
    return Imported(exchanges=exchanges, problems=tuple(problems))


def messages_in(data: bytes, problems: list[Problem]) -> list[HttpMessage]:
    """The messages of a text; to `problems` what stands between them."""
    messages: list[HttpMessage] = []
    at = _skip(data, 0)
    while at < len(data):
        message = message_at(data, at)
        if message is not None:
            messages.append(message)
            at = message.end
        else:
            onward = _next_start(data, at + 1)
            told = f"{onward - at} bytes that are no HTTP message; left out"
            problems.append(Problem(message=told, where=f"byte {at}"))
            at = onward
        at = _skip(data, at)
    return messages


def message_at(data: bytes, at: int, *, is_alone: bool = False) -> HttpMessage | None:
    """The message that begins here; None where none does. `is_alone`: all that follows
    is its own, also what looks like another."""
    status, asked = _STATUS.match(data, at), _REQUEST.match(data, at)
    if status is not None:
        return _response(data, status, is_alone)
    return _request(data, asked, is_alone) if asked is not None else None


def paired(messages: list[HttpMessage]) -> Iterator[Exchange]:
    """Exchanges of messages in the order of the text."""
    at = 0
    while at < len(messages):
        asked, at = _run_of(messages, at, Request)
        answers, at = _run_of(messages, at, Response)
        finals = [each for each in answers if not _is_provisional(each.side)]
        # A file of requests, and the answer to the last; else a connection's two sides.
        first = len(asked) - 1 if len(finals) == 1 and asked else 0
        for request in asked[:first]:
            yield _exchange(request, None)
        asked = asked[first:]
        for pair in zip_longest(asked, finals):
            yield _exchange(*pair)


def call_of(asked: bytes, answered: bytes) -> Exchange | None:
    """The call of two messages that a recording keeps each by itself; None where the
    first is no request."""
    request = message_at(asked, 0, is_alone=True)
    if request is None or not isinstance(request.side, Request):
        return None
    answer = message_at(answered, 0, is_alone=True)
    while answer is not None and _is_provisional(answer.side):
        answer = message_at(answered, answer.end, is_alone=True)
    return _exchange(request, answer)


def _run_of(
    messages: list[HttpMessage], at: int, kind: type[Request] | type[Response]
) -> tuple[list[HttpMessage], int]:
    end = at
    while end < len(messages) and isinstance(messages[end].side, kind):
        end += 1
    return messages[at:end], end


def _is_provisional(side: Request | Response) -> bool:
    return isinstance(side, Response) and (side.status or 0) // 100 == 1


def _exchange(asked: HttpMessage | None, answer: HttpMessage | None) -> Exchange:
    request, response = asked and asked.side, answer and answer.side
    assert not isinstance(request, Response)
    assert not isinstance(response, Request)
    remarks = [f"request: {each}" for each in (asked.remarks if asked else ())]
    remarks += [f"response: {each}" for each in (answer.remarks if answer else ())]
    return Exchange(request=request, response=response, remarks=tuple(remarks))


def response_in(text: str) -> Response | None:
    """The answer that a text holds, with its head or without; None if it has none."""
    data = text_bytes(text).lstrip(b"\r\n\t ")
    data = _FENCE.sub(b"\n", data)
    status = _STATUS.match(data)
    while status is not None:
        message = _response(data, status)
        if isinstance(message.side, Response) and not _is_provisional(message.side):
            return message.side
        status = _STATUS.match(data, _skip(data, message.end))
    framing = choose_framing((), data)
    if data[:1] in (b"{", b"[") or framing in ("sse", "data-lines"):
        return response_of(data)
    return None


def _skip(data: bytes, at: int) -> int:
    """Over blank lines, and the `###` lines that part requests in `.http` files."""
    while True:
        while at < len(data) and data[at : at + 1] in b" \t\r\n":
            at += 1
        separator = _SEPARATOR.match(data, at)
        if separator is None or separator.end() == at:
            return at
        at = separator.end()


def _next_start(data: bytes, at: int) -> int:
    """Where the next message begins, or the line of hashes before it."""
    # In one search: of three, those that find nothing look through all the rest.
    found = _START.search(data, at)
    return found.start() if found else len(data)


def _request(data: bytes, start: re.Match[bytes], is_alone: bool) -> HttpMessage:
    headers, at = _headers(data, start.end())
    body = _body(data, at, headers, is_alone)
    target = readable(start[2])
    host = header(headers, "host") or header(headers, ":authority") or ""
    if target.startswith("/") and host:
        local = host.startswith(("localhost", "127."))
        target = f"{'http' if local else 'https'}://{host}{target}"
    request = Request(
        method=start[1].decode(),
        url=target,
        headers=headers,
        body=Body(body.raw),
        http_version=(start[3] or b"").decode(),
    )
    return HttpMessage(request, body.remarks, body.end)


def _response(
    data: bytes, start: re.Match[bytes], is_alone: bool = False
) -> HttpMessage:
    headers, at = _headers(data, start.end())
    status = int(start[2])
    if status // 100 == 1:
        return HttpMessage(Response(status=status, headers=headers), (), at)
    is_empty = status == 304
    body = _Content(b"", at) if is_empty else _body(data, at, headers, is_alone)
    response = Response(
        status=status,
        reason=(start[3] or b"").decode("latin-1"),
        headers=headers,
        body=Body(body.raw),
        http_version=start[1].decode(),
    )
    return HttpMessage(response, body.remarks, body.end)


def _headers(data: bytes, at: int) -> tuple[Headers, int]:
    lines: list[tuple[str, str]] = []
    while match := _FIELD.match(data, at):
        lines.append((match[1].decode("latin-1"), match[2].decode("latin-1").strip()))
        at = match.end()
    blank = _BLANK.match(data, at)
    return tuple(lines), blank.end() if blank else at


class _Content(NamedTuple):
    """A body as it stands in the text."""

    raw: bytes
    end: int
    """Offset behind it."""
    remarks: tuple[str, ...] = ()


def _body(data: bytes, at: int, headers: Headers, is_alone: bool) -> _Content:
    if stump := _STUMP.match(data, at):
        remark = f"its head breaks off, in {stump[0].decode()!r}"
        return _Content(b"", len(data), (remark,))
    coding = (header(headers, "transfer-encoding") or "").lower()
    found = _unchunked(data, at) if coding.endswith("chunked") else None
    if found is not None:
        return found
    if coding.endswith("chunked") and _CHUNK.match(data, at):
        end = len(data) if is_alone else _next_start(data, at)
        return _Content(data[at:end], end, (_IN_NO_CHUNKS,))
    length = header(headers, "content-length") or ""
    is_length = length.isdecimal() and len(length) <= _LONGEST_LENGTH
    if is_length and at + int(length) <= len(data):
        sized = at + int(length)
        if _is_start(data, sized) or _is_start(data, _skip(data, sized)):
            return _Content(data[at:sized], sized)
    end = len(data) if is_alone else _next_start(data, at)
    raw = data[at:end]
    # Blank lines before the next message are the text's, and editors end lines.
    if not is_length or len(raw.strip()) <= int(length) <= len(raw):
        return _Content(raw, end)
    kept = f"Content-Length says {int(length)}, {len(raw)} bytes are there"
    if int(length) < len(raw):
        return _Content(raw, end, (f"{kept}; all are kept",))
    return _Content(raw, end, (f"{kept}: it breaks off, or the length is wrong",))


def _is_start(data: bytes, at: int) -> bool:
    """Whether a message begins here, or nothing more comes."""
    starts = (_STATUS.match(data, at), _REQUEST.match(data, at))
    return at >= len(data) or any(starts)


def _unchunked(data: bytes, at: int) -> _Content | None:
    """A body in chunks, joined; None where it is in none."""
    pieces: list[bytes] = []
    remarks = [_JOINED]
    while match := _CHUNK.match(data, at):
        size, at = int(match[1], 16), match.end()
        if size == 0:
            trailers, at = _headers(data, at)
            if trailers:
                names = ", ".join(name for name, _ in trailers)
                remarks.append(f"fields after the last chunk are left out: {names}")
            return _Content(b"".join(pieces), at, tuple(remarks))
        if at + size > len(data):
            end = _next_start(data, at)
            pieces.append(data[at:end])
            remarks.append(f"its last chunk breaks off, {size - end + at} bytes early")
            return _Content(b"".join(pieces), end, tuple(remarks))
        pieces.append(data[at : at + size])
        at += size
        line_end = _BLANK.match(data, at) if at < len(data) else None
        if line_end is None and at < len(data):
            return None  # a line that looks like a size; curl takes the chunks off
        at = line_end.end() if line_end else at
    if not pieces:
        return None
    end = _next_start(data, at)
    rest = data[at:end]
    if rest.strip():
        pieces.append(rest)
        remarks.append(f"{len(rest)} bytes after its last chunk are in none; kept")
    else:
        remarks.append("the last chunk is missing: it breaks off")
    return _Content(b"".join(pieces), end, tuple(remarks))
