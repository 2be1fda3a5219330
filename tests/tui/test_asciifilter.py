"""Where only ASCII is wanted, drawing characters are exchanged cell for cell."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from sigscope.tui.asciifilter import _TABLE, AsciiFilter, in_ascii


def test_frames_bars_and_ellipses_become_ascii() -> None:
    assert in_ascii("╭─ a · b … ─╮│▁") == "+- a - b ~ -+| "


def test_every_exchange_is_one_cell_for_one_cell() -> None:
    for code, found in _TABLE.items():
        assert isinstance(found, str)
        assert found.isascii()
        assert cell_len(chr(code)) == cell_len(found) == 1, hex(code)


@given(st.text())
def test_letters_stay_and_the_width_too(text: str) -> None:
    found = in_ascii(text)
    assert len(found) == len(text)
    assert all(a == b for a, b in zip(text, found, strict=True) if ord(a) not in _TABLE)


def test_styles_are_kept() -> None:
    style = Style(bold=True)
    segments = [Segment("a", style), Segment("é…", style)]
    found = AsciiFilter().apply(segments, Color(0, 0, 0))
    assert [(s.text, s.style) for s in found] == [("a", style), ("é~", style)]
