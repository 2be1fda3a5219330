"""The simulator as an ASGI 3 application.

Routing, keys, reading the body, and sending what the other modules made, piece by
piece. It holds a log, how often it saw a body (so that the same request gets fresh ids
each time, as from the real services), and the answers that a service was asked to
store.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import time
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from sigscope.upstreams.simulator.arrival import (
    BadCodingError,
    Incoming,
    without_codings,
)
from sigscope.upstreams.simulator.checks.case import JudgedRequest
from sigscope.upstreams.simulator.config import SimConfig
from sigscope.upstreams.simulator.families.base import (
    Route,
    SimulatedService,
    own_error,
)
from sigscope.upstreams.simulator.judgement import examine
from sigscope.upstreams.simulator.keptanswers import KeptAnswers
from sigscope.upstreams.simulator.log import Log, describe
from sigscope.upstreams.simulator.mint.draws import Draws
from sigscope.upstreams.simulator.mint.keyring import Keyring
from sigscope.upstreams.simulator.prompter import Cue, Prompter
from sigscope.upstreams.simulator.records import Json, Judgement
from sigscope.upstreams.simulator.services.registry import LOG, find_route, known_paths
from sigscope.upstreams.simulator.speech.fading import fade
from sigscope.upstreams.simulator.speech.script import ScriptedReply, compose
from sigscope.upstreams.simulator.speech.voice import SimAnswer, Voice, document
from sigscope.utf8 import to_bytes

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Pause = Callable[[], Awaitable[None]]

LARGEST_BODY = 256 * 1024 * 1024
"""Bytes. Agents send tens of megabytes; beyond this something is wrong."""


class Simulator:
    """One simulated service, or all of them told apart by path."""

    def __init__(
        self,
        config: SimConfig,
        *,
        clock: Callable[[], float] = time.time,
        pause: Pause | None = None,
        prompter: Prompter | None = None,
        on_cue: Callable[[Incoming, Cue, int], None] = lambda *_: None,
        mask: Callable[[Json], Json] = lambda told: told,
    ) -> None:
        """`prompter`: knows answers that come before the simulator's own; `on_cue` is
        told which it gave, and the status. `mask`: what the log's page may say of what
        it says, which quotes requests."""
        self._mask = mask
        self.config = config
        self._prompter = prompter
        self._on_cue = on_cue
        self._clock = clock
        self._pause = pause or self._pace
        self._keyring = Keyring(config)
        self._shelf = KeptAnswers(config.stored)
        self._log = Log(config.log_limit)
        self._seen: Counter[bytes] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _live(receive, send)
            return
        if scope["type"] != "http":
            raise ValueError(f"the simulator speaks HTTP, not {scope['type']!r}")
        body = await _read(receive)
        if body is None:
            return
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in scope.get("headers", ())
        }
        target = scope["path"] + "?" + scope.get("query_string", b"").decode("latin-1")
        incoming = Incoming.build(scope["method"], target, tuple(headers.items()), body)
        entry = self._log.begin(incoming, self._clock())
        if incoming.path == LOG:  # what it says is searched for keys: seconds
            answer = await asyncio.to_thread(self.answer, incoming, entry)
        else:
            answer = self.answer(incoming, entry)
        entry["status"] = answer.status
        entry["ended"] = await self._send(answer, incoming.method, receive, send)

    def log(self) -> Json:
        """What was received and how it was judged, as `GET /_sim/log` gives it."""
        return self._log.to_json()

    def answer(self, incoming: Incoming, entry: dict[str, Json]) -> SimAnswer:
        """The whole answer to a request; notes its judgement in the log entry."""
        if len(incoming.body) > LARGEST_BODY:
            return own_error(413, "request body larger than 256 MB")
        if incoming.headers.get("upgrade", "").lower() == "websocket":
            return own_error(
                426,
                "this simulator speaks no WebSocket: have the client use plain HTTP"
                " (streaming by server-sent events is fine)",
            )
        try:
            incoming = without_codings(incoming)
        except BadCodingError as error:
            return own_error(error.status, error.problem)
        route = self._route(incoming.path)
        if route is None:
            prompted = self._prompted(incoming, None, entry)
            if prompted is not None:
                return prompted
            pinned = self.config.dialect
            known = ", ".join(known_paths(pinned))
            whose = "" if pinned == "any" else f" of {pinned}"
            return own_error(
                404, f"no such path{whose}: {incoming.path}. Known: {known}"
            )
        entry["dialect"] = route.service.name if route.service else None
        if not self._has_key(incoming):
            return _refuse_key(route.service)
        allowed = {route.method} | ({"HEAD"} if route.method == "GET" else set())
        if incoming.method not in allowed:
            answer = own_error(
                405, f"{incoming.path} takes {route.method}, not {incoming.method}"
            )
            allow = ("allow", ", ".join(sorted(allowed)))
            return SimAnswer(
                status=405, headers=(*answer.headers, allow), pieces=answer.pieces
            )
        if route.page is not None:
            return _page(route.page(incoming))
        if route.shows is not None:
            return route.shows(incoming, self._shelf)
        assert route.service is not None
        return self._ask(route.service, route, incoming, entry)

    def _route(self, path: str) -> Route | None:
        """The simulator's own pages, then those of the services."""
        if path == LOG:
            return Route(method="GET", page=lambda _: self._mask(self.log()))
        if path == "/":
            return Route(method="GET", page=lambda _: self._greeting())
        return find_route(path, self.config.dialect)

    def _ask(
        self,
        service: SimulatedService,
        route: Route,
        incoming: Incoming,
        entry: dict[str, Json],
    ) -> SimAnswer:
        case = examine(route, incoming, self.config, self._keyring, self._shelf)
        assert case is not None
        entry |= describe(case.judgement)
        prompted = self._prompted(incoming, case.judgement, entry)
        if prompted is not None:
            return prompted
        if case.judgement.status != 200:
            return service.refuse(case.judgement, incoming)
        return service.speak(self._voice(service, case, incoming), incoming)

    def _prompted(
        self,
        incoming: Incoming,
        judgement: Judgement | None,
        entry: dict[str, Json],
    ) -> SimAnswer | None:
        """A recorded answer; None where there is none to be given."""
        if self._prompter is None or not self._has_key(incoming):
            return None
        cue = self._prompter.cue(incoming, judgement)
        entry |= {"answer": cue.words, "step": cue.step}
        if cue.answer is not None:
            status = cue.answer.status
        else:
            status = judgement.status if judgement else 404
        self._on_cue(incoming, cue, status)
        return cue.answer

    def _greeting(self) -> Json:
        """What the simulator says of itself."""
        return {
            "service": "sigscope simulator",
            "dialect": self.config.dialect,
            "model": self.config.model,
            "enforce": self.config.enforce,
            "paths": list(known_paths()),
        }

    def _voice(
        self, service: SimulatedService, case: JudgedRequest, incoming: Incoming
    ) -> Voice:
        """The model's next reply, ready to be said."""
        key = hashlib.sha256(to_bytes(incoming.path) + b"\0" + incoming.body).digest()
        self._seen[key] += 1
        draws = Draws(self.config.seed, str(case.origin), key, str(self._seen[key]))
        if case.finish:
            reply = ScriptedReply(signed=False, finish=case.finish)
        else:
            assert case.talk is not None
            reply = compose(case.talk, draws.child("words"), self.config.script)
            if self.config.fades:
                reply = fade(reply, case.judgement.lost_turns)
        return Voice(
            case=case,
            reply=reply,
            draws=draws,
            keyring=self._keyring,
            config=self.config,
            seal=service.seal,
            unix=self._clock(),
            prompt_bytes=len(incoming.body),
            shelf=self._shelf,
        )

    def _has_key(self, incoming: Incoming) -> bool:
        if self.config.key is None:
            return True
        scheme, _, bearer = incoming.headers.get("authorization", "").partition(" ")
        offered = (
            bearer.strip() if scheme.lower() == "bearer" else "",
            incoming.headers.get("x-goog-api-key", ""),
            incoming.headers.get("x-api-key", ""),
            incoming.query.get("key", ""),
        )
        wanted = to_bytes(self.config.key)
        return any(hmac.compare_digest(to_bytes(key), wanted) for key in offered)

    async def _pace(self) -> None:
        await asyncio.sleep(self.config.pace_ms / 1000)

    async def _send(
        self, answer: SimAnswer, method: str, receive: Receive, send: Send
    ) -> str:
        """Send piece by piece, pausing in between; stop when the client is gone."""
        headers = [*answer.headers, ("x-sigscope-simulator", "1")]
        if len(answer.pieces) == 1:
            headers.append(("content-length", str(len(answer.pieces[0]))))
        await send(
            {
                "type": "http.response.start",
                "status": answer.status,
                "headers": [
                    (name.encode("latin-1"), value.encode("latin-1", "replace"))
                    for name, value in headers
                ],
            }
        )
        gone = asyncio.ensure_future(receive())
        try:
            for number, piece in enumerate(() if method == "HEAD" else answer.pieces):
                if answer.pauses:
                    await asyncio.sleep(answer.pauses[number])
                elif number:
                    await self._pause()
                if gone.done() and gone.result()["type"] == "http.disconnect":
                    return "client-aborted"
                await send(
                    {"type": "http.response.body", "body": piece, "more_body": True}
                )
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except OSError:
            return "client-aborted"
        finally:
            gone.cancel()
        return "complete"


