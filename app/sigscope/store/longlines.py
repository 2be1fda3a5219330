"""Lines with bodies so large that no second copy of them should be in memory.

They are laid out as all others (`lines.py`), but come in parts, each a block of a body.
"""

from __future__ import annotations

import codecs
import json
import zlib
from base64 import b64encode
from collections.abc import Iterator
from typing import Any

from sigscope.store.lines import BODIES, encode_line, pack

LARGE = 8 * 1024 * 1024
"""Bytes of new text from which it is not turned into a string as a whole."""
_BLOCK = 3 * 256 * 1024
"""A multiple of three, so that blocks in base64 can follow each other."""


class Large:
    """New bytes of a body that are coded when they are written."""

    __slots__ = ("data", "is_text")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.is_text = _is_utf8(data)

    def parts(self) -> Iterator[bytes]:
        """As the inside of a JSON string."""
        blocks = _blocks(self.data)
        if not self.is_text:
            yield from (b64encode(block) for block in blocks)
            return
        decoder = codecs.getincrementaldecoder("utf-8")()
        for block in blocks:
            text = json.dumps(decoder.decode(block), ensure_ascii=False)
            yield text[1:-1].encode()


def pack_maybe_large(rest: bytes) -> dict[str, Any]:
    """New bytes as `pack` tells them, or `Large` in its place."""
    if len(rest) < LARGE:
        return dict(pack(rest))
    large = Large(rest)
    return {"text" if large.is_text else "base64": large}


def line_parts(value: dict[str, Any]) -> Iterator[bytes]:
    """One line with its sum, in parts; in one where no body is large."""
    bodies = value.get("bodies", {})
    if not any(isinstance(v, Large) for b in bodies.values() for v in b.values()):
        yield encode_line(value)
        return
    crc = 0
    for part in _told(value, bodies):
        crc = zlib.crc32(part, crc)
        yield part
    yield f',"sum":"{crc:08x}"}}\n'.encode()


def _told(value: dict[str, Any], bodies: dict[str, Any]) -> Iterator[bytes]:
    head = {name: told for name, told in value.items() if name != "bodies"}
    yield _json(head)[:-1] + BODIES + b"{"
    for number, (side, stored) in enumerate(bodies.items()):
        yield b"," * bool(number) + _json(side) + b":{"
        for place, (name, told) in enumerate(stored.items()):
            yield b"," * bool(place) + _json(name) + b":"
            if isinstance(told, Large):
                yield b'"'
                yield from told.parts()
                yield b'"'
            else:
                yield _json(told)
        yield b"}"
    yield b"}"


def _json(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "replace")


def _blocks(data: bytes) -> Iterator[bytes]:
    return (data[at : at + _BLOCK] for at in range(0, len(data), _BLOCK))


def _is_utf8(data: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for block in _blocks(data):
            decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True
