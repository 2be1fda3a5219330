"""The link lets one browser in, once; nobody else gets a byte."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator

import pytest

aiohttp = pytest.importorskip("aiohttp", reason="the extra `serve` is not installed")
pytest.importorskip("textual_serve", reason="the extra `serve` is not installed")

from aiohttp import web  # noqa: E402
from textual_serve.app_service import AppService  # noqa: E402

from sigscope.sockets import listen  # noqa: E402
from sigscope.tui.web.gate import Gate  # noqa: E402
from sigscope.tui.web.page import (  # noqa: E402
    PageColours,
    page,
    page_colours,
    refusal_page,
)
from sigscope.tui.web.server import build  # noqa: E402

EVERYWHERE = ("/", "/ws", "/static/js/textual.js", "/download/x", "/static/", "/none")


@pytest.fixture
async def started(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Waits for the programs that textual-serve starts and leaves to the end of the
    loop, where the collector would find what is open of them in some other test."""
    programs: list[asyncio.subprocess.Process] = []
    start = AppService._open_app_process

    async def noted(service: AppService, *size: int) -> asyncio.subprocess.Process:
        programs.append(await start(service, *size))
        return programs[-1]

    monkeypatch.setattr(AppService, "_open_app_process", noted)
    yield
    for program in programs:
        await program.wait()
        program._transport.close()  # type: ignore[attr-defined]


@pytest.fixture
async def gate(started: None) -> AsyncIterator[Gate]:
    """A server that listens; its screens would be `true`, which ends at once."""
    with listen(0) as socket:
        gate = Gate(port=socket.getsockname()[1])
        runner = web.AppRunner(build("true", gate, 'a "title" <b>'), access_log=None)
        await runner.setup()
        await web.SockSite(runner, socket).start()
        yield gate
        await runner.cleanup()


@pytest.fixture
async def browser() -> AsyncIterator[aiohttp.ClientSession]:
    """Keeps cookies, also those of an address without a name."""
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar) as session:
        yield session


@pytest.mark.parametrize("path", EVERYWHERE)
async def test_nothing_is_served_without_the_link(
    gate: Gate, browser: aiohttp.ClientSession, path: str
) -> None:
    async with browser.get(gate.origin + path) as refused:
        assert refused.status == 403
        assert "works once" in await refused.text()
        assert "Set-Cookie" not in refused.headers
    assert gate.token, "a stranger does not use it up"


async def test_a_person_is_refused_on_a_page_and_a_program_in_a_line(
    gate: Gate, browser: aiohttp.ClientSession
) -> None:
    headers = {"Accept": "text/html,*/*;q=0.8"}
    async with browser.get(gate.origin, headers=headers) as refused:
        assert (refused.status, refused.content_type) == (403, "text/html")
        words = await refused.text()
        assert "<p>The link that `sigscope serve` prints works once" in words
        assert "default-src 'none'" in refused.headers["Content-Security-Policy"]
        assert refused.headers["X-Frame-Options"] == "DENY"
    async with browser.get(gate.origin) as refused:
        assert refused.content_type == "text/plain"
    said = refusal_page("a <b>\nc\n\nd", nonce="n")
    assert "<p>a &lt;b&gt; c</p><p>d</p>" in said


def test_the_page_has_the_colours_of_the_theme() -> None:
    light = page_colours("sigscope-light")
    assert (light.dark, light.background) == (False, "#FBFAF7")
    assert page_colours("ansi-16") == PageColours(), "the terminal's own: nobody knows"
    shown = page(title="", host="", nonce="", colours=light)
    assert f"background: {light.background}" in shown
    assert 'content="light"' in shown


async def test_the_link_works_once_and_then_the_cookie(
    gate: Gate, browser: aiohttp.ClientSession
) -> None:
    link = gate.link
    async with browser.get(link) as page:
        assert page.status == 200
        cookie = page.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie

    for path in ("/", "/static/js/textual.js", "/static/css/xterm.css"):
        async with browser.get(gate.origin + path) as found:
            assert found.status == 200, path
    async with browser.ws_connect(f"{gate.origin}/ws") as socket:
        assert not socket.closed

    async with aiohttp.ClientSession() as stranger, stranger.get(link) as refused:
        assert refused.status == 403


