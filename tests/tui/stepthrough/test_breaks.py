"""Where the lines of a growing text break."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import given
from rich.cells import cell_len

from sigscope.tui.stepthrough.breaks import Breaks

TEXT = st.text(alphabet="ab字é \n", max_size=120)
CELLS = st.integers(4, 30)


def broken(text: str, cells: int) -> list[str]:
    return [text[a:b] for a, b in Breaks().lines("", text, cells)]


def test_lines_break_between_words() -> None:
    assert broken("the quick brown fox", 10) == ["the quick ", "brown fox"]
    assert broken("one\n\ntwo", 10) == ["one\n", "\n", "two"]
    assert broken("exactly ten chars", 10) == ["exactly ", "ten chars"]
    assert broken("ends here, well", 10) == ["ends here, ", "well"]


def test_a_word_longer_than_a_line_is_broken_and_an_indent_is_no_place_to_break() -> (
    None
):
    assert broken("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert broken("  abcdefgh", 6) == ["  abcd", "efgh"]


@given(TEXT, CELLS)
def test_lines_fit_and_together_are_the_text(text: str, cells: int) -> None:
    lines = broken(text, cells)
    assert "".join(lines) == text
    assert all(cell_len(line.rstrip(" \n")) <= cells for line in lines)


@given(st.lists(TEXT, max_size=6), CELLS)
def test_a_text_that_grows_or_shrinks_breaks_as_if_it_were_new(
    pieces: list[str], cells: int
) -> None:
    breaks, text = Breaks(), ""
    states = [text := text + piece for piece in pieces]
    for state in (*states, *reversed(states)):
        assert breaks.lines("x", state, cells) == Breaks().lines("", state, cells)


@given(TEXT, TEXT, CELLS, CELLS)
def test_another_text_or_another_width_breaks_anew(
    one: str, other: str, cells: int, wider: int
) -> None:
    breaks = Breaks()
    breaks.lines("x", one, cells)
    assert breaks.lines("x", other, cells) == Breaks().lines("", other, cells)
    assert breaks.lines("x", other, wider) == Breaks().lines("", other, wider)
