"""Texts in sections, each below a line with its name between dashes.

    Two thinking blocks before the call.       method: POST
                                               path: responses
    -- request --                              -- begin request body --
    {"model": ...}                             {"model": ...}
    -- streaming --                            -- end request body --
    event: message_start                       status code: 200
    data: ...                                  -- begin response headers --
                                               content-type: application/json
    -- streaming/tool-call --                  -- end response headers --
    ...                                        -- begin response body --

The first is txtar, in which Go's tests keep files; names say what the sections are.
Each answer goes with the request above it; one below another name (`/tool-call`)
answers a request that is not kept. The second ends its sections, too, and tells the
rest by name between them. Source: golang.org/x/tools/txtar (2026-11), as written by
coder/aibridge; RequestResponseRecord.java of DataDog/dd-trace-java.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from sigscope.capture.base import Imported
from sigscope.capture.rawhttp import response_in
from sigscope.capture.source import Source
from sigscope.capture.values import headers_of
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.records import dataclass
from sigscope.session import Problem
from sigscope.utf8 import to_text

_LINE = re.compile(rb"(?m)^-- (begin |end |)(\S[^\r\n]{0,79}?) --[ \t]*(?:\r?\n|\Z)")
_REQUEST = re.compile(r"(?i)req(?:uest)?\b")
_RESPONSE = re.compile(r"(?i)(?:non-)?stream(?:ing|ed)?\b|res(?:p|ponse)?\b|answer\b")
_FIELD = re.compile(
    rb"(?m)^(method|path|url|status code|status): *([^\r\n]+?)[ \t]*\r?$"
)
_HEAD = 256 * 1024
"""Bytes in which the request must begin."""


@dataclass(slots=True, frozen=True)
class _Section:
    name: str
    data: bytes
    outside: bytes
    """What stands between it and the section before."""

    @property
    def is_head(self) -> bool:
        return "header" in self.name.lower()

    @property
    def is_request(self) -> bool:
        return _REQUEST.match(self.name) is not None

    @property
    def is_response(self) -> bool:
        return _RESPONSE.match(self.name) is not None


def recognise(source: Source) -> bool:
    """Whether there is a section for the request, and one for an answer."""
    if source.is_folder or b"\n-- " not in b"\n" + source.data[:_HEAD]:
        return False
    names = [to_text(each[2]) for each in _LINE.finditer(source.data, 0, _HEAD)]
    if not any(map(_REQUEST.match, names)):
        return False
    names = [to_text(each[2]) for each in _LINE.finditer(source.data)]
    return any(map(_RESPONSE.match, names))


def read(source: Source) -> Imported:
    """Read each answer with its request. Raises InputError where there is neither."""
    problems: list[Problem] = []
    told: dict[str, str] = {}
    found: list[Exchange] = []
    request: Request | None = None
    is_answered = True
    headers: dict[bool, bytes] = {}
    for section in _sections(source.data):
        for field in _FIELD.finditer(section.outside):
            told[to_text(field[1])] = to_text(field[2])
        if section.is_head:
            headers[section.is_request] = section.data
        elif section.is_request:
            if request is not None and not is_answered:
                found.append(Exchange(request=request))
            request = _request(section, told, headers.pop(True, b""))
            is_answered = False
        elif section.is_response:
            response = _response(section, told, headers.pop(False, b""))
            is_next = "/" in section.name
            asked = None if is_next else request
            is_answered = is_answered or not is_next
            found.append(Exchange(request=asked, response=response))
        else:
            message = f"section {section.name!r} is neither; left out"
            problems.append(Problem(message=message))
    if request is not None and not is_answered:
        found.append(Exchange(request=request))
    if not found:
        raise InputError("it has no section with a request", path=source.name)
    return Imported(exchanges=tuple(found), problems=tuple(problems))


def _sections(data: bytes) -> Iterator[_Section]:
    """A section goes to the line that ends it, or to the next one's."""
    lines = [*_LINE.finditer(data)]
    before = 0
    for line, behind in zip_longest(lines, lines[1:]):
        if line[1] == b"end ":
            before = line.end()
            continue
        end = behind.start() if behind else len(data)
        inside = data[line.end() : end]
        if behind and behind[1] == b"end ":
            inside = re.sub(rb"\r?\n\Z", b"", inside)
        outside = data[before : line.start()]
        yield _Section(name=to_text(line[2]), data=inside, outside=outside)
        before = end


def _request(section: _Section, told: dict[str, str], head: bytes) -> Request:
    path = told.get("url") or told.get("path", "")
    is_bare = bool(path) and "://" not in path and not path.startswith("/")
    return Request(
        method=told.get("method", "POST").upper(),
        url=f"/{path}" if is_bare else path,
        headers=headers_of(to_text(head).splitlines()),
        body=Body(section.data.strip()),
    )


def _response(section: _Section, told: dict[str, str], head: bytes) -> Response:
    whole = response_in(to_text(section.data)) if not head else None
    if whole is not None:
        return whole
    status = told.pop("status code", "") or told.pop("status", "")
    data = section.data
    return Response(
        status=int(status) if status.isdecimal() and len(status) == 3 else None,
        headers=headers_of(to_text(head).splitlines()),
        body=Body(data.strip() if data.lstrip()[:1] in (b"{", b"[") else data),
    )
