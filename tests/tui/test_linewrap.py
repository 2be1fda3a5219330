"""Lines are broken where they should be, at the cost of what they hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len, chop_cells

from sigscope.tui import linewrap
from sigscope.tui.lines import Span, plain
from sigscope.tui.linewrap import JOINTS, wrap

WORDS = st.text("ab/.-字é\u0301\u200d👩\ufe0f", min_size=1, max_size=200)


def simply(word: str, cells: int) -> list[str]:
    """The same, measuring all that is left for each line."""
    found = []
    while cell_len(word) > cells:
        piece = chop_cells(word, cells)[0]
        joint = max(piece.rfind(char) for char in JOINTS) + 1
        piece = piece[:joint] if joint > len(piece) // 2 else piece
        found.append(piece)
        word = word[len(piece) :]
    return [*found, word]


@given(WORDS, st.integers(4, 40))
def test_a_long_word_is_broken_as_if_all_of_it_were_measured(
    word: str, cells: int
) -> None:
    assert list(map(plain, wrap([Span(word)], cells))) == simply(word, cells)


@pytest.mark.parametrize("char", ["字", "e\u0301", "a"])
def test_a_word_is_measured_a_few_times_and_not_for_each_line(
    char: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = 0

    def counted(text: str) -> int:
        nonlocal measured
        measured += len(text)
        return cell_len(text)

    monkeypatch.setattr(linewrap, "cell_len", counted)
    word = char * 20_000
    assert "".join(map(plain, wrap([Span(word)], 80))) == word
    assert measured < 20 * len(word)


def test_a_word_that_a_line_of_its_own_would_hold_is_not_broken_behind_a_head() -> None:
    lines = wrap([Span("content 2")], 12, first=(Span("struck  "),), hang=(Span("  "),))
    assert [plain(line).rstrip() for line in lines] == ["struck", "  content 2"]
