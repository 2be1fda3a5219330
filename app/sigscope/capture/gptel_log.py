"""The log of gptel (Emacs, `gptel-log-level`): parts of calls below lines of JSON.

    {"gptel": "request config", "timestamp": "2026-01-31 10:00:00"}
    header = "x-api-key: ..."
    url = "https://h/v1/messages"
    {"gptel": "request body", "timestamp": "2026-01-31 10:00:00"}
    { "model": ..., "messages": ... }
    {"gptel": "response headers", "timestamp": "2026-01-31 10:00:01"}
    "HTTP/2 200 \\r\\ncontent-type: text/event-stream\\r\\n"
    {"gptel": "response body", "timestamp": "2026-01-31 10:00:02"}
    event: message_start ...

What is not a body stands in it with the level `debug` alone. JSON is written anew for
people, so its bytes are not those of the wire; streams are as they came. No part names
its call: an answer is that of the last request that has none.
Source: karthink/gptel, gptel-request.el (`gptel--log` and what calls it), 2026-08.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

from sigscope.capture import proxy_log
from sigscope.capture.base import Imported
from sigscope.capture.shape import Tree, mapping, text
from sigscope.capture.source import Source, parse_json
from sigscope.errors import InputError
from sigscope.exchange import Exchange

_LINE = re.compile(
    r'^\{"gptel": "([a-z ]{1,40})", "timestamp": "([\d: -]{19})"\}[ \t]*\r?$', re.M
)
_PART = re.compile(
    _LINE.pattern + r'\s+(?:[\[{("]|HTTP/|header = |url = |data:|event:)', re.M
)
"""With the beginning of what stands in the log below such a line."""
_LOOKED_AT = 64 * 1024
_SET = re.compile(r'^(header|url) = "((?:[^"\\]|\\.)*)"', re.M)
_ADDRESS = re.compile(r"(https?://\S+?)\)?\Z")
_HEAD = re.compile(r"HTTP/[\d.]+ +(\d{3})")
_BETWEEN = re.compile(r"\r?\n\r?\n")
_WRITTEN_ANEW = (
    "JSON in it is written anew by gptel: its bytes are not those of the wire"
)


def recognise(source: Source) -> bool:
    """Whether it begins with such a part, or has one soon. Words about gptel may have
    the line alone."""
    return _PART.search(source.text, 0, _LOOKED_AT) is not None


def read(source: Source) -> Imported:
    """Put the parts of each call together. Raises InputError where there is none."""
    lines = list(_lines(source.text))
    if not lines:
        raise InputError("it has no body of a call", path=source.name)
    found = proxy_log.put_together(source, lines)
    return replace(found, exchanges=tuple(map(_noted, found.exchanges)))


def _noted(exchange: Exchange) -> Exchange:
    return replace(exchange, remarks=(_WRITTEN_ANEW, *exchange.remarks))


def _lines(log: str) -> Iterator[tuple[str, Tree, str]]:
    """The bodies as lines of a log of a proxy, with what was told before each."""
    told: dict[str, dict[str, Tree]] = {}
    number, at = 1, 0
    marks = list(_LINE.finditer(log))
    for mark, behind in zip_longest(marks, marks[1:]):
        number, at = number + log.count("\n", at, mark.start()), mark.start()
        part = log[mark.end() : behind.start() if behind else len(log)].strip("\r\n")
        side, _, kind = mark[1].partition(" ")
        if kind == "body":
            line = {"type": side, "timestamp": mark[2], "body": part}
            yield f"line {number}", {**line, **told.pop(side, {})}, ""
        else:
            told.setdefault(side, {}).update(_told(part))


def _told(part: str) -> dict[str, Tree]:
    """Status, headers and address, as far as one of the other parts has them."""
    tree, error = parse_json(part)
    if error == "" and isinstance(tree, dict):
        return {"headers": mapping(tree)}
    # What stands before the last are answers on the way, such as 100.
    last = _BETWEEN.split((text(tree) if error == "" else part).strip())[-1]
    first, *lines = last.splitlines() or [""]
    head = _HEAD.search(first)
    if head is not None:
        return {"status": int(head[1]), "headers": lines}
    said = [
        (name, re.sub(r"\\(.)", r"\1", value)) for name, value in _SET.findall(part)
    ]
    address = _ADDRESS.search("".join(part.split()[-1:]))
    urls = [value for name, value in said if name == "url"]
    urls += [address[1]] if address and not urls else []
    headers = [value for name, value in said if name == "header"]
    found: dict[str, Tree] = {"headers": headers} if headers else {}
    return found | ({"url": urls[0]} if urls else {})
