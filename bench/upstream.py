"""What the proxies of `rows_recorder` stand in front of: a process of its own.

    POST /echo                    → 2 kB of JSON
    POST /stream?count=N&gap=S    → N events, S seconds apart, each with the time (in
                                    nanoseconds of the machine's monotonic clock) when
                                    it left

Prints its port, then serves until it is killed. A head is read as far as these requests
need it.
"""

from __future__ import annotations

import asyncio
import re
import time

_LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")
_CHUNKED = re.compile(rb"(?i)\r\ntransfer-encoding: *chunked")
_STREAM = re.compile(rb"count=(\d+)&gap=([0-9.]+)")
_ECHO = b'{"said":"%s"}' % (b"x" * 2000)
_DRAIN_EVERY = 64


async def serve() -> None:
    """Listen on a free port and tell it."""
    server = await asyncio.start_server(_answer_all, "127.0.0.1", 0, limit=1 << 22)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def _answer_all(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            await _read_body(head, reader)
            wanted = _STREAM.search(head.split(b"\r\n", 1)[0])
            if wanted is None:
                writer.write(_head(b"application/json", len(_ECHO)) + _ECHO)
                await writer.drain()
            else:
                await _stream(writer, int(wanted[1]), float(wanted[2]))
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def _read_body(head: bytes, reader: asyncio.StreamReader) -> None:
    if length := _LENGTH.search(head):
        await reader.readexactly(int(length[1]))
    elif _CHUNKED.search(head):
        while size := int(await reader.readline(), 16):
            await reader.readexactly(size + 2)
        await reader.readline()


async def _stream(writer: asyncio.StreamWriter, count: int, gap: float) -> None:
    writer.write(_head(b"text/event-stream", None))
    for number in range(count):
        event = b'data: {"n":%d,"left":%d,"choices":[{"delta":{"content":"word"}}]}\n\n'
        event %= (number, time.monotonic_ns())
        writer.write(b"%x\r\n%b\r\n" % (len(event), event))
        if gap:
            await writer.drain()
            await asyncio.sleep(gap)
        elif number % _DRAIN_EVERY == 0:
            await writer.drain()
    writer.write(b"0\r\n\r\n")
    await writer.drain()


def _head(kind: bytes, length: int | None) -> bytes:
    size = b"transfer-encoding: chunked"
    if length is not None:
        size = b"content-length: %d" % length
    return b"HTTP/1.1 200 OK\r\ncontent-type: %b\r\n%b\r\n\r\n" % (kind, size)


if __name__ == "__main__":
    asyncio.run(serve())
