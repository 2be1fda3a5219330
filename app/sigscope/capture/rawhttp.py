"""HTTP messages as text: the output of `curl -i`, a `.http` file, a saved raw request.

    POST /v1/chat/completions HTTP/1.1        HTTP/1.1 400 Bad Request
    Host: api.example.com                     content-type: application/json

    {"model": ...}                            {"error": ...}

A request is followed by its answer, if at all; a Content-Length tells where one message
ends and the next begins, else the next start line does. Source: RFC 9112.
"""

from __future__ import annotations

import re

from sigscope.capture.bare import response_of
from sigscope.capture.base import Imported
from sigscope.capture.source import Source
from sigscope.capture.values import text_bytes
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Headers, Request, Response
from sigscope.session import Problem
from sigscope.wire.framing import choose_framing
from sigscope.wire.headers import header

_REQUEST = re.compile(
    rb"(?m)^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) +(\S+)(?: +(HTTP/[\d.]+))?[ \t]*"
    rb"(?:\r?\n|$)"
)
_STATUS = re.compile(rb"(?m)^(HTTP/[\d.]+) +(\d{3})(?: +([^\r\n]*))?[ \t]*(?:\r?\n|$)")
_FIELD = re.compile(
    rb"([!#$%&'*+.^_`|~0-9A-Za-z:-]+?)[ \t]*:[ \t]*([^\r\n]*)(?:\r?\n|$)"
)
_BLANK = re.compile(rb"\r?\n|$")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})(?:;[^\r\n]*)?\r?\n")
_SEPARATOR = re.compile(rb"(?m)^#{3,}.*(?:\r?\n|$)")
_START = re.compile(
    b"(?m)" + b"|".join(p.pattern[4:] for p in (_STATUS, _REQUEST, _SEPARATOR))
)

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


def read(source: Source) -> Imported:
    """Read the messages, each answer with the request before it. Raises InputError."""
    data = source.data
    exchanges: list[Exchange] = []
    problems: list[Problem] = []
    waiting: Request | None = None
    at = _skip(data, 0)
    while at < len(data):
        status, asked = _STATUS.match(data, at), _REQUEST.match(data, at)
        if status is not None:
            response, remarks, at = _response(data, status)
            if (response.status or 0) // 100 != 1:
                exchanges.append(
                    Exchange(request=waiting, response=response, remarks=remarks)
                )
                waiting = None
        elif asked is not None:
            if waiting is not None:
                exchanges.append(Exchange(request=waiting))
            waiting, at = _request(data, asked)
        else:
            onward = _next_start(data, at + 1)
            message = f"{onward - at} bytes that are no HTTP message; left out"
            problems.append(Problem(message=message, where=f"byte {at}"))
            at = onward
        at = _skip(data, at)
    if waiting is not None:
        exchanges.append(Exchange(request=waiting))
    if not exchanges:
        raise InputError("it holds no HTTP message", path=source.name)
    return Imported(exchanges=tuple(exchanges), problems=tuple(problems))


def response_in(text: str) -> Response | None:
    """The answer that a text holds, with its head or without; None if it has none."""
    data = text_bytes(text).lstrip(b"\r\n\t ")
    data = _FENCE.sub(b"\n", data)
    status = _STATUS.match(data)
    while status is not None:
        response, _, at = _response(data, status)
        if (response.status or 0) // 100 != 1:
            return response
        status = _STATUS.match(data, _skip(data, at))
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


def _request(data: bytes, start: re.Match[bytes]) -> tuple[Request, int]:
    headers, at = _headers(data, start.end())
    body, _, at = _body(data, at, headers)
    target = start[2].decode("utf-8", "replace")
    host = header(headers, "host") or header(headers, ":authority") or ""
    if target.startswith("/") and host:
        local = host.startswith(("localhost", "127."))
        target = f"{'http' if local else 'https'}://{host}{target}"
    return (
        Request(
            method=start[1].decode(),
            url=target,
            headers=headers,
            body=Body(body),
            http_version=(start[3] or b"").decode(),
        ),
        at,
    )


def _response(
    data: bytes, start: re.Match[bytes]
) -> tuple[Response, tuple[str, ...], int]:
    headers, at = _headers(data, start.end())
    if int(start[2]) // 100 == 1:
        return Response(status=int(start[2]), headers=headers), (), at
    body, remark, at = _body(data, at, headers)
    response = Response(
        status=int(start[2]),
        reason=(start[3] or b"").decode("latin-1"),
        headers=headers,
        body=Body(body),
        http_version=start[1].decode(),
    )
    return response, (f"response: {remark}",) if remark else (), at


def _headers(data: bytes, at: int) -> tuple[Headers, int]:
    lines: list[tuple[str, str]] = []
    while match := _FIELD.match(data, at):
        lines.append((match[1].decode("latin-1"), match[2].decode("latin-1").strip()))
        at = match.end()
    blank = _BLANK.match(data, at)
    return tuple(lines), blank.end() if blank else at


def _body(data: bytes, at: int, headers: Headers) -> tuple[bytes, str, int]:
    """The body, a remark, and the offset behind it."""
    if (header(headers, "transfer-encoding") or "").lower() == "chunked":
        found = _unchunked(data, at)
        if found is not None:
            return found[0], "the chunks of the transfer coding are joined", found[1]
    length = header(headers, "content-length") or ""
    is_length = length.isdigit() and len(length) <= _LONGEST_LENGTH
    sized = at + int(length) if is_length else len(data) + 1
    if sized <= len(data) and _is_start(data, _skip(data, sized)):
        return data[at:sized], "", sized
    end = _next_start(data, at)
    return data[at:end], "", end


def _is_start(data: bytes, at: int) -> bool:
    """Whether a message begins here, or nothing more comes."""
    starts = (_STATUS.match(data, at), _REQUEST.match(data, at))
    return at >= len(data) or any(starts)


def _unchunked(data: bytes, at: int) -> tuple[bytes, int] | None:
    """A body in chunks, joined; None where it is in none."""
    pieces: list[bytes] = []
    while match := _CHUNK.match(data, at):
        size = int(match[1], 16)
        at = match.end()
        if size == 0:
            return b"".join(pieces), at
        pieces.append(data[at : at + size])
        at += size
        if data[at : at + 2] == b"\r\n":
            at += 2
        elif data[at : at + 1] == b"\n":
            at += 1
        elif at < len(data):
            return None
    return (b"".join(pieces), at) if pieces and at >= len(data) else None
