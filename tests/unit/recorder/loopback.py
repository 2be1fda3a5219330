"""Real peers on loopback: an upstream that says what it is told, and a raw client."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.listeners import listening
from tests.patience import PATIENCE

from sigscope.recorder.journal import Journal
from sigscope.recorder.recorder import Recorder
from sigscope.recorder.routes import Routes, parse_route
from sigscope.session import Session
from sigscope.sockets import listen
from sigscope.store import Header, SessionWriter, open_session

Handler = Callable[["Call"], Awaitable[None]]


@dataclass
class Call:
    """One request as the upstream got it, and the way to answer."""

    head: bytes
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    body: bytes = b""
    connection: int = 0

    async def say(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self, body: bytes, *headers: str, status: str = "200 OK") -> None:
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
        await self.say("\r\n".join([*lines, "", ""]).encode("latin-1") + body)


@dataclass
class Upstream:
    """A scripted server."""

    handler: Handler
    port: int = 0
    calls: list[Call] = field(default_factory=list)
    connections: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.connections += 1
        number = self.connections
        while head := await reader.readuntil(b"\r\n\r\n"):
            call = Call(head, reader, writer, connection=number)
            if b"100-continue" not in head:
                call.body = await read_body(head, reader)
            self.calls.append(call)
            await self.handler(call)
            if writer.is_closing():
                return


async def read_body(head: bytes, reader: asyncio.StreamReader) -> bytes:
    """A body by its head, chunks with their framing."""
    lower = head.lower()
    if b"transfer-encoding: chunked" in lower:
        return await reader.readuntil(b"0\r\n\r\n")
    if b"content-length:" in lower:
        size = int(lower.partition(b"content-length:")[2].split(b"\r\n")[0])
        return await reader.readexactly(size)
    return b""


@dataclass
class Bench:
    """An upstream, a recorder before it, and what was recorded."""

    upstream: Upstream
    recorder: Recorder
    path: Path
    problems: list[str]

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(
            "127.0.0.1", self.recorder.port, limit=1 << 24
        )

    async def ask(self, data: bytes) -> bytes:
        """Send bytes; all that comes back until the recorder closes."""
        reader, writer = await self.connect()
        writer.write(data)
        answer = await reader.read()
        writer.close()
        return answer

    async def finish(self) -> Session:
        await self.recorder.stop()
        return open_session(str(self.path))


@asynccontextmanager
async def bench(
    tmp_path: Path, handler: Handler, *, prefix: str = "", base: str = "", **more: Any
) -> AsyncIterator[Bench]:
    """A recorder in front of a scripted upstream."""
    upstream = Upstream(handler)
    async with listening(upstream.serve, limit=1 << 24) as upstream.port:
        routes = Routes([parse_route(upstream.url + base, prefix)])
        recorder, path, problems = make_recorder(tmp_path, routes, **more)
        await recorder.start()
        try:
            async with asyncio.timeout(PATIENCE * 2):
                yield Bench(upstream, recorder, path, problems)
        finally:
            await recorder.stop()


def make_recorder(
    tmp_path: Path, routes: Routes, **more: Any
) -> tuple[Recorder, Path, list[str]]:
    """A recorder with a file."""
    path = tmp_path / "r.session.jsonl"
    SessionWriter.create(str(path), Header(id="r")).close()
    problems: list[str] = []
    journal_options = more.pop("journal", {})
    journal = Journal(
        str(path),
        clock=time.monotonic,
        name="t",
        on_problem=problems.append,
        **journal_options,
    )
    return Recorder(routes, journal, listen(0), **more), path, problems


def post(body: bytes, *headers: str, path: str = "/v1/x") -> bytes:
    """A request that ends its connection."""
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: localhost",
        f"Content-Length: {len(body)}",
        *headers,
    ]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode() + body
