"""Traces of httprr, the record and replay of Go's own projects.

    httprr trace v1
    375 769
    POST https://api.example.com/v1/x HTTP/1.1      (375 bytes: the request)
    Host: api.example.com
    ...
    HTTP/1.1 200 OK                                 (769 bytes: the answer)
    ...

The two sizes stand right behind the answer before, without a line end. Traces are
scrubbed and edited, and Git turns their line ends: where sizes do not fit what stands
there, the start lines tell where a message begins, and that is said.
Source: rsc.io/httprr and its copies in golang/oscar, tmc/langchaingo and google/adk-go
(read 2026-11).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sigscope.capture.base import Imported
from sigscope.capture.rawhttp import message_at, messages_in, paired
from sigscope.capture.source import Source
from sigscope.errors import InputError
from sigscope.exchange import Exchange, Request
from sigscope.session import Problem
from sigscope.wire.jsonspan import skip_space
from sigscope.wire.sse import skip_bom

_HEAD = re.compile(rb"httprr trace v\d+[ \t]*\r?\n")
_SIZES = re.compile(rb"(\d{1,12}) (\d{1,12})\r?\n")
_RECORD = re.compile(_SIZES.pattern + rb"(?=[A-Z]{3,7} \S+ HTTP/\d)")
"""Sizes with a request behind them."""


def recognise(source: Source) -> bool:
    """Whether the first line names it."""
    return not source.is_folder and _head(source) is not None


def read(source: Source) -> Imported:
    """Read each record. Raises InputError where there is none."""
    head = _head(source)
    if head is None:
        raise InputError("it does not begin with httprr trace v1", path=source.name)
    problems: list[Problem] = []
    found = tuple(_exchanges(source.data, head.end(), problems))
    if not found:
        said = f" ({problems[0].message})" if problems else ""
        raise InputError(f"the httprr trace holds no exchange{said}", path=source.name)
    return Imported(exchanges=found, problems=tuple(problems))


def _head(source: Source) -> re.Match[bytes] | None:
    data = source.data
    return _HEAD.match(data, skip_space(data, skip_bom(data)))


def _exchanges(data: bytes, at: int, problems: list[Problem]) -> Iterator[Exchange]:
    number, whole = 0, len(data.rstrip())
    while at < whole:
        number += 1
        sizes = _SIZES.match(data, at)
        exchange = _sized(data, sizes) if sizes else None
        if sizes and exchange:
            yield exchange
            at = _end_of(sizes)
            continue
        begin = sizes.end() if sizes else at
        at = _next_record(data, begin)
        found = list(paired(messages_in(data[begin:at], [])))
        yield from found
        if sizes and _end_of(sizes) > len(data) == at:
            told = f"it breaks off, {_end_of(sizes) - at:,} bytes early"
        elif found:
            told = "its two sizes do not fit; its messages are told by their first line"
        else:
            told = f"{at - begin:,} bytes that are no record; left out"
        problems.append(Problem(message=told, where=f"record {number}"))


def _end_of(sizes: re.Match[bytes]) -> int:
    return sizes.end() + int(sizes[1]) + int(sizes[2])


def _next_record(data: bytes, at: int) -> int:
    found = _RECORD.search(data, at)
    return found.start() if found else len(data)


def _sized(data: bytes, sizes: re.Match[bytes]) -> Exchange | None:
    """The exchange of a record; None where its sizes do not fit what is there."""
    between, end = sizes.end() + int(sizes[1]), _end_of(sizes)
    fits = data.startswith(b"HTTP/", between) and (
        _SIZES.match(data, end) is not None or data[end : end + 9].strip() == b""
    )
    if not fits or end > len(data):
        return None
    asked = message_at(data[sizes.end() : between], 0, is_alone=True)
    answered = message_at(data[between:end], 0, is_alone=True)
    if asked is None or answered is None or not isinstance(asked.side, Request):
        return None
    return next(paired([asked, answered]))
