"""Whether a text is JSON, however deep: for what is nested too deep for `json`."""

from __future__ import annotations

import re

_NUMBER = r"-?(?:0|[1-9][0-9]*+)(?>(?:\.[0-9]++)?)(?>(?:[eE][-+]?[0-9]++)?)"
_STRING = r'"(?>(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}){0,20000})'
_TOKEN = re.compile(
    r"[ \t\n\r]*+(?:([\[{\]},:])|(" + _STRING + rf")|({_NUMBER}|true|false|null)|\Z)"
)
"""Bracket or separator; string without its closing quote; other scalar."""
_MORE_STRING = re.compile(_STRING[1:])

_VALUE, _FIRST_VALUE, _KEY, _FIRST_KEY, _COLON, _AFTER = range(6)
"""What may come next. `first`: right behind an opening bracket, which may close."""


def is_sound(text: str) -> bool:
    """Whether a text is JSON by RFC 8259. One pass, no recursion."""
    open_: list[str] = []
    state, at = _VALUE, 0
    while (match := _TOKEN.match(text, at)) is not None:
        at = match.end()
        mark, string, scalar = match.groups()
        if string is not None:
            at = _past_string(text, at)
            if at < 0:
                return False
        if mark is None and string is None and scalar is None:
            return at == len(text) and state == _AFTER and not open_
        after = _next(state, mark, string is not None, open_)
        if after is None:
            return False
        state = after
    return False


def _past_string(text: str, at: int) -> int:
    """Behind the closing quote; -1 where there is something else."""
    while (match := _MORE_STRING.match(text, at)) and match.end() > at:
        at = match.end()
    return at + 1 if text[at : at + 1] == '"' else -1


def _next(
    state: int, mark: str | None, is_string: bool, open_: list[str]
) -> int | None:
    """What may follow this token, None where it may not stand here."""
    is_key = state in (_KEY, _FIRST_KEY)
    if mark is None:
        if is_key:
            return _COLON if is_string else None
        return _AFTER if state in (_VALUE, _FIRST_VALUE) else None
    if mark in "[{":
        if state not in (_VALUE, _FIRST_VALUE):
            return None
        open_.append(mark)
        return _FIRST_VALUE if mark == "[" else _FIRST_KEY
    if mark == ":":
        return _VALUE if state == _COLON else None
    if not open_:
        return None
    if mark == ",":
        inside = _VALUE if open_[-1] == "[" else _KEY
        return inside if state == _AFTER else None
    first = _FIRST_VALUE if mark == "]" else _FIRST_KEY
    opener = "[" if mark == "]" else "{"
    may_close = state in (_AFTER, first) and open_.pop() == opener
    return _AFTER if may_close else None
