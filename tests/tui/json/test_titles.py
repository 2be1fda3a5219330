"""What the borders of the JSON pane say where there is little room."""

from __future__ import annotations

from sigscope.tui.json.titles import subtitle, tab_title
from sigscope.tui.symbols import UNICODE

WORDS = ["edits", "1 added, 1 changed", "/messages/2/content"]


def test_of_the_tabs_the_one_on_show_is_bold() -> None:
    tabs = ("request", "response")
    for shown, other in (tabs, tabs[::-1]):
        title = tab_title("4", tabs, shown, 60, ascii_only=False)
        assert f"[b]{shown.capitalize()}[/b]" in title
        assert f"[b]{other.capitalize()}[/b]" not in title


def test_what_does_not_fit_goes_word_by_word_and_the_place_stays() -> None:
    assert subtitle("", WORDS, 60, UNICODE) == " · ".join(WORDS)
    assert subtitle("", WORDS, 42, UNICODE) == " · ".join(WORDS[1:])
    assert subtitle("", WORDS, 30, UNICODE) == WORDS[2]


def test_of_a_place_that_is_too_long_alone_the_end_is_told() -> None:
    assert subtitle("", WORDS, 12, UNICODE) == "…s/2/content"


def test_the_search_takes_its_room_first() -> None:
    said = subtitle("3/17", WORDS, 30, UNICODE)
    assert said == "3/17 · /messages/2/content"
    assert said.markup.startswith("[bold]3/17[/bold]")


def test_a_place_of_any_name_is_no_markup() -> None:
    place = ["/a[b]/[$ink-bad]/[/x]/\\"]
    assert subtitle(place[0], place, 60, UNICODE) == " · ".join(place * 2)
