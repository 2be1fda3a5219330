"""The parts of a recorded URL, however it was scrubbed.

`urllib.parse` raises on hosts such as "<HOST>" or "[REDACTED]", which recordings are
full of; these functions do not. A recording that names no host has only a path.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import quote, unquote_plus

from sigscope.utf8 import to_bytes

_ABSOLUTE = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*)://([^/?#]*)(.*)", re.DOTALL)
_AS_IT_IS = "".join(map(chr, range(0x21, 0x7F)))


class Url(NamedTuple):
    """A URL in parts, each as it was recorded."""

    scheme: str
    """In lower case; empty if the recording names only a path."""
    host: str
    """With its port if one is given, in lower case; empty if unknown."""
    path: str
    """Still percent-encoded."""
    query: str
    """Without the question mark; empty if there is none."""


def split_url(url: str) -> Url:
    """Divide an absolute URL or a path. Never raises; drops a fragment."""
    match = _ABSOLUTE.fullmatch(url)
    scheme, host, rest = match.groups() if match else ("", "", url)
    target = rest.partition("#")[0]
    path, _, query = target.partition("?")
    return Url(scheme.lower(), host.rpartition("@")[2].lower(), path, query)


def query_pairs(url: str) -> tuple[tuple[str, str], ...]:
    """The query's names and values, decoded, in order, empty values included."""
    pairs = []
    for piece in split_url(url).query.split("&"):
        if piece:
            name, _, value = piece.partition("=")
            pairs.append((unquote_plus(name), unquote_plus(value)))
    return tuple(pairs)


def ascii_url(url: str) -> str:
    """A recorded URL, or part of one, as HTTP takes it: bytes beyond ASCII, white
    space and controls percent-encoded; what is ASCII already stays. Never raises."""
    is_plain = url.isascii() and url.isprintable() and " " not in url
    return url if is_plain else quote(to_bytes(url), safe=_AS_IT_IS)
