"""Stub mappings of WireMock, recorded or written by hand.

    {"mappings": [{"request": {"method": "POST", "url": "/x",
                               "bodyPatterns": [{"equalToJson": "{...}"}]},
                   "response": {"status": 200, "headers": {...}, "body": "..."}}]}

In YAML the same, as extensions of it write them. WireMock records one mapping a file,
in `mappings/`, and long bodies in `__files/`
beside it; a folder with `mappings` in it is read whole, by the dates of the answers.
`request` is a matcher: it names no host, and its body only where it asks for the same
one. Source: wiremock.org, "Stubbing" and "Record and Playback"; the recordings of
braintrustdata/braintrust-sdk-java, and in YAML of
open-telemetry/opentelemetry-java-instrumentation.
"""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from pathlib import Path

from sigscope.capture.base import Imported
from sigscope.capture.bodies import Found, noted, text_or_tree
from sigscope.capture.shape import Tree, mapping, sequence, text, whole
from sigscope.capture.source import Source, read_file
from sigscope.capture.values import base64_bytes, headers_of, text_bytes
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Headers, Request, Response, header
from sigscope.session import Problem

_PATHS = ("url", "urlPath", "urlPattern", "urlPathPattern", "urlPathTemplate")
_MATCHES = ("equalTo", "equalToJson")
"""Matchers that hold the value itself."""
_BODIES = frozenset({"jsonBody", "base64Body", "bodyFileName"})


_IN_YAML = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        rb"^(?:- |  |)request:\s*$",
        rb"^(?:- |  |)response:\s*$",
        rb"^ +(?:url|urlPath|urlPattern|urlPathPattern|urlPathTemplate):",
        rb"^ +(?:bodyPatterns|bodyFileName|base64Body|jsonBody|urlPath\w*|urlPattern):",
    )
)
"""Lines that a mapping in YAML has."""
_KINDS = ("*.json", "*.yaml", "*.yml")
_FOLDER, _FILES = "mappings", "__files"
_MOST_FILES = 10_000


def recognise(source: Source) -> bool:
    """Whether the document is a mapping, or a list of them under `mappings`; whether
    the folder has files of them."""
    if source.is_folder:
        return bool(_files_in(source.path))
    if source.first == "{":
        return any(map(_is_mapping, _mappings(source.json)))
    # Its first lines rule out nearly all else: others are not searched whole.
    return bool(_IN_YAML[0].search(source.head)) and all(
        each.search(source.data) for each in _IN_YAML
    )


def read(source: Source) -> Imported:
    """Read each mapping. Raises InputError where there is none."""
    files = _files_in(source.path) if source.is_folder else []
    found: list[Exchange] = []
    problems: list[Problem] = []
    for path in files or [source.path]:
        one = Source(path) if files else source
        trees, broken = _documents(one)
        problems += broken
        for number, tree in enumerate(trees, start=1):
            if _is_mapping(tree):
                found.append(_exchange(mapping(tree), _bodies_beside(path)))
            else:
                where = path.name if files else f"mapping {number}"
                message = "is no mapping of a request to a response; left out"
                problems.append(Problem(message=message, where=where))
    if not found:
        raise InputError("it holds no WireMock mappings", path=source.name)
    if files:
        found.sort(key=_answered_at)
    return Imported(exchanges=tuple(found), problems=tuple(problems))


def _files_in(folder: Path) -> list[Path]:
    """The mappings of a recording, by name; `folder` is it, or its `mappings`."""
    inner = folder if folder.name == _FOLDER else folder / _FOLDER
    try:
        found = (path for kind in _KINDS for path in inner.glob(kind))
        return sorted(found)[:_MOST_FILES]
    except OSError:
        return []


def _bodies_beside(mapping_file: Path) -> Path:
    """Where WireMock keeps the bodies that belong to a file of mappings."""
    above = mapping_file.parent
    return (above.parent if above.name == _FOLDER else above) / _FILES


def _answered_at(exchange: Exchange) -> float:
    """The date of the answer, to the second; 0 where it has none."""
    response = exchange.response
    try:
        return parsedate_to_datetime(
            (header(response.headers, "date") if response else None) or ""
        ).timestamp()
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _documents(source: Source) -> tuple[list[Tree], list[Problem]]:
    """The mappings of a file, and what is broken in it."""
    if source.first in ("{", "["):
        return _mappings(source.json), []
    documents, problems = source.read_yaml()
    return [each for document in documents for each in _mappings(document)], problems


def _mappings(tree: Tree) -> list[Tree]:
    listed = mapping(tree).get("mappings")
    return sequence(listed) if isinstance(listed, list) else [tree]


def _is_mapping(tree: Tree) -> bool:
    """Beside `request` and `response`, something that only WireMock writes."""
    parts = mapping(tree)
    asked, answered = mapping(parts.get("request")), mapping(parts.get("response"))
    has_path = any(isinstance(asked.get(key), str) for key in _PATHS)
    is_its_own = (
        "bodyPatterns" in asked
        or bool(asked.keys() & set(_PATHS[1:]))
        or bool(answered.keys() & _BODIES)
    )
    return has_path and bool(answered) and is_its_own


def _exchange(parts: dict[str, Tree], bodies: Path) -> Exchange:
    asked, answered = mapping(parts.get("request")), mapping(parts.get("response"))
    remarks: list[str] = []
    path = next((text(asked[key]) for key in _PATHS if key in asked), "")
    request = Request(
        method=text(asked.get("method")).upper() or "POST",
        url=path,
        headers=_asked_headers(asked.get("headers")),
        body=Body(noted(_asked_body(asked), "request", remarks)),
    )
    response = Response(
        status=whole(answered.get("status")),
        headers=headers_of(answered.get("headers")),
        body=Body(noted(_answer(answered, bodies), "response", remarks)),
    )
    return Exchange(request=request, response=response, remarks=tuple(remarks))


def _asked_headers(value: Tree) -> Headers:
    """Headers that are asked for by their value."""
    return tuple(
        (name, text(mapping(matcher)["equalTo"]))
        for name, matcher in mapping(value).items()
        if "equalTo" in mapping(matcher)
    )


def _asked_body(asked: dict[str, Tree]) -> Found:
    for pattern in sequence(asked.get("bodyPatterns")):
        for key in _MATCHES:
            if key in mapping(pattern):
                return text_or_tree(mapping(pattern)[key])
    if asked.get("bodyPatterns"):
        return b"", "its body is not kept, only what it must match"
    return b"", ""


def _answer(answered: dict[str, Tree], bodies: Path) -> Found:
    if "jsonBody" in answered:
        return text_or_tree(answered["jsonBody"])
    if "base64Body" in answered:
        encoded = text(answered["base64Body"])
        data = base64_bytes(encoded)
        return (data, "") if data is not None else (text_bytes(encoded), "no base64")
    if "bodyFileName" in answered:
        return _from_file(text(answered["bodyFileName"]), bodies)
    return text_or_tree(answered.get("body"))


def _from_file(name: str, bodies: Path) -> Found:
    """A body in a file of its own; only files inside `__files` are looked at."""
    missing = f"its body is in another file, {_FILES}/{name}, which cannot be read"
    try:
        path = (bodies / name).resolve()
        if not path.is_relative_to(bodies.resolve()):
            return b"", f"its body is said to be outside of {_FILES}: {name}"
        return read_file(path), ""
    except (InputError, OSError, RuntimeError, ValueError):  # a loop of links
        return b"", missing
