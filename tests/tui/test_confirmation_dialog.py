"""`&`: the fix that is on goes on for some turns."""

from __future__ import annotations

from tests.tui.driving import MISSING, Driver, opened

from sigscope.tui.debugger.upstream import ChosenUpstream
from sigscope.tui.screens.confirmationdialog import ConfirmationDialog
from sigscope.tui.screens.debugger import DebuggerScreen


async def told(driver: Driver) -> ConfirmationDialog:
    """The dialog, when all is held."""

    def is_done() -> bool:
        screen = driver.app.screen
        return isinstance(screen, ConfirmationDialog) and screen.outcome is not None

    await driver.until(is_done, "an outcome")
    screen = driver.app.screen
    assert isinstance(screen, ConfirmationDialog)
    return screen


async def test_the_fixes_that_are_on_are_confirmed_over_turns() -> None:
    async with opened(MISSING, size=(120, 36)) as driver:
        await driver.pilot.press("f", "f", "ampersand")
        dialog = await told(driver)
        await driver.reads("Confirmed over 5 turns, 6 shapes.")
        await driver.reads("copilot-missing-signature, simulated")
        await driver.reads("esc closes")
        assert dialog.lines[1] == "streamed, parallel: 5 turns, 6 mistakes mended"
        await driver.pilot.press("enter")
        await driver.until(
            lambda: isinstance(driver.app.screen, DebuggerScreen), "closed"
        )


async def test_it_is_stopped_by_escape() -> None:
    async with opened(MISSING, size=(80, 24)) as driver:
        await driver.pilot.press("f", "f", "ampersand")
        await driver.until(
            lambda: isinstance(driver.app.screen, ConfirmationDialog), "open"
        )
        await driver.pilot.press("escape")
        await driver.until(
            lambda: isinstance(driver.app.screen, DebuggerScreen), "closed"
        )


async def test_a_run_made_from_a_run_is_confirmed_while_a_live_service_is_chosen() -> (
    None
):
    async with opened(MISSING, size=(120, 36)) as driver:
        model = driver.screen.model
        await driver.press("f", "s")
        model.choose_step(2, 1)
        await driver.rest()
        await driver.press("f", "s")
        assert [(r.parent, r.status) for r in model.runs] == [(None, 400), (1, 200)]
        model.choose_step(2, 2)
        await driver.rest()
        model.upstream = ChosenUpstream(url="https://api.example.invalid")
        await driver.pilot.press("ampersand")
        await driver.reads("api.example.invalid is not")
        await told(driver)
        await driver.reads("Confirmed over 5 turns, 6 shapes.")


async def test_without_edits_it_says_what_to_do() -> None:
    async with opened(MISSING, size=(120, 36)) as driver:
        await driver.pilot.press("ampersand")
        await driver.reads("no edits are on: apply a fix (f)")
