"""Which pane is worked in, without a terminal."""

from __future__ import annotations

from sigscope.tui.paneframe import PaneFrame

NAMES = {1: "Events", 2: "Raw event", 3: "Message"}


def test_panes_are_gone_through_in_a_circle_and_focused() -> None:
    focused: list[int] = []
    frame = PaneFrame(NAMES, focused.append)
    frame.go_on(-1)
    assert frame.current == 3
    frame.go_on(1)
    frame.go_on(1)
    assert frame.current == 2
    assert focused == [3, 1, 2]


def test_a_zoomed_pane_gives_its_room_back_once() -> None:
    frame = PaneFrame(NAMES, lambda number: None)
    assert not frame.unzoom()
    frame.zoomed = True
    assert frame.unzoom()
    assert not frame.zoomed


def test_changes_are_told_and_tabs_say_what_is_on_show() -> None:
    frame = PaneFrame(NAMES, lambda number: None)
    told: list[str] = []
    frame.observe(told.append)
    frame.go_to(2)
    frame.visible = frozenset({2, 3})
    assert told == ["current", "visible"]
    assert frame.tabs == (
        (1, "Events", False, False),
        (2, "Raw event", True, True),
        (3, "Message", True, False),
    )


def test_what_was_used_last_is_remembered_in_order() -> None:
    frame = PaneFrame(NAMES, lambda number: None)
    for number in (2, 3, 3, 2):
        frame.go_to(number)
    assert frame.recent == [2, 3, 1]
