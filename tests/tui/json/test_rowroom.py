"""Which rows are in sight, without a terminal."""

from __future__ import annotations

from sigscope.tui.json.rowroom import RowRoom

ROOM = RowRoom(cells=40, rows=10)


def test_a_row_in_sight_moves_nothing() -> None:
    assert [ROOM.top_for(row, 5) for row in (5, 14)] == [5, 5]


def test_a_row_that_is_near_comes_to_the_edge_and_one_that_is_far_to_the_middle() -> (
    None
):
    assert ROOM.top_for(4, 5) == 4
    assert ROOM.top_for(15, 5) == 6
    assert ROOM.top_for(50, 5) == 45
    assert ROOM.top_for(15, 5, middle=True) == 10
    assert ROOM.top_for(2, 30) == 0
