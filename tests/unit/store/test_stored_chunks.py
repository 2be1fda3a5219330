"""Arrival times, there and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.errors import InputError
from sigscope.exchange import Chunk
from sigscope.store.chunks import StoredChunks, encode_chunks

CHUNKS = st.lists(
    st.builds(
        Chunk,
        end=st.integers(0, 2**40),
        at_ms=st.integers(-(10**9), 10**12).map(lambda us: us / 1000),
    )
)


@given(CHUNKS)
def test_arrivals_come_back_to_the_microsecond(chunks: list[Chunk]) -> None:
    pairs = encode_chunks(chunks)
    stored = StoredChunks(len(chunks), lambda: pairs)
    assert list(stored) == chunks
    assert stored == tuple(chunks)
    assert tuple(chunks) == stored
    assert [stored[at] for at in range(-len(chunks), len(chunks))] == chunks * 2
    assert stored[1:3] == chunks[1:3]


def test_arrivals_are_pairs_of_differences() -> None:
    chunks = [Chunk(end=10, at_ms=1.5), Chunk(end=12, at_ms=1.75)]
    assert encode_chunks(chunks) == [10, 1500, 2, 250]


@pytest.mark.parametrize("moment", [float("nan"), float("inf"), float("-inf")])
def test_a_time_that_is_none_breaks_nothing(moment: float) -> None:
    assert encode_chunks([Chunk(end=1, at_ms=moment)]) == [1, 0]


def test_nothing_is_read_before_it_is_looked_at() -> None:
    def load() -> list[int]:
        raise InputError("gone")

    chunks = StoredChunks(3, load)
    assert len(chunks) == 3
    assert chunks
    assert repr(chunks) == "StoredChunks(3 chunks)"
    with pytest.raises(InputError, match="gone"):
        list(chunks)


def test_an_index_out_of_range_is_an_index_error() -> None:
    with pytest.raises(IndexError):
        StoredChunks(1, lambda: [1, 1])[1]


def test_times_beyond_all_measure_are_as_long_as_can_be_told() -> None:
    pairs = [10, -(10**40), 10, 10**80, 10**60, 5]
    first, second, third = StoredChunks(3, lambda: pairs)
    assert first.at_ms < -(10**15)
    assert second.at_ms > 10**15
    assert second.end == 20
    assert third.end > 10**15
