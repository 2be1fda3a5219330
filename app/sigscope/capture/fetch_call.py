"""A call of `fetch` as browsers copy it: *Copy as fetch*, also (Node.js), and *all*.

    fetch("https://h/v1/chat", {
      "headers": { "content-type": "application/json" },
      "body": "{...}", "method": "POST", "mode": "cors", "credentials": "include"
    });

Firefox writes `await` before it. Both arguments are JSON. Headers that a browser sets
itself (cookies, user-agent ...) are not in it, nor is the answer; where the text goes
on with an answer, it is taken. Source: generateFetchCall in NetworkLogView of
ChromeDevTools/devtools-frontend; copyAsFetch in devtools/client/netmonitor of
mozilla/gecko-dev (both read 2026-11).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sigscope.capture.base import Imported
from sigscope.capture.rawhttp import response_in
from sigscope.capture.shape import mapping, text
from sigscope.capture.source import Source, parse_json
from sigscope.capture.values import headers_of, text_bytes
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Request
from sigscope.session import Problem
from sigscope.utf8 import to_text
from sigscope.wire.jsonspan import skip_space, value_end

_CALL = re.compile(rb"(?m)^[ \t;>]*(?:await[ \t]+)?fetch\(\s*(?=\")")
_BEFORE = re.compile(rb"\s*(?://|```|\*|;|$)")
_AFTER = re.compile(r"^[\s;)]*")
_NOT_TOLD = (
    "request: copied as fetch: headers that a browser sets itself are not in it"
    " (Copy as cURL has them)"
)


def recognise(source: Source) -> bool:
    """Whether the first line that is no comment calls `fetch` with a text."""
    head = source.data[:65536]
    found = _CALL.search(head)
    return found is not None and all(
        _BEFORE.match(line) for line in head[: found.start()].splitlines()
    )


def read(source: Source) -> Imported:
    """Read every call. Raises InputError where there is none to read."""
    problems: list[Problem] = []
    exchanges = tuple(_exchanges(source.data, problems))
    if not exchanges:
        reason = f" ({problems[0].message})" if problems else ""
        message = f"it holds no call of fetch with a URL and JSON options{reason}"
        raise InputError(message, path=source.name)
    return Imported(exchanges=exchanges, problems=tuple(problems))


def _exchanges(data: bytes, problems: list[Problem]) -> Iterator[Exchange]:
    at = 0
    number = 0
    while found := _CALL.search(data, at):
        number += 1
        at = found.end()
        url, at = _argument(data, at)
        options: object = {}
        if isinstance(url, str) and data[skip_space(data, at) :][:1] == b",":
            options, at = _argument(data, skip_space(data, skip_space(data, at) + 1))
        if not isinstance(url, str) or not isinstance(options, dict):
            message = "its options are no JSON, or break off; left out"
            problems.append(Problem(message=message, where=f"call {number}"))
            continue
        onward = _CALL.search(data, at)
        stop = onward.start() if onward else len(data)
        after = to_text(data[at:stop])
        yield Exchange(
            request=_request(url, mapping(options)),
            response=response_in(_AFTER.sub("", after)),
            remarks=(_NOT_TOLD,),
        )
        at = stop


def _argument(data: bytes, at: int) -> tuple[object, int]:
    """The JSON value that begins here, and the offset behind it; None if it is none."""
    end = value_end(data, at)
    if end is None:
        return None, len(data)
    tree, _ = parse_json(to_text(data[at:end]))
    return tree, end


def _request(url: str, options: dict[str, object]) -> Request:
    headers = headers_of(options.get("headers"))
    if text(options.get("referrer")):
        headers = (*headers, ("Referer", text(options.get("referrer"))))
    return Request(
        method=text(options.get("method")).upper() or "GET",
        url=url,
        headers=headers,
        body=Body(text_bytes(text(options.get("body")))),
    )
