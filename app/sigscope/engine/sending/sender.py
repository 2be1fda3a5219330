"""Sending a step again, with edits, to an upstream: from request to verdict."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import TYPE_CHECKING

from sigscope import refusals
from sigscope.edits.records import Edit
from sigscope.engine.sending.controls import control_of, mask_doubt
from sigscope.engine.sending.orders import Order, foretell, prepare
from sigscope.engine.sending.verdicts import Ruling, contradiction_of, judge_run
from sigscope.engine.sessions.document import Document
from sigscope.exchange import Exchange, Request, header
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.runs import RulesVoice, Run, Verdict
from sigscope.upstreams.base import AnswerHead, Collected, Data, End, Upstream
from sigscope.upstreams.target import SIMULATOR

if TYPE_CHECKING:  # dear to import; opening a session asks it nothing
    from sigscope.upstreams.simulator import Judgement, SimConfig

__all__ = ["Order", "SendProgress", "foretell", "prepare", "send"]

SIMULATOR_HEADER = "x-sigscope-simulator"
"""What a simulator on a port puts on each of its answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SendProgress:
    status: int | None
    """None while the answer has not begun."""
    size: int
    """Bytes of body so far."""
    at_ms: float


async def send(
    document: Document,
    order: Order,
    upstream: Upstream,
    request: Request,
    *,
    predicted: Judgement | None,
    rules: RulesVoice | None = None,
    base: SimConfig | None = None,
    at: Callable[[], str],
    attempt: int = 1,
    salvage: Callable[[Run], object] = lambda run: None,
) -> AsyncGenerator[SendProgress | Run]:
    """Send a prepared request; yield progress, and last the run (not yet numbered).

    `base` are the simulator's settings, for what the run is held against. `at` tells
    the time of day. A send that is cancelled while it waits for the answer still makes
    its run, of what had arrived, and hands it to `salvage`: it may have been paid for.
    """
    collected = Collected(request=request, started_at=at())

    def conclude() -> Run:
        return _conclude(
            document,
            order,
            collected.exchange(),
            upstream=upstream.name,
            predicted=predicted,
            rules=rules,
            base=base,
            at=collected.started_at,
            attempt=attempt,
            end=collected.end,
        )

    try:
        async for arrival in upstream.send(request):
            collected.take(arrival)
            if isinstance(arrival, AnswerHead):
                yield SendProgress(status=arrival.status, size=0, at_ms=arrival.at_ms)
            elif isinstance(arrival, Data):
                status = collected.head.status if collected.head else None
                yield SendProgress(
                    status=status, size=collected.size, at_ms=arrival.at_ms
                )
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
    rules: RulesVoice | None,
    base: SimConfig | None,
    at: str,
    attempt: int,
    end: End | None,
) -> Run:
    recorded = document.reading(order.step)
    reading = Reading(exchange, number=order.step)
    reading.follow(recorded)
    refusal = refusals.read_refusal(reading)
    ruling = judge_run(
        recorded,
        document.refusals.get(order.step),
        reading,
        refusal,
        control=control_of(document, order.step, upstream, base),
        is_simulated=is_simulated(upstream, exchange),
        is_edited=bool(order.edits) or order.parent is not None,
    )
    if ruling.verdict is Verdict.GONE and is_simulated(upstream, exchange):
        masked = mask_doubt(document, _made(document, order))
        if masked:
            ruling = Ruling(verdict=Verdict.UNCLEAR, reason=masked)
    foretold = predicted.status if predicted else None
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
        predicted=foretold,
        predicted_error=predicted.error if predicted else None,
        rules=rules,
        contradiction=contradiction_of(foretold, reading, refusal)
        if upstream != SIMULATOR
        else "",
        status=reading.status,
        error=error,
        verdict=ruling.verdict,
        reason=ruling.reason,
        attempt=attempt,
        at=at,
        recording=document.step(order.step).exchange.digest,
    )


def _made(document: Document, order: Order) -> tuple[Edit, ...]:
    """All edits that were made to the step's request."""
    before = () if order.parent is None else document.edits_behind(order.parent)
    return (*before, *order.edits)


def is_simulated(upstream: str, exchange: Exchange) -> bool:
    """Whether a simulator answered: in process, or one on a port, which says so."""
    response = exchange.response
    headers = response.headers if response else ()
    return upstream == SIMULATOR or header(headers, SIMULATOR_HEADER) is not None


def is_redirect(reading: Reading) -> bool:
    """Whether the service only named another place."""
    return reading.status is not None and 300 <= reading.status < 400


def is_worth_repeating(run: Run) -> bool:
    """Whether the same request may fare better in a moment: it told nothing, and was
    not merely shown to another place."""
    is_moved = run.status is not None and 300 <= run.status < 400
    is_told = run.verdict is not Verdict.UNCLEAR or bool(run.reason)
    return not is_told and not is_moved
