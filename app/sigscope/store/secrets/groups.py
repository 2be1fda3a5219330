r"""Secrets of a group whose name says what all of it are, or that a mark says is one.

    {"api_keys": {"prod": "...", "dev": "..."}}    {"tokens": ["...", "..."]}
    stringData:\n  smtp: ...                       {"passwords": {"ann": "..."}}
    {"type": "SecureString", "value": "..."}       {"sensitive": true, "value": "..."}

Names of things in such groups have no digits, or are too short.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sigscope.store.secrets.looks import (
    has_all_kinds,
    is_given_by_hand,
    is_phrase,
    looks_secret,
)
from sigscope.store.secrets.presence import Presence
from sigscope.store.secrets.values import is_kept_back

_Span = tuple[int, int]

_NAMES = (
    # What the name ends with, what goes before it, and whether people think of them.
    (
        b"okens",
        re.compile(rb"(?:(?<![A-Za-z])|(?<=\\[nrt]))(?:\w{1,24}_)?[tT]\Z"),
        False,
    ),
    (
        b"eys",
        re.compile(rb"(?:api|access|secret|auth|private|signing)(?:_k|K)\Z"),
        False,
    ),
    (b"eys_b64", re.compile(rb"(?:unseal|recovery)_k\Z"), False),
    (b"eys_hex", re.compile(rb"(?:unseal|recovery)_k\Z"), False),
    (
        b"ecrets",
        re.compile(rb"(?:(?<![A-Za-z])|(?<=\\[nrt]))(?:\w{1,24}_)?[sS]\Z"),
        True,
    ),
    (
        b"asswords",
        re.compile(rb"(?:(?<![A-Za-z])|(?<=\\[nrt]))(?:\w{1,24}_)?[pP]\Z"),
        True,
    ),
    (
        b"redentials",
        re.compile(rb"(?:(?<![A-Za-z])|(?<=\\[nrt]))(?:\w{1,24}_)?[cC]\Z"),
        True,
    ),
    (b"stringData", re.compile(rb"(?<!\w)\Z|(?<=\\n)\Z"), True),
)
_WHOLE = {
    b"okens": b"token",
    **dict.fromkeys((b"eys", b"eys_b64", b"eys_hex"), b"key"),
    b"ecrets": b"secret",
    b"asswords": b"pass",
    b"redentials": b"credential",
    b"stringData": b"stringdata",
}
"""What has to be there, with its first letter, in small ones."""
_BLANKS = rb"(?:\s|\\+[rnt]){0,80}"
_BEGIN = re.compile(
    rb"""\\*["']?\s?(?:[:=]|=>)""" + _BLANKS + rb"(?P<bracket>[\[{(])" + _BLANKS
)
_STRING = rb"""\\*["'](?P<secret>[^\s"'\\]{4,4096})\\*["']"""
_SKIPPED = rb"""(?:\\*["'](?:[^"'\\\n]{0,200})\\*["']|[\w.-]{1,40})"""
_ELEMENT = re.compile(
    rb"(?:" + _STRING + rb"|" + _SKIPPED + rb")" + _BLANKS + rb",?" + _BLANKS
)
_MEMBER = re.compile(
    rb"""\\*["']?(?P<name>[\w.@/: -]{1,128})\\*["']?\s?(?:[:=]|=>)""" + _BLANKS
    + rb"(?:" + _STRING + rb"|" + _SKIPPED + rb")" + _BLANKS + rb",?" + _BLANKS
)  # fmt: skip
_YAML = re.compile(rb":[ ]*(?=(?:\r?\n|(?:\\+r)?\\+n)[ ])")
_YAML_LINE = re.compile(
    rb"""(?:\r?\n|(?:\\+r)?\\+n)[ ]{1,24}(?P<name>[\w.-]{1,128}):[ ]{1,4}\\*["']?"""
    rb"""(?P<secret>[^\s"'\\|>]{4,4096})\\*["']?(?=\s|\\|"|\Z)"""
)
_OTHERS = re.compile(
    rb"(?:id|I[dD]|[nN]ame|[uU]ser|[eE]mail|[hH]ost|[tT]ype|[uU]rl|[dD]ate|[rR]egion|[vV]ersion|"
    rb"[pP]ath|[fF]ile|[eE]xpir\w{0,8}|_at)\Z"
)
"""Members that stand beside secrets and are none."""
_MOST = 200
"""Members of a group that are looked at."""

