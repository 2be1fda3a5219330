"""Asking a service one question: what exported pytest files call.

The strict simulator answers, in process and without network, unless the environment
variable SIGSCOPE_LIVE_URL names a live service; then the key comes from the variable
that the service is known by.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, cast, get_args

from sigscope.dialects.registry import DIALECTS
from sigscope.edits.apply import apply_to_request
from sigscope.edits.notation import from_json
from sigscope.engine.sending.simulation import Simulated
from sigscope.exchange import Body, Exchange, Headers, Request
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.refusals.reader import read_refusal
from sigscope.upstreams.base import Collected, Upstream
from sigscope.upstreams.simulator import Anchor, SimConfig
from sigscope.upstreams.simulator.config import Surface
from sigscope.wire.bodies import decode

__all__ = ["Anchor", "Answer", "Service", "ask", "edited", "is_live", "request"]

LIVE_URL = "SIGSCOPE_LIVE_URL"


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """Who is asked."""

    dialect: str
    """Empty where it is not known; then only a live service can be asked."""
    surface: str | None = None
    """Whose API, where the recording told and several speak it: "vertex", "openai"."""
    path: str = ""
    """For requests whose recording names no URL."""
    key_env: str = ""
    """Environment variable with the key for the live service."""
    genuine: Mapping[str, Anchor] = field(default_factory=dict)
    """Signatures that the simulator takes for the service's own."""
    stored: Mapping[str, tuple[Sequence[object], Sequence[object]]] = field(
        default_factory=dict
    )
    """Answers that it keeps: as `SimConfig.stored`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    upstream: str
    """"simulator", or the URL that was asked."""
    status: int | None
    """None where no answer came."""
    error: str
    """The innermost error text; empty where there is none."""
    is_accepted: bool


def is_live() -> bool:
    """Whether a live service is asked."""
    return bool(os.environ.get(LIVE_URL, "").strip())


def request(method: str, url: str, headers: Headers, body: bytes) -> Request:
    return Request(method=method, url=url, headers=headers, body=Body(body))


def edited(recorded: Request, edits: Sequence[Mapping[str, Any]]) -> Request:
    """The request with edits, given as JSON data. Raises EditError."""
    plain = decode(recorded.body.raw, recorded.headers).data
    return apply_to_request(
        [from_json(dict(edit)) for edit in edits], recorded, decoded=plain
    )


def ask(question: Request, service: Service) -> Answer:
    """Send it; wait for the whole answer. Never raises for what the service does."""
    dialect = next((d for d in DIALECTS if d.name == service.dialect), None)
    upstream, question = _aim(question, service)
    exchange = asyncio.run(_send(upstream, question))
    reading = Reading(exchange, number=1)
    if dialect is not None:
        reading.adopt(dialect)
    refusal = read_refusal(reading)
    return Answer(
        upstream=upstream.name,
        status=reading.status,
        error=refusal.text if refusal else "; ".join(exchange.remarks),
        is_accepted=reading.is_accepted and refusal is None,
    )


def _aim(question: Request, service: Service) -> tuple[Upstream, Request]:
    if not is_live():
        name = service.surface
        config = SimConfig(
            dialect=service.dialect,
            service=name or "",
            surface=cast(Surface, name) if name in get_args(Surface) else None,
            genuine=service.genuine,
            stored=service.stored,
        )
        return Simulated(config, time.monotonic, service.path), question
    # httpx costs 60 ms to import; the simulator does without it.
    from sigscope.engine.sending.keyheader import key_header
    from sigscope.upstreams.live import Live
    from sigscope.upstreams.target import aim, with_key

    question = aim(question, os.environ[LIVE_URL].strip(), service.path)
    key = os.environ.get(service.key_env, "")
    if key:
        name = key_header(service.dialect, service.surface)
        headers = with_key(question.headers, key, name)
        question = request(question.method, question.url, headers, question.body.raw)
    return Live(question.url, time.monotonic), question


async def _send(upstream: Upstream, question: Request) -> Exchange:
    collected = Collected(request=question, started_at="")
    async for arrival in upstream.send(question):
        collected.take(arrival)
    return collected.exchange()
