"""Live sends against real servers on loopback."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from tests.listeners import listening

from sigscope.errors import UsageError
from sigscope.exchange import Body, Exchange, Request
from sigscope.upstreams.base import Collected
from sigscope.upstreams.live import Live
from sigscope.upstreams.target import aim, with_key

Handler = Callable[[bytes, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def server(handler: Handler) -> AsyncIterator[str]:
    """A server that reads one request whole and lets the handler answer."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        size = next(
            (
                int(line.split(b":")[1])
                for line in head.lower().split(b"\r\n")
                if line.startswith(b"content-length:")
            ),
            0,
        )
        body = await reader.readexactly(size)
        await handler(head + body, writer)

    async with listening(serve) as port:
        yield f"http://127.0.0.1:{port}"


async def ask(url: str, request: Request, seconds: float = 60.0) -> Exchange:
    collected = Collected(request=request, started_at="2026-01-01T00:00:00Z")
    async for arrival in Live(url, time.monotonic, read_seconds=seconds).send(request):
        collected.take(arrival)
    return collected.exchange()


async def test_the_request_goes_out_as_it_is_with_host_and_length_only_added() -> None:
    seen: list[bytes] = []

    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        seen.append(request)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Two: a\r\n\r\n{}")
        await writer.drain()

    async with server(handler) as url:
        request = Request(
            url=f"{url}/v1/a%7eb?q=1",
            headers=(("X-Case", "Kept"), ("content-length", "999"), ("B", "2")),
            body=Body(b'{"a": 1.0}'),
        )
        exchange = await ask(url, request)
    head, _, body = seen[0].partition(b"\r\n\r\n")
    names = [line.split(b":")[0] for line in head.split(b"\r\n")[1:]]
    assert head.startswith(b"POST /v1/a%7eb?q=1 HTTP/1.1")
    assert sorted(names) == [b"B", b"Content-Length", b"Host", b"X-Case"]
    assert body == b'{"a": 1.0}'
    assert exchange.response is not None
    assert exchange.response.status == 200
    assert ("X-Two", "a") in exchange.response.headers
    assert exchange.response.ending == "complete"


async def test_what_a_browser_recorded_of_http_2_is_sent_as_http_1() -> None:
    seen: list[bytes] = []

    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        seen.append(request)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        await writer.drain()

    async with server(handler) as url:
        request = Request(
            url=f"{url}/chat/completions",
            headers=(
                (":authority", "api.example.com"),
                (":method", "POST"),
                (":path", "/chat/completions"),
                (":scheme", "https"),
                ("content-type", "application/json"),
                ("x-title", "caf\u00e9"),
                ("x-name", "\u65e5\u672c"),
            ),
            body=Body(b"{}"),
        )
        exchange = await ask(url, request)
    assert exchange.response is not None
    assert exchange.response.status == 200
    lines = seen[0].partition(b"\r\n\r\n")[0].split(b"\r\n")[1:]
    assert not [line for line in lines if line.startswith(b":")]
    assert b"content-type: application/json" in lines
    assert b"x-title: caf\xe9" in lines
    assert b"x-name: " + "\u65e5\u672c".encode() in lines


@pytest.mark.parametrize("url", ["http://h:99999/", "http://[::1/", "http://a\x00b/"])
async def test_a_url_that_is_none_ends_the_send_with_the_reason(url: str) -> None:
    request = Request(url=url, headers=(("a", "b"),), body=Body(b"{}"))
    collected = Collected(request=request, started_at="2026-01-01T00:00:00Z")
    async for arrival in Live(url, time.monotonic).send(request):
        collected.take(arrival)
    assert collected.end is not None
    assert collected.end.problem


