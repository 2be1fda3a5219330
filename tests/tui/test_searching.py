"""Search: lists, what is folded in them, the JSON, and how it is said."""

from __future__ import annotations

import pytest
from tests.tui.driving import MISSING, opened
from textual.events import Paste

from sigscope.tui.app import LONGEST_PASTE
from sigscope.tui.screens.sessions import SessionList, SessionsScreen


async def test_a_search_in_the_chat_finds_what_is_folded_and_unfolds_it() -> None:
    async with opened(MISSING, size=(160, 44)) as driver:
        chat = driver.screen.board.chat
        await driver.press("3", "slash")
        await driver.type("robot is on the field")
        assert "1 found" in driver.text
        assert chat.key == chat.key
        await driver.press("enter")
        assert chat.has_focus
        block = chat.block(chat.key)
        assert block is not None
        assert block.kind == "result"
        assert not chat.window.is_folded(block)
        assert "1/1 · as sent in step 2" in driver.text
        await driver.press("escape")
        assert "1/1" not in driver.text
        assert chat.has_focus, "esc ended the search, no more"


async def test_n_goes_round_in_both_directions() -> None:
    async with opened(MISSING, size=(160, 44)) as driver:
        steps = driver.screen.board.steps
        await driver.press("1", "g", "slash")
        await driver.type("stop")
        await driver.press("enter")
        assert (steps.key, steps.found) == (3, "1/2")
        await driver.press("n")
        assert (steps.key, steps.found) == (4, "2/2")
        await driver.press("n")
        assert (steps.key, steps.found) == (3, "1/2")
        await driver.press("N")
        assert (steps.key, steps.found) == (4, "2/2")
        assert driver.screen.model.selection is not None
        assert driver.screen.model.selection.step == 4, "other panes follow"


async def test_what_is_not_there_is_said_and_the_cursor_stays() -> None:
    async with opened(MISSING) as driver:
        await driver.press("1", "slash")
        await driver.type("nowhere")
        await driver.press("enter")
        assert driver.screen.board.steps.key == 2
        assert "0 found" in driver.text
        await driver.press("n")
        assert any("nowhere is not found here; / asks anew" in w for w in driver.told)
        await driver.press("slash", "escape")
        assert "0 found" not in driver.text


async def test_a_pattern_that_is_none_is_said() -> None:
    async with opened(MISSING) as driver:
        await driver.press("1", "slash")
        await driver.type("re:(")
        assert "regular expression" in driver.text


@pytest.mark.parametrize("pane", ["3", "4"])
async def test_a_pattern_that_has_no_end_is_given_up_and_said(pane: str) -> None:
    """The screens stood still for ever; keys go on, and the text is painted."""
    async with opened(MISSING, size=(160, 44)) as driver:
        await driver.press(pane, "slash")
        await driver.pilot.press(*"re:", *("left_parenthesis", *"ws|.|..|."))
        await driver.pilot.press("right_parenthesis", "plus", *"@@", "dollar_sign")
        await driver.reads("the pattern takes too long")
        await driver.press("enter", "escape", "1", "down")
        assert "takes too long" not in driver.text


async def test_the_json_is_searched_with_the_same_key() -> None:
    async with opened(MISSING) as driver:
        await driver.press("4", "g", "slash")
        await driver.type("read_file")
        await driver.press("enter")
        await driver.until(lambda: "1/" in driver.text)
        first = driver.pointer
        await driver.press("n")
        assert driver.pointer != first
        await driver.press("N")
        assert driver.pointer == first


async def test_the_list_of_sessions_is_searched() -> None:
    async with opened(None) as driver:
        assert isinstance(driver.app.screen, SessionsScreen)
        shelf = driver.app.screen.query_one(SessionList)
        await driver.until(lambda: shelf.items)
        await driver.press("slash")
        await driver.type("camelcase")
        await driver.press("enter")
        assert "attempt-3" in str(shelf.key)
        await driver.press("escape")
        assert shelf.found == ""


@pytest.mark.parametrize(
    "keys",
    [["slash"], ["semicolon"], ["Z", "slash"], ["D", "slash"], ["I", "slash"],
     ["P", "slash"], ["4", "slash"]],
    ids=["pane", "bodies", "overview", "compare", "paths", "step-through", "json"],
)  # fmt: skip
async def test_what_is_typed_to_search_for_is_seen(keys: list[str]) -> None:
    async with opened(MISSING) as driver:
        await driver.press(*keys)
        await driver.type("zebra")
        assert "zebra" in driver.text
        assert "Take it" in driver.text, "the keys are seen with it"


async def test_a_megabyte_that_is_pasted_into_a_line_is_not_taken_and_said() -> None:
    """Each key painted all of it, for a second."""
    async with opened(MISSING) as driver:
        await driver.press("3", "slash")
        driver.app.post_message(Paste("x" * (LONGEST_PASTE + 1)))
        told = "20,001 characters were pasted; a line takes 20,000"
        await driver.until(lambda: told in " ".join(driver.told))
        driver.app.post_message(Paste("robot is on the field\nand more"))
        await driver.reads("1 found")
        await driver.press("enter")
        assert driver.screen.board.chat.has_focus
