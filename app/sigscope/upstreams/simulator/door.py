"""Who is let in to the simulator, and what a browser wants to be told about it.

A page of another origin may send and read only what the server grants: it asks first
(a preflight), and it reads answers that name its origin. Services that browsers may
call do so; a page that `--allow-origin` names is told the same here. Sources: WHATWG
Fetch, 3.3 "CORS protocol"; WICG Private Network Access, 3.1, for pages that are not of
this machine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from sigscope.upstreams.simulator.app import Message, Receive, Scope, Send, Simulator
from sigscope.wire.access import Access

_PREFLIGHT = "access-control-request-method"
_MAX_AGE = 600
"""Seconds for which a browser need not ask again."""

Header = tuple[bytes, bytes]


class Door:
    """Lets those in who have access; the others leave no trace in the log, nor do
    questions of browsers."""

    def __init__(
        self, app: Simulator, access: Access, on_refused: Callable[[str], None]
    ) -> None:
        self._app = app
        self._access = access
        self._on_refused = on_refused
        self.refused = 0
        """How many were not let in."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = [
            (name.decode("latin-1").lower(), value.decode("latin-1"))
            for name, value in scope.get("headers", ())
        ]
        reason = self._access.maybe_refuse(headers)
        said = dict(headers)
        if reason is not None:
            self.refused += 1
            self._on_refused(reason)
            await _forbid(reason, send)
        elif "origin" not in said:
            await self._app(scope, receive, send)
        elif scope["method"] == "OPTIONS" and _PREFLIGHT in said:
            await _answer(204, _grants(said) + _leave(said), b"", send)
        else:
            await self._app(scope, receive, _granting(said, send))


def _granting(said: Mapping[str, str], send: Send) -> Send:
    async def granting(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [*message.get("headers", ()), *_grants(said)]
            message = {**message, "headers": headers}
        await send(message)

    return granting


def _grants(said: Mapping[str, str]) -> list[Header]:
    """What lets a page read the answer, request ids too."""
    return [
        (b"access-control-allow-origin", said["origin"].encode("latin-1")),
        (b"access-control-expose-headers", b"*"),
        (b"vary", b"Origin"),
    ]


def _leave(said: Mapping[str, str]) -> list[Header]:
    """What a preflight asks for, granted."""
    found = [
        (b"access-control-allow-methods", said[_PREFLIGHT].encode("latin-1")),
        (b"access-control-max-age", b"%d" % _MAX_AGE),
    ]
    names = said.get("access-control-request-headers")
    if names:
        found.append((b"access-control-allow-headers", names.encode("latin-1")))
    if said.get("access-control-request-private-network") == "true":
        found.append((b"access-control-allow-private-network", b"true"))
    return found


async def _forbid(reason: str, send: Send) -> None:
    message = f"sigscope simulate refuses this request: {reason}"
    error = {"message": message, "type": "sigscope_simulator", "code": "no_access"}
    body = json.dumps({"error": error}).encode() + b"\n"
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
        (b"connection", b"close"),
    ]
    await _answer(403, headers, body, send)


async def _answer(status: int, headers: list[Header], body: bytes, send: Send) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
