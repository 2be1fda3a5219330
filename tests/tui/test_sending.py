"""Sending over a connection: progress, cancelling, failing, asking first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from tests.listeners import deaf_port, listening
from tests.tui.driving import EMPTY_LIST, MISSING, Driver, opened

from sigscope.engine.engine import Target
from sigscope.runs import Verdict
from sigscope.tui.screens.debugger import DebuggerScreen
from sigscope.tui.screens.upstream import ChosenUpstream, Confirm


@asynccontextmanager
async def server(answer: bytes, *, stalls: bool) -> AsyncIterator[str]:
    """A loopback server: reads a request, writes an answer, and then stalls or hangs
    up. Gives its URL."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        if stalls:
            await asyncio.Event().wait()

    async with listening(serve) as port:
        yield f"http://127.0.0.1:{port}"


BEGUN = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
    b'data: {"choices": [{"index": 0, "delta": {"content": "Hel"}}]}\n\n'
)


def aim(driver: Driver, url: str) -> None:
    driver.screen.model.upstream = ChosenUpstream(url=url)


async def test_a_server_that_stalls_can_be_given_up_with_esc() -> None:
    async with server(BEGUN, stalls=True) as url, opened(EMPTY_LIST) as driver:
        aim(driver, url)
        await driver.pilot.press("s")
        await driver.until(
            lambda: (
                driver.screen.model.under_way is not None
                and driver.screen.model.under_way.progress is not None
                and driver.screen.model.under_way.progress.size
            ),
            "progress",
        )
        assert "sending to 127.0.0.1" in driver.status_line
        assert "esc cancels" in driver.status_line
        await driver.pilot.press("1", "k")
        assert driver.screen.board.steps.key == 1, "the screen goes on meanwhile"
        await driver.pilot.press("s")
        assert any("under way" in told for told in driver.told)
        await driver.pilot.press("q")
        assert isinstance(driver.app.screen, DebuggerScreen), "nothing is lost by q"
        await driver.press("escape")
        assert driver.screen.model.under_way is None
        (run,) = driver.screen.model.runs
        assert run.verdict is Verdict.UNCLEAR
        assert any("what came is kept" in told for told in driver.told)
        assert "esc cancels" not in driver.status_line


async def test_a_server_that_hangs_up_in_the_stream_gives_a_run_without_verdict() -> (
    None
):
    cut = BEGUN.replace(b"\r\n\r\n", b"\r\ncontent-length: 9999\r\n\r\n", 1)
    async with server(cut, stalls=False) as url, opened(EMPTY_LIST) as driver:
        aim(driver, url)
        driver.screen.model.engine._sleep = lambda _: asyncio.sleep(0)
        await driver.press("s")
        runs = driver.screen.model.runs
        assert len(runs) > 1, "what is no evidence is tried again"
        assert {run.verdict for run in runs} == {Verdict.UNCLEAR}
        assert "unclear: no evidence" in driver.text


async def test_a_port_where_nobody_listens_ends_in_a_message() -> None:
    with deaf_port() as port:
        async with opened(EMPTY_LIST) as driver:
            driver.screen.model.engine._sleep = lambda _: asyncio.sleep(0)
            aim(driver, f"http://127.0.0.1:{port}")
            await driver.press("s")
            assert driver.screen.model.under_way is None
            said = " ".join([*driver.told, driver.text]).lower()
            assert "connect" in said or "unclear" in said


async def test_a_send_that_may_cost_money_is_asked_for_once() -> None:
    async with opened(EMPTY_LIST) as driver:
        screen = driver.screen
        aim(driver, "https://api.example.invalid")
        await driver.press("s")
        assert isinstance(driver.app.screen, Confirm)
        assert "api.example.invalid" in driver.text
        await driver.press("escape")
        assert driver.screen.model.under_way is None
        assert driver.screen.model.runs == ()
        began: list[Target] = []
        screen.sender._begin = (  # type: ignore[method-assign]
            lambda _, target: began.append(target)
        )
        await driver.press("s", "shift+tab", "shift+tab", "space")
        await driver.press("tab", "tab", "enter")
        assert len(began) == 1
        await driver.press("s")
        assert len(began) == 2, "not again this session"
        screen.model.upstream = replace(
            screen.model.upstream, url="https://other.invalid"
        )
        screen.sender._is_confirmed = False
        await driver.press("s")
        assert isinstance(driver.app.screen, Confirm)


async def test_edits_that_cannot_be_made_are_said_not_sent() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("4")
        driver.json.show_node("request", None, "/messages/2/tool_calls")
        await driver.press("space")
        content = driver.screen.model.edits
        driver.screen.model.take_edits(
            (*content, replace(content[0], pointer="/messages/2/tool_calls/0/id")),
            "both",
        )
        await driver.rest()
        forecast = driver.screen.model.forecast
        assert forecast is not None
        if forecast.problem:
            assert forecast.problem[:20] in driver.header
            await driver.press("s")
            assert driver.screen.model.runs == ()


async def test_the_run_just_made_is_in_sight() -> None:
    async with opened(MISSING, size=(120, 36)) as driver:
        for number in (1, 2, 3):
            await driver.press("s")
            await driver.reads(f"#{number} as recorded")


async def test_it_is_in_sight_too_while_the_cursor_is_on_a_finding() -> None:
    async with opened(MISSING, size=(120, 36)) as driver:
        await driver.press("6", "f")
        before = driver.screen.board.findings.key
        for number in (1, 2, 3):
            await driver.press("s")
            await driver.reads(f"#{number} ")
        assert driver.screen.board.findings.key == before
