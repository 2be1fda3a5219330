"""Connections of clients: one request after the other."""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import suppress
from typing import cast

from sigscope.recorder import answers, rewrites
from sigscope.recorder.answers import RelayedAnswer
from sigscope.recorder.heads import HeadError, find_end, parse_request
from sigscope.recorder.hub import Hub
from sigscope.recorder.relay import Relay

LINGER_SECONDS = 2.0
"""How long a client that is still sending gets to read an answer that closes, once all
of it is on its way."""
PAUSE_SECONDS = 0.01
"""After that, a request that waits for the scribe looks again."""
PIPELINED = 64 * 1024
"""Bytes behind the present request after which the client has to wait."""
_OTHERS = {
    b"\x16\x03": "it begins with TLS; the address to give a client is http://, not"
    " https",
    b"PRI * HTTP/2": "it begins with HTTP/2; have the client speak HTTP/1.1",
}
"""How a client begins that speaks something else, of which no line may end (RFC 8446,
5.1; RFC 9113, 3.4)."""

_NO_LINGER = struct.pack("ii", 1, 0)
"""Closing resets (socket(7), SO_LINGER)."""


class ClientSide(asyncio.Protocol):
    """One connection from a client."""

    def __init__(self, hub: Hub, clients: set[ClientSide]) -> None:
        self._hub = hub
        self._clients = clients
        self._transport: asyncio.Transport | None = None
        self._buffer = b""
        self._began = 0.0
        """When the first byte in the buffer came."""
        self._relay: Relay | None = None
        self._is_running = False
        self._is_closing = False
        self._is_waiting = False
        """The scribe is behind: the next request begins a little later."""
        self._is_full = False
        """It has not read what was answered: the next request begins when it has."""

    # --- From the loop ---------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        if self._hub.is_over:  # taken from the system before, and made after that
            self._is_closing = True
            self._transport.abort()
            return
        self._clients.add(self)

    def data_received(self, data: bytes) -> None:
        if self._is_closing:
            return
        if self._relay is not None:
            data = self._relay.request_data(data)
            if not data:
                return
        if not self._buffer:
            self._began = self._hub.clock()
        self._buffer += data
        is_busy = self._relay is not None or self._is_waiting or self._is_full
        if is_busy and len(self._buffer) > PIPELINED:
            self.read(is_wanted=False)
        self._run()

    def eof_received(self) -> bool:
        """A client that stops sending has gone; so nginx takes it. One that only half
        closes its connection is answered by few servers."""
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_closing = True
        self._clients.discard(self)
        relay, self._relay = self._relay, None
        if relay is not None:
            relay.client_lost()

    def pause_writing(self) -> None:
        self._is_full = True
        if self._relay is not None:
            self._relay.client_is_full(True)

    def resume_writing(self) -> None:
        self._is_full = False
        if self._relay is not None:
            self._relay.client_is_full(False)
        elif not self._is_closing:
            self.read(is_wanted=True)
            self._run()

    # --- From the relay --------------------------------------------------------------

    @property
    def fd(self) -> int:
        assert self._transport is not None
        number: int = self._transport.get_extra_info("socket").fileno()
        return number

    @property
    def is_clear(self) -> bool:
        transport = self._transport
        assert transport is not None
        return not transport.is_closing() and not transport.get_write_buffer_size()

    def write(self, data: bytes) -> None:
        """Send to the client."""
        assert self._transport is not None
        if data and not self._transport.is_closing():
            self._transport.write(data)

    def read(self, *, is_wanted: bool) -> None:
        """Stop or resume reading."""
        assert self._transport is not None
        if self._transport.is_closing():
            return
        if is_wanted:
            self._transport.resume_reading()
        else:
            self._transport.pause_reading()

    def done(self, *, closes: bool) -> None:
        """The answer is written; the next request may come."""
        self._relay = None
        if closes:
            self._close()
            return
        self.read(is_wanted=True)
        self._run()

    def cut(self) -> None:
        """The answer breaks off here."""
        self._relay = None
        self._close()

    def reset(self) -> None:
        """The same for a client that would take the end of the connection for the end
        of the answer: it gets an error."""
        assert self._transport is not None
        self._relay = None
        self._is_closing = True
        sock = self._transport.get_extra_info("socket")
        with suppress(OSError):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
        self._transport.close()

    def stop(self) -> None:
        """The recorder ends."""
        self._is_closing = True
        relay, self._relay = self._relay, None
        if relay is not None:
            relay.stop()
        if self._transport is not None:
            self._transport.close()

    # ---------------------------------------------------------------------------------

    def _close(self) -> None:
        """Close when all is written. What the client still sends is read for a while,
        or its system would throw the answer away."""
        assert self._transport is not None
        self._is_closing = True
        self._buffer = b""
        if self._transport.can_write_eof() and not self._transport.is_closing():
            try:
                self._transport.write_eof()
            except OSError:  # it has gone, and the loop has not told yet
                self._transport.abort()
                return
            self.read(is_wanted=True)
            self._linger()
        else:
            self._transport.close()

    def _linger(self) -> None:
        loop = asyncio.get_running_loop()
        loop.call_later(LINGER_SECONDS, self._hang_up)

    def _hang_up(self) -> None:
        """A client that reads slowly, or works meanwhile, still gets the end."""
        assert self._transport is not None
        if not self._transport.get_write_buffer_size():
            self._transport.abort()
        elif self in self._clients:
            self._linger()

    def _run(self) -> None:
        """Take requests out of the buffer, as long as there is one and no other is
        being answered."""
        if self._is_running or self._is_waiting or self._is_full:
            return
        self._is_running = True
        try:
            while (
                self._relay is None
                and self._buffer
                and not (self._is_closing or self._is_full)
            ):
                if self._hub.journal.arrears.is_late:
                    self._wait()
                    break
                if not self._begin():
                    break
        finally:
            self._is_running = False

    def _wait(self) -> None:
        self._is_waiting = True
        asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._look_again)

    def _look_again(self) -> None:
        self._is_waiting = False
        if not self._is_closing:
            self.read(is_wanted=True)
            self._run()

    def _begin(self) -> bool:
        """Begin the next request; False while its head is not whole."""
        self._buffer = self._buffer.lstrip(b"\r\n")
        try:
            for begins, why in _OTHERS.items():
                if self._buffer.startswith(begins):
                    raise HeadError(why)
            end = find_end(self._buffer)
            if end < 0:
                return False
            head = parse_request(self._buffer[:end])
        except HeadError as error:
            # Not HTTP: there is no exchange that could be recorded.
            self._hub.on_refused(str(error))
            self._refuse(answers.malformed(str(error)))
            return False
        reason = self._hub.maybe_refuse(head)
        if reason is not None:
            self._refuse(answers.no_access(reason))
            return False
        rest, self._buffer = self._buffer[end:], b""
        relay = self._relay = Relay(self._hub, self, head, self._began)
        rest = relay.start(rest)
        self._buffer = rest if not self._is_closing else b""
        self._began = self._hub.clock()
        return True

    def _refuse(self, answer: RelayedAnswer) -> None:
        """Answer and hang up; nothing of it is recorded."""
        head = rewrites.response_head(answer.head, closes=True, unchunked=False)
        self.write(head + answer.body)
        self._close()
