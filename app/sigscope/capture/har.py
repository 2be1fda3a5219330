"""HAR: what browsers, proxies and API clients export.

Source: HAR 1.2 (softwareishard.com, read 2026-11) and what is really written: Chrome
and Firefox, mitmproxy, Proxyman, Charles, Fiddler, Insomnia, Playwright, Polly.js.
They leave out bodies, put null where the standard wants an object, decode a body and
keep its content-encoding header, and add fields of their own with a leading underscore.

Timings: `time` is the whole duration; blocked + dns + connect + send + wait is the
first byte (ssl is part of connect; -1 means it did not apply).
"""

from __future__ import annotations

import re

from sigscope.capture.base import Imported
from sigscope.capture.bodies import noted
from sigscope.capture.har_bodies import request_body, response_body
from sigscope.capture.har_messages import (
    SANITIZED,
    own_framing,
    own_times,
    rebuilt_stream,
    stream_times,
    web_socket,
)
from sigscope.capture.salvage import salvage_json
from sigscope.capture.shape import (
    Tree,
    kind_of,
    mapping,
    number,
    sequence,
    text,
    whole,
)
from sigscope.capture.source import Source
from sigscope.capture.values import headers_of, utc_time
from sigscope.errors import InputError
from sigscope.exchange import Body, Ending, Exchange, Request, Response
from sigscope.session import Problem

_BEFORE_FIRST_BYTE = ("blocked", "dns", "connect", "send", "wait")

_IN_YAML = re.compile(rb"^log:\s*\n(?:[ ].*\n)*?[ ]+entries:", re.MULTILINE)
"""Polly.js can be told to write YAML."""

_CLIENT_GAVE_UP = ("ERR_ABORTED", "NS_BINDING_ABORTED", "NS_ERROR_ABORT", "canceled")


def recognise(source: Source) -> bool:
    """Whether the file is a HAR, whole or torn."""
    if source.first != "{":
        return _IN_YAML.search(source.data) is not None
    if source.json_error:
        head = source.text[:4096]
        return '"log"' in head and '"entries"' in source.text
    root = mapping(source.json)
    if "entries" in mapping(root.get("log")):
        return True
    entries = sequence(root.get("entries"))[:9]
    return any(_is_entry(each) and not _is_of_cassette(each) for each in entries)


def read(source: Source) -> Imported:
    """Read the entries. Raises InputError where there are none."""
    problems: list[Problem] = []
    log: dict[str, Tree] = {}
    if source.first != "{":
        documents, problems = source.read_yaml()
        log = _log(documents[0] if documents else None)
    elif not source.json_error:
        log = _log(source.json)
    entries = sequence(log.get("entries"))
    if source.first == "{" and source.json_error:
        entries, problems = salvage_json(source, "entries")
    exchanges: list[Exchange] = []
    for place, entry in enumerate(entries, start=1):
        parts = mapping(entry)
        if not _is_entry(entry):
            problem = f"is {kind_of(entry)} without request and response; left out"
            problems.append(Problem(message=problem, where=f"entry {place}"))
            continue
        exchanges += _exchanges(parts, source)
    if not exchanges:
        reason = f" ({problems[0].message})" if problems else ""
        told = f"it is a HAR, but without entries{reason}"
        again = "save it again, when the calls are in the list of requests"
        if source.json_error:
            again = "it breaks off before the first call is whole; save it again"
        raise InputError(f"{told}; {again}", path=source.name)
    return Imported(
        exchanges=tuple(exchanges), title=_title(log), problems=tuple(problems)
    )


def _log(root: Tree) -> dict[str, Tree]:
    parts = mapping(root)
    return mapping(parts.get("log")) or parts


def _is_entry(value: Tree) -> bool:
    parts = mapping(value)
    return bool(mapping(parts.get("request")) or mapping(parts.get("response")))


def _is_of_cassette(entry: Tree) -> bool:
    """Whether it keeps its bodies as cassettes do: HAR has `postData` and `content`."""
    sides = [mapping(mapping(entry).get(side)) for side in ("request", "response")]
    return any("body" in side for side in sides)


def _title(log: dict[str, Tree]) -> str:
    titles = [text(mapping(page).get("title")) for page in sequence(log.get("pages"))]
    return next((title for title in titles if title), "")


def _exchanges(entry: dict[str, Tree], source: Source) -> list[Exchange]:
    asked, answered = mapping(entry.get("request")), mapping(entry.get("response"))
    frames = sequence(entry.get("_webSocketMessages"))
    if frames:
        return web_socket(
            text(asked.get("url")), headers_of(asked.get("headers")), frames
        )
    remarks: list[str] = []
    body = noted(request_body(asked, source), "request", remarks)
    request = Request(
        method=text(asked.get("method")).upper() or "GET",
        url=text(asked.get("url")),
        headers=headers_of(asked.get("headers")),
        body=Body(body),
        http_version=text(asked.get("httpVersion")),
    )
    response = _response(entry, answered, source, remarks) if answered else None
    timings = mapping(entry.get("timings"))
    exchange = Exchange(
        request=request if asked else None,
        response=response,
        started_at=utc_time(entry.get("startedDateTime")),
        first_byte_ms=_first_byte(timings),
        duration_ms=_duration(entry, timings),
        remarks=tuple(remarks),
    )
    return [exchange]


def _response(
    entry: dict[str, Tree],
    answered: dict[str, Tree],
    source: Source,
    remarks: list[str],
) -> Response | None:
    status = whole(answered.get("status"))
    error = text(answered.get("_error")) or text(entry.get("_error"))
    if error:
        remarks.append(f"response: the recorder reports {error}")
    body, remark = response_body(answered, source)
    messages = sequence(
        entry.get("_eventSourceMessages") or entry.get("_eventStreamMessages")
    )
    if messages and not body:
        body, remark = rebuilt_stream(messages) or (b"", SANITIZED)
    if not status and not body:
        return None
    chunks, guess = own_times(body, sequence(answered.get("_chunks"))), ""
    if not chunks:
        first_byte = _first_byte(mapping(entry.get("timings")))
        started = entry.get("startedDateTime")
        chunks, guess = stream_times(body, messages, started, first_byte)
    remarks += [f"response: {each}" for each in (remark, guess) if each]
    return Response(
        status=status or None,
        reason=text(answered.get("statusText")),
        headers=headers_of(answered.get("headers")),
        body=Body(body),
        http_version=text(answered.get("httpVersion")),
        chunks=chunks,
        framing=own_framing(answered.get("_framing")),
        ending=_ending(error),
    )


def _ending(error: str) -> Ending:
    if not error:
        return "unknown"
    gave_up = any(sign in error for sign in _CLIENT_GAVE_UP)
    return "client-aborted" if gave_up else "upstream-aborted"


def _first_byte(timings: dict[str, Tree]) -> float | None:
    wait = number(timings.get("wait"))
    if wait is None or wait < 0:
        return None
    parts = (number(timings.get(name)) for name in _BEFORE_FIRST_BYTE)
    return round(sum(part for part in parts if part is not None and part > 0), 3)


def _duration(entry: dict[str, Tree], timings: dict[str, Tree]) -> float | None:
    whole_time = number(entry.get("time"))
    if whole_time is not None and whole_time >= 0:
        return round(whole_time, 3)
    first, receive = _first_byte(timings), number(timings.get("receive"))
    if first is None:
        return None
    return first + max(receive or 0.0, 0.0)
