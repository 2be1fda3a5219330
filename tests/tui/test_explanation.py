"""An error's text, explained on screen."""

from __future__ import annotations

import json

from tests.tui.driving import EMPTY_LIST, Driver, opened
from textual import events
from textual.containers import VerticalScroll
from textual.widgets import Static, TextArea

from sigscope.tui.screens.explanation import ExplanationDialog
from sigscope.tui.screens.pastedialog import PasteDialog
from sigscope.tui.screens.sessions import SessionsScreen

ERROR = (
    "API Error: 400 Unable to submit request because function call"
    " `default_api:list_files` in the 2. content block is missing a"
    " `thought_signature`."
)
SMALL = (80, 24)


async def told(driver: Driver, words: str) -> None:
    def is_told() -> bool:
        screen = driver.app.screen
        if not isinstance(screen, ExplanationDialog):
            return False
        return any(words in str(t.render()) for t in screen.query("#told"))

    await driver.until(is_told, words)


def paste(driver: Driver, text: str) -> None:
    driver.app.post_message(events.Paste(text))


async def test_an_error_pasted_onto_the_list_is_explained() -> None:
    async with opened(None, size=SMALL) as driver:
        assert isinstance(driver.app.screen, SessionsScreen)
        paste(driver, ERROR)
        await told(driver, "unsigned-call-on-vertex")
        await driver.reads("Explain")
        await driver.reads("GEM-2")
        await driver.reads("function `list_files`, position 2")
        await driver.pilot.press("escape")
        await driver.until(lambda: isinstance(driver.app.screen, SessionsScreen))


async def test_a_request_pasted_onto_the_list_is_offered_as_a_session() -> None:
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "x"}]})
    async with opened(None, size=SMALL) as driver:
        paste(driver, body)
        await driver.until(lambda: isinstance(driver.app.screen, PasteDialog))
        assert driver.app.screen.query_one(TextArea).text == body


async def test_the_palette_s_command_explains_what_is_pasted_into_its_field() -> None:
    async with opened(EMPTY_LIST, size=SMALL) as driver:
        (command,) = [
            found
            for found in driver.app.get_system_commands(driver.app.screen)
            if found.title == "Explain"
        ]
        assert command.help
        command.callback()
        await told(driver, "paste an error")
        paste(driver, "429 Too Many Requests")
        await told(driver, "unknown")
        driver.app.screen.query_one(TextArea).text = ERROR
        await told(driver, "GEM-2")


async def test_a_long_explanation_is_scrolled_and_fits_a_small_screen() -> None:
    async with opened(None, size=SMALL) as driver:
        paste(driver, f"litellm.BadRequestError: {ERROR}")
        await told(driver, "LLM-2")
        scroll = driver.app.screen.query_one(VerticalScroll)
        assert scroll.has_focus
        await driver.until(lambda: scroll.max_scroll_y > 0, "longer than the screen")
        await driver.until(lambda: scroll.max_scroll_x == 0, "not wider")
        await driver.pilot.press("end")
        await driver.until(lambda: "sigscope check" in driver.text)


async def test_no_line_is_laid_wider_than_it_is_shown() -> None:
    async with opened(None, size=(100, 30)) as driver:
        paste(driver, "Error: 400 Corrupted thought signature.")
        await told(driver, "GEM-4")
        field = driver.app.screen.query_one("#told", Static)

        def fits() -> bool:
            lines = str(field.content).splitlines()
            return max(map(len, lines)) <= field.content_size.width

        await driver.until(fits, "broken where the dialog breaks")


async def test_orders_to_the_terminal_in_a_text_are_not_obeyed() -> None:
    async with opened(None, size=SMALL) as driver:
        paste(driver, "unknown \x1b[2J words [bold]here[/bold] error")
        await told(driver, "unknown: no rule")
        await driver.reads("[bold]here[/bold]")
