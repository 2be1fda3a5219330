"""Printing which steps nothing is said of, and the opaque fields seen in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sigscope.characters import printable
from sigscope.cli.console import Console
from sigscope.engine.sessions.document import Document
from sigscope.ledger.opaque_fields import field_words
from sigscope.ledger.unjudged import BY_SHAPE, NO_REQUEST, Unjudged, in_steps

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
    unknown = [group for group in groups if group.reason not in NO_REQUEST]
    for likely, steps in _likely(document, unknown).items():
        told = f"refused in the words of {likely}: {in_steps(steps)}"
        console.data(f"  = {told}. If it is {likely}: --dialect {likely}")
    for advice in dict.fromkeys(group.advice for group in groups):
        console.data(console.style(f"  = {advice}", "dim"))


def _likely(
    document: Document, groups: Sequence[Unjudged]
) -> Mapping[str, Sequence[int]]:
    """Dialects in whose words steps were refused, with these steps."""
    from sigscope.refusals.wording import likely_dialect

    found: dict[str, list[int]] = {}
    for step in (step for group in groups for step in group.steps):
        refusal = document.refusals.get(step)
        name = likely_dialect(document.reading(step), refusal) if refusal else ""
        if name:
            found.setdefault(name, []).append(step)
    return found
