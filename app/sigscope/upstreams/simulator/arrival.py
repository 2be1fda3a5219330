"""A request as it reaches the simulator, and its body read as JSON."""

from __future__ import annotations

import json
from dataclasses import field, replace
from typing import NoReturn
from urllib.parse import parse_qs, unquote

from sigscope.records import dataclass
from sigscope.upstreams.simulator.records import Json
from sigscope.wire.bodies import decode, is_coded
from sigscope.wire.codings import CODINGS
from sigscope.wire.urls import split_url

_CONTAINERS = (dict, list)
DEEPEST = 200
"""Levels of nesting. Google's parser stops at about 100, and says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """One HTTP request, whole."""

    method: str
    path: str
    """Percent-decoded, without the query."""
    query: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    """Names in lower case; the last of several values."""
    body: bytes = b""

    @classmethod
    def build(
        cls, method: str, target: str, headers: tuple[tuple[str, str], ...], body: bytes
    ) -> Incoming:
        """From a request target or an absolute URL."""
        parts = split_url(target)
        return cls(
            method=method.upper(),
            path=unquote(parts.path) or "/",
            query={
                name: values[-1]
                for name, values in parse_qs(
                    parts.query, keep_blank_values=True
                ).items()
            },
            headers={name.lower(): value for name, value in headers},
            body=body,
        )


@dataclass(slots=True)
class BadCodingError(Exception):
    """The body cannot be had without its content codings."""

    status: int
    problem: str


def without_codings(incoming: Incoming) -> Incoming:
    """The same request without the codings of its body. Raises `BadCodingError`.

    Codex packs what it sends by zstd (openai/codex#8767), and Anthropic takes gzip
    (anthropics/claude-code#90457); what others take is not known, so that here any of
    them may be sent to each. A body that was decoded and kept the header is read too.
    """
    named = (("content-encoding", incoming.headers.get("content-encoding", "")),)
    if not is_coded(named):
        return incoming
    plain = decode(incoming.body, named)
    if plain.is_cut:
        raise BadCodingError(413, plain.remarks[-1])
    if plain.has_unread:
        known = f"{', '.join(CODINGS)} are read here"
        status = 400 if plain.codings else 415
        raise BadCodingError(status, f"{plain.remarks[-1]}; {known}")
    headers = {k: v for k, v in incoming.headers.items() if k != "content-encoding"}
    return replace(incoming, headers=headers, body=plain.data)


@dataclass(slots=True)
class BadJsonError(Exception):
    """The body is no JSON document that a service would read."""

    problem: str
    """In words, without the place."""
    excerpt: str = ""
    """The line it is in, cut to a window."""
    column: int = 0
    """Place in the excerpt, from 0."""


def load_json(body: bytes) -> Json:
    """Parse a request body as strictly as the services do. Raises BadJsonError.

    Duplicate keys: the last one counts, as in every parser the services are known to
    use. NaN and Infinity are no JSON.
    """
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        window = body[max(0, error.start - 20) : error.start + 20]
        raise BadJsonError(
            "Invalid UTF-8 in the body.",
            window.decode("ascii", "replace"),
            min(20, error.start),
        ) from None
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
        _guard_depth(value)
    except json.JSONDecodeError as error:
        start = max(0, error.pos - 30, text.rfind("\n", 0, error.pos) + 1)
        line = text[start : error.pos + 30].split("\n")[0]
        raise BadJsonError(error.msg + ".", line, error.pos - start) from None
    except RecursionError:
        raise BadJsonError("Message too deep. Max recursion depth reached.") from None
    except ValueError as error:
        raise BadJsonError(str(error)) from None
    return value


def _guard_depth(value: Json) -> None:
    """Refuse what is nested deeper than any service reads, without recursing."""
    level = [value]
    for _ in range(DEEPEST):
        level = [
            member
            for item in level
            if isinstance(item, _CONTAINERS)
            for member in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            return
    raise BadJsonError("Message too deep. Max recursion depth reached.")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"Unexpected token {name}.")
