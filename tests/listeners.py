"""Servers in the loop of a test, which leave no connection behind."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
"""Answers one connection; it may be cancelled, and its client may go."""


@contextmanager
def deaf_port() -> Iterator[int]:
    """A port that refuses connections, and that nobody else gets meanwhile."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@asynccontextmanager
async def listening(serve: Serve, **options: Any) -> AsyncIterator[int]:
    """The port of a server on loopback, until the block is left. What still answers
    then is cancelled and its connection closed: left to the end of the loop it would
    stay open, and the collector would tell of it in some other test."""
    answering: set[asyncio.Task[Any]] = set()

    async def handle(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        task = asyncio.current_task()
        assert task is not None
        answering.add(task)
        try:
            with suppress(
                asyncio.CancelledError, asyncio.IncompleteReadError, ConnectionError
            ):
                await serve(reader, writer)
        finally:
            writer.close()
            answering.discard(task)

    server = await asyncio.start_server(handle, "127.0.0.1", 0, **options)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await asyncio.sleep(0)  # who was let in just now begins
        while answering:
            for task in tuple(answering):
                task.cancel()
            await asyncio.wait(tuple(answering))
        await asyncio.sleep(0)  # a closed transport lets its socket go in the next turn
