"""Rows of a tree of which only the unfolded part exists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.effort import effort

from sigscope.tui.json.outline import DEEPEST, Growth, Level, Outline, Spot

Tree = list[Any]
"""A leaf is a number, anything else a list of trees."""


def grow(item: Any, level: Level) -> Growth | None:
    return Growth(item, None) if isinstance(item, list) and item else None


def outline_of(tree: Tree) -> Outline:
    return Outline(Growth(tree, None), grow)


def flat(level: Level) -> list[tuple[int, int]]:
    """Depth and position of every row, by walking: the slow truth."""
    found: list[tuple[int, int]] = []
    for position in range(len(level.members)):
        found.append((level.depth, position))
        if position in level.open:
            found += flat(level.open[position])
    return found


trees = st.recursive(
    st.integers(0, 9), lambda inner: st.lists(inner, max_size=5), max_leaves=30
).map(lambda tree: tree if isinstance(tree, list) else [tree])


@given(trees, st.lists(st.tuples(st.integers(0, 200), st.booleans()), max_size=30))
def test_rows_are_those_of_a_walk_whatever_is_folded(
    tree: Tree, moves: list[tuple[int, bool]]
) -> None:
    outline = outline_of(tree)
    for row, unfold in moves:
        if len(outline):
            spot = outline.spot(row % len(outline))
            if unfold:
                outline.unfold(spot)
            else:
                outline.fold(spot)
    truth = flat(outline.top)
    spots = list(outline.window(0, len(outline)))
    assert [(spot.depth, spot.position) for spot in spots] == truth
    assert [outline.row(spot) for spot in spots] == list(range(len(truth)))


def test_a_row_outside_is_an_index_error() -> None:
    outline = outline_of([1, 2])
    with pytest.raises(IndexError):
        outline.spot(2)
    with pytest.raises(IndexError):
        outline.spot(-1)


def test_folding_keeps_what_was_unfolded_inside() -> None:
    outline = outline_of([[[1, 2], 3], 4])
    outline.unfold(outline.spot(0))
    outline.unfold(outline.spot(1))
    assert len(outline) == 6
    outline.fold(outline.spot(0))
    assert len(outline) == 2
    outline.unfold(outline.spot(0))
    assert len(outline) == 6


def test_folding_deep_forgets_what_was_unfolded_inside() -> None:
    outline = outline_of([[[1, 2], 3], 4])
    outline.unfold(outline.spot(0))
    outline.unfold(outline.spot(1))
    outline.fold(outline.spot(0), deep=True)
    outline.unfold(outline.spot(0))
    assert len(outline) == 4


def test_a_leaf_cannot_be_unfolded() -> None:
    outline = outline_of([1])
    assert outline.unfold(outline.spot(0)) is None
    assert not outline.fold(outline.spot(0))


def test_unfolding_deep_stops_at_the_limit_and_says_so() -> None:
    outline = outline_of([[[1] * 10 for _ in range(50)]])
    assert not outline.unfold_deep(outline.spot(0), 100)
    assert len(outline) <= 120
    outline = outline_of([[[1] * 2 for _ in range(5)]])
    assert outline.unfold_deep(outline.spot(0), 100)
    assert len(outline) == 16


def test_what_is_nested_without_end_is_unfolded_some_levels_at_a_time() -> None:
    """Each level costs its depth: 30,000 of them held the screen for minutes."""
    tree: Tree = []
    for _ in range(30_000):
        tree = [tree]
    outline = outline_of([tree])
    assert not outline.unfold_deep(outline.spot(0), 100_000)
    assert len(outline) == 1 + DEEPEST
    assert not outline.unfold_deep(outline.spot(len(outline) - 1), 100_000)
    assert len(outline) == 1 + 2 * DEEPEST


def test_unfolding_to_a_depth_stops_there() -> None:
    outline = outline_of([[[[1]], 2]])
    outline.unfold_deep(outline.spot(0), 100, levels=1)
    assert len(outline) == 3


def test_a_folded_level_counts_no_rows_when_it_is_revealed_from_inside() -> None:
    outline = outline_of([[[1, 2], 3], 4])
    level = outline.unfold(outline.spot(0))
    assert level is not None
    inner = outline.unfold(outline.spot(1))
    assert inner is not None
    outline.fold(outline.spot(1))
    outline.fold(outline.spot(0))
    outline.reveal(inner)
    assert len(outline) == 6
    assert [outline.row(spot) for spot in outline.window(0, 6)] == list(range(6))


class Counted(Sequence[int]):
    """A long sequence that counts how often it is asked."""

    def __init__(self, length: int) -> None:
        self.length = length
        self.asked = 0

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> int:  # type: ignore[override]
        self.asked += 1
        return index


def test_a_long_flat_level_is_never_walked_through() -> None:
    members = Counted(200_000)
    outline = Outline(
        Growth(["head"], None),
        lambda item, level: Growth(members, None) if item == "head" else None,
    )
    outline.unfold(outline.spot(0))
    assert len(outline) == 200_001
    assert outline.spot(150_000).item == 149_999
    assert members.asked == 1


def test_many_unfolded_members_cost_little_per_row() -> None:
    outline = outline_of([[1, 2] for _ in range(20_000)])
    for position in range(20_000):
        outline.unfold(Spot(outline.top, position))
    assert len(outline) == 60_000

    def look() -> None:
        for row in range(30_000, 31_000):
            outline.spot(row)

    assert effort(look, limit=0.5) < 0.5


def test_growing_anew_keeps_what_is_unfolded_where_items_are_found() -> None:
    def find(level: Level, item: Any) -> int | None:
        return level.members.index(item) if item in level.members else None

    outline = outline_of([[1], [2], [3]])
    for position in (2, 1):
        outline.unfold(outline.spot(position))
    outline.regrow(Growth([[0], [1], [3]], None), find)
    assert flat(outline.top) == [(0, 0), (0, 1), (0, 2), (1, 0)]
