"""Steps as HAR 1.2, which browsers, proxies and sigscope itself read.

Source: HAR 1.2 (softwareishard.com/blog/har-12-spec, read 2026-11). Bodies are written
as the format wants them: without content coding, as text, or in base64 where they are
no text. What the format has no place for stands in fields of our own, which begin with
an underscore as it asks: arrival times (`_chunks`, offsets in the decoded body), how
the stream was framed (`_framing`), bodies of requests that are no text (`_content`, as
HTTP Toolkit has it). Events with their times stand in `_eventSourceMessages` too, as
Chrome writes and reads it. A request that the recorder mended says so in its comment,
and in `_mended`.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sigscope.exchange import Exchange, Headers, Request, Response, header
from sigscope.jsontext.printer import Printer
from sigscope.reader import Reading
from sigscope.utf8 import readable
from sigscope.wire.bodies import Decoded
from sigscope.wire.urls import query_pairs

Json = dict[str, Any]

_PAGE = "session"
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s;\"']+)", re.IGNORECASE)
_NO_TIME = "1970-01-01T00:00:00.000Z"
_ERRORS = {
    "client-aborted": "canceled: the client went away before the response ended",
    "upstream-aborted": "the connection closed before the response ended",
}


def har_file(
    readings: Sequence[Reading],
    *,
    title: str,
    created_at: str,
    tool: str,
    removed: Mapping[str, int],
) -> Iterator[bytes]:
    """A HAR with one entry for each reading, in their order. In pieces: all requests of
    a long session are a gigabyte."""
    name, _, version = tool.partition(" ")
    times = [r.exchange.started_at for r in readings if r.exchange.started_at]
    page = {
        "startedDateTime": min(times, default=created_at or _NO_TIME),
        "id": _PAGE,
        "title": title,
        "pageTimings": {},
    }
    log: Json = {
        "version": "1.2",
        "creator": {"name": name, "version": version},
        "pages": [page],
        "entries": (_entry(reading, created_at) for reading in readings),
    }
    if removed:
        kinds = ", ".join(f"{count} × {kind}" for kind, count in removed.items())
        log["comment"] = f"removed before writing: {kinds}"
    for piece in Printer(indent=1).pieces({"log": log}):
        yield piece.encode("utf-8", "backslashreplace")


def _entry(reading: Reading, created_at: str) -> Json:
    exchange = reading.exchange
    request = exchange.request or Request(method="")
    entry: Json = {
        "pageref": _PAGE,
        "startedDateTime": exchange.started_at or created_at or _NO_TIME,
        "time": _rounded(exchange.duration_ms or 0),
        "request": _request(request, reading.request_body),
        "response": _response(exchange.response, reading),
        "cache": {},
        "timings": _timings(exchange),
    }
    if messages := _event_messages(reading):
        entry["_eventSourceMessages"] = messages
    remarks = list(exchange.remarks)
    if exchange.mended is not None:
        told = exchange.mended.words
        entry["_mended"] = told
        remarks.append(
            f"mended on its way: {told}; this is what was sent on, not what the client"
            " had sent"
        )
    if exchange.started_at is None:
        remarks.append("the recording does not tell when this was")
    if remarks:
        entry["comment"] = "; ".join(remarks)
    return entry


def _timings(exchange: Exchange) -> Json:
    """-1 stands for what is not known."""
    first, whole = exchange.first_byte_ms, exchange.duration_ms
    if first is None:
        return {"send": 0, "wait": -1, "receive": -1}
    rest = -1 if whole is None else _rounded(max(0.0, whole - first))
    return {"send": 0, "wait": _rounded(first), "receive": rest}


def _rounded(value: float) -> float:
    return round(value, 3)


# --- Requests -------------------------------------------------------------------------


def _request(request: Request, body: Decoded) -> Json:
    found: Json = {
        "method": request.method,
        "url": request.url,
        "httpVersion": request.http_version,
        "cookies": _cookies(request.headers, "cookie"),
        "headers": _headers(request.headers),
        "queryString": [
            {"name": name, "value": value} for name, value in query_pairs(request.url)
        ],
        "headersSize": -1,
        "bodySize": request.body.size,
    }
    if not request.body:
        return found
    mime = header(request.headers, "content-type") or ""
    text = _maybe_text(body.data)
    if text is not None:
        found["postData"] = {"mimeType": mime, "params": [], "text": text}
    else:
        found["_content"] = {**_base64(body.data), "mimeType": mime}
        found["comment"] = "the body is no text; it stands in _content"
    return found


# --- Responses ------------------------------------------------------------------------


def _response(response: Response | None, reading: Reading) -> Json:
    if response is None:
        return {**_blank(), "comment": "the recording holds no response"}
    body = reading.response_body
    found: Json = {
        **_blank(),
        "status": response.status or 0,
        "statusText": response.reason,
        "httpVersion": response.http_version,
        "cookies": _cookies(response.headers, "set-cookie"),
        "headers": _headers(response.headers),
        "content": _content(response, body),
        "redirectURL": header(response.headers, "location") or "",
        "bodySize": response.body.size,
    }
    if reading.chunks:
        found["_chunks"] = [
            {"end": chunk.end, "atMs": _rounded(chunk.at_ms)}
            for chunk in reading.chunks
        ]
    if response.framing:
        found["_framing"] = response.framing
    if response.ending in _ERRORS:
        found["_error"] = _ERRORS[response.ending]
    return found


def _event_messages(reading: Reading) -> list[Json]:
    """Events as Chrome's EventStream tab lists them, in seconds since 1970; nothing
    where the moment of one of them is not known: Chrome then reads the body itself."""
    started = reading.exchange.started_at
    if reading.framing != "sse" or started is None:
        return []
    try:
        began = datetime.fromisoformat(started).timestamp()
    except (ValueError, OverflowError):  # a session that was written by hand
        return []
    messages: list[Json] = []
    last_id = ""
    for event in reading.events:
        if event.at_ms is None:
            return []
        last_id = last_id if event.id is None else event.id
        if event.complete:
            messages.append(
                {
                    "time": round(began + event.at_ms / 1000, 6),
                    "eventName": event.name or "message",
                    "eventId": last_id,
                    "data": readable(event.data),
                }
            )
    return messages


def _blank() -> Json:
    return {
        "status": 0,
        "statusText": "",
        "httpVersion": "",
        "cookies": [],
        "headers": [],
        "content": {"size": 0, "mimeType": ""},
        "redirectURL": "",
        "headersSize": -1,
        "bodySize": -1,
    }


def _content(response: Response, body: Decoded) -> Json:
    """`size` and `text` are of the decoded body; `compression` is what coding saved."""
    content: Json = {"size": len(body.data)}
    if body.codings:
        content["compression"] = len(body.data) - response.body.size
    mime = header(response.headers, "content-type") or ""
    content["mimeType"] = mime
    if not body.data:
        return content
    text = _maybe_text(body.data)
    if text is None or _bytes_for_mitmproxy(text, mime) != body.data:
        return content | _base64(body.data)
    return content | {"text": text}


def _bytes_for_mitmproxy(text: str, mime: str) -> bytes:
    """What mitmproxy makes of a text. It takes the charset that the type names, and
    Latin-1 for all that names none and is not JSON, as far as the text fits (source:
    its io/har.py and net/http/headers.py, 11.0)."""
    named = _CHARSET.search(mime)
    charset = "utf-8" if "json" in mime else "latin-1"
    try:
        return text.encode(named[1] if named else charset)
    except (ValueError, LookupError):
        return text.encode()


# --- Parts ----------------------------------------------------------------------------


def _headers(headers: Headers) -> list[Json]:
    return [{"name": name, "value": value} for name, value in headers]


def _cookies(headers: Headers, wanted: str) -> list[Json]:
    """Name and value only; the attributes of Set-Cookie stay in the header."""
    found: list[Json] = []
    for name, line in headers:
        if name.lower() != wanted:
            continue
        pairs = line.split(";") if wanted == "cookie" else [line.split(";")[0]]
        for pair in pairs:
            key, equals, value = pair.strip().partition("=")
            if equals:
                found.append({"name": key, "value": value})
    return found


def _maybe_text(data: bytes) -> str | None:
    """The body as text, if the very same bytes come back from it."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _base64(data: bytes) -> Json:
    return {"text": base64.b64encode(data).decode("ascii"), "encoding": "base64"}
