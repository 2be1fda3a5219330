"""A body alone: a pasted stream, a saved answer, a request without its answer.

What it is, is seen from its content: `data:` lines, a list or lines of JSON chunks, or
one JSON document, which is a request if it brings messages and no answer. Everything
around it (host, headers, status, times) is unknown and left open.
"""

from __future__ import annotations

import re

from sigscope.capture.base import Imported
from sigscope.capture.shape import Tree, mapping, text
from sigscope.capture.source import Source, parse_json
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Framing, Request, Response
from sigscope.session import Problem
from sigscope.wire.framing import choose_framing
from sigscope.wire.jsonspan import skip_space, value_end
from sigscope.wire.sse import skip_bom

_TOLD: frozenset[Framing] = frozenset({"data-lines", "json-list", "json-lines"})
"""Framings that a reader would not be sure to choose from the bytes again."""

_ANSWERS = frozenset(
    {
        "candidates",
        "choices",
        "completion",
        "delta",
        "error",
        "errors",
        "event_type",
        "interaction",
        "message",
        "object",
        "output",
        "outputs",
        "promptFeedback",
        "response",
        "usage",
        "usageMetadata",
    }
)
_ASKS = frozenset({"messages", "contents", "input", "prompt"})
_TYPES = re.compile(r"(message|content_block|response|interaction|step|error|ping)")
"""What the `type` of an answer or an event begins with."""

_KEY = re.compile(r'"(\w+)"\s*:')


def recognise(source: Source) -> bool:
    """Whether it is a stream, or JSON that looks like a model's or a client's."""
    if source.is_folder:
        return False
    framing = choose_framing((), source.data)
    if framing in ("sse", "data-lines", "eventstream"):
        return True
    if framing == "json" and source.json_error:
        keys = set(_KEY.findall(source.text[:4096]))
        return bool(keys & (_ANSWERS | _ASKS))
    if framing == "json":
        return is_model_json(source.json) or is_model_json(_inner(source.json))
    if framing in ("json-list", "json-lines"):
        return is_model_json(_first_document(source.data))
    return False


def read(source: Source) -> Imported:
    """One exchange with the one body that there is."""
    data = source.data
    if not data.strip():
        raise InputError("the file is empty", path=source.name)
    framing = choose_framing((), data)
    problems: tuple[Problem, ...] = ()
    if framing == "json" and source.json_error:
        message = f"not whole JSON: {source.json_error}; shown as far as it goes"
        problems = (Problem(message=message),)
    if framing == "json" and _is_request(source):
        exchange = Exchange(request=Request(url="", body=Body(data)))
    else:
        exchange = Exchange(response=response_of(data))
    return Imported(exchanges=(exchange,), problems=problems)


def response_of(data: bytes) -> Response:
    """A response of which only the body is known."""
    framing = choose_framing((), data)
    return Response(body=Body(data), framing=framing if framing in _TOLD else None)


def _first_document(data: bytes) -> Tree:
    """The first of several documents; the keys that can be seen where it is torn."""
    start = skip_space(data, skip_bom(data))
    if data[start : start + 1] == b"[":
        start = skip_space(data, start + 1)
    text_of = data[start : value_end(data, start)].decode("utf-8", "surrogateescape")
    tree, error = parse_json(text_of)
    return dict.fromkeys(_KEY.findall(text_of[:4096])) if error else tree


def _inner(tree: Tree) -> Tree:
    """What stands in an envelope: the request that Code Assist wraps, the one error
    that Google's compatible endpoint puts in a list."""
    if isinstance(tree, list):
        return tree[0] if tree else None
    return mapping(tree).get("request")


def is_model_json(tree: Tree) -> bool:
    """Whether a document has a member by which requests and answers are known."""
    parts = mapping(tree)
    if parts.keys() & (_ANSWERS | _ASKS):
        return True
    return _TYPES.match(text(parts.get("type"))) is not None


def _is_request(source: Source) -> bool:
    keys = set(mapping(source.json))
    if source.json_error:
        keys = set(_KEY.findall(source.text[:4096]))
    inner = set(mapping(_inner(source.json)))
    return bool((keys | inner) & _ASKS) and not keys & _ANSWERS
