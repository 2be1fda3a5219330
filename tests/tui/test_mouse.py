"""The mouse does what the keys do."""

from __future__ import annotations

from tests.tui.driving import EMPTY_LIST, MISSING, opened
from textual import events

from sigscope.tui.screens.help import HelpScreen
from sigscope.tui.screens.sessions import SessionsScreen


async def test_a_click_selects_a_step_and_a_finding() -> None:
    async with opened(MISSING, size=(160, 44)) as driver:
        await driver.click("tool_calls", after="1 Steps")
        assert driver.screen.board.steps.key == 1
        assert driver.screen.board.steps.has_focus
        await driver.click("invalid_reques")
        await driver.click("CPC-2", after="6 Findings")
        assert driver.pointer == "/messages/2/content"


async def test_a_click_on_a_check_box_switches_and_on_a_marker_folds() -> None:
    async with opened(EMPTY_LIST, size=(160, 44)) as driver:
        at = driver.find("stream  ")
        row = driver.text.splitlines()[at.y]
        await driver.pilot.click(offset=(row.index("☑"), at.y))
        await driver.rest()
        (edit,) = driver.screen.model.edits
        assert edit.pointer == "/stream"
        calls = driver.text.count("0 list_directory")
        await driver.click("▸ tool_calls", after="4 Request")
        assert driver.text.count("0 list_directory") == calls + 1
        await driver.click("▾ tool_calls", after="4 Request")
        assert driver.text.count("0 list_directory") == calls


async def test_a_click_on_f_applies_the_fix_and_on_a_key_presses_it() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.click("set content to null")
        assert "fix is on" in driver.text
        await driver.click("? Help")
        assert isinstance(driver.app.screen, HelpScreen)
        await driver.press("escape")
        await driver.click("u Undo")
        assert driver.screen.model.edits == ()


async def test_a_click_on_a_badge_follows_its_signature() -> None:
    async with opened(MISSING, size=(160, 44)) as driver:
        second = driver.screen.model.document.ledger.signatures[1]
        await driver.click(f"◆ {second.id}")
        assert driver.screen.model.selection is not None
        assert driver.screen.model.selection.signature == second.sha256


async def test_tabs_are_clicked() -> None:
    async with opened(EMPTY_LIST, size=(80, 24)) as driver:
        await driver.click("6 Findings")
        assert driver.screen.panes.current == 6
        await driver.click("4 JSON")
        await driver.click("Raw")
        assert driver.json.tab == "raw"
        await driver.click("Response")
        assert driver.json.tab == "response"


async def test_the_wheel_scrolls_the_pane_under_the_pointer() -> None:
    async with opened("zoo-litellm-dummy", size=(160, 44)) as driver:
        await driver.press("4")
        pane = driver.screen.board.signatures
        at = driver.find("received step 1")
        assert pane.scroll_offset.y == 0
        await driver.pilot._post_mouse_events(
            [events.MouseScrollDown],
            offset=(at.x, at.y),
        )
        await driver.rest()
        assert pane.scroll_offset.y > 0
        assert driver.json.has_focus_within, "the focus stays where it was"


async def test_a_double_click_opens_a_session() -> None:
    async with opened(None) as driver:
        assert isinstance(driver.app.screen, SessionsScreen)
        await driver.until(lambda: "the two messages merged" in driver.text)
        at = driver.find("the two messages merged")
        await driver.pilot.click(offset=(at.x, at.y), times=2)
        await driver.until(lambda: not isinstance(driver.app.screen, SessionsScreen))
        await driver.until(lambda: "codecompanion-merged" in driver.header)
