"""Recorded text and its bytes, in both directions."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.utf8 import readable, sayable, to_bytes, to_text

SURROGATES = st.text(st.characters(categories=["Cs", "L", "N"]), max_size=20)


@given(st.binary(max_size=50))
def test_any_bytes_come_back_as_they_were(data: bytes) -> None:
    assert to_bytes(to_text(data)) == data


@given(st.text(max_size=50))
def test_sound_text_is_plain_utf8(text: str) -> None:
    assert to_bytes(text) == text.encode()
    assert sayable(text) == text


@given(SURROGATES)
def test_any_text_has_bytes(text: str) -> None:
    assert isinstance(to_bytes(text), bytes)
    assert isinstance(to_bytes(text, pairs=True), bytes)
    sayable(text).encode()


@given(st.binary(max_size=50))
def test_readable_text_can_be_encoded_by_anybody(data: bytes) -> None:
    readable(data).encode()


@pytest.mark.parametrize(
    ("text", "pairs", "expected"),
    [
        ("\udcff", False, b"\xff"),
        ("\ud83d", False, b"\xed\xa0\xbd"),
        ("\udc00", False, b"\xed\xb0\x80"),
        ("\ud83d\ude00", True, "😀".encode()),
        ("\ud83d\ude00", False, b"\xed\xa0\xbd\xed\xb8\x80"),
        # A stray byte behind half of a pair stays that byte.
        ("\ud83d\udc80", False, b"\xed\xa0\xbd\x80"),
        ("a\ud83d\ude00\udcff", True, "a😀".encode() + b"\xff"),
    ],
)
def test_halves_of_pairs(text: str, pairs: bool, expected: bytes) -> None:
    assert to_bytes(text, pairs=pairs) == expected


def test_it_stands_on_nothing() -> None:
    code = "import sys, sigscope.utf8; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path)},
        timeout=60,
    )
    ours = {name for name in done.stdout.split() if name.startswith("sigscope")}
    assert ours == {"sigscope", "sigscope.utf8"}
