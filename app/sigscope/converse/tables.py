"""Records from TOML tables, checked against the records' own types."""

from __future__ import annotations

import dataclasses
import difflib
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeVar, Union

R = TypeVar("R")


At = tuple[str | int, ...]
"""Keys down to a value; numbers, from 1, of elements of lists."""


class TableError(Exception):
    """A table that does not fit its record."""

    def __init__(self, at: At, problem: str) -> None:
        where = _words(at)
        super().__init__(f"{where}: {problem}" if where else problem)
        self.at = at
        """Of what is wrong, or of the table in which something is missing."""


def _words(at: At) -> str:
    """ "write 2.on"."""
    spelled = (f" {key}" if isinstance(key, int) else f".{key}" for key in at)
    return "".join(spelled).lstrip(". ")


def build(record: type[R], table: Any, at: At = ()) -> R:
    """A record (a dataclass) from a table. Raises TableError, naming the field.

    Knows str, int, bool, literals, tuples, mappings, nested records and `| None`.
    """
    if not isinstance(table, dict):
        raise TableError(at, f"is {_kind(table)}, not a table")
    hints = typing.get_type_hints(record)
    fields = {f.name: f for f in dataclasses.fields(record)}  # type: ignore[arg-type]
    for key in table:
        if key not in fields:
            raise TableError((*at, key), _unknown(key, fields))
    values = {
        key: _value(hints[key], value, (*at, key)) for key, value in table.items()
    }
    for name, spec in fields.items():
        if name not in values and _is_required(spec):
            raise TableError(at, f"{name!r} is missing")
    return record(**values)


def _value(kind: Any, value: Any, at: At) -> Any:
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return build(kind, value, at)
    if origin is Literal:
        return choice(inner, value, at)
    if origin in (Union, types.UnionType):
        (only,) = (arg for arg in inner if arg is not type(None))
        return _value(only, value, at)
    if origin is tuple:
        if not isinstance(value, list):
            raise TableError(at, f"is {_kind(value)}, not a list")
        items = enumerate(value, start=1)
        return tuple(_value(inner[0], item, (*at, n)) for n, item in items)
    if origin is not None and issubclass(origin, Mapping):
        if not isinstance(value, dict):
            raise TableError(at, f"is {_kind(value)}, not a table")
        items_ = value.items()
        return {key: _value(inner[1], v, (*at, key)) for key, v in items_}
    if kind is Any:
        return value
    # bool is an int to Python, not to the reader of a policy.
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise TableError(at, f"is {_kind(value)}, not {_names[kind]}")
    return value


def choice(allowed: Sequence[Any], value: Any, at: At) -> Any:
    """The value, if it is one of those. Raises TableError, naming the likely one."""
    if value in allowed and isinstance(value, str):
        return value
    close = difflib.get_close_matches(str(value), [str(a) for a in allowed], n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    listed = ", ".join(str(one) for one in allowed)
    raise TableError(at, f"{value!r} is not one of {listed}{hint}")


def _unknown(key: str, fields: Mapping[str, Any]) -> str:
    close = difflib.get_close_matches(key, list(fields), n=1)
    if close:
        return f"there is no such field; did you mean {close[0]!r}?"
    return f"there is no such field; there are {', '.join(fields)}"


def _is_required(spec: dataclasses.Field[Any]) -> bool:
    missing = dataclasses.MISSING
    return spec.default is missing and spec.default_factory is missing


_names: dict[Any, str] = {str: "text", int: "a whole number", bool: "true or false"}


def _kind(value: Any) -> str:
    for kind, name in (
        (bool, "true or false"),
        (str, "text"),
        (int, "a number"),
        (float, "a number"),
        (list, "a list"),
        (dict, "a table"),
    ):
        if isinstance(value, kind):
            return name
    return type(value).__name__
