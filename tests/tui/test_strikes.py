"""An error is shown where it struck, and media as placeholders."""

from __future__ import annotations

from tests.tui.driving import EMPTY_LIST, opened

STRUCK = "zed-openrouter-never-emitted"


async def test_an_error_that_names_a_place_is_shown_there() -> None:
    async with opened(STRUCK, size=(160, 44)) as driver:
        pane = driver.screen.board.chat
        kinds = [block.kind for block in pane.window.blocks]
        at = kinds.index("strike")
        # Below the call it is about and the result of that, above the error itself.
        assert kinds[at - 2 : at] == ["call", "result"]
        assert kinds[at + 1] == "error"
        assert "400 struck here" in driver.text
        assert "content 2 is /messages/2" in driver.text


async def test_choosing_it_shows_the_node_in_every_pane() -> None:
    async with opened(STRUCK, size=(160, 44)) as driver:
        await driver.press("3")
        driver.screen.board.chat.go_to("strike:/messages/2")
        await driver.rest()
        assert driver.pointer == "/messages/2"


async def test_an_error_that_names_no_place_is_shown_at_the_end_only() -> None:
    async with opened(EMPTY_LIST) as driver:
        kinds = [block.kind for block in driver.screen.board.chat.window.blocks]
        assert "strike" not in kinds
        assert "error" in kinds
