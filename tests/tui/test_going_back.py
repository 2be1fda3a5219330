"""esc goes one level back, whatever the level."""

from __future__ import annotations

from tests.tui.driving import EMPTY_LIST, MISSING, opened
from textual import events

from sigscope.tui.screens import arrangement
from sigscope.tui.screens.debugger import DebuggerScreen
from sigscope.tui.screens.sessions import SessionsScreen


async def test_esc_in_the_diff_goes_back_to_where_it_was_opened_from() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("f", "4", "greater_than_sign", "3", "d")
        assert driver.json.tab == "diff"
        assert driver.screen.panes.current == arrangement.JSON
        await driver.press("escape")
        assert driver.json.tab == "response"
        assert driver.screen.panes.current == arrangement.CHAT
        await driver.pilot.press("escape")
        await driver.until(lambda: isinstance(driver.app.screen, SessionsScreen))


async def test_a_pane_that_tells_late_of_its_focus_is_not_worked_in() -> None:
    """As on a busy machine, the pane gone through after the one gone to."""
    async with opened(EMPTY_LIST) as driver:
        await driver.press("4", "3")
        driver.screen.post_message(events.DescendantFocus(driver.json.view))
        await driver.rest()
        assert driver.screen.panes.current == arrangement.CHAT


async def test_esc_in_the_diff_reached_by_tabs_goes_back_to_the_tab_before() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("f", "4", "less_than_sign")
        assert driver.json.tab == "diff"
        await driver.press("escape")
        assert driver.json.tab == "request"
        assert isinstance(driver.app.screen, DebuggerScreen)
        assert driver.screen.panes.current == arrangement.JSON


async def test_a_search_in_the_diff_ends_before_the_diff() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("f", "d", "slash")
        await driver.type("content")
        await driver.press("enter", "escape")
        assert driver.json.tab == "diff"
        await driver.press("escape")
        assert driver.json.tab == "request"


async def test_a_diff_that_was_zoomed_is_unzoomed_first() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("f", "1", "d", "z", "escape")
        assert not driver.screen.panes.zoomed
        assert driver.json.tab == "diff"
        await driver.press("escape")
        assert driver.screen.panes.current == arrangement.STEPS
        await driver.press("4", "z", "d", "escape")
        assert driver.screen.panes.zoomed, "it was zoomed before the diff was opened"
        assert driver.json.tab == "request"


async def test_the_diff_of_a_run_goes_back_to_the_list_of_runs_then_to_the_step() -> (
    None
):
    async with opened(EMPTY_LIST, size=(160, 44)) as driver:
        await driver.press("f", "s", "6", "G", "d")
        assert driver.screen.model.selection is not None
        assert driver.screen.model.selection.run == 1
        await driver.press("escape")
        assert driver.screen.panes.current == arrangement.FINDINGS
        assert driver.json.tab == "request"
        await driver.press("escape")
        assert driver.screen.model.selection.run is None
        assert isinstance(driver.app.screen, DebuggerScreen)


async def test_the_status_line_names_the_row_of_the_diff_under_the_cursor() -> None:
    async with opened(MISSING) as driver:
        await driver.press("F", "4")
        before = driver.status_line.split()[0]
        await driver.press("d")
        old, new = driver.json.diff_view.model.place
        assert driver.status_line.split()[0] == (old or new)
        await driver.press("n")
        old, new = driver.json.diff_view.model.place
        assert driver.status_line.split()[0] == (old or new)
        await driver.press("escape")
        assert driver.status_line.split()[0] == before
