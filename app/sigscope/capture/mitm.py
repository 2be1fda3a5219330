"""Flow files of mitmproxy: `mitmdump -w FILE`, "Save" in mitmweb and the console.

One typed netstring a flow (`tnetstring`), appended when the flow ends:

    {"type": "http", "version": 21, "request": {"method": b"POST", "scheme": b"https",
     "host": "h", "port": 443, "path": b"/x", "headers": [[b"a", b"b"]], "content": b"",
     "timestamp_start": 1.5, ...}, "response": {"status_code": 200, ...}, "error": ...}

The richest of the foreign formats: bodies with their codings on, headers in wire case,
four times. What is not in it: the arrival of each chunk, and the body of a stream that
was passed on unread (`stream_large_bodies` without `store_streamed_bodies`).

Every version is read with the same names, later ones first: 0.11 to 0.13 called the
status `code` and the body `content`, 0.14 `body`; keys were bytes before 0.18. Source:
mitmproxy/io/compat.py (2026), which lists every change of the format.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from dataclasses import field

from sigscope.capture import tnetstring
from sigscope.capture.base import Imported
from sigscope.capture.shape import Tree, mapping, number, sequence, text, whole
from sigscope.capture.source import Source
from sigscope.capture.values import epoch_time, headers_of, text_bytes
from sigscope.capture.websocket import from_frames
from sigscope.errors import InputError
from sigscope.exchange import Body, Ending, Exchange, Request, Response
from sigscope.records import dataclass
from sigscope.session import Problem
from sigscope.wire.headers import Headers, header

_KEYS = (b"7:version", b"7:request", b"4:type", b"11:client_conn", b"5:error", b"2:id")
"""One of these stands near the beginning of every flow."""

_TEXT_FRAME = 1
"""The opcode of a WebSocket's text message (RFC 6455, 5.2)."""


def recognise(source: Source) -> bool:
    """Whether the file begins with a typed netstring that has a flow's keys."""
    data = source.data[:4096]
    return tnetstring.begins(data) and any(key in data for key in _KEYS)


@dataclass(slots=True)
class _Found:
    exchanges: list[tuple[float, Exchange]] = field(default_factory=list)
    """With the second in which each began."""
    problems: list[Problem] = field(default_factory=list)
    others: Counter[str] = field(default_factory=Counter)
    """Flows that are no HTTP, by type."""


def read(source: Source) -> Imported:
    """Read the flows, in the order they began. Raises InputError where there are
    none."""
    found = _Found()
    for place, tree in _flows(source.data, found.problems):
        _take(tree, f"flow {place}", found)
    for kind, count in found.others.items():
        flows = "a flow" if count == 1 else f"{count} flows"
        message = f"{flows} of type {kind!r} left out; only HTTP is read"
        found.problems.append(Problem(message=message))
    if not found.exchanges:
        reason = f" ({found.problems[0].message})" if found.problems else ""
        raise InputError(
            f"it is a mitmproxy flow file, but without HTTP flows{reason}",
            path=source.name,
        )
    found.exchanges.sort(key=lambda pair: pair[0])
    return Imported(
        exchanges=tuple(exchange for _, exchange in found.exchanges),
        problems=tuple(found.problems),
    )


def _flows(data: bytes, problems: list[Problem]) -> list[tuple[int, Tree]]:
    """The flows that can be read, each with its number from 1."""
    flows: list[tuple[int, Tree]] = []
    at, count = 0, 0
    while at < len(data):
        count += 1
        where = f"flow {count}"
        try:
            tree, at = tnetstring.load(data, at)
            flows.append((count, tree))
        except tnetstring.Torn as error:
            message = f"breaks off: {error}; left out"
            problems.append(Problem(message=message, where=where))
            break
        except ValueError as error:
            message = f"not readable: {error}; left out"
            problems.append(Problem(message=message, where=where))
            onward = tnetstring.end_of(data, at)
            if onward is None:
                left = f"the {len(data) - at} bytes from here on are left out"
                problems.append(Problem(message=left, where=where))
                break
            at = onward
    return flows


def _take(tree: Tree, where: str, found: _Found) -> None:
    flow = mapping(tree)
    kind = text(flow.get("type")) or "http"
    asked = mapping(flow.get("request"))
    if kind != "http":
        found.others[kind] += 1
        return
    if not asked:
        message = "holds no request; left out"
        found.problems.append(Problem(message=message, where=where))
        return
    began = number(asked.get("timestamp_start")) or 0.0
    messages = sequence(mapping(flow.get("websocket")).get("messages"))
    if messages:
        url, headers = _url(asked), _headers(asked)
        frames = [_frame(message) for message in messages]
        found.exchanges += [(began, e) for e in from_frames(url, headers, frames)]
        return
    found.exchanges.append((began, _exchange(flow, asked)))


