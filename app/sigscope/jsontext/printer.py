"""Prints JSON as it is made: what grows with the square of a session never is there as
a whole, neither as values nor as text.

The text is that of `json.dumps` with an indent and characters as they are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from json.encoder import encode_basestring
from typing import Any

Row = Mapping[str, Any]


class AlikeRows:
    """An array of objects of which many differ in their first member only.

    AlikeRows("step", [(5, row), (6, row)])    [{"step": 5, ...}, {"step": 6, ...}]
    """

    def __init__(self, name: str, rows: Iterable[tuple[int, Row]]) -> None:
        """`rows`: the first member, and what comes behind it, at least one member; one
        object for all that have it in common. Read once."""
        self.name = name
        self.rows = rows


class RepeatedRows:
    """An array of objects that other arrays have as well: each is spelled once.

    RepeatedRows([row, other])    [{"op": "set", ...}, {"op": "drop", ...}]
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        """`rows`: one object for all that are the same; they are kept. Read once."""
        self.rows = rows


class Printer:
    """Gives the text of a value in pieces. Arrays may be iterators, `AlikeRows` and
    `RepeatedRows`."""

    def __init__(
        self, indent: int = 2, spell: Callable[[str], str] = encode_basestring
    ) -> None:
        """`spell`: how a string is written, quotes included."""
        self._indent = " " * indent
        self._spell = spell
        self._repeated: dict[tuple[int, str], tuple[Row, str]] = {}
        """By identity and margin, each with what it is the text of."""

    def pieces(self, value: Any, margin: str = "\n") -> Iterator[str]:
        """Raises TypeError for what JSON does not know. `margin`: the end of the line
        before, and what the next one begins with."""
        plain = self._plain(value)
        if plain is not None:
            yield plain
        elif isinstance(value, dict):
            yield from self._members(value, margin)
        elif isinstance(value, AlikeRows):
            yield from self._alike(value, margin)
        elif isinstance(value, RepeatedRows):
            yield from self._once(value, margin)
        elif isinstance(value, list | tuple | Iterator):
            yield from self._elements(value, margin)
        else:
            raise TypeError(f"{type(value).__name__} is nothing that JSON knows")

    def _plain(self, value: Any) -> str | None:
        """What is no container."""
        if isinstance(value, str):
            return self._spell(value)
        if value is None or isinstance(value, int | float):
            return json.dumps(value)
        return None

    def _name(self, key: Any) -> str:
        return self._spell(key if isinstance(key, str) else json.dumps(key))

    def _members(self, value: Mapping[Any, Any], margin: str) -> Iterator[str]:
        inner = margin + self._indent
        mark = "{"
        for key, member in value.items():
            name = f"{mark}{inner}{self._name(key)}: "
            plain = self._plain(member)
            if plain is None:
                yield name
                yield from self.pieces(member, inner)
            else:
                yield name + plain
            mark = ","
        yield margin + "}" if value else "{}"

    def _elements(self, value: Iterable[Any], margin: str) -> Iterator[str]:
        inner = margin + self._indent
        mark = "["
        for element in value:
            yield mark + inner
            yield from self.pieces(element, inner)
            mark = ","
        yield margin + "]" if mark == "," else "[]"

    def _alike(self, value: AlikeRows, margin: str) -> Iterator[str]:
        inner = margin + self._indent
        deeper = inner + self._indent
        head = f"{inner}{{{deeper}{self._name(value.name)}: "
        known: dict[int, tuple[Row, str]] = {}
        mark = "["
        for first, row in value.rows:
            found = known.get(id(row))
            if found is None:
                text = "".join(self._members(row, inner)).replace("{", ",", 1)
                found = known[id(row)] = row, text
            yield f"{mark}{head}{first}{found[1]}"
            mark = ","
        yield margin + "]" if mark == "," else "[]"

    def _once(self, value: RepeatedRows, margin: str) -> Iterator[str]:
        inner = margin + self._indent
        mark = "["
        for row in value.rows:
            found = self._repeated.get((id(row), inner))
            if found is None:
                found = row, inner + "".join(self.pieces(row, inner))
                self._repeated[id(row), inner] = found
            yield mark
            yield found[1]
            mark = ","
        yield margin + "]" if mark == "," else "[]"
