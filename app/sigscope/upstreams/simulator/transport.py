"""An ASGI application called in process, its answer handed on as it is sent.

`httpx.ASGITransport` collects the whole answer first; here a piece is in the caller's
hands before the application goes on to the next, so a stream really streams.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any
from urllib.parse import quote, unquote

from sigscope.errors import UpstreamError
from sigscope.exchange import Headers
from sigscope.records import dataclass
from sigscope.upstreams.simulator.app import Message, Receive, Scope, Send
from sigscope.utf8 import to_bytes
from sigscope.wire.urls import ascii_url, split_url

App = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseStart:
    """Status line and headers: the first thing that arrives."""

    status: int
    headers: Headers


async def exchange(
    app: App, method: str, target: str, headers: Headers = (), body: bytes = b""
) -> AsyncGenerator[ResponseStart | bytes, None]:
    """Send one request; yield the head, then each piece of the body as it is sent.

    `target` is a path with query, or an absolute URL whose host is ignored. Closing
    the iterator early cancels the application. Raises UpstreamError if the
    application ends without an answer.
    """
    wire: asyncio.Queue[Message | None] = asyncio.Queue()
    taken = asyncio.Semaphore(0)
    unread = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if unread:
            return unread.pop()
        await asyncio.Event().wait()
        raise AssertionError("unreachable: the client leaves by cancelling")

    async def send(message: Message) -> None:
        await wire.put(message)
        await taken.acquire()

    async def run() -> None:
        try:
            await app(_scope(method, target, headers), receive, send)
        finally:
            wire.put_nowait(None)

    task = asyncio.create_task(run())
    try:
        started = False
        while (message := await wire.get()) is not None:
            if message["type"] == "http.response.start":
                started = True
                yield _head(message)
            elif piece := bytes(message.get("body", b"")):
                yield piece
            taken.release()
        await asyncio.wait([task])
        if failure := task.exception():
            raise UpstreamError(f"the simulator failed: {failure!r}") from failure
        if not started:
            raise UpstreamError("the simulator ended without an answer")
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def fetch(
    app: App, method: str, target: str, headers: Headers = (), body: bytes = b""
) -> tuple[ResponseStart, bytes]:
    """The whole answer, for callers who do not care for its pieces."""
    head: ResponseStart | None = None
    data = bytearray()
    async for part in exchange(app, method, target, headers, body):
        if isinstance(part, ResponseStart):
            head = part
        else:
            data += part
    assert head is not None
    return head, bytes(data)


def _head(message: Message) -> ResponseStart:
    headers = tuple(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, value in message.get("headers", ())
    )
    return ResponseStart(status=message["status"], headers=headers)


def _scope(method: str, target: str, headers: Headers) -> dict[str, Any]:
    parts = split_url(target)
    path = parts.path or "/"
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": method.upper(),
        "scheme": "http",
        "path": unquote(path),
        "raw_path": quote(to_bytes(path), safe="/%:").encode(),
        "query_string": ascii_url(parts.query).encode(),
        "root_path": "",
        "headers": [
            (
                name.lower().encode("latin-1", "replace"),
                value.encode("latin-1", "replace"),
            )
            for name, value in headers
        ],
        "client": ("127.0.0.1", 0),
        "server": ("simulator", 80),
    }