@pytest.mark.parametrize("given", ["", "x", "%FF", "é", "wrong&token=wrong"])
async def test_another_token_does_not_open(
    gate: Gate, browser: aiohttp.ClientSession, given: str
) -> None:
    async with browser.get(f"{gate.origin}/?token={given}") as refused:
        assert refused.status == 403
    assert gate.token


async def test_the_token_opens_the_page_and_nothing_else(
    gate: Gate, browser: aiohttp.ClientSession
) -> None:
    for path in EVERYWHERE[1:]:
        url = f"{gate.origin}{path}?token={gate.token}"
        async with browser.get(url) as refused:
            assert refused.status == 403, path
    async with browser.head(gate.link) as refused:
        assert refused.status == 403, "a preview does not use the link up"
    async with browser.get(gate.link) as page:
        assert page.status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1:1"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
    ],
)
async def test_a_foreign_name_or_page_is_refused_even_with_the_cookie(
    gate: Gate, browser: aiohttp.ClientSession, headers: dict[str, str]
) -> None:
    async with browser.get(gate.link) as page:
        assert page.status == 200
    for path in ("/", "/ws"):
        url = gate.origin + path
        async with browser.get(url, headers=headers) as refused:
            assert refused.status == 403
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await browser.ws_connect(f"{gate.origin}/ws", headers=headers)


@pytest.mark.parametrize(
    "lines",
    [b"Host:", b"Host: 127.0.0.1:%d\r\nCookie: sigscope-%d=\xff\xfe", b"Host: \xff"],
)
async def test_bytes_that_say_nothing_are_refused_in_words(
    gate: Gate, lines: bytes
) -> None:
    said = lines.replace(b"%d", str(gate.port).encode())
    reader, writer = await asyncio.open_connection("127.0.0.1", gate.port)
    writer.write(b"GET / HTTP/1.1\r\nConnection: close\r\n" + said + b"\r\n\r\n")
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    assert answer.startswith(b"HTTP/1.1 403 ")


def test_the_usual_port_may_be_left_out() -> None:
    from aiohttp.test_utils import make_mocked_request

    def asks(gate: Gate, host: str) -> bool:
        request = make_mocked_request(
            "GET", f"/?token={gate.token}", headers={"Host": host}
        )
        return gate._admit(request)

    assert asks(Gate(port=80), "127.0.0.1")
    with pytest.raises(web.HTTPForbidden):
        asks(Gate(port=8920), "127.0.0.1")


async def test_the_page_loads_nothing_from_elsewhere(
    gate: Gate, browser: aiohttp.ClientSession
) -> None:
    token = gate.token
    async with browser.get(gate.link) as page:
        text = await page.text()
        rules = page.headers["Content-Security-Policy"]
        assert page.headers["Referrer-Policy"] == "no-referrer"
        assert page.headers["Cache-Control"] == "no-store"
    asked = re.findall(r'(?:src|href)="([^"]*)"|url\("([^"]*)"\)', text)
    for url in ("".join(pair) for pair in asked):
        assert url.startswith(("/", "data:")), url
    assert "http" not in text
    assert f"ws://127.0.0.1:{gate.port}/ws" in text
    assert "default-src 'none'" in rules
    assert token not in text
    assert "a &quot;title&quot; &lt;b&gt;" in text


async def test_files_beside_the_page_are_out_of_reach(
    gate: Gate, browser: aiohttp.ClientSession
) -> None:
    async with browser.get(gate.link):
        pass
    for path in ("/static/../server.py", "/static/..%2fserver.py", "/static/js/"):
        async with browser.get(gate.origin + path) as refused:
            assert refused.status in (403, 404), path


def test_two_servers_have_nothing_in_common() -> None:
    one, other = Gate(port=1), Gate(port=2)
    assert len({one.token, one.cookie, other.token, other.cookie}) == 4
    assert one.cookie_name != other.cookie_name
    assert len(one.token) >= 40
