"""Objects written inside text: JSON, Python reprs, escaped once more, or torn.

Gateways print the error they got into their own message, as JSON, as a Python repr
(`b'{...}'`, `{'error': ...}`), with every quote escaped, or cut off at some length.
The standard decoder is asked first; what it refuses is read loosely: both kinds of
quotes, bare keys, Python's words, line breaks inside strings, a missing end.

Nothing here raises. Depth and work are bounded: an error text is foreign input.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from sigscope.conversation import Json
from sigscope.records import dataclass

MAX_TEXT = 256_000
"""Characters of one text that are searched; errors that quote a whole prompt exist."""
MAX_STARTS = 64
"""Places tried in one text, so that a text of brackets costs no more than others."""
MAX_DEPTH = 40

_STARTS = re.compile(
    r"""\b[bB](?=\\?['"])          # Python bytes
      | \[\s*(?=\{)                # an array of objects
      | \{\s*(?=\\*['"]|\w+\s*:)   # an object, its keys quoted, escaped or bare
    """,
    re.VERBOSE,
)
_ESCAPED = re.compile(r"\s*[\[{]?\s*\{?\s*\\+['\"]")
_ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL
)
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0"}
_WORD = re.compile(r"[A-Za-z_$][\w$-]*")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WORDS: dict[str, Json] = {
    "true": True,
    "True": True,
    "false": False,
    "False": False,
    "null": None,
    "None": None,
    "undefined": None,
    "NaN": None,
}
_DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class Literal:
    """An object, array or string found inside a text."""

    value: Json
    start: int
    end: int
    """Where the text goes on; its length where the literal is torn."""
    kind: str
    """ "JSON", "Python bytes", "Python repr" or "escaped JSON"."""


def find_literal(text: str, accepts: Callable[[Json], bool]) -> Literal | None:
    """The first literal in a text whose value is accepted; None if there is none."""
    for literal in _literals(text[:MAX_TEXT]):
        if accepts(literal.value):
            return literal
    return None


def _literals(text: str) -> Iterator[Literal]:
    """Literals from left to right, each outside the one before."""
    at = 0
    for _ in range(MAX_STARTS):
        start = _STARTS.search(text, at)
        if start is None:
            return
        literal = _literal_at(text, start.start())
        if literal is None:
            at = start.start() + 1
        else:
            yield literal
            at = max(literal.end, start.start() + 1)


def _literal_at(text: str, at: int) -> Literal | None:
    if text[at] in "bB":
        packed = _read_bytes(text, at)
        return Literal(*packed, kind="Python bytes") if packed else None
    try:
        value, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        pass
    else:
        return Literal(value, at, end, "JSON")
    if _ESCAPED.match(text, at):
        inner = _literal_at(unescape(text[at:]), 0)
        return Literal(inner.value, at, len(text), "escaped JSON") if inner else None
    found = _Loose(text).read(at)
    if found is None:
        return None
    value, end = found
    kind = "Python repr" if "'" in text[at : at + 3] else "JSON"
    return Literal(value, at, end, kind)


def _read_bytes(text: str, at: int) -> tuple[str, int, int] | None:
    """`b'...'` as text; the escapes of its quotes may be escaped once more."""
    body = text[at + 1 :]
    if body.startswith("\\"):
        body = unescape(body)
        read = _read_string(body, 0)
        return (_from_bytes(read[0]), at, len(text)) if read else None
    read = _read_string(body, 0)
    return (_from_bytes(read[0]), at, at + 1 + read[1]) if read else None


def _from_bytes(text: str) -> str:
    """What `\\xe2\\x80\\xa6` stands for, where it is UTF-8."""
    try:
        return text.encode("latin-1").decode()
    except UnicodeError:
        return text


def unescape(text: str) -> str:
    """Take off one level of backslash escapes, as JSON, JavaScript and Python write
    them. An escape nobody writes stays as it is."""
    plain = _ESCAPE.sub(_unescape_one, text)
    if any("\ud800" <= char <= "\udfff" for char in plain):
        return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return plain


def _unescape_one(found: re.Match[str]) -> str:
    for digits in found.group(1, 2, 3):
        if digits:
            number = int(digits, 16)
            return chr(number) if number < 0x110000 else found[0]
    char = found[4]
    if char in _PLAIN_ESCAPES:
        return _PLAIN_ESCAPES[char]
    return "" if char == "\n" else char if char in "\\/\"'" else found[0]


def _read_string(text: str, at: int) -> tuple[str, int] | None:
    """A quoted string and where it ends; torn strings end with the text."""
    if at >= len(text) or text[at] not in "\"'`":
        return None
    quote, end = text[at], at + 1
    while end < len(text) and text[end] != quote:
        end += 2 if text[end] == "\\" else 1
    return unescape(text[at + 1 : end]), min(end + 1, len(text))


class _NoLiteral(Exception):
    """What stands here is no literal."""


class _Loose:
    """Reads one object or array, however it is spelled, as far as it goes."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def read(self, at: int) -> tuple[Json, int] | None:
        """The value at a place, and where it ends; None where there is none."""
        self._at = at
        try:
            return self._value(0), self._at
        except _NoLiteral:
            return None

    def _skip(self, chars: str = " \t\r\n") -> str:
        """Pass white space; the next character, or "" at the end."""
        while self._at < len(self._text) and self._text[self._at] in chars:
            self._at += 1
        return self._text[self._at] if self._at < len(self._text) else ""

    def _value(self, depth: int) -> Json:
        char = self._skip()
        if depth > MAX_DEPTH:
            raise _NoLiteral
        if char == "{":
            return self._object(depth)
        if char in ("[", "("):
            return self._array(depth)
        if char in ("b", "B") and self._text[self._at + 1 : self._at + 2] in ("'", '"'):
            self._at += 1
            return _from_bytes(self._string())
        if char in ('"', "'", "`"):
            return self._string()
        return self._scalar()

    def _string(self) -> str:
        read = _read_string(self._text, self._at)
        if read is None:
            raise _NoLiteral
        text, self._at = read
        return text

    def _scalar(self) -> Json:
        number = _NUMBER.match(self._text, self._at)
        if number:
            self._at = number.end()
            return float(number[0])
        word = _WORD.match(self._text, self._at)
        if word is None or word[0] not in _WORDS:
            raise _NoLiteral
        self._at = word.end()
        return _WORDS[word[0]]

    def _object(self, depth: int) -> dict[str, Json]:
        self._at += 1
        found: dict[str, Json] = {}
        while True:
            char = self._skip(" \t\r\n,")
            if char in ("}", ""):
                self._at += bool(char)
                return found
            key = self._key()
            if self._skip() != ":":
                if self._at >= len(self._text):
                    return found
                raise _NoLiteral
            self._at += 1
            if self._skip() == "":
                return found
            found[key] = self._value(depth + 1)

    def _key(self) -> str:
        if self._text[self._at] in "\"'`":
            return self._string()
        word = _WORD.match(self._text, self._at)
        if word is None:
            raise _NoLiteral
        self._at = word.end()
        return word[0]

    def _array(self, depth: int) -> list[Json]:
        closing = "]" if self._text[self._at] == "[" else ")"
        self._at += 1
        found: list[Json] = []
        while True:
            char = self._skip(" \t\r\n,")
            if char in (closing, ""):
                self._at += bool(char)
                return found
            found.append(self._value(depth + 1))
