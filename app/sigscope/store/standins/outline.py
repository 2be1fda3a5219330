"""The part of a signature that tells where it comes from (docs/wire/fingerprints.md).

Type bytes, lengths and key ids are read without a key, by us and by others who look at
a shared session; what is sealed inside is not. So the outline stays, and only the
sealed bytes are replaced.
"""

from __future__ import annotations

from sigscope import opaque
from sigscope.fingerprints.protobuf import read_varint

_HEAD = 6
"""Bytes at the start that stay in any case: other people's patterns look there."""
_OPENAI = 9
"""Version byte and minting time."""
_GEMINI = 5
"""`01` and the key id."""
_DEPTH = 3


def outline(text: str) -> frozenset[int]:
    """The characters that stay, by index. Never more than half of them."""
    digits = len(text.rstrip("="))
    data = opaque.decode(text)
    head = range(min(_HEAD, digits // 8))
    if data is None:
        return frozenset(range(len(head)))
    for kept in (_outline_bytes(text, data, _DEPTH), _outline_bytes(text, data, 1)):
        chars = _chars({*head, *kept})
        if 2 * len(chars) <= digits:
            return chars
    return frozenset(_chars(set(head)))


def _chars(places: set[int]) -> frozenset[int]:
    """Base64 characters that hold any bit of these bytes."""
    return frozenset(
        char for place in places for char in (place * 8 // 6, (place * 8 + 7) // 6)
    )


def _outline_bytes(text: str, data: bytes, depth: int) -> set[int]:
    if text.startswith("gAAAA"):
        return set(range(min(_OPENAI, len(data))))
    if data[:1] == b"\x01":
        return set(range(min(_GEMINI, len(data))))
    return _structure(data, 0, depth) or set()


def _structure(data: bytes, base: int, depth: int) -> set[int] | None:
    """Tags, lengths and numbers of a protobuf message; None if it is none."""
    kept: set[int] = set()
    at = 0
    while at < len(data):
        tag = read_varint(data, at)
        if tag is None or tag[0] >> 3 == 0 or tag[0] & 7 not in (0, 2):
            return None
        number = read_varint(data, tag[1])
        if number is None:
            return None
        value, end = number
        kept.update(range(base + at, base + end))
        if tag[0] & 7 == 2:
            if end + value > len(data):
                return None
            kept |= _inside(data[end : end + value], base + end, depth - 1)
            end += value
        at = end
    return kept


def _inside(value: bytes, base: int, depth: int) -> set[int]:
    if value[:1] == b"\x01":
        return set(range(base, base + min(_GEMINI, len(value))))
    if value.startswith(b"claude"):
        return set(range(base, base + len(value)))
    return (_structure(value, base, depth) if depth > 0 else None) or set()
