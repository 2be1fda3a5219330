"""A line of JSON with carets under one node, as compilers show source."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from sigscope.characters import printable
from sigscope.errors import PointerError
from sigscope.jsontext import JsonText
from sigscope.records import dataclass

WIDTH = 96
BEFORE = 32
ELLIPSIS = "…"
_AROUND = 2048
"""Bytes around what is shown that may tell what is a key."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What to print under a finding."""

    line: str
    carets: str
    offset: int
    """Byte offset of the node in the body."""


def excerpt_at(
    text: JsonText, pointer: str, mask: Callable[[bytes], bytes]
) -> Excerpt | None:
    """The node's surroundings in one line; None where the pointer names nothing.

    `mask`: takes keys out of a text and leaves its length. It sees more than is shown,
    which may begin within a key.

    Where a finding is about something that is missing, its pointer names the object
    that should have it; then its first characters are marked.
    """
    try:
        node = text.locate(pointer)
    except PointerError:
        return None
    data = text.data
    line_start = data.rfind(b"\n", 0, node.begin) + 1
    line_end = data.find(b"\n", node.begin)
    line_end = len(data) if line_end < 0 else line_end
    start = max(line_start, node.begin - BEFORE)
    end = min(line_end, start + 4 * WIDTH)
    low = max(0, start - _AROUND)
    plain = mask(data[low : end + _AROUND])
    middle, last = node.begin - low, min(node.end, end) - low
    before = _shown(plain[start - low : middle])
    marked = _shown(plain[middle:last])
    after = _shown(plain[last : end - low])
    lead = ELLIPSIS if start > line_start else ""
    before = (lead + before).lstrip(" ") if not lead else lead + before
    room = max(8, WIDTH - _width(before))
    whole = _cut(marked + after, room)
    span = min(_width(marked), _width(whole))
    return Excerpt(
        before + whole, " " * _width(before) + "^" * max(1, span), node.begin
    )


def _shown(data: bytes) -> str:
    return printable(data.decode("utf-8", "backslashreplace")).replace("\t", " ")


def _width(text: str) -> int:
    """Terminal columns."""
    return sum(
        0
        if unicodedata.combining(char)
        else 2
        if unicodedata.east_asian_width(char) in "WF"
        else 1
        for char in text
    )


def _cut(text: str, width: int) -> str:
    if _width(text) <= width:
        return text
    kept = ""
    for char in text:
        if _width(kept + char) >= width:
            break
        kept += char
    return kept + ELLIPSIS
