"""Logs with one HTTP call and its answer a line, written by tools that patch `fetch`.

    {"request": {"timestamp": 1.5, "method": "POST", "url": "https://h/x",
                 "headers": {...}, "body": {...}},
     "response": {"timestamp": 2.5, "status_code": 200, "headers": {...},
                  "body_raw": "event: ...\\n\\n"}, "logged_at": "..."}
    {"raw_request_api_base": "https://h/x", "raw_request_body": {...},
     "raw_request_headers": {...}, "raw_response": "..."}
    {"ts_start": "...", "method": "POST", "path": "/x", "upstream": "https://h",
     "status": 200, "req": {"headers": {...}, "body": {...}},
     "resp": {"headers": {...}, "events": [{"event": "", "data": {...}}]}}

The first is what claude-trace and claude-bridge write: a JSON body is kept parsed
(`body`), a stream as its text (`body_raw`), an unanswered call as `"response": null`.
The time of a response is that of its head; `logged_at` follows its last byte.
The second is how LiteLLM logs what it sends on (`log_raw_request_response`); it may
stand anywhere in a line, and `raw_request_body` may be JSON in a string. The third is
api-log's: what both sides share stands around them; a status of -1 is none.

Bodies that were parsed are taken in the spelling of the log, and said to be. Source:
apps/claude-trace/src/types.ts of badlogic/lemmy and claude-trace 1.0.9 at work,
litellm_logging.py of BerriAI/litellm, ARCHITECTURE.md of 2nd1st/api-log (all 2026-11).
"""

from __future__ import annotations

from datetime import datetime
from itertools import islice

from sigscope.capture.base import Imported
from sigscope.capture.bodies import REBUILT, Found, noted, text_or_tree
from sigscope.capture.entries import import_entries
from sigscope.capture.kept_events import joined
from sigscope.capture.modeljson import is_whole_body
from sigscope.capture.shape import Tree, mapping, number, sequence, text, whole
from sigscope.capture.source import Source
from sigscope.capture.values import (
    base64_bytes,
    epoch_time,
    headers_of,
    moment_of,
    text_bytes,
    utc_time,
)
from sigscope.exchange import Body, Exchange, Request, Response

_RAW_BODY = "raw_request_body"
_ANSWERS = ("raw_response", "original_response", "response")
_BODIES = {"body", "body_raw", "body_b64", "events"}
_FIRST = 50
"""Lines among which one with a body is looked for."""
_DEEPEST = 6
"""Levels at which LiteLLM's record is looked for; loggers wrap it in three."""


def recognise(source: Source) -> bool:
    """Whether the file, or its first line, holds such a pair. What a web server logs of
    each request, bodies left out, is none of these."""
    if not _is_pair(source.first_entry):
        return False
    if not _is_access(source.first_entry):
        return True
    return not all(_is_access(tree) for _, tree, _ in islice(source.entries(), _FIRST))


def _is_access(tree: Tree) -> bool:
    """Whether it is a line of Node.js with `req` and `res` that tells no body."""
    sides = [mapping(mapping(tree).get(name)) for name in ("req", "res")]
    return all(sides) and not any(side.keys() & _BODIES for side in sides)


def read(source: Source) -> Imported:
    """Read each pair. Raises InputError where there is none."""
    return import_entries(
        source,
        _is_pair,
        _exchange,
        other="holds no call with a URL",
        none="it holds no calls with a URL",
    )


def _is_pair(tree: Tree) -> bool:
    parts = _named_alike(mapping(tree))
    asked = mapping(parts.get("request"))
    if isinstance(asked.get("url"), str) and "response" in parts:
        answered = mapping(parts.get("response"))
        timed = number(asked.get("timestamp")) is not None
        return timed or "logged_at" in parts or "body_raw" in answered
    return _raw_request(tree) is not None


