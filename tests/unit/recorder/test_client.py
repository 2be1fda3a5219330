from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from sigscope.recorder.client import ClientSide
from sigscope.recorder.hub import Hub


class LostTransport(asyncio.Transport):
    """To a client whose connection was reset, which the loop has not told yet."""

    def __init__(self) -> None:
        super().__init__()
        self.is_aborted = False

    def is_closing(self) -> bool:
        return self.is_aborted

    def can_write_eof(self) -> bool:
        return True

    def write(self, data: Any) -> None:
        pass

    def write_eof(self) -> None:
        raise OSError(107, "Transport endpoint is not connected")

    def abort(self) -> None:
        self.is_aborted = True


def test_a_client_that_was_reset_is_hung_up_on_without_a_fault() -> None:
    arrears = SimpleNamespace(is_late=False)
    journal = SimpleNamespace(arrears=arrears)
    told: list[str] = []
    hub = SimpleNamespace(
        clock=lambda: 0.0, journal=journal, is_over=False, on_refused=told.append
    )
    client = ClientSide(cast(Hub, hub), set())
    transport = LostTransport()
    client.connection_made(transport)
    client.data_received(b"no HTTP\r\n\r\n")
    assert transport.is_aborted
    assert "no HTTP/1.1 request line" in told[0]