_MARKS = (
    (b"SecureString", re.compile(rb"""["']\Z""")),
    (b"CONCEALED", re.compile(rb"""["']\Z""")),
    (b"secret", re.compile(rb"""type\\*["']\s?:\s?\\*["']\Z""")),
    (
        b"true",
        re.compile(
            rb"""(?:sensitive|masked|is_?[sS]ecret|secret|NoEcho)\\*["']?\s?[:=]\s?\Z"""
        ),
    ),
)
"""What says that the value beside it is a secret, with what goes before it."""
_VALUE = re.compile(
    rb"""(?:[vV]alue|Default)\\*["']?\s{0,9}[:=]\s{0,9}\\*["']?"""
    rb"""(?P<secret>[^\s"'\\,{}\[\]]{8,4096})(?=\\|["'\s,}]|\Z)"""
)
_OBJECT = re.compile(rb"\{[^{}]{0,800}\}" + _BLANKS + rb",?" + _BLANKS)
_NEAR = 400
"""Bytes around a mark in which the value is, in the same braces."""
_LINES = (
    (b"add-mask::", re.compile(rb"""(?P<secret>[^\s"'\\]{8,4096})""")),
    (b"issecret=true]", re.compile(rb"""(?P<secret>[^\s"'\\]{8,4096})""")),
)


def find_in_groups(data: bytes, lo: int, hi: int, seen: Presence) -> Iterator[_Span]:
    """The secrets of the groups whose name ends in a part of a text, and of marks in
    it. Costs a search for each name and mark."""
    for end, before, by_hand in _NAMES:
        place = data.find(end, lo, hi) if seen.has(_WHOLE[end]) else -1
        while place >= 0:
            stop = place + len(end)
            if before.search(data, max(0, place - 40), place):
                yield from _members(data, stop, by_hand)
            place = data.find(end, stop, hi)
    for mark, before in _MARKS:
        place = data.find(mark, lo, hi) if seen.may_have(mark) else -1
        while place >= 0:
            stop = place + len(mark)
            if before.search(data, max(0, place - 24), place):
                yield from _beside(data, place, stop)
            place = data.find(mark, stop, hi)
    for text, pattern in _LINES:
        place = data.find(text, lo, hi) if seen.may_have(text) else -1
        while place >= 0:
            value = pattern.match(data, place + len(text))
            if value and _is_secret(value["secret"], by_hand=True):
                yield value.span("secret")
            place = data.find(text, place + len(text), hi)


def _members(data: bytes, place: int, by_hand: bool) -> Iterator[_Span]:
    begin = _BEGIN.match(data, place)
    pattern = _MEMBER if begin and begin["bracket"] != b"[" else _ELEMENT
    if begin is None:
        begin, pattern = _YAML.match(data, place), _YAML_LINE
    place = begin.end() if begin else len(data)
    if begin and pattern is _ELEMENT and data[place : place + 1] == b"{":
        yield from _objects(data, place)
        return
    for _ in range(_MOST):
        member = pattern.match(data, place)
        if member is None:
            return
        name = member["name"] if pattern is not _ELEMENT else b""
        is_other = _OTHERS.search(name) is not None
        value = member["secret"]
        # A list may have names of secrets in it.
        is_name = pattern is _ELEMENT and value is not None and is_phrase(value)
        if value and not (is_other or is_name) and _is_secret(value, by_hand):
            yield member.span("secret")
        place = member.end()


def _objects(data: bytes, place: int) -> Iterator[_Span]:
    """Of `[{"name": "x", "value": "..."}, ...]`."""
    for _ in range(_MOST):
        each = _OBJECT.match(data, place)
        if each is None:
            return
        value = _VALUE.search(data, *each.span())
        if value and _is_secret(value["secret"], by_hand=True):
            yield value.span("secret")
        place = each.end()


def _is_secret(value: bytes, by_hand: bool) -> bool:
    if b"://" in value or not is_kept_back(value, 1):
        return False
    if by_hand and len(value) >= 8 and is_given_by_hand(value):
        return True
    digits = sum(byte in b"0123456789" for byte in value)
    return len(value) >= 20 and digits >= 2 and looks_secret(value)


def _beside(data: bytes, start: int, end: int) -> Iterator[_Span]:
    low = max(0, start - _NEAR, data.rfind(b"{", max(0, start - _NEAR), start))
    close = data.find(b"}", end, end + _NEAR)
    high = close if close >= 0 else min(len(data), end + _NEAR)
    for value in _VALUE.finditer(data, low, high):
        secret = value["secret"]
        is_typed = has_all_kinds(secret) and is_kept_back(secret, 8)
        if is_typed or _is_secret(secret, by_hand=True):
            yield value.span("secret")
