"""What stands on each line of a list, without a terminal."""

from __future__ import annotations

import re
from typing import Any

from sigscope.tui.itemstack import Item, ItemStack
from sigscope.tui.lines import Line, Span, plain
from sigscope.tui.listpage import ListPage

CELLS = 20


def page(**more: Any) -> ListPage:
    """Of a heading, an item of one line and one of two."""
    stack = ItemStack()
    stack.items = tuple(
        Item(key, lambda cells, key=key, lines=lines: words(key, lines), selectable)
        for key, lines, selectable in (
            ("head", 1, False),
            ("a", 1, True),
            ("b", 2, True),
        )
    )
    stack.lay(CELLS)
    return ListPage(**{"stack": stack, "cells": CELLS, "top": 0} | more)


def words(key: str, lines: int) -> list[Line]:
    return [(Span(f"{key}{number}"),) for number in range(lines)]


def told(shown: ListPage, lines: int = 5) -> list[str]:
    return [plain(shown.look(y).spans) for y in range(lines)]


def rows(shown: ListPage) -> list[str]:
    return [shown.look(y).row for y in range(5)]


def test_lines_are_those_from_the_top_on() -> None:
    assert told(page()) == ["head0", "a0", "b0", "b1", ""]
    assert told(page(top=2)) == ["b0", "b1", "", "", ""]


def test_a_footer_stays_while_the_items_scroll() -> None:
    below = [(Span("one"),), (Span("two"),)]
    assert told(page(top=1, room=2, below=below)) == ["a0", "b0", "one", "two", ""]


def test_all_lines_of_the_item_under_the_cursor_look_so() -> None:
    assert rows(page(cursor=2)) == ["", "", "selected", "selected", ""]
    assert rows(page(cursor=2, has_focus=True)) == ["", "", "cursor", "cursor", ""]
    assert rows(page(cursor=2, mark="none", hovered=2))[2:4] == ["hover", "hover"]


def test_what_cannot_be_selected_is_not_pointed_at() -> None:
    assert rows(page(hovered=0)) == [""] * 5
    assert rows(page(hovered=1)) == ["", "hover", "", "", ""]
    assert rows(page(hovered=1, cursor=1))[1] == "selected"


def test_a_bar_stands_beside_the_item_under_the_cursor() -> None:
    shown = page(cursor=1, mark="bar", bar="|", hovered=2)
    assert told(shown) == ["  head0", "| a0", "  b0", "  b1", ""]
    assert rows(shown) == [""] * 5
    assert shown.look(1).spans[0].ink == "dim"
    focused = page(cursor=1, mark="bar", has_focus=True)
    assert focused.look(1).spans[0].ink == "accent"


def test_no_bar_stands_beside_an_empty_line() -> None:
    stack = ItemStack()
    stack.items = (Item("a", lambda cells: [(Span("a"),), ()]),)
    stack.lay(CELLS)
    assert told(page(stack=stack, cursor=0, mark="bar", bar="|"), 2) == ["| a", "  "]


def test_what_is_searched_for_stands_out() -> None:
    spans = page(pattern=re.compile("b")).look(3).spans
    assert [span.text for span in spans if "found" in span.ink] == ["b"]


def test_without_items_it_says_why() -> None:
    shown = page(stack=ItemStack(), note=lambda y, cells: (Span(f"{y} of {cells}"),))
    assert told(shown, 2) == [f"0 of {CELLS}", f"1 of {CELLS}"]


def test_lines_of_another_width_say_nothing() -> None:
    assert told(page(is_laid=False)) == [""] * 5
