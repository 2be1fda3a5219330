"""One character for another: of the same class, and as many bytes wide."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

from sigscope.store.pieces import UNIT

_ASCII = bytes.maketrans(
    (string.ascii_lowercase + string.ascii_uppercase + string.digits).encode(),
    b"x" * 26 + b"X" * 26 + b"1" * 10,
)
_TWO, _THREE, _FOUR = "ø", "〇", "𝐱"
"""Letters that take two, three and four bytes."""
_JSON = re.compile(
    r'"(?P<text>(?:[^"\\]|\\.)*)(?P<end>"?)(?P<key>\s*:)?|(?P<number>\d+)', re.DOTALL
)
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)


def mask_unit(unit: bytes) -> bytes:
    """One character of a JSON string, as it is spelled."""
    if unit[:1] != b"\\":
        return unit.translate(_ASCII) if unit[0] < 0x80 else _wide(unit)
    if unit[1:2] != b"u" or len(unit) < 6:
        return unit  # an escape of one letter, or one that is broken off
    if len(unit) == 12:
        return b"\\ud835\\udc31"
    code = int(unit[2:], 16)
    if 0xD800 <= code < 0xE000:
        return unit
    if code < 0x80:
        return b"\\u%04x" % bytes([code]).translate(_ASCII)[0]
    return b"\\u%04x" % ord(_TWO if code < 0x800 else _THREE)


def _wide(unit: bytes) -> bytes:
    """Bytes that are no UTF-8 stay as many, and say nothing."""
    if len(unit) not in (2, 3, 4):
        return b"?" * len(unit)
    return {2: _TWO, 3: _THREE, 4: _FOUR}[len(unit)].encode()


def mask_literal(literal: bytes) -> bytes:
    """The inside of a JSON string, or any other text."""
    if literal.isascii() and b"\\" not in literal:
        return literal.translate(_ASCII)
    return UNIT.sub(lambda found: mask_unit(found[0]), literal)


def json_spans(text: str) -> Iterator[tuple[int, int]]:
    """What is content in JSON text, or several of them one after the other: strings
    that are no keys, without their escapes, and digits."""
    for found in _JSON.finditer(text):
        if found["number"] is not None:
            yield found.span("number")
            continue
        if found["key"]:
            continue
        start, end = found.span("text")
        for escape in _ESCAPE.finditer(text, start, end):
            yield start, escape.start()
            start = escape.end()
        yield start, end
