"""What tells the origin of a signature stays; what is sealed does not."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.fingerprints import guess_origin
from sigscope.store.standins.outline import outline

SEALED = bytes(range(7, 207))


def encode(data: bytes) -> str:
    return base64.b64encode(data).decode()


def field(number: int, value: bytes) -> bytes:
    size = len(value)
    length = bytes([size]) if size < 128 else bytes([size & 0x7F | 0x80, size >> 7])
    return bytes([number << 3 | 2]) + length + value


GEMINI = b"\x01\xbe\x3e\xf6\xfb"
SHAPES = {
    "gemini 3": field(2, field(1, GEMINI + SEALED)),
    "gemini 3, tool part": field(2, b"\x08\x01" + field(2, GEMINI + SEALED)),
    "gemini 2.5, three records": field(1, GEMINI + SEALED[:60]) * 3,
    "vertex, bare": b"\x01\x8f\x3d\x6b\x5f" + SEALED,
    "claude": field(2, field(1, b"\x08\x0b\x10\x01\x18\x02") + field(5, SEALED))
    + b"\x18\x01",
    "claude, newest": b"\x08\x03" + field(2, SEALED) + b"\x18\x01",
    "openai": b"\x80\x00\x00\x00\x00\x69\x55\xb9\x00" + SEALED,
}


@pytest.mark.parametrize("data", SHAPES.values(), ids=SHAPES)
def test_the_origin_is_read_from_the_outline_alone(data: bytes) -> None:
    text = encode(data)
    kept = outline(text)
    other = "".join(
        char if place in kept or char in "=+/" else "kQ7"[place % 3]
        for place, char in enumerate(text)
    )
    assert guess_origin(other) == guess_origin(text)
    assert guess_origin(text).family != "unknown"
    assert len(kept) < len(text) / 3


def test_the_model_name_in_a_claude_signature_stays() -> None:
    name = b"claude-opus-5"
    text = encode(field(2, field(5, SEALED) + field(6, name)) + b"\x18\x01")
    kept = outline(text)
    at = base64.b64decode(text).index(name)
    assert {at * 8 // 6, (at + len(name) - 1) * 8 // 6} <= kept


@given(st.binary(max_size=120))
def test_at_most_half_of_anything_stays(data: bytes) -> None:
    text = encode(data)
    assert len(outline(text)) * 2 <= len(text.rstrip("="))


def test_a_text_that_is_no_base64_keeps_its_first_characters() -> None:
    assert outline("x" * 41) == frozenset(range(5))
