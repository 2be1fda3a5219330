"""Writes JSON the way we want it read: characters as they are, order kept."""

from __future__ import annotations

import json
import re
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

from sigscope.errors import InputError
from sigscope.records import dataclass

if TYPE_CHECKING:
    from sigscope.jsontext.document import JsonText
    from sigscope.jsontext.nodes import Node

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a JSON text spaces its values."""

    comma: str = ","
    """Between elements on one line, with the white space after it."""
    colon: str = ":"
    """Between key and value, with the white space around it."""
    indent: str | None = None
    """White space for each level; None: all on one line."""


COMPACT = Style()


def dumps(value: Any, style: Style = COMPACT, *, margin: str = "") -> str:
    """JSON text of a parsed value; never ASCII only, never sorted.

    Lone surrogates become escapes, so that the text can always be encoded. Lines
    after the first begin with `margin`. Raises InputError for a value nested deeper
    than the interpreter can follow.
    """
    comma = style.comma.rstrip(" \t") if style.indent is not None else style.comma
    try:
        text = json.dumps(
            value,
            ensure_ascii=False,
            separators=(comma, style.colon),
            indent=style.indent,
        )
    except RecursionError:
        raise InputError("this value is nested too deep to be written") from None
    if margin and style.indent is not None:
        text = text.replace("\n", "\n" + margin)
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


_LOOKED_AT = 100
"""Containers after which a text that shows no style is taken to have none."""


def style_of(document: JsonText) -> Style:
    """How a text spaces its values, going by the first that show it."""
    comma = colon = indent = None
    for level in islice(document.levels(), _LOOKED_AT):
        if not level or level[0].parent is None:
            continue
        colon = colon or _colon(document, level[0])
        indent = indent or _indent(document, level[0].parent, level[0])
        for left, right in pairwise(level):
            comma = comma or _on_one_line(document, left.end, right.begin, b",")
        if colon and (comma or indent):
            break
    colon = colon or (":" if comma in (None, ",") else ": ")
    comma = comma or ("," if colon == ":" else ", ")
    return Style(comma=comma, colon=colon, indent=indent)


def margin_at(document: JsonText, offset: int) -> bytes:
    """The white space at the beginning of the line on which a byte stands."""
    data = document.data
    start = data.rfind(b"\n", 0, offset) + 1
    line = data[start : min(offset, start + 200)]
    return line[: len(line) - len(line.lstrip(b" \t"))]


def _colon(document: JsonText, node: Node) -> str | None:
    if node.key_end is None:
        return None
    return _on_one_line(document, node.key_end, node.start, b":")


def _on_one_line(
    document: JsonText, start: int, end: int, separator: bytes
) -> str | None:
    """The text between two places, if it is that separator and blanks."""
    gap = document.data[start:end]
    return gap.decode() if gap.strip(b" \t") == separator else None


def _indent(document: JsonText, parent: Node, child: Node) -> str | None:
    head = document.data[parent.start + 1 : child.begin]
    if b"\n" not in head or head.strip():
        return None
    inner = head[head.rfind(b"\n") + 1 :]
    outer = margin_at(document, parent.begin)
    return inner[len(outer) :].decode() if inner.startswith(outer) else None
