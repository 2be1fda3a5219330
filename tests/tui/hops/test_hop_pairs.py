"""Which steps are the two hops of one call, without a terminal."""

from __future__ import annotations

from sigscope.tui.hops.pairs import hop_pairs, pair_at, why_one_hop


def test_pairs_are_in_the_order_of_the_clients_steps() -> None:
    pairs = hop_pairs({4: 3, 2: 1, 5: 3})
    assert pairs == ((1, 2), (3, 4), (3, 5))
    assert [pair_at(pairs, step) for step in (1, 2, 3, 5, 6)] == [0, 0, 1, 2, None]


def test_where_there_is_one_hop_it_is_said_how_to_record_two() -> None:
    assert "sigscope record --upstream GATEWAY" in why_one_hop((), 1)


def test_where_another_step_has_two_it_is_named() -> None:
    told = why_one_hop(((1, 2),), 3)
    assert told.startswith("step 3 has one hop")
    assert "Steps 1 and 2" in told
