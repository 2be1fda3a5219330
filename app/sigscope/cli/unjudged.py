"""Printing which steps nothing is said of, and the opaque fields seen in them."""

from __future__ import annotations

from sigscope.cli.console import Console, printable
from sigscope.engine.document import Document
from sigscope.ledger.opaque_fields import OpaqueField, Spot
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
        console.data(f"  seen: {field_line(field)}")
    if len(fields) > _SHOWN:
        left = len(fields) - _SHOWN
        console.data(f"  seen: {left} more (sigscope ledger FILE shows all)")
    if fields:
        console.data(console.style(f"  = {BY_SHAPE}", "dim"))
    console.data(console.style(f"  = {WHAT_TO_DO}", "dim"))


def field_line(field: OpaqueField) -> str:
    """`signature 9f3a21, 624 characters, from step 1, ...; sent again in step 2`."""
    size = f"{len(field.value):,} characters"
    name = f"{field.name} {printable(field.value) if field.is_reference else field.id}"
    words = [name] if field.is_reference else [name, size]
    return f"{', '.join([*words, _origin(field)])}; {_again(field)}"


def _origin(field: OpaqueField) -> str:
    if field.received:
        return f"received in {spot_words(field.received[0])}"
    return f"sent in {spot_words(field.sent[0])}, received in no recorded response"


def _again(field: OpaqueField) -> str:
    spots = field.sent_again if field.received else tuple(field.sent[1:])
    if not spots:
        return "in no later request"
    more = f" and {len(spots) - 1} more" if len(spots) > 1 else ""
    what = "named" if field.is_reference else "the same bytes were sent"
    return f"{what} again in {spot_words(spots[0])}{more}"


def spot_words(spot: Spot) -> str:
    """ "step 1, event 12 at /delta/signature"."""
    event = f", event {spot.event}" if spot.event is not None else ""
    pieces = f" in {spot.pieces} pieces" if spot.pieces > 1 else ""
    return f"step {spot.step}{event}{pieces} at {spot.pointer}"
