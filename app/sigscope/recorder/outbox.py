"""What goes to an upstream: waiting for a connection, and kept until that one works."""

from __future__ import annotations

from sigscope.recorder.upstream import UpstreamSide

RETRY_SIZE = 32 * 1024 * 1024
"""Larger requests are not kept to be sent again."""
UNSENT = 1024 * 1024
"""Bytes of a body that wait for a connection before the client is told to wait."""


class Outbox:
    """The bytes of one request on their way."""

    __slots__ = ("_kept", "_kept_size", "_upstream", "_waiting", "_waiting_size")

    def __init__(self) -> None:
        self._upstream: UpstreamSide | None = None
        self._waiting: list[bytes] = []
        self._waiting_size = 0
        self._kept: list[bytes] | None = None
        """What went out on a kept connection, until it is known to work."""
        self._kept_size = 0

    @property
    def is_full(self) -> bool:
        """Whether more waits than should."""
        return self._waiting_size > UNSENT

    def put(self, data: bytes) -> None:
        """Send, now or when there is a connection."""
        if self._upstream is None:
            self._waiting.append(data)
            self._waiting_size += len(data)
        else:
            self._upstream.write(data)
            self._keep(data)

    def put_first(self, data: bytes) -> None:
        """Put before all that waits."""
        self._waiting.insert(0, data)

    def clear(self) -> None:
        """Forget what waits."""
        self._waiting.clear()
        self._waiting_size = 0

    def attach(self, upstream: UpstreamSide, *, keeps: bool) -> None:
        """Send all that waits, and what comes, on this connection. `keeps`: it may turn
        out to be dead; `take_back` then gets the bytes back."""
        self._upstream = upstream
        self._kept, self._kept_size = ([] if keeps else None), 0
        data = b"".join(self._waiting)
        self.clear()
        upstream.write(data)
        self._keep(data)

    def works(self) -> None:
        """The connection has shown that it works: nothing is sent again."""
        self._kept = None

    def take_back(self) -> bool:
        """The connection is gone: what went out waits for another one. False if it is
        not known any more."""
        self._upstream = None
        if self._kept is None:
            return False
        self._waiting, self._kept = self._kept, None
        return True

    def _keep(self, data: bytes) -> None:
        if self._kept is not None:
            self._kept.append(data)
            self._kept_size += len(data)
            if self._kept_size > RETRY_SIZE:
                self._kept = None
