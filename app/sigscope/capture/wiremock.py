"""Stub mappings of WireMock, recorded or written by hand.

    {"mappings": [{"request": {"method": "POST", "url": "/x",
                               "bodyPatterns": [{"equalToJson": "{...}"}]},
                   "response": {"status": 200, "headers": {...}, "body": "..."}}]}

A file may hold one mapping alone. `request` is a matcher: it names no host, and its
body only where it asks for the same one; `response` has its body as `body`, `jsonBody`
or `base64Body`, or in a file of its own that is not read here. Source: wiremock.org,
"Stubbing" and "Record and Playback".
"""

from __future__ import annotations

from sigscope.capture.base import Imported
from sigscope.capture.cassette_bodies import REBUILT, Found
from sigscope.capture.shape import Tree, mapping, sequence, text, whole
from sigscope.capture.source import Source
from sigscope.capture.values import base64_bytes, headers_of, json_bytes, text_bytes
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Headers, Request, Response
from sigscope.session import Problem

_PATHS = ("url", "urlPath", "urlPattern", "urlPathPattern", "urlPathTemplate")
_MATCHES = ("equalTo", "equalToJson")
"""Matchers that hold the value itself."""
_BODIES = frozenset({"jsonBody", "base64Body", "bodyFileName"})


def recognise(source: Source) -> bool:
    """Whether the document is a mapping, or a list of them under `mappings`."""
    return source.first == "{" and any(map(_is_mapping, _mappings(source.json)))


def read(source: Source) -> Imported:
    """Read each mapping. Raises InputError where there is none."""
    found: list[Exchange] = []
    problems: list[Problem] = []
    for number, tree in enumerate(_mappings(source.json), start=1):
        if _is_mapping(tree):
            found.append(_exchange(mapping(tree)))
        else:
            message = "is no mapping of a request to a response; left out"
            problems.append(Problem(message=message, where=f"mapping {number}"))
    if not found:
        raise InputError("it holds no WireMock mappings", path=source.name)
    return Imported(exchanges=tuple(found), problems=tuple(problems))


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


def _exchange(parts: dict[str, Tree]) -> Exchange:
    asked, answered = mapping(parts.get("request")), mapping(parts.get("response"))
    remarks: list[str] = []
    path = next((text(asked[key]) for key in _PATHS if key in asked), "")
    request = Request(
        method=text(asked.get("method")).upper() or "POST",
        url=path,
        headers=_asked_headers(asked.get("headers")),
        body=Body(_noted(_asked_body(asked), "request", remarks)),
    )
    response = Response(
        status=whole(answered.get("status")),
        headers=headers_of(answered.get("headers")),
        body=Body(_noted(_answer(answered), "response", remarks)),
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
                return _tree(mapping(pattern)[key])
    if asked.get("bodyPatterns"):
        return b"", "its body is not kept, only what it must match"
    return b"", ""


def _answer(answered: dict[str, Tree]) -> Found:
    if "jsonBody" in answered:
        return _tree(answered["jsonBody"])
    if "base64Body" in answered:
        encoded = text(answered["base64Body"])
        data = base64_bytes(encoded)
        return (data, "") if data is not None else (text_bytes(encoded), "no base64")
    if "bodyFileName" in answered:
        name = text(answered["bodyFileName"])
        return b"", f"its body is in another file, __files/{name}"
    return _tree(answered.get("body"))


def _tree(value: Tree) -> Found:
    if value is None or isinstance(value, str):
        return text_bytes(text(value)), ""
    try:
        return json_bytes(value), REBUILT
    except ValueError as error:
        return b"", f"the body cannot be rebuilt from parsed JSON: {error}"


def _noted(found: Found, side: str, remarks: list[str]) -> bytes:
    body, remark = found
    if remark:
        remarks.append(f"{side}: {remark}")
    return body
