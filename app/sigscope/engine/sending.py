"""Sending a step again, with edits, to an upstream: from request to verdict."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass

from sigscope.edits.records import Edit
from sigscope.engine.document import Document
from sigscope.engine.simulating import config_for, default_path, predict
from sigscope.engine.verdicts import judge_run
from sigscope.errors import UsageError
from sigscope.exchange import Exchange, Request
from sigscope.reading import Reading
from sigscope.refusals.reading import read_refusal
from sigscope.runs import Run, Verdict
from sigscope.upstreams.base import Collected, Data, End, Head, Upstream
from sigscope.upstreams.simulator import Judgement, SimConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is to be sent."""

    step: int
    edits: tuple[Edit, ...] = ()
    parent: int | None = None
    """The run whose request is edited further; None: the step as recorded."""
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a send has come."""

    status: int | None
    """None while the answer has not begun."""
    size: int
    """Bytes of body so far."""
    at_ms: float


def prepare(document: Document, order: Order) -> tuple[Request, Reading]:
    """The request to send, and a reading of it. Raises EditError and UsageError."""
    request = document.edited(order.step, order.edits, order.parent)
    base = document.reading(order.step)
    reading = Reading(Exchange(request=request), number=order.step)
    reading.follow(base)
    return request, reading


def foretell(
    document: Document, order: Order, base: SimConfig | None = None
) -> Judgement | None:
    """What the simulator says to a request; None where it knows no such service."""
    request, _ = prepare(document, order)
    reading = document.reading(order.step)
    try:
        config = config_for(document, reading, base)
    except UsageError:
        return None
    return predict(config, request, default_path(reading))


async def send(
    document: Document,
    order: Order,
    upstream: Upstream,
    request: Request,
    *,
    predicted: Judgement | None,
    at: Callable[[], str],
    attempt: int = 1,
    salvage: Callable[[Run], object] = lambda run: None,
) -> AsyncGenerator[Progress | Run]:
    """Send a prepared request; yield progress, and last the run (not yet numbered).

    `at` tells the time of day. A send that is cancelled while it waits for the answer
    still makes its run, of what had arrived, and hands it to `salvage`: it may have
    been paid for.
    """
    collected = Collected(request=request, started_at=at())

    def conclude() -> Run:
        return _conclude(
            document,
            order,
            collected.exchange(),
            upstream=upstream.name,
            predicted=predicted,
            at=collected.started_at,
            attempt=attempt,
            end=collected.end,
        )

    try:
        async for arrival in upstream.send(request):
            collected.take(arrival)
            if isinstance(arrival, Head):
                yield Progress(status=arrival.status, size=0, at_ms=arrival.at_ms)
            elif isinstance(arrival, Data):
                status = collected.head.status if collected.head else None
                yield Progress(status=status, size=collected.size, at_ms=arrival.at_ms)
    except (asyncio.CancelledError, GeneratorExit):
        if collected.end is None:
            collected.take(collected.cancelled())
            salvage(conclude())
        raise
    yield conclude()


def _conclude(
    document: Document,
    order: Order,
    exchange: Exchange,
    *,
    upstream: str,
    predicted: Judgement | None,
    at: str,
    attempt: int,
    end: End | None,
) -> Run:
    recorded = document.reading(order.step)
    reading = Reading(exchange, number=order.step)
    reading.follow(recorded)
    refusal = read_refusal(reading)
    verdict = judge_run(recorded, document.refusals.get(order.step), reading, refusal)
    error = refusal.text if refusal else None
    if end is not None and end.problem and (error is None or is_redirect(reading)):
        error = end.problem
    if error is None and not reading.has_answer:
        error = f"{reading.status}, but the body holds no answer"
    return Run(
        number=0,
        step=order.step,
        parent=order.parent,
        edits=order.edits,
        title=order.title,
        upstream=upstream,
        exchange=exchange,
        predicted=predicted.status if predicted else None,
        predicted_error=predicted.error if predicted else None,
        status=reading.status,
        error=error,
        verdict=verdict,
        attempt=attempt,
        at=at,
    )


def is_redirect(reading: Reading) -> bool:
    """Whether the service only named another place."""
    return reading.status is not None and 300 <= reading.status < 400


def is_worth_repeating(run: Run) -> bool:
    """Whether the same request may fare better in a moment: it told nothing, and was
    not merely shown to another place."""
    is_moved = run.status is not None and 300 <= run.status < 400
    return run.verdict is Verdict.UNCLEAR and not is_moved