def create_app(
    config: SimConfig | None = None,
    *,
    clock: Callable[[], float] = time.time,
    pause: Pause | None = None,
    prompter: Prompter | None = None,
    on_cue: Callable[[Incoming, Cue, int], None] = lambda *_: None,
    mask: Callable[[Json], Json] = lambda told: told,
) -> Simulator:
    """A simulator. `clock` gives seconds since 1970 for `created`; `pause` is awaited
    between the pieces of a stream in place of sleeping `pace_ms`. `prompter`, `on_cue`
    and `mask`: see `Simulator`."""
    return Simulator(
        config or SimConfig(),
        clock=clock,
        pause=pause,
        prompter=prompter,
        on_cue=on_cue,
        mask=mask,
    )


def _refuse_key(service: SimulatedService | None) -> SimAnswer:
    """401 in the service's own words."""
    if service is None:
        return own_error(401, "this simulator wants its key")
    return service.print_error(401, service.no_key)


def _page(value: Json) -> SimAnswer:
    headers = (("content-type", "application/json"),)
    return SimAnswer(status=200, headers=headers, pieces=(document(value),))


async def _read(receive: Receive) -> bytes | None:
    """The request body; None if the client went away meanwhile."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        if len(body) <= LARGEST_BODY:
            body += message.get("body", b"")
        if not message.get("more_body", False):
            return bytes(body)


async def _live(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
