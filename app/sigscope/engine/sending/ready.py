"""Ready-made edits for a step of a document."""

from __future__ import annotations

from sigscope.edits.records import Edit
from sigscope.engine.sessions.document import Document
from sigscope.errors import UsageError
from sigscope.readymade import (
    Context,
    Ready,
    applicable,
    by_name,
)


def context_of(document: Document, step: int) -> Context:
    """A step among the others, as ready-made edits look at it."""
    reading = document.reading(step)
    readings = {other.number: other for other in document.readings}
    return Context(reading=reading, ledger=document.ledger, readings=readings)


def applicable_to(
    document: Document, step: int
) -> tuple[tuple[Ready, tuple[Edit, ...]], ...]:
    """The ready-made edits that change something in this step, with what they do."""
    return applicable(context_of(document, step))


def ready_edits(document: Document, step: int, name: str) -> tuple[Edit, ...]:
    """What one of them does to a step. Raises UsageError where it does not fit."""
    ready = by_name(name)
    if ready is None:
        raise UsageError(
            f"there is no ready-made edit {name!r}; --ready list shows them"
        )
    edits = ready.edits(context_of(document, step))
    if not edits:
        raise UsageError(
            f"{name} changes nothing in step {step};"
            " --ready list shows the ready-made edits that fit"
        )
    return edits
