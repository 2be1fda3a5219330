"""What a page says may be anything, and no process outlives its tab."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

aiohttp = pytest.importorskip("aiohttp", reason="the extra `serve` is not installed")
pytest.importorskip("textual_serve", reason="the extra `serve` is not installed")

from aiohttp import web  # noqa: E402
from tests.patience import until  # noqa: E402

from sigscope.processes import is_running  # noqa: E402
from sigscope.sockets import listen  # noqa: E402
from sigscope.tui.web import tab  # noqa: E402
from sigscope.tui.web.gate import Gate  # noqa: E402
from sigscope.tui.web.server import build  # noqa: E402
from sigscope.tui.web.tab import Sign, Size, Typed, read_message, read_size  # noqa: E402


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('["stdin", "q"]', Typed(b"q")),
        ('["stdin", "\\ud800"]', Typed(b"?")),
        ('["resize", {"width": 100, "height": 30}]', Size(100, 30)),
        ('["ping", 5]', Sign("ping", 5)),
        ('["focus"]', Sign("focus")),
        ('["blur"]', Sign("blur")),
    ],
)
def test_what_the_page_says_is_read(text: str, wanted: object) -> None:
    assert read_message(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "{nope",
        "{}",
        "[]",
        "null",
        '["stdin"]',
        '["stdin", 5]',
        '["resize", {}]',
        '["resize", {"width": "x", "height": []}]',
        '["resize", {"width": 1e9, "height": NaN}]',
        '["ping"]',
        "[" * 100_000,
        '["quit"]',
    ],
)
def test_what_says_nothing_is_passed_over(text: str) -> None:
    assert read_message(text) is None


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        (("120", "36"), Size(120, 36)),
        ((None, None), Size(80, 24)),
        (("x", "9" * 5000), Size(80, 24)),
        (("-5", "0"), Size(1, 1)),
        ((10**9, 10**9), Size(1000, 500)),
    ],
)
def test_a_size_is_one_that_a_terminal_can_have(
    asked: tuple[object, object], wanted: Size
) -> None:
    assert read_size(*asked) == wanted


# --- Over the wire ----------------------------------------------------------------

STUBBORN = """
import os, sys, time
open(sys.argv[1], "w").write(str(os.getpid()))
sys.stdout.write("__GANGLION__\\n")
sys.stdout.flush()
time.sleep(600)
"""
"""Screens that hear nothing, not even that they are to end."""


@pytest.fixture
async def gate(tmp_path: Path) -> AsyncIterator[Gate]:
    """A server whose screens write their number to `pid`, and never end."""
    words = ["exec", sys.executable, "-c", STUBBORN, str(tmp_path / "pid")]
    with listen(0) as socket:
        gate = Gate(port=socket.getsockname()[1])
        runner = web.AppRunner(build(shlex.join(words), gate, "x"), access_log=None)
        await runner.setup()
        await web.SockSite(runner, socket).start()
        yield gate
        await runner.cleanup()


@pytest.fixture
async def browser(gate: Gate) -> AsyncIterator[aiohttp.ClientSession]:
    """One that followed the link."""
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar) as session:
        async with session.get(gate.link):
            pass
        yield session


async def test_screens_that_do_not_end_are_ended_with_their_tab(
    gate: Gate,
    browser: aiohttp.ClientSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tab, "PATIENCE", 0.01)
    pid = tmp_path / "pid"
    async with browser.ws_connect(f"{gate.origin}/ws") as socket:
        await until(lambda: pid.exists() and pid.read_text())
        for text in ("{nope", "[]", '["stdin", 5]', '["resize", {}]', '["ping", 7]'):
            await socket.send_str(text)
        assert await socket.receive_json() == ["pong", 7], "odd words ended it"
        assert is_running(int(pid.read_text()))
    await until(lambda: not is_running(int(pid.read_text())))


async def test_the_page_is_told_when_its_screens_are_gone(
    gate: Gate, browser: aiohttp.ClientSession, tmp_path: Path
) -> None:
    import os
    import signal

    pid = tmp_path / "pid"
    async with browser.ws_connect(f"{gate.origin}/ws") as socket:
        await until(lambda: pid.exists() and pid.read_text())
        os.kill(int(pid.read_text()), signal.SIGKILL)
        said = await asyncio.wait_for(socket.receive(), 30)
        assert said.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)


async def test_whoever_asks_for_no_socket_is_told_what_is_there(
    gate: Gate, browser: aiohttp.ClientSession
) -> None:
    async with browser.get(f"{gate.origin}/ws") as refused:
        assert refused.status == 400
        assert "WebSocket" in await refused.text()
        assert refused.headers["Cache-Control"] == "no-store"


async def test_a_name_that_no_file_can_have_is_not_found(
    gate: Gate, browser: aiohttp.ClientSession
) -> None:
    async with browser.get(f"{gate.origin}/static/{'a' * 5000}") as refused:
        assert refused.status == 404
