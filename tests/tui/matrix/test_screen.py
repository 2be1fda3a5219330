"""The matrix on screen: a cell is opened as edits, or sent."""

from __future__ import annotations

import pytest
from tests.tui.driving import MISSING, Driver, opened

from sigscope.tui.matrix.screen import MatrixScreen
from sigscope.tui.screens.debugger import DebuggerScreen

SIZES = [(80, 24), (120, 36)]


async def shown(driver: Driver) -> MatrixScreen:
    await driver.press("E")
    await driver.until(lambda: isinstance(driver.app.screen, MatrixScreen))
    await driver.until(lambda: "4 cells: 1 accepted" in driver.text)
    screen = driver.app.screen
    assert isinstance(screen, MatrixScreen)
    return screen


async def back(driver: Driver) -> DebuggerScreen:
    await driver.until(lambda: isinstance(driver.app.screen, DebuggerScreen))
    await driver.rest()
    return driver.screen


@pytest.mark.parametrize("size", SIZES)
async def test_enter_switches_the_edits_of_a_cell_on(size: tuple[int, int]) -> None:
    async with opened(MISSING, size=size) as driver:
        await shown(driver)
        assert "are a cure together: neither alone" in driver.text
        await driver.press("j", "j", "j", "enter")
        screen = await back(driver)
        assert screen.model.selection is not None
        assert screen.model.selection.step == 2
        assert len(screen.model.edits) == 2
        assert screen.model.document.runs == []


async def test_s_sends_the_cell() -> None:
    async with opened(MISSING) as driver:
        await shown(driver)
        await driver.press("G", "s")
        screen = await back(driver)
        await driver.until(lambda: len(screen.model.document.runs) == 1)
        assert screen.model.document.runs[0].status == 200
        await driver.press("E")
        await driver.until(lambda: isinstance(driver.app.screen, MatrixScreen))
        await driver.until(lambda: "run 1: 200" in driver.text)


async def test_cells_can_be_narrowed_and_sorted() -> None:
    async with opened(MISSING) as driver:
        screen = await shown(driver)
        await driver.press("p")
        await driver.rest()
        assert screen.list_.border_subtitle == "accepted by size"
        assert "refuse: CPC-2" not in driver.text
        await driver.press("o")
        await driver.rest()
        assert screen.list_.border_subtitle == "accepted by cell"


async def test_esc_goes_back_and_changes_nothing() -> None:
    async with opened(MISSING) as driver:
        await shown(driver)
        await driver.press("escape")
        screen = await back(driver)
        assert screen.model.edits == ()
