"""`b`: plan, search, certificate, and back with the edits that matter."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest
from tests.patience import PATIENCE
from tests.tui.driving import MISSING, Driver, opened
from tests.tui.test_sending import BEGUN, aim, server

from sigscope.bisect import Factor
from sigscope.engine.sending.bisection import Foreteller
from sigscope.tui.screens.bisectdialog import BisectDialog
from sigscope.tui.screens.debugger import DebuggerScreen


async def dialog(driver: Driver, state: str) -> BisectDialog:
    """The dialog, when it has come so far."""

    def has_come() -> bool:
        screen = driver.app.screen
        return isinstance(screen, BisectDialog) and screen._state == state

    await driver.until(has_come, state)
    screen = driver.app.screen
    assert isinstance(screen, BisectDialog)
    return screen


async def go(driver: Driver) -> None:
    """Press what the dialog offers."""
    await driver.until(lambda: getattr(driver.app.focused, "id", "") == "go", "offered")
    await driver.pilot.press("enter")


async def take(driver: Driver) -> None:
    """Take the result back to the debugger."""
    await go(driver)
    await driver.until(lambda: isinstance(driver.app.screen, DebuggerScreen), "back")
    await driver.rest()


async def test_the_fixes_are_proven_and_switched_on() -> None:
    async with opened(MISSING, size=(160, 44)) as driver:
        await driver.pilot.press("b")
        await dialog(driver, "ready")
        for size in ((80, 24), (120, 36), (160, 44)):
            await driver.resize(size)
            await driver.reads("1 and 2 are needed")
            await driver.reads("4 sends to the simulator")
        await go(driver)
        await dialog(driver, "done")
        for size in ((160, 44), (120, 36), (80, 24)):
            await driver.resize(size)
            await driver.reads("2 of 2 changes matter, proven with 4 sends")
            await driver.reads("1 needed CPC-1")
            await driver.reads("without 1 (CPC-1)")
            await driver.reads("missing a `thought_signature`")
        await take(driver)
        assert isinstance(driver.app.screen, DebuggerScreen)
        assert len(driver.screen.model.edits) == 2
        assert [run.status for run in driver.screen.model.runs] == [400, 200, 400, 400]
        await driver.press("u")
        assert not driver.screen.model.edits


async def test_while_it_plans_it_counts_what_the_simulator_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The third question waits until the count was read."""
    is_read = threading.Event()
    passes = Foreteller.passes

    def slow(self: Foreteller, factors: Sequence[Factor]) -> bool | None:
        answer = passes(self, factors)
        if self.asked == 3:
            assert is_read.wait(PATIENCE)
        return answer

    monkeypatch.setattr(Foreteller, "passes", slow)
    async with opened(MISSING) as driver:
        await driver.pilot.press("b")
        await driver.reads("asking the simulator … 3 questions, nothing sent")
        is_read.set()
        await dialog(driver, "ready")
        await driver.reads("1 and 2 are needed")


async def test_edits_that_are_on_are_sifted() -> None:
    async with opened(MISSING) as driver:
        await driver.press("F")
        fixes = driver.screen.model.edits
        from sigscope.edits.notation import parse

        driver.screen.model.take_edits((parse("set /temperature 1"), *fixes), "more")
        await driver.rest()
        await driver.pilot.press("b")
        await dialog(driver, "ready")
        await driver.reads("Which of the 3 edits now on")
        await driver.reads("1 edit 1 set /temperature to 1")
        await driver.reads("2 CPC-1 restore reasoning_opaque")
        await go(driver)
        await dialog(driver, "done")
        await take(driver)
        assert set(driver.screen.model.edits) == set(fixes)
        await driver.pilot.press("b")
        await dialog(driver, "ready")
        await go(driver)
        again = await dialog(driver, "done")
        assert not again.query_one("#go").display, "just these are on"
        await driver.press("enter")
        assert isinstance(driver.app.screen, DebuggerScreen)


async def test_the_edits_of_a_run_are_sifted_and_end_on_its_step() -> None:
    async with opened(MISSING) as driver:
        await driver.press("F", "s")
        fixes = driver.screen.model.edits
        driver.screen.model.choose_step(2, 1)
        await driver.rest()
        await driver.pilot.press("b")
        await dialog(driver, "ready")
        await driver.reads("the edits of run 1")
        await driver.reads("1 CPC-1 restore reasoning_opaque")
        await go(driver)
        await dialog(driver, "done")
        await take(driver)
        assert driver.screen.model.base == (2, None)
        assert driver.screen.model.edits == fixes


async def test_closing_before_the_start_sends_nothing() -> None:
    async with opened(MISSING) as driver:
        await driver.pilot.press("b")
        await dialog(driver, "ready")
        await driver.press("escape")
        assert not driver.screen.model.runs
        assert not driver.screen.model.edits


async def test_an_accepted_step_says_that_there_is_nothing_to_find() -> None:
    async with opened(MISSING) as driver:
        await driver.press("left_curly_bracket")
        await driver.pilot.press("b")
        await dialog(driver, "failed")
        await driver.reads("Step 1 was accepted")
        assert "--" not in driver.text.replace("──", "")
        await driver.reads("switch on what is to be varied")
        await driver.press("escape")
        assert isinstance(driver.app.screen, DebuggerScreen)


async def test_a_search_that_hangs_is_stopped_with_esc_and_kept() -> None:
    async with server(BEGUN, stalls=True) as url, opened(MISSING) as driver:
        aim(driver, url)
        await driver.pilot.press("b")
        await dialog(driver, "ready")
        await go(driver)
        await driver.reads("Trying as recorded")
        await driver.reads("asking 127.0.0.1")
        await driver.reads("Known: 0 needed, 0 not needed, 2 open")
        await driver.reads("Sends: 0 used, 20 left")
        await driver.pilot.press("escape")
        await dialog(driver, "done")
        await driver.reads("Stopped. 0 answers so far")
        await driver.press("escape")
        assert len(driver.screen.model.document.runs) == 1
