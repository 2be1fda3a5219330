"""Turns as a plot."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.timeline.turns import Figures
from sigscope.tui.lines import plain, width
from sigscope.tui.symbols import ASCII, UNICODE
from sigscope.tui.timeline.plot import lay_heads, lay_row, lay_summary, scale_of


def figures(turn: int, thought: int, text: int, **more: int) -> Figures:
    return Figures(
        turn=turn, thread=1, steps=(2 * turn - 1, 2 * turn), thought_chars=thought,
        text_chars=text, **more,
    )  # fmt: skip


ROWS = (
    figures(1, 600, 0, genuine=1),
    figures(2, 300, 300),
    figures(3, 0, 600, bypass=3),
)


def test_bars_are_in_one_scale_and_something_is_never_nothing() -> None:
    rows = (figures(1, 10_000, 1), figures(2, 5_000, 10_000))
    scale = scale_of(rows, 120, by_turn=True)
    first, second = (plain(lay_row(row, scale, UNICODE, 120)) for row in rows)
    assert first.count("▒") == pytest.approx(2 * second.count("▒"), abs=1)
    assert first.count("█") == 1
    assert second.count("█") == first.count("▒")


@pytest.mark.parametrize("cells", [60, 76, 116, 156])
def test_columns_stand_below_their_names(cells: int) -> None:
    scale = scale_of(ROWS, cells, by_turn=True)
    heads = plain(lay_heads(scale, UNICODE))
    for row in ROWS:
        assert plain(lay_row(row, scale, UNICODE, cells)).index("│") == heads.index("│")
    assert width(lay_heads(scale, UNICODE)) <= cells


def test_signatures_sent_back_are_drawn_and_many_are_counted() -> None:
    scale = scale_of(ROWS, 100, by_turn=True)
    assert "◆" in plain(lay_row(ROWS[0], scale, UNICODE, 100))
    assert "○○○" in plain(lay_row(ROWS[2], scale, UNICODE, 100))
    many = figures(4, 1, 1, genuine=40, bypass=2, refused=1)
    assert "✗ ◆ 40 ○ 2" in plain(lay_row(many, scale, UNICODE, 100))


def test_the_summary_says_where_it_began_and_where_it_ended() -> None:
    said = plain(lay_summary(ROWS, UNICODE, 120))
    assert "reasoning 600 → 0" in said
    assert "answers 0 → 600" in said
    assert "genuine in 1" in said
    assert "bypasses in 1" in said
    assert plain(lay_summary((), UNICODE, 120)) == "no answers to count"


def test_steps_of_an_unknown_dialect_are_not_said_to_bring_nothing() -> None:
    unread = Figures(turn=2, thread=1, steps=(3,), unjudged=1)
    said = plain(lay_summary((unread,), UNICODE, 120))
    assert said == "not judged: dialect not known, so nothing is counted"
    bare = replace(ROWS[0], genuine=0, bypass=0)
    assert "no signature sent back" in plain(lay_summary((bare,), UNICODE, 120))
    mixed = plain(lay_summary((bare, unread), UNICODE, 120))
    assert "1 not judged" in mixed
    assert "no signature" not in mixed


@given(
    st.lists(st.tuples(st.integers(0, 10**7), st.integers(0, 10**7)), min_size=1),
    st.integers(40, 200),
)
def test_a_row_never_leaves_its_width(chars: list[tuple[int, int]], cells: int) -> None:
    rows = [figures(n, a, b, bypass=n % 12) for n, (a, b) in enumerate(chars, 1)]
    scale = scale_of(rows, cells, by_turn=True)
    for row in rows:
        assert width(lay_row(row, scale, ASCII, cells)) <= cells
