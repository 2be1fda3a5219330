"""What `record`, `run`, `check`, `show` and `ledger` say of mended requests."""

from __future__ import annotations

from collections.abc import Collection

from sigscope.characters import printable
from sigscope.cli.console import Console
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.mends import mend_rows, unmended_rows
from sigscope.exchange import remedy_words

MOST = 5
"""Steps that were left alone, each with its reason; of others only how many."""


def print_mends(
    document: Document, steps: Collection[int] | None, console: Console
) -> None:
    """How many requests were mended; nothing where none was. `steps`: only these."""
    mended = mend_rows(document, steps)
    if mended:
        remedies = [
            remedy
            for step in document.steps
            if step.exchange.mended and (steps is None or step.number in steps)
            for remedy in step.exchange.mended.remedies
        ]
        requests = f"{len(mended)} request{'s' * (len(mended) != 1)}"
        console.data(
            console.style(f"mended: {requests}", "info")
            + f": {printable(remedy_words(remedies))}. The client itself still sends"
            " them as before: sigscope show FILE --step N --raw client"
        )


def print_unmended(
    document: Document, steps: Collection[int], console: Console
) -> None:
    """Which were left alone, and why. Where remarks of steps are printed these are
    among them."""
    left = unmended_rows(document, steps)
    for row in left[:MOST]:
        word = console.style("not mended", "warn")
        console.data(f"step {row['step']:>3}  {word}: {printable(row['reason'])}")
    if len(left) > MOST:
        console.data(f"and {len(left) - MOST} more that were not mended")
