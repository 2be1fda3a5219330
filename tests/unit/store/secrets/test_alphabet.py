"""The same stretches as a pattern finds."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.store.secrets import alphabet as module
from sigscope.store.secrets.alphabet import Alphabet

TEXTS = st.lists(
    st.sampled_from([b"a", b"b-", b".", b" ", b"\xff", b"a" * 7, b"b" * 40])
).map(b"".join)


@given(TEXTS, st.integers(1, 9), st.integers(0, 60), st.integers(0, 60))
@pytest.mark.parametrize("block", [1, 5, 8, 1024])
def test_it_finds_what_a_pattern_finds(
    block: int, data: bytes, least: int, low: int, size: int
) -> None:
    pattern = re.compile(rb"[ab.-]{%d,}" % least)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", max(block, least))
        found = [*Alphabet(b"ab-.").stretches(data, least, low, low + size)]
    assert found == [m.span() for m in pattern.finditer(data, low, low + size)]


def test_all_of_a_text_is_looked_at_unless_told_otherwise() -> None:
    assert [*Alphabet(b"ab").stretches(b"aa.abab", 3)] == [(3, 7)]


@pytest.mark.parametrize("block", [1, 3, 1024])
@pytest.mark.parametrize(
    ("place", "low", "begin"), [(7, 0, 4), (7, 5, 5), (4, 0, 4), (2, 0, 0), (0, 0, 0)]
)
def test_a_stretch_begins_where_the_alphabet_does(
    monkeypatch: pytest.MonkeyPatch, block: int, place: int, low: int, begin: int
) -> None:
    monkeypatch.setattr(module, "_BLOCK", block)
    assert Alphabet(b"ab").begin_of(b"ba..aba", place, low) == begin
