"""Known mistakes and cures, by name, ready for any step they fit.

In: a step, the ledger, the other steps. Out: edits of the recorded body, each with a
label in plain words. Every wrong placement and shape that docs/wire names,
the rows of its LiteLLM table, the attempts and the final fix of Zed; and what can
happen to the text of a signature in every dialect: cut, recoded, replaced.

A mistake is written as a change to a copy of the body (`draft`), for each message that
has signatures or should (`held`); the copy's differences are the edits. So it starts
from a right body or a wrong one alike, and ends in exactly the shape it is named after.
`switchable` offers single fields that are not there but could be.

Each dialect has its own in `dialects`, one file each, and says there how the general
ones are made in it (`repertoire`).

To add one: a row in the table of its dialect, with the change and the source; a row in
the test with the shape it makes.
"""

from typing import TYPE_CHECKING

from sigscope.lazyimport import from_modules

if TYPE_CHECKING:
    from sigscope.readymade.context import Context
    from sigscope.readymade.records import OfferRow, Ready
    from sigscope.readymade.registry import READY, applicable, by_name
    from sigscope.readymade.switchable import switchable
else:
    __getattr__ = from_modules(
        __name__,
        {
            "context": ("Context",),
            "records": ("Ready", "OfferRow"),
            "registry": ("READY", "applicable", "by_name"),
            "switchable": ("switchable",),
        },
    )

__all__ = [
    "READY",
    "Context",
    "OfferRow",
    "Ready",
    "applicable",
    "by_name",
    "switchable",
]
