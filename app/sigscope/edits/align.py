"""Pairs the elements of two arrays: what stayed, what changed, what came and went.

Elements that are equal belong together. Of those between them, the ones that name
the same thing do (a message by its tool calls, an item by its id), and of the rest
the ones that look alike (same role and type).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

_MOST_COMPARED = 1_000_000
"""Pairs of elements that are compared at most, about a second. Beyond, only equal
beginnings and ends are found."""

Keys = tuple[Sequence[Hashable], Sequence[Hashable]]
"""For each old and each new element what it is recognised by; None by nothing."""


class _Span(NamedTuple):
    """A run of old elements and the run of new ones it corresponds to."""

    old: int
    old_end: int
    new: int
    new_end: int


def align(size_old: int, size_new: int, *ways: Keys) -> list[tuple[int, int]]:
    """Pairs of old and new index, ascending in both; other elements have no partner.

    Of several ways to recognise an element the first that works counts.
    """
    pairs: list[tuple[int, int]] = []
    spans = [_Span(0, size_old, 0, size_new)]
    for keys in ways:
        left: list[_Span] = []
        for span in spans:
            found = list(_matched(keys, span))
            pairs += found
            left += _between(span, found)
        spans = left
    return sorted(pairs)


def _matched(keys: Keys, span: _Span) -> Iterator[tuple[int, int]]:
    old = _distinct(keys[0][span.old : span.old_end])
    new = _distinct(keys[1][span.new : span.new_end])
    head = _equal_head(old, new)
    tail = _equal_head(old[head:][::-1], new[head:][::-1])
    for at in range(head):
        yield span.old + at, span.new + at
    for at in range(1, tail + 1):
        yield span.old_end - at, span.new_end - at
    old, new = old[head : len(old) - tail], new[head : len(new) - tail]
    if 0 < len(old) * len(new) <= _MOST_COMPARED:
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        for block in matcher.get_matching_blocks():
            for at in range(head, head + block.size):
                yield span.old + block.a + at, span.new + block.b + at


def _distinct(keys: Sequence[Hashable]) -> list[Hashable]:
    """None equals None; what has no key should equal nothing."""
    return [object() if key is None else key for key in keys]


def _equal_head(old: Sequence[Hashable], new: Sequence[Hashable]) -> int:
    count = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        count += 1
    return count


def _between(span: _Span, pairs: list[tuple[int, int]]) -> Iterator[_Span]:
    """The runs between pairs where both sides still have elements."""
    old, new = span.old, span.new
    for next_old, next_new in (*sorted(pairs), (span.old_end, span.new_end)):
        if old < next_old and new < next_new:
            yield _Span(old, next_old, new, next_new)
        old, new = next_old + 1, next_new + 1


# --- What an element is recognised by ------------------------------------------------


_IDS = ("tool_call_id", "call_id", "tool_use_id", "id")
_LISTS = ("tool_calls", "content", "parts")
_CALLS = ("functionCall", "functionResponse")


def name_of(value: Any) -> Hashable:
    """What a message, a call or an item is called on the wire; None for others.

    {"role": "assistant", "tool_calls": [{"id": "call_1"}]} → its calls' ids.
    """
    own = _id_of(value)
    if own is not None or not isinstance(value, dict):
        return own
    for field in _LISTS:
        items = value.get(field)
        if isinstance(items, list):
            ids = tuple(name for name in map(_id_of, items) if name)
            if ids:
                return field, ids
    return None


def _id_of(value: Any) -> Hashable:
    if not isinstance(value, dict):
        return None
    for field in _IDS:
        if isinstance(value.get(field), str) and value[field]:
            # A call and its result share an id; their types differ.
            return field, value[field], str(value.get("type")), str(value.get("role"))
    for field in _CALLS:
        call = value.get(field)
        if isinstance(call, dict) and isinstance(call.get("id"), str):
            return field, call["id"]
    return None


def look_of(value: Any) -> Hashable:
    """What kind of thing an element is: its role and type, or its JSON type."""
    if isinstance(value, dict):
        return "object", str(value.get("role")), str(value.get("type"))
    return "array" if isinstance(value, list) else "scalar"
