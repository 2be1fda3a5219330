"""Servers on loopback that answer badly, each connection in a thread of its own."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from tests.patience import PATIENCE

Handler = Callable[[socket.socket, threading.Event], None]
"""Answers one request, which has been read whole; the event says: leave."""


@dataclass(slots=True)
class Served:
    """A running server, and what it was sent."""

    port: int
    requests: list[bytes] = field(default_factory=list)
    arrived: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def server(handler: Handler) -> Iterator[Served]:
    """Serve until the block is left."""
    over = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.05)
    served = Served(port=listener.getsockname()[1])

    def accept() -> None:
        while not over.is_set():
            with suppress(TimeoutError, OSError):
                connection, _ = listener.accept()
                threading.Thread(target=serve, args=(connection,), daemon=True).start()

    def serve(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.settimeout(PATIENCE)
            served.requests.append(_read(connection))
            served.arrived.set()
            handler(connection, over)

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        over.set()
        thread.join()
        listener.close()


def _read(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    size = next(
        (
            int(line.partition(b":")[2])
            for line in head.lower().split(b"\r\n")
            if line.startswith(b"content-length:")
        ),
        0,
    )
    while len(body) < size:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


def says(*pieces: bytes) -> Handler:
    """Send this and hang up."""

    def handle(connection: socket.socket, _: threading.Event) -> None:
        for piece in pieces:
            connection.sendall(piece)

    return handle


def stalls(*pieces: bytes) -> Handler:
    """Send this, then nothing more."""

    def handle(connection: socket.socket, over: threading.Event) -> None:
        for piece in pieces:
            connection.sendall(piece)
        over.wait(PATIENCE)

    return handle


def never_ends(head: bytes, piece: bytes) -> Handler:
    """Send a piece again and again."""

    def handle(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(head)
        while not over.wait(0.005):
            connection.sendall(piece)

    return handle


def answer(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    """A whole answer."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


STREAM = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)


def chunk(data: bytes) -> bytes:
    """One piece of a chunked body."""
    return b"%x\r\n%s\r\n" % (len(data), data)
