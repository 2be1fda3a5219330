"""Scalars of YAML cassettes: their values, and characters that YAML forbids.

A scalar becomes what PyYAML makes of it, since PyYAML wrote most of these files, but
only in a spelling that PyYAML writes: a plain `yes`, `0123` or `12:30` comes from
another writer, which meant the text. Dates stay text: no JSON ever held one.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

from sigscope.capture.shape import Tree
from sigscope.utf8 import to_bytes

_TAG = "tag:yaml.org,2002:"

_FORBIDDEN = re.compile(
    "[^\\t\\n\\r\\x20-\\x7e\\x85\\xa0-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]"
)
"""Characters that no YAML may hold, and cassettes do: bytes that are not UTF-8 (as
surrogates), control codes. They pass the parser disguised as private characters."""
_PRIVATE = (
    (0x100000, re.compile("[\U00100000-\U0010fffd]")),
    (0xF0000, re.compile("[\U000f0000-\U000ffffd]")),
)


class Disguise:
    """Private characters in place of forbidden ones, and back."""

    def __init__(self, content: str) -> None:
        self._base = 0
        self._pattern: re.Pattern[str] | None = None
        if _FORBIDDEN.search(content):
            free = [kind for kind in _PRIVATE if not kind[1].search(content)]
            self._base, self._pattern = free[0] if free else (0, None)

    def put_on(self, content: str) -> str:
        """The text with forbidden characters disguised."""
        if self._pattern is None:
            return content
        return _FORBIDDEN.sub(lambda m: chr(self._base + ord(m[0])), content)

    def take_off(self, content: str) -> str:
        """A scalar of that text as it was."""
        if self._pattern is None:
            return content
        return self._pattern.sub(lambda m: chr(ord(m[0]) - self._base), content)


class Scalars:
    """Values of scalars, by their tag or as PyYAML guesses from a plain one."""

    def __init__(self, yaml: Any, disguise: Disguise) -> None:
        self._disguise = disguise
        constructor = yaml.constructor.SafeConstructor()
        self._guesses = yaml.SafeLoader.yaml_implicit_resolvers
        self._node = yaml.ScalarNode
        self._kinds = {
            _TAG + "int": (_PLAIN_INT, constructor.construct_yaml_int),
            _TAG + "float": (_PLAIN_FLOAT, constructor.construct_yaml_float),
            _TAG + "bool": (_PLAIN_BOOL, constructor.construct_yaml_bool),
            _TAG + "null": (_PLAIN_NULL, constructor.construct_yaml_null),
        }

    def value(self, event: Any) -> Tree:
        """The value of one scalar; its text where the tag is none we know."""
        content = self._disguise.take_off(event.value)
        tag = event.tag if event.tag else ""
        if tag in (_TAG + "binary", "!binary"):
            return _binary(content)
        if not tag and event.implicit[0]:
            tag = self._guess(content)
        if tag not in self._kinds:
            return content
        plain, make = self._kinds[tag]
        if not plain.fullmatch(content):
            return content
        try:
            return make(self._node(tag, content))
        except (ValueError, OverflowError):
            return content

    def _guess(self, content: str) -> str:
        for tag, pattern in self._guesses.get(content[:1], ()):
            if pattern.match(content):
                return str(tag)
        return ""


_PLAIN_INT = re.compile(r"-?(?:0|[1-9][0-9]*)")
_PLAIN_FLOAT = re.compile(r"[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?|-?\.inf|\.nan", re.I)
_PLAIN_BOOL = re.compile(r"true|false", re.IGNORECASE)
_PLAIN_NULL = re.compile(r"null|~|", re.IGNORECASE)


def _binary(content: str) -> bytes:
    try:
        return base64.b64decode(content)
    except (binascii.Error, ValueError):
        return to_bytes(content)
