"""Printing which steps nothing is said of, and the opaque fields seen in them."""

from __future__ import annotations

from sigscope.characters import printable
from sigscope.cli.console import Console
from sigscope.engine.sessions.document import Document
from sigscope.ledger.opaque_fields import field_words
from sigscope.ledger.unjudged import BY_SHAPE, WHAT_TO_DO

_SHOWN = 8
"""Fields that are shown beside findings; the ledger shows all."""


def print_unjudged(document: Document, step: int | None, console: Console) -> None:
    """The steps by where they went, the fields seen there, and what to do; nothing
    where all was judged."""
    groups = document.unjudged
    if step is not None:
        groups = tuple(group for group in groups if step in group.steps)
    if not groups:
        return
    for group in groups:
        console.data(console.style(printable(str(group)), "warn"))
    fields = document.opaque_in(step)
    for field in fields[:_SHOWN]:
        console.data(f"  seen: {printable(field_words(field))}")
    if len(fields) > _SHOWN:
        left = len(fields) - _SHOWN
        console.data(f"  seen: {left} more (sigscope ledger FILE shows all)")
    if fields:
        console.data(console.style(f"  = {BY_SHAPE}", "dim"))
    console.data(console.style(f"  = {WHAT_TO_DO}", "dim"))
