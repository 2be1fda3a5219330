"""The matrix on screen: a cell is opened as a run, or sent."""

from __future__ import annotations

import pytest
from tests.tui.driving import MISSING, Driver, opened
from tests.tui.test_dialect_dialog import unknown
from tests.tui.test_sending import aim, server

from sigscope.tui.matrix.screen import MatrixScreen
from sigscope.tui.screens.debugger import DebuggerScreen

SIZES = [(80, 24), (120, 36)]
SAID = (
    b'{"id":"r1","model":"gemini-3-pro-preview","choices":[{"index":0,'
    b'"finish_reason":"stop","message":{"role":"assistant","content":"Done."}}]}'
)
ANSWER = (
    b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
    b"content-length: %d\r\n\r\n%s" % (len(SAID), SAID)
)


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
async def test_enter_opens_a_cell_as_a_run_its_edits_on(size: tuple[int, int]) -> None:
    async with opened(MISSING, size=size) as driver:
        await shown(driver)
        assert "are a cure together: neither alone" in driver.text
        assert "⏎ Open" in driver.text
        lines = driver.text.splitlines()
        (head,) = [row for row in lines if "edits that are on" in row]
        at = head.index("edits that are on")
        (cell,) = [row for row in lines if row[2:4] == "2 " and "refused" in row]
        assert cell[at:].startswith("CPC-2")
        assert cell[head.index("simulator") :].startswith("400 CPC-1")
        await driver.press("j", "j", "j", "enter")
        screen = await back(driver)
        await driver.until(lambda: len(screen.model.document.runs) == 1)
        await driver.rest()
        assert screen.model.base == (2, None)
        assert len(screen.model.edits) == 2
        (run,) = screen.model.document.runs
        assert (run.upstream, run.status) == ("simulator", 200)
        assert run.title == "matrix: CPC-1 + CPC-2"
        await driver.reads("got 200 (simulator, run 1)")


async def test_a_cell_that_was_sent_is_opened_as_that_run() -> None:
    async with server(ANSWER, stalls=False) as url, opened(MISSING) as driver:
        aim(driver, url)
        await shown(driver)
        await driver.press("G", "s")
        screen = await back(driver)
        await driver.until(lambda: len(screen.model.document.runs) == 1)
        await driver.rest()
        screen.model.take_edits((), "as recorded")
        await shown(driver)
        await driver.until(lambda: "run 1: 200" in driver.text)
        assert "rules  " in driver.text
        assert "  sent " in driver.text, "what was sent has a column of its own"
        await driver.press("G", "enter")
        await back(driver)
        await driver.reads("got 200 (live, run 1)")
        assert len(screen.model.document.runs) == 1


async def test_with_a_live_service_chosen_the_simulator_opens_the_others() -> None:
    async with server(ANSWER, stalls=False) as url, opened(MISSING) as driver:
        aim(driver, url)
        await shown(driver)
        await driver.press("enter")
        screen = await back(driver)
        await driver.reads("got 400 (simulator, run 1)")
        assert screen.model.upstream.url == url


async def test_one_s_sends_the_cell_while_a_run_is_on_show() -> None:
    async with opened(MISSING) as driver:
        await driver.press("f", "s")
        screen = driver.screen
        await driver.until(lambda: len(screen.model.document.runs) == 1)
        screen.model.choose_step(2, 1)
        await driver.rest()
        await shown(driver)
        await driver.press("G", "s")
        await back(driver)
        await driver.until(lambda: len(screen.model.document.runs) == 2)
        await driver.rest()
        assert screen.model.document.runs[1].status == 200
        assert screen.model.base == (2, None)
        await driver.press("E")
        await driver.until(lambda: isinstance(driver.app.screen, MatrixScreen))
        await driver.until(lambda: "run 2: 200" in driver.text)


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


async def test_where_there_is_nothing_to_combine_it_is_said_once_and_whole() -> None:
    async with opened(unknown(), size=(80, 24)) as driver:
        await driver.press("E")
        await driver.reads("what is to be combined, then come back")
        assert driver.header.strip() == "sigscope  Unknown  nothing to combine"
        assert "all by size" not in driver.text


async def test_esc_goes_back_and_changes_nothing() -> None:
    async with opened(MISSING) as driver:
        await shown(driver)
        await driver.press("escape")
        screen = await back(driver)
        assert screen.model.edits == ()
