"""Recordings of Rust's httpmock: YAML documents with `when` (request) and `then`.

    when: {path: /v1/chat, method: POST, query_param: [{name: alt, value: sse}],
           header: [{name: accept, value: '*/*'}], body: '{"a":1}'}
    then: {status: 200, header: [...], body: '...'}

`when` is a matcher: it names no host unless the recording was told to keep it, then the
URL is only the path. Source: StaticMockDefinition of alexliesenfeld/httpmock 0.8.
"""

from __future__ import annotations

import re

from sigscope.capture.base import Imported
from sigscope.capture.bodies import Found, noted, rebuilt
from sigscope.capture.shape import Tree, mapping, sequence, text, whole
from sigscope.capture.source import Source
from sigscope.capture.values import (
    base64_bytes,
    headers_of,
    text_bytes,
    with_query,
)
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.session import Problem

_WHEN = re.compile(rb"^when:", re.MULTILINE)
_THEN = re.compile(rb"^then:", re.MULTILINE)


def recognise(source: Source) -> bool:
    """Whether the file has the two parts of a mock definition."""
    if source.first in ("{", "["):
        return not source.json_error and _is_mock(source.json)
    return bool(_WHEN.search(source.data) and _THEN.search(source.data))


def read(source: Source) -> Imported:
    """Read each document. Raises InputError where none can be read."""
    documents: list[Tree] = [source.json]
    problems: list[Problem] = []
    if source.first not in ("{", "["):
        documents, problems = source.read_yaml()
    exchanges: list[Exchange] = []
    for number, document in enumerate(documents, start=1):
        if _is_mock(document):
            parts = mapping(document)
            exchanges.append(
                _exchange(mapping(parts.get("when")), mapping(parts.get("then")))
            )
        elif document is not None:
            problem = "has no `when` and `then`; left out"
            problems.append(Problem(message=problem, where=f"document {number}"))
    if not exchanges:
        reason = f" ({problems[0].message})" if problems else ""
        raise InputError(
            f"it looks like an httpmock recording, but nothing can be read{reason}",
            path=source.name,
        )
    return Imported(exchanges=tuple(exchanges), problems=tuple(problems))


def _is_mock(document: Tree) -> bool:
    parts = mapping(document)
    when, then = mapping(parts.get("when")), mapping(parts.get("then"))
    answers = whole(then.get("status")) is not None or bool(_body(then)[0])
    return bool(when) and answers


def _exchange(when: dict[str, Tree], then: dict[str, Tree]) -> Exchange:
    remarks: list[str] = []
    body = noted(_body(when), "request", remarks)
    answer = noted(_body(then), "response", remarks)
    return Exchange(
        request=Request(
            method=text(when.get("method")).upper() or "POST",
            url=_url(when),
            headers=headers_of(when.get("header")),
            body=Body(body),
        ),
        response=Response(
            status=whole(then.get("status")),
            headers=headers_of(then.get("header")),
            body=Body(answer),
        ),
        remarks=tuple(remarks),
    )


def _url(when: dict[str, Tree]) -> str:
    pairs = [mapping(pair) for pair in sequence(when.get("query_param"))]
    named = [(text(pair.get("name")), text(pair.get("value"))) for pair in pairs]
    target = with_query(text(when.get("path")), named)
    host, port = text(when.get("host")), text(when.get("port"))
    if not host:
        return target
    scheme = text(when.get("scheme")) or "https"
    return f"{scheme}://{host}{':' + port if port else ''}{target}"


def _body(part: dict[str, Tree]) -> Found:
    encoded = part.get("body_base64")
    if encoded is not None:
        data = base64_bytes(text(encoded))
        if data is not None:
            return data, ""
        return text_bytes(text(encoded)), "body_base64 is no base64"
    tree = part.get("json_body")
    if tree is not None and not isinstance(tree, str):
        return rebuilt(tree)
    return text_bytes(text(tree) or text(part.get("body"))), ""