async def test_pieces_of_a_stream_keep_their_arrival() -> None:
    gate = asyncio.Event()

    async def handler(_: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        writer.write(b"9\r\ndata: 1\n\n\r\n")
        await writer.drain()
        await gate.wait()
        writer.write(b"9\r\ndata: 2\n\n\r\n0\r\n\r\n")
        await writer.drain()

    async with server(handler) as url:
        request = Request(url=f"{url}/x", body=Body(b"{}"))
        collected = Collected(request=request, started_at="")
        async for arrival in Live(url, time.monotonic).send(request):
            collected.take(arrival)
            if collected.size:
                gate.set()
    response = collected.exchange().response
    assert response is not None
    assert response.body.raw == b"data: 1\n\ndata: 2\n\n"
    assert [chunk.end for chunk in response.chunks] == [9, 18]
    assert response.chunks[0].at_ms <= response.chunks[1].at_ms


async def test_a_redirect_is_the_answer_and_is_not_followed() -> None:
    async def handler(_: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(
            b"HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:9/\r\n"
            b"Content-Length: 0\r\n\r\n"
        )
        await writer.drain()

    async with server(handler) as url:
        exchange = await ask(url, Request(url=f"{url}/x"))
    assert exchange.response is not None
    assert exchange.response.status == 307


async def test_a_server_that_hangs_up_mid_stream_leaves_what_came() -> None:
    async def handler(_: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        writer.write(b"5\r\ndata:\r\n")
        await writer.drain()

    async with server(handler) as url:
        exchange = await ask(url, Request(url=f"{url}/x"))
    assert exchange.response is not None
    assert exchange.response.body.raw == b"data:"
    assert exchange.response.ending == "upstream-aborted"
    assert "broke off" in exchange.remarks[0]


async def test_a_silent_server_is_given_up() -> None:
    async def handler(_: bytes, writer: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    async with server(handler) as url:
        exchange = await ask(url, Request(url=f"{url}/x"), seconds=0.02)
    assert exchange.response is None
    assert "silent for 0.02 s" in exchange.remarks[0]


async def test_a_refused_connection_says_so() -> None:
    url = "http://127.0.0.1:1/x"
    exchange = await ask(url, Request(url=url))
    assert exchange.response is None
    assert "cannot connect to 127.0.0.1:1" in exchange.remarks[0]


@pytest.mark.parametrize(
    ("recorded", "target", "sent"),
    [
        (
            "https://a.example/chat/completions?x=1",
            "http://127.0.0.1:8901",
            "http://127.0.0.1:8901/chat/completions?x=1",
        ),
        (
            "https://a.example/chat/completions",
            "https://b.example/proxy/",
            "https://b.example/proxy/chat/completions",
        ),
        (
            "https://a.example/chat/completions",
            "https://b.example/v1/chat/completions",
            "https://b.example/v1/chat/completions",
        ),
        ("", "http://127.0.0.1:1", "http://127.0.0.1:1/chat/completions"),
        (
            "https://a.example/v1beta/models/m:generateContent",
            "https://b.example/v1/models/n:generateContent",
            "https://b.example/v1/models/n:generateContent",
        ),
    ],
)
def test_a_target_is_a_base_or_an_endpoint(
    recorded: str, target: str, sent: str
) -> None:
    assert aim(Request(url=recorded), target, "/chat/completions").url == sent


@pytest.mark.parametrize("target", ["", "ftp://x/", "simulatr", "http://"])
def test_what_is_no_target_is_refused(target: str) -> None:
    with pytest.raises(UsageError, match="is no target"):
        aim(Request(), target, "/x")


def test_the_key_replaces_what_the_recording_had() -> None:
    headers = (("Authorization", "Bearer [removed]"), ("X", "1"))
    assert with_key(headers, "k", "authorization") == (
        ("X", "1"),
        ("authorization", "Bearer k"),
    )
    assert with_key((), "k", "x-goog-api-key") == (("x-goog-api-key", "k"),)


def test_credentials_of_a_recording_stay_with_their_host() -> None:
    headers = (("Authorization", "Bearer x"), ("Cookie", "a=1"), ("X", "1"))
    recorded = Request(url="https://a.example/v1/x?key=k&b=2", headers=headers)
    home = aim(recorded, "https://a.example:443/", "")
    assert home.headers == headers
    assert home.url == "https://a.example:443/v1/x?key=k&b=2"
    away = aim(recorded, "https://b.example/", "")
    assert away.headers == (("X", "1"),)
    assert away.url == "https://b.example/v1/x?b=2"
    own = aim(recorded, "https://b.example/", "", is_own=True)
    assert (own.headers, own.url) == (headers, "https://b.example/v1/x?key=k&b=2")
