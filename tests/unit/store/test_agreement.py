"""How far two texts agree, against the obvious loop."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sigscope.store.agreement import common_prefix, common_suffix

RUNS = st.lists(st.sampled_from([b"a", b"b", b"ab" * 200, b"a" * 5000]), max_size=8)


@given(RUNS, RUNS, RUNS)
def test_prefix_and_suffix_are_as_long_as_they_are(
    ends: list[bytes], one: list[bytes], other: list[bytes]
) -> None:
    a, b = b"".join(ends + one), b"".join(ends + other)
    pairs = enumerate(zip(a, b, strict=False))
    length = next((i for i, (x, y) in pairs if x != y), min(len(a), len(b)))
    assert common_prefix(a, 0, b, 0, len(a)) == length
    assert common_suffix(a[::-1], len(a), b[::-1], len(b), len(a)) == length
    assert common_prefix(a, 0, b, 0, 7) == min(7, length)
    assert common_suffix(a[::-1], len(a), b[::-1], len(b), 7) == min(7, length)


def test_agreement_is_measured_from_the_places_given() -> None:
    assert common_prefix(b"xxabcd", 2, b"abce", 0, 99) == 3
    assert common_suffix(b"abcdxx", 4, b"zbcd", 4, 99) == 3
    assert common_prefix(b"abc", 3, b"abc", 3, 99) == 0
    assert common_suffix(b"abc", 0, b"abc", 3, 99) == 0
