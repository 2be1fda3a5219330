"""A server of a test is over when its block is."""

from __future__ import annotations

import asyncio

from tests.listeners import listening


async def test_whoever_is_still_being_answered_is_hung_up_on() -> None:
    writers: list[asyncio.StreamWriter] = []
    begun = asyncio.Event()

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        begun.set()
        await asyncio.Event().wait()

    async with listening(serve) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await begun.wait()
    (answering,) = writers
    assert answering.transport.is_closing()
    assert await reader.read() == b""
    writer.close()


async def test_a_client_that_goes_in_the_middle_is_no_fault() -> None:
    ended = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        try:
            await reader.readexactly(100)
        finally:
            ended.set()

    async with listening(serve) as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"half")
        writer.close()
        await ended.wait()
