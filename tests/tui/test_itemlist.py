"""Items of a list: how tall they are, and when they are laid out."""

from __future__ import annotations

from sigscope.tui.itemlist import Item
from sigscope.tui.lines import Line, Span


def test_an_item_that_is_to_be_drawn_anew_is_not_laid_out_to_be_measured() -> None:
    laid: list[int] = []

    def lay(cells: int) -> list[Line]:
        laid.append(cells)
        return [(Span("one"),), (Span("two"),)]

    item = Item("key", lay)
    assert item.height_at(40) == 2
    item.forget()
    assert item.height_at(40) == 2
    assert laid == [40]
    assert item.lines(40)[0] == (Span("one"),)
    assert item.height_at(30) == 2
    assert laid == [40, 40, 30]
    assert Item("key", lay, height=7).height_at(40) == 7
