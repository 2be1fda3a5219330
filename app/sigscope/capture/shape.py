"""Look-ups in trees of unknown shape: what is not there, or of a wrong type, is empty.

Keys of the trees are text, or bytes where YAML marked them binary; numbers may stand
where text is due and the other way round.
"""

from __future__ import annotations

from collections.abc import Mapping

from sigscope.utf8 import to_text

Tree = object
"""What a JSON or YAML parser gives: dict, list, str, bytes, int, float, bool, None."""


def mapping(value: Tree) -> dict[str, Tree]:
    """The value with text keys, or nothing if it is no mapping."""
    if not isinstance(value, Mapping):
        return {}
    return {text(key): item for key, item in value.items()}


def sequence(value: Tree) -> list[Tree]:
    """The value, or nothing if it is no list."""
    return list(value) if isinstance(value, list | tuple) else []


def text(value: Tree) -> str:
    """Text, bytes or a number as text; everything else is empty."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return to_text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    return ""


def number(value: Tree) -> float | None:
    """A number, also one written as text; None for everything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        result = float(value)
    except (ValueError, OverflowError):
        return None
    return result if abs(result) < 1e18 else None


def whole(value: Tree) -> int | None:
    """A number without its fraction; None for everything else."""
    result = number(value)
    return None if result is None else int(result)


def kind_of(value: Tree) -> str:
    """The type of a value in the words of JSON, for messages."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, bytes):
        return "binary data"
    return "an object" if isinstance(value, Mapping) else "a list"