def _named_alike(parts: dict[str, Tree]) -> dict[str, Tree]:
    """A line of api-log, or one of Node.js with `req` and `res`, in the names of
    claude-trace; every other as it is."""
    asked, answered = parts.get("req"), parts.get("resp", parts.get("res"))
    around = {**parts, **mapping(asked)}
    path = around.get("url", around.get("path"))
    if not isinstance(asked, dict) or is_whole_body(asked):
        return parts
    if not isinstance(path, str):
        return parts
    if not {"resp", "res"} & parts.keys():
        return parts
    base = text(parts.get("upstream")).removesuffix("/")
    url = base + path if path.startswith("/") else path
    request = {"method": parts.get("method"), **asked, "url": url}
    code = mapping(answered).get("statusCode", parts.get("status"))
    status = whole(code)
    status = None if status is None or status < 0 else status
    told = {"status": status, **mapping(answered)}
    is_known = bool(mapping(answered)) or (status or 0) >= 400
    return {
        "request": request,
        "response": told if is_known else None,
        "logged_at": parts.get("ts_start", parts.get("timestamp", parts.get("time"))),
    }


def _raw_request(tree: Tree, depth: int = 0) -> dict[str, Tree] | None:
    """LiteLLM's record of a request, wherever it stands in a line."""
    parts = mapping(tree)
    if _RAW_BODY in parts:
        return parts
    if depth < _DEEPEST:
        for value in parts.values():
            found = _raw_request(value, depth + 1) if isinstance(value, dict) else None
            if found is not None:
                return found
    return None


def _exchange(parts: dict[str, Tree]) -> Exchange:
    parts = _named_alike(parts)
    remarks: list[str] = []
    raw = _raw_request(parts) if "url" not in mapping(parts.get("request")) else None
    if raw is not None:
        return _from_litellm(parts, raw, remarks)
    asked, answered = mapping(parts.get("request")), mapping(parts.get("response"))
    body = noted(_body(asked), "request", remarks)
    began = number(asked.get("timestamp"))
    head = _since(began, number(answered.get("timestamp")))
    logged = _since(began, _seconds(parts.get("logged_at"))) if answered else None
    if text(parts.get("note")):
        remarks.append(f"note of the log: {text(parts.get('note'))}")
    return Exchange(
        request=Request(
            method=text(asked.get("method")).upper() or "POST",
            url=text(asked.get("url")),
            headers=headers_of(asked.get("headers")),
            body=Body(body),
        ),
        response=_response(answered, remarks) if answered else None,
        started_at=epoch_time(began) or moment_of(parts.get("logged_at")),
        first_byte_ms=head,
        # A log that tells whole seconds only would end before it began.
        duration_ms=logged if logged and logged >= (head or 0) else head,
        remarks=tuple(remarks),
    )


def _since(began: float | None, at: float | None) -> float | None:
    """Milliseconds between two times; None where one is missing or they are turned."""
    if began is None or at is None or at < began:
        return None
    return round((at - began) * 1000, 3)


def _seconds(moment: Tree) -> float | None:
    spelled = utc_time(moment)
    return datetime.fromisoformat(spelled).timestamp() if spelled else None


def _response(answered: dict[str, Tree], remarks: list[str]) -> Response:
    body = noted(_body(answered), "response", remarks)
    return Response(
        status=whole(answered.get("status_code", answered.get("status"))),
        headers=headers_of(answered.get("headers")),
        body=Body(body),
    )


def _from_litellm(
    parts: dict[str, Tree], raw: dict[str, Tree], remarks: list[str]
) -> Exchange:
    body = noted(text_or_tree(raw.get(_RAW_BODY)), "request", remarks)
    names = [name for name in _ANSWERS if parts.get(name) or raw.get(name)]
    answer = b""
    if names:
        value = parts.get(names[0]) or raw.get(names[0])
        answer = noted(text_or_tree(value), "response", remarks)
    remarks.append("request: what LiteLLM sent on, from its log; keys are masked there")
    return Exchange(
        request=Request(
            url=text(raw.get("raw_request_api_base")),
            headers=headers_of(raw.get("raw_request_headers")),
            body=Body(body),
        ),
        response=Response(body=Body(answer)) if answer else None,
        started_at=utc_time(parts.get("timestamp", parts.get("startTime"))),
        remarks=tuple(remarks),
    )


def _body(part: dict[str, Tree]) -> Found:
    raw = part.get("body_raw")
    if raw is not None:
        return text_bytes(text(raw)), ""
    if part.get("body") is not None:
        return text_or_tree(part["body"])
    packed = base64_bytes(text(part.get("body_b64")))
    if packed:
        return packed, ""
    events = sequence(part.get("events"))
    if not events:
        return b"", ""
    stream, lacks = joined(events)
    return stream, f"{REBUILT}; {lacks}" if lacks else REBUILT
