"""Answers of bounded size: an agent reads all that it is given."""

from __future__ import annotations

import json
from typing import Any

from sigscope.characters import printable

MOST = 40_000
"""Characters of an answer's JSON."""
_STRINGS = (4_000, 1_000, 300, 120, 60)
_ITEMS = (400, 100, 40, 15, 5)


def bounded(data: Any, most: int = MOST) -> tuple[Any, bool]:
    """JSON data in at most so many characters, and whether anything was left out.

    Long texts keep their beginning, long lists their first items; each says how much
    is missing. What a terminal would obey is spelled out.
    """
    made = _cut(data, most, most)
    if _size(made) <= most:
        return made, made != data
    for strings, items in zip(_STRINGS, _ITEMS, strict=True):
        made = _cut(data, strings, items)
        if _size(made) <= most:
            return made, True
    text = json.dumps(made, ensure_ascii=False)[:most]
    return f"{text}… (too much to show; ask for one step)", True


def at(data: Any, pointer: str) -> Any:
    """What stands at a JSON Pointer. Raises PointerError."""
    from sigscope.pointer import resolve

    return resolve(data, pointer)


def _size(data: Any) -> int:
    return len(json.dumps(data, ensure_ascii=False))


def _cut(data: Any, strings: int, items: int) -> Any:
    if isinstance(data, str):
        shown = printable(data, "\t\n")
        left = len(shown) - strings
        return f"{shown[:strings]}… ({left:,} more characters)" if left > 0 else shown
    if isinstance(data, list):
        kept = [_cut(each, strings, items) for each in data[:items]]
        left = len(data) - items
        return [*kept, f"… ({left:,} more items)"] if left > 0 else kept
    if isinstance(data, dict):
        return {
            _cut(str(key), strings, items): _cut(value, strings, items)
            for key, value in data.items()
        }
    return data
