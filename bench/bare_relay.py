"""The least that a relay can do: wait, read, write. What ours is compared with.

    python bench/bare_relay.py PORT

Passes what comes to that port of this machine and back, and looks at none of it.
Prints its own port, then serves until it is killed.
"""

from __future__ import annotations

import select
import socket
import sys
from contextlib import suppress

_PIECE = 64 * 1024


class BareRelay:
    """Pairs of connections, by the numbers of their sockets."""

    def __init__(self, upstream: int) -> None:
        self._upstream = upstream
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._epoll = select.epoll()
        self._epoll.register(self._listener.fileno(), select.EPOLLIN)
        self._pairs: dict[int, tuple[socket.socket, socket.socket]] = {}
        self.port: int = self._listener.getsockname()[1]

    def serve(self) -> None:
        """For ever."""
        pairs, listener = self._pairs, self._listener.fileno()
        while True:
            for fd, _ in self._epoll.poll():
                if fd == listener:
                    self._accept()
                elif fd in pairs:
                    source, target = pairs[fd]
                    data = _received(source)
                    if data:
                        with suppress(OSError):
                            target.sendall(data)
                    else:
                        self._close(source, target)

    def _accept(self) -> None:
        client, _ = self._listener.accept()
        upstream = socket.create_connection(("127.0.0.1", self._upstream))
        for here, there in ((client, upstream), (upstream, client)):
            here.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._pairs[here.fileno()] = here, there
            self._epoll.register(here.fileno(), select.EPOLLIN)

    def _close(self, *connections: socket.socket) -> None:
        for each in connections:
            self._epoll.unregister(each.fileno())
            del self._pairs[each.fileno()]
            each.close()


def _received(source: socket.socket) -> bytes:
    try:
        return source.recv(_PIECE)
    except OSError:
        return b""


if __name__ == "__main__":
    relay = BareRelay(int(sys.argv[1]))
    print(relay.port, flush=True)
    relay.serve()
