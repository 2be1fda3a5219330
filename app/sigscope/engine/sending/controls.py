"""Controls: the answer to a step as it was recorded, without any edit.

What a run shows is the difference to its control. Where the service's own answer was
recorded, that is the control of live runs; else it is a run without edits, or what the
simulator says.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sigscope import refusals
from sigscope.edits.masks import writes_mask
from sigscope.edits.records import Edit
from sigscope.engine.sending.orders import Order, foretell, prepare
from sigscope.engine.sending.verdicts import (
    ASK,
    Control,
    doubt,
    is_about_health,
    is_no_evidence,
    is_unanswered,
)
from sigscope.engine.sessions.document import Document
from sigscope.exchange import Body, Exchange, Response
from sigscope.reader import Reading
from sigscope.upstreams.target import SIMULATOR

if TYPE_CHECKING:  # dear to import; opening a session asks it nothing
    from sigscope.upstreams.simulator import Judgement, SimConfig
from sigscope.upstreams.simulator.models import read_model

JSON = (("content-type", "application/json"),)


def control_of(
    document: Document, step: int, upstream: str, base: SimConfig | None = None
) -> Control | None:
    """What runs of a step to an upstream are held against; None where nothing is
    known. `upstream` is as written into runs. Costs a judgement of the request."""
    recorded = document.reading(step)
    is_bare = is_unanswered(recorded, document.refusals.get(step))
    if is_bare and upstream != SIMULATOR:
        sent = sent_control(document, step, upstream)
        if sent is not None:
            return sent
    return simulated_control(document, step, base)


def sent_control(document: Document, step: int, upstream: str) -> Control | None:
    """The latest run without edits to the same upstream that told something."""
    for run in reversed(document.runs_of(step)):
        if run.edits or run.parent is not None or run.upstream != upstream:
            continue
        reading = document.run_reading(run)
        refusal = refusals.read_refusal(reading)
        is_vague = is_no_evidence(reading, refusal)
        if not is_vague and not is_about_health(reading, refusal):
            return Control(refusal=refusal, who=f"run {run.number}, without edits,")
    return None


def simulated_control(
    document: Document, step: int, base: SimConfig | None = None
) -> Control | None:
    """What the simulator answers; None where it does not know the service."""
    from sigscope.engine.sending.simulation import MODELLED

    order = Order(step=step)
    judgement = foretell(document, order, base)
    if judgement is None:
        return None
    guess = _guess(document.reading(step), judgement)
    if judgement.status < 400:
        return Control(refusal=None, modelled=MODELLED, guess=guess)
    refusal = refusals.read_refusal(_answered(document, order, judgement))
    return Control(refusal=refusal, modelled=MODELLED, guess=guess)


def doubt_of(
    document: Document,
    step: int,
    base: SimConfig | None = None,
    edits: Iterable[Edit] = (),
) -> str:
    """Why a status of success that the simulator foretells for a step with edits is no
    evidence that what it was refused for is gone; "" where it is, or where nothing was
    refused."""
    if masked := mask_doubt(document, edits):
        return masked
    refusal = document.refusals.get(step)
    if refusal is None:
        return ""
    return doubt(refusal, simulated_control(document, step, base))


def mask_doubt(document: Document, edits: Iterable[Edit]) -> str:
    """Why nothing is known of edits that write a recorder's mask where a signature
    belongs; "" for others. The simulator takes for genuine what the recording has."""
    if not writes_mask(edits, document.ledger.masks):
        return ""
    return (
        "the edits write what the recording has in place of the masked signature; what"
        f" the service says to the true one is not known: {ASK}"
    )


def _guess(recorded: Reading, judgement: Judgement) -> str:
    """What model the simulator took, where the request's own tells it nothing."""
    asked = recorded.conversation.model
    if judgement.model in ("", asked) or read_model(asked) is not None:
        return ""
    named = f"{asked!r} is not known" if asked else "the request names no model"
    return f"{named}; judged as {judgement.model}"


def _answered(document: Document, order: Order, judgement: Judgement) -> Reading:
    """The request with the answer that was foretold, read like any other."""
    request, _ = prepare(document, order)
    response = Response(
        status=judgement.status,
        headers=JSON,
        body=Body(json.dumps(judgement.body).encode()),
    )
    reading = Reading(Exchange(request=request, response=response), number=order.step)
    reading.follow(document.reading(order.step))
    return reading
