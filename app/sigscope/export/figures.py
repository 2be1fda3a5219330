"""Numbers and values as people read them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from sigscope.ledger.unjudged import step_runs

LONGEST_STRING = 60
"""Characters of a string that are shown whole."""
_HEAD = 28
"""Characters that are shown of a longer one."""
_LONGEST_LINE = 88
_MOST_LINES = 60
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


def count(number: int, noun: str) -> str:
    """ "1 step", "4 steps"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def size(octets: int) -> str:
    """ "812 B", "1.2 kB", "3.4 MB", "2.0 GB"."""
    if octets < 1000:
        return f"{octets} B"
    if octets < 999_500:
        return f"{octets / 1000:.1f} kB"
    if octets < 999_950_000:
        return f"{octets / 1_000_000:.1f} MB"
    return f"{octets / 1_000_000_000:.1f} GB"


def joined(words: list[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def numbered(numbers: Iterable[int]) -> str:
    """ "1", "1 and 2", "1–3 and 7"."""
    words: list[str] = []
    for first, last in step_runs(numbers):
        near = range(first, last + 1)
        words += map(str, near) if len(near) < 3 else [f"{first}–{last}"]
    return joined(words)


def shortened(text: str) -> str:
    """A string, or its beginning and its length."""
    if len(text) <= LONGEST_STRING:
        return text
    return f"{text[:_HEAD]}… ({len(text):,} characters)"


def json_lines(text: str) -> list[str]:
    """JSON text for people: long strings cut, a long value on several lines."""
    try:
        if text[:1] not in ("{", "[", '"'):
            raise ValueError("a number keeps its spelling")
        value = json.loads(text, object_pairs_hook=_members)
        shown = _cut(value)
        line = json.dumps(shown, ensure_ascii=False)
        if len(line) > _LONGEST_LINE:
            line = json.dumps(shown, ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        line = _STRING.sub(lambda found: _cut_literal(found[0]), text)
    lines = _printable(line).split("\n")
    if len(lines) > _MOST_LINES:
        left = len(lines) - _MOST_LINES
        lines = [*lines[:_MOST_LINES], f"… {left} more lines"]
    return lines


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is repeated: the text itself is shown")
    return found


def _cut(value: Any) -> Any:
    if isinstance(value, str):
        return shortened(value)
    if isinstance(value, list):
        return [_cut(item) for item in value]
    if isinstance(value, dict):
        return {key: _cut(item) for key, item in value.items()}
    return value


def _cut_literal(literal: str) -> str:
    return f'"{shortened(literal[1:-1])}"'


def _printable(text: str) -> str:
    """Without anything that a terminal or a page would obey."""
    return "".join(
        char if char == "\n" or char.isprintable() or char == " " else repr(char)[1:-1]
        for char in text
    )
