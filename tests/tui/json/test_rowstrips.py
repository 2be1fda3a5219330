"""Which rows are painted anew, without a terminal."""

from __future__ import annotations

from textual.strip import Strip

from sigscope.tui.json.rowstrips import RowStrips
from sigscope.tui.lines import Line, Span

CELLS = 8


def line(text: str) -> Line:
    return (Span(text),)


def painted(words: str) -> RowStrips:
    strips = RowStrips()
    for row in range(len(words)):
        strips.line(row, lambda row: line(words[row]))
        strips.keep(row, Strip.blank(CELLS))
    return strips


def test_what_was_painted_is_kept_for_its_width() -> None:
    strips = painted("abc")
    assert strips.kept(1, CELLS) is not None
    assert strips.kept(1, CELLS + 1) is None
    assert strips.kept(3, CELLS) is None
    strips.forget([1])
    assert [strips.kept(row, CELLS) is None for row in range(3)] == [False, True, False]
    strips.forget()
    assert strips.kept(0, CELLS) is None


def test_rows_that_are_others_and_dirty_ones_are_painted_anew() -> None:
    strips = painted("abc")
    made = [line("a"), line("x"), line("c")]
    assert [*strips.differing(range(3), made.__getitem__, (2,))] == [1, 2]
    assert [strips.kept(row, CELLS) is None for row in range(3)] == [False, True, True]


def test_a_row_that_was_made_to_be_compared_is_not_made_again() -> None:
    strips = painted("ab")
    assert [*strips.differing(range(2), lambda row: line("x"), ())] == [0, 1]
    asked: list[int] = []

    def made(row: int) -> Line:
        asked.append(row)
        return line("y")

    assert strips.line(0, made) == line("x")
    strips.forget()
    assert strips.line(1, made) == line("y")
    assert asked == [1]
