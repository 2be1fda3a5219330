"""The lines around a comparison lose whole words, not halves."""

from __future__ import annotations

import pytest

from sigscope.tui.lines import plain, width
from sigscope.tui.symbols import UNICODE
from sigscope.tui.views.compareheads import Heads, lay_head, lay_titles

LEFT = "step 2 of one · 400 · copilot-chat"
RIGHT = "step 2 of another · 200 · copilot-chat"


@pytest.mark.parametrize("is_stacked", [True, False])
@pytest.mark.parametrize("cells", range(50, 100))
def test_a_title_without_room_loses_its_figures(cells: int, is_stacked: bool) -> None:
    heads = Heads(left=LEFT, right=RIGHT, is_stacked=is_stacked)
    row = lay_titles(heads, cells, UNICODE)
    assert width(row) <= cells
    said = plain(row)
    assert "…" not in said
    assert "step 2 of one" in said
    assert "step 2 of another" in said
    if cells > 90:
        assert LEFT in said
        assert RIGHT in said


def test_the_head_names_the_session_and_counts_what_differs() -> None:
    heads = Heads(session="my-session", is_known=True, differences=2, edits=1)
    head = plain(lay_head(heads, 60, UNICODE))
    assert head.startswith("sigscope  my-session ")
    assert head.endswith(" 2 differences · 1 edit on")