def _exchange(flow: dict[str, Tree], asked: dict[str, Tree]) -> Exchange:
    answered = mapping(flow.get("response"))
    remarks: list[str] = []
    error = text(mapping(flow.get("error")).get("msg"))
    if error:
        remarks.append(f"response: mitmproxy reports {error}")
    comment = text(flow.get("comment"))
    if comment:
        remarks.append(f"comment in mitmproxy: {comment}")
    if flow.get("is_replay"):
        remarks.append(f"the {text(flow.get('is_replay'))} was replayed by mitmproxy")
    request = Request(
        method=text(asked.get("method")).upper() or "GET",
        url=_url(asked),
        headers=_headers(asked),
        body=_body(asked, "request", remarks),
        http_version=_version(asked),
    )
    began = number(asked.get("timestamp_start"))
    return Exchange(
        request=request,
        response=_response(answered, error, remarks) if answered else None,
        started_at=epoch_time(began),
        first_byte_ms=_since(began, answered.get("timestamp_start")),
        duration_ms=_since(began, answered.get("timestamp_end")),
        remarks=tuple(remarks),
    )


def _response(answered: dict[str, Tree], error: str, remarks: list[str]) -> Response:
    body = _body(answered, "response", remarks)
    return Response(
        status=whole(answered.get("status_code", answered.get("code"))),
        reason=text(answered.get("reason", answered.get("msg"))),
        headers=_headers(answered),
        body=body,
        http_version=_version(answered),
        ending=_ending(answered, error),
    )


def _ending(answered: dict[str, Tree], error: str) -> Ending:
    if error:
        return "client-aborted" if "lient disconnect" in error else "upstream-aborted"
    return "complete" if number(answered.get("timestamp_end")) else "unknown"


def _body(part: dict[str, Tree], side: str, remarks: list[str]) -> Body:
    value = part.get("content", part.get("body"))
    if value is None:
        # In 0.1x a body that was not kept is the number 0.
        remarks.append(f"{side}: the recording leaves out the body")
        return Body(b"")
    return Body(value if isinstance(value, bytes) else text_bytes(text(value)))


def _headers(part: dict[str, Tree]) -> Headers:
    """Header lines as latin-1, in which they are kept as bytes."""
    pairs = []
    for entry in sequence(part.get("headers")):
        pair = [_latin(item) for item in sequence(entry)]
        if len(pair) == 2 and pair[0]:
            pairs.append((pair[0], pair[1]))
    return tuple(pairs) if pairs else headers_of(part.get("headers"))


def _latin(value: Tree) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else text(value)


def _url(asked: dict[str, Tree]) -> str:
    """The URL that was asked.

    The host is that of the connection; where this is a bare address (transparent mode),
    the name from the request's head is taken.
    """
    host, port = text(asked.get("host")), whole(asked.get("port"))
    scheme = text(asked.get("scheme")) or "https"
    named = text(asked.get("authority")) or header(_headers(asked), "host") or ""
    path = text(asked.get("path"))
    if not host or (_is_address(host) and named):
        return f"{scheme}://{named}{path}" if named else path
    if ":" in host and not host.startswith("["):
        host = f"[{host}]"
    usual = {"https": 443, "http": 80}.get(scheme)
    return f"{scheme}://{host}{'' if port in (None, usual) else f':{port}'}{path}"


def _is_address(host: str) -> bool:
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _version(part: dict[str, Tree]) -> str:
    old = [text(item) for item in sequence(part.get("httpversion"))]
    return text(part.get("http_version")) or ("HTTP/" + ".".join(old) if old else "")


def _since(began: float | None, moment: Tree) -> float | None:
    at = number(moment)
    if began is None or at is None or at < began:
        return None
    return round((at - began) * 1000, 3)


def _frame(message: Tree) -> tuple[bool, str, float | None]:
    """Opcode, whether the client sent it, content, time; more after that."""
    parts = [*sequence(message), None, None, None, None][:4]
    content = parts[2]
    if whole(parts[0]) != _TEXT_FRAME and isinstance(content, bytes):
        return bool(parts[1]), content.hex(), number(parts[3])
    return bool(parts[1]), text(content), number(parts[3])
