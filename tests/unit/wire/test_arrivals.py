"""Arrival times."""

from __future__ import annotations

from sigscope.wire.arrivals import Arrivals, Chunk


def test_a_byte_came_with_the_first_chunk_that_reaches_it() -> None:
    arrivals = Arrivals([Chunk(end=3, at_ms=1.0), Chunk(end=3, at_ms=2.0)])
    arrivals.add(5, 4.0)
    assert [arrivals.at(end) for end in (1, 3, 4, 5)] == [1.0, 1.0, 4.0, 4.0]


def test_a_byte_no_chunk_reaches_has_no_time() -> None:
    assert Arrivals().at(1) is None
    assert Arrivals([Chunk(end=3, at_ms=1.0)]).at(4) is None
