"""A connection between two processes of ours: messages, with bytes behind them.

4 bytes: size of the JSON · 8 bytes: size of the body · JSON · body

{"about":"asked","id":3,"step":7,"method":"POST",...} and the request's body

What passes is in memory only: requests with their keys.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from sigscope.exchange import Body, Request
from sigscope.recorder.gate import Decision, Drop, Release
from sigscope.records import dataclass

_SIZES = struct.Struct(">IQ")
STUCK = 256 * 1024 * 1024
"""Bytes that the other side has not read, after which it counts as hung."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkMessage:
    about: str
    values: Mapping[str, Any]
    body: bytes = b""


class ProcessLink:
    """One end. For one loop."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def over(cls, connection: socket.socket) -> ProcessLink:
        """Over one end of a socket pair, which it takes."""
        return cls(*await asyncio.open_unix_connection(sock=connection))

    @property
    def is_stuck(self) -> bool:
        """Whether the other side has read nothing for long."""
        return self._writer.transport.get_write_buffer_size() > STUCK

    def send(self, about: str, body: bytes = b"", **values: Any) -> None:
        """Say something; to nobody, once the other side has gone."""
        if self._writer.is_closing():
            return
        head = json.dumps({"about": about, **values}).encode()
        self._writer.write(_SIZES.pack(len(head), len(body)) + head)
        if body:
            self._writer.write(body)

    async def receive(self) -> LinkMessage | None:
        """The next message; None when the other side has gone."""
        try:
            sizes = await self._reader.readexactly(_SIZES.size)
            head, body = _SIZES.unpack(sizes)
            values = json.loads(await self._reader.readexactly(head))
            data = await self._reader.readexactly(body)
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        return LinkMessage(about=values.pop("about"), values=values, body=data)

    async def close(self) -> None:
        """Have all said that was to be said, and hang up."""
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()


# --- What passes ----------------------------------------------------------------------


def request_values(request: Request) -> dict[str, Any]:
    """A request without its body, as JSON."""
    return {
        "method": request.method,
        "url": request.url,
        "headers": request.headers,
        "version": request.http_version,
    }


def read_request(values: Mapping[str, Any], body: bytes) -> Request:
    """A request that came over a link."""
    return Request(
        method=values["method"],
        url=values["url"],
        headers=tuple((name, value) for name, value in values["headers"]),
        body=Body(body),
        http_version=values["version"],
    )


def send_decision(link: ProcessLink, number: int, decision: Decision) -> None:
    """Tell what becomes of the request that was asked about under a number."""
    values: dict[str, Any] = {"id": number, "held": decision.held}
    if isinstance(decision, Drop):
        link.send("dropped", **values, reason=decision.reason)
        return
    request = decision.request
    if request is None:
        link.send("released", **values, note=decision.note)
    else:
        values |= {"note": decision.note, "request": request_values(request)}
        link.send("released", request.body.raw, **values)


def read_decision(message: LinkMessage) -> Decision:
    """What `send_decision` told."""
    values = message.values
    if message.about == "dropped":
        return Drop(reason=values["reason"], held=values["held"])
    instead = values.get("request")
    request = read_request(instead, message.body) if instead is not None else None
    return Release(request=request, note=values["note"], held=values["held"])
