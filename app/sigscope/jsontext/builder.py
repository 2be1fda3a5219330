"""Values of containers, and of text that `json` cannot read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sigscope.jsontext.nodes import Node
from sigscope.jsontext.values import decode_text, read_scalar, read_text

if TYPE_CHECKING:
    from sigscope.jsontext.document import JsonText

_DEEPEST = 256
"""Levels that are built of a text too deep for `json`. What reads the value may
recurse, and must not run out of stack."""


def build_text(document: JsonText, node: Node) -> Any:
    """The value of a container; what is nested too deep is left empty."""
    value = _whole(document, node)
    return build(document, node)[0] if value is None else value


def build(document: JsonText, top: Node) -> tuple[Any, bool]:
    """The value of broken or very deep text, and whether it was cut for its depth.

    Members without a value are left out; a word that is no value stays as text.
    None where not even the outermost value is recognisable.
    """
    if not top.is_container:
        broken = top.kind == "broken"
        return None if broken else read_scalar(top.kind, document.text(top)), False
    result = _empty(top)
    cut = False
    # One fault makes all containers around it fail in `json`: no more attempts once
    # they have cost a few passes, or deep nesting would cost one for each level.
    left = 4 * len(document.data)
    ways: list[tuple[Any, Iterator[Node]]] = [(result, iter(document.level(top)))]
    while ways:
        holder, rest = ways[-1]
        child = next(rest, None)
        if child is None:
            ways.pop()
        elif not child.is_container:
            if not _is_gap(child):
                value = read_scalar(child.kind, document.text(child))
                _put(document, holder, child, value)
        else:
            value = _whole(document, child) if left > 0 else None
            if value is None:
                left -= child.end - child.start
                value = _empty(child)
                if len(ways) < _DEEPEST:
                    ways.append((value, iter(document.level(child))))
                else:
                    cut = True
            _put(document, holder, child, value)
    return result, cut


def _whole(document: JsonText, node: Node) -> Any:
    """A container read by `json`; None where that fails."""
    if not node.closed:
        return None
    try:
        return read_text(decode_text(document.text(node)))[0]
    except (ValueError, RecursionError):
        return None


def _empty(node: Node) -> Any:
    return {} if node.kind == "object" else []


def _is_gap(node: Node) -> bool:
    """Whether no value stands there, or one without a key."""
    return node.kind == "broken" and node.start in (node.end, node.key_start)


def _put(document: JsonText, holder: Any, child: Node, value: Any) -> None:
    if isinstance(holder, list):
        holder.append(value)
    else:
        holder[document.key(child)] = value
