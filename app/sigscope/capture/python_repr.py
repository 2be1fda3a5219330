"""Values as Python prints them (`repr`), read without running anything.

    {'model': 'x', 'stream': False, 'timeout': Timeout(connect=5.0), 'a': <object>}

Literals, and what logs have among them: objects that print their fields (`Name(a=1)`,
read as their fields), and others (`<...>`, kept as text). Reads in one pass, at any
depth, and as far as the text goes.
"""

from __future__ import annotations

import ast
import re
from dataclasses import field
from typing import NamedTuple

from sigscope.capture.shape import Tree
from sigscope.records import dataclass

_TOKEN = re.compile(
    r"\s*(?:(?P<string>[bBrRuU]{0,2}(?:'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\"))"
    r"|(?P<torn>[bBrRuU]{0,2}(?:'(?:[^'\\]|\\.)*+|\"(?:[^\"\\]|\\.)*+)\\?\Z)"
    r"|(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?j?)"
    r"|(?P<odd><[^<>\n]*+(?:<[^<>\n]*+>[^<>\n]*+)*+>)"
    r"|(?P<key>[A-Za-z_]\w*)=|(?P<call>[A-Za-z_][\w.]*)\(|(?P<name>[A-Za-z_][\w.]*)"
    r"|(?P<open>[\[({])|(?P<close>[\])}])|(?P<colon>:)|(?P<comma>,))",
    re.DOTALL,
)
_NAMES: dict[str, Tree] = {
    "True": True,
    "False": False,
    "None": None,
    "nan": None,
    "inf": None,
}
_LONGEST_NUMBER = 4000
"""Digits; Python converts no more of them."""


class Printed(NamedTuple):
    """A value and where it ends."""

    value: Tree
    end: int
    """Offset behind it."""
    is_whole: bool
    """False where the text ends, or goes on as no value does."""
    odd: tuple[str, ...]
    """What is no literal, as it is printed."""


@dataclass(slots=True)
class _Frame:
    """A container that is open."""

    kind: str
    items: list[Tree] = field(default_factory=list)
    pairs: dict[str, Tree] = field(default_factory=dict)
    key: str | None = None
    has_pairs: bool = False

    def put(self, value: Tree) -> None:
        """Add a value: under its key, or behind the others."""
        if self.key is None:
            self.items.append(value)
        else:
            self.pairs[self.key] = value
            self.key = None

    def name(self) -> None:
        """Take the last value for the key of the next one."""
        if self.items:
            last = self.items.pop()
            self.key = last if isinstance(last, str) else str(last)
            self.has_pairs = True

    def made(self) -> Tree:
        """The container; what it has of a pair that is torn, too."""
        if self.key is not None:
            self.pairs[self.key] = None
        if self.kind == "{" and not self.items:
            return self.pairs
        if self.kind == "call":
            if self.has_pairs:
                return self.pairs
            return self.items[0] if len(self.items) == 1 else self.items
        return self.items


def read_printed(text: str, at: int = 0, stop: int | None = None) -> Printed:
    """The value that is printed from an offset on. Never raises.

    With `stop`, the text ends there.
    """
    stop = len(text) if stop is None else stop
    stack = [_Frame("top")]
    odd: list[str] = []
    is_whole = True
    while True:
        token = _TOKEN.match(text, at, stop)
        if token is None:
            is_whole = False
            break
        at = token.end()
        kind, here = token.lastgroup, stack[-1]
        if kind == "open":
            stack.append(_Frame(token["open"]))
        elif kind == "call":
            stack.append(_Frame("call"))
        elif kind == "close":
            stack.pop()
            if not stack:
                return Printed(None, at, False, tuple(odd))
            stack[-1].put(here.made())
        elif kind == "colon":
            here.name()
        elif kind == "key":
            here.key, here.has_pairs = token["key"], True
        elif kind == "torn":
            here.put(_string(token["torn"] + token["torn"].lstrip("bBrRuU")[:1]))
            is_whole = False
            break
        elif kind != "comma":
            here.put(_scalar(token, odd))
        if len(stack) == 1 and stack[0].items:
            break
    while len(stack) > 1:
        inner = stack.pop().made()
        stack[-1].put(inner)
    value = stack[0].items[0] if stack[0].items else None
    return Printed(value, at, is_whole, tuple(odd))


def _scalar(token: re.Match[str], odd: list[str]) -> Tree:
    if token["string"] is not None:
        return _string(token["string"])
    if token["number"] is not None:
        return _number(token["number"])
    said = token["name"] or token["odd"]
    if said in _NAMES:
        return _NAMES[said]
    odd.append(said)
    return said


def _string(spelled: str) -> Tree:
    """The text of one literal: no nesting, so its cost is its length."""
    if "\\" not in spelled and spelled[0] in "'\"":
        return spelled[1:-1]
    try:
        value: object = ast.literal_eval(spelled)
    except (ValueError, SyntaxError, MemoryError):
        return spelled
    return value if isinstance(value, str | bytes) else spelled


def _number(spelled: str) -> Tree:
    try:
        if len(spelled) < _LONGEST_NUMBER and spelled.lstrip("+-").isdecimal():
            return int(spelled)
        return float(spelled)
    except ValueError:
        return spelled
