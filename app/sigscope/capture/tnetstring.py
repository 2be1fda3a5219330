"""Typed netstrings, the format of mitmproxy's flow files.

    11:hello world,   12:caf\\xc3\\xa9 au lait;   5:12345#   4:true!   0:~   3:1.5^
    19:5:12345#4:true!1:0#]   14:5:hello,3:1.5^}

A value is its length in bytes, a colon, the bytes, and one byte for the type: `,`
bytes, `;` text in UTF-8, `#` whole number, `^` number, `!` boolean, `~` null, `]` list,
`}` mapping (keys and values in turn). Source: tnetstrings.info (2011), and mitmproxy's
dialect of it (mitmproxy/io/tnetstring.py, 2026), which added `;`.
"""

from __future__ import annotations

import re

from sigscope.capture.shape import Tree
from sigscope.utf8 import to_text

_DEEPEST = 100
"""Levels of nesting; the flows of mitmproxy have 6."""

_LENGTH = re.compile(rb"(\d{1,12}):")
_TYPES = b",;#^!~]}"


class Torn(ValueError):
    """The data ends before the value does."""


def begins(data: bytes) -> bool:
    """Whether the data begins with a mapping, as a flow does."""
    match = _LENGTH.match(data)
    return match is not None and _LENGTH.match(data, match.end()) is not None


def load(data: bytes, at: int = 0) -> tuple[Tree, int]:
    """The value that begins at an offset, and the offset behind it.

    Linear in the size. Raises `Torn` where the data ends too early, ValueError where it
    is no typed netstring.
    """
    return _load(data, at, len(data), 0)


def end_of(data: bytes, at: int) -> int | None:
    """The offset behind the value that begins here, by its length alone; None where
    there is no length, or the data ends before."""
    match = _LENGTH.match(data, at)
    end = match.end() + int(match[1]) + 1 if match else len(data) + 1
    return end if end <= len(data) and data[end - 1] in _TYPES else None


def _load(data: bytes, at: int, limit: int, depth: int) -> tuple[Tree, int]:
    match = _LENGTH.match(data, at, limit)
    if match is None:
        if limit - at < 13 and data[at:limit].isdigit():
            raise Torn(f"it ends in a length, at byte {at}")
        raise ValueError(f"no length at byte {at}")
    start = match.end()
    end = start + int(match[1])
    if end >= limit:
        missing = end + 1 - limit
        raise Torn(f"the value at byte {at} lacks its last {missing} bytes")
    kind = data[end : end + 1]
    if kind in (b"]", b"}"):
        if depth >= _DEEPEST:
            raise ValueError(f"more than {_DEEPEST} levels deep at byte {at}")
        items = _items(data, start, end, depth + 1)
        return (items if kind == b"]" else _mapping(items, at)), end + 1
    return _scalar(kind, data[start:end], at), end + 1


def _items(data: bytes, at: int, end: int, depth: int) -> list[Tree]:
    items: list[Tree] = []
    while at < end:
        item, at = _load(data, at, end, depth)
        items.append(item)
    return items


def _mapping(items: list[Tree], at: int) -> dict[Tree, Tree]:
    keys = items[::2]
    if len(items) % 2 or not all(isinstance(key, str | bytes) for key in keys):
        raise ValueError(f"no mapping of names to values at byte {at}")
    return dict(zip(keys, items[1::2], strict=True))


def _scalar(kind: bytes, content: bytes, at: int) -> Tree:
    if kind == b",":
        return content
    if kind == b";":
        return to_text(content)
    if kind == b"~":
        return None
    if kind == b"!" and content in (b"true", b"false"):
        return content == b"true"
    try:
        if kind == b"#":
            return int(content)
        if kind == b"^":
            return float(content)
    except ValueError:
        pass
    raise ValueError(f"no value of type {kind!r} at byte {at}")
