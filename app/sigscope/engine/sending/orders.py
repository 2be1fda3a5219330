"""What is to be sent, and what the simulator says to it beforehand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sigscope.edits.records import Edit
from sigscope.engine.sessions.document import Document
from sigscope.errors import UsageError
from sigscope.exchange import Exchange, Request
from sigscope.reader import Reading
from sigscope.records import dataclass

if TYPE_CHECKING:  # dear to import; opening a session asks it nothing
    from sigscope.upstreams.simulator import Judgement, SimConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    step: int
    edits: tuple[Edit, ...] = ()
    parent: int | None = None
    """The run whose request is edited further; None: the step as recorded."""
    title: str = ""


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
    from sigscope.engine.sending.simulation import config_for, default_path, predict

    request, _ = prepare(document, order)
    reading = document.reading(order.step)
    try:
        config = config_for(document, reading, base)
    except UsageError:
        return None
    return predict(config, request, default_path(reading))
