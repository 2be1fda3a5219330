"""Every signature of a session: where it came from, what later requests did with it.

In: readings of all steps. Out: threads (which step continues which), and one entry per
signature with its fate in each later request, graded by what the service demands.

The order of work: `links` finds the replies inside later requests, `threads` sorts
steps into conversations, `fates` says what became of each signature, and
whether that matters (by the `policy` of the dialect, one file each in `dialects`),
`build` puts it together. `strangers` follows values that no recorded response issued,
`hops` joins the two recordings of a request on both sides of a gateway. A fate is kept
as stretches of steps, and `lanes` knows what goes on unchanged, so that a request costs
what is new in it.

Steps of no known dialect are not judged: `unjudged` says which, `opaque_fields` follows
what they carry by name and shape.

A ledger that cries wolf is worse than none. Siblings of a signed parallel call,
signatures of closed turns, text answers, title requests, trimmed history and another
base64 alphabet are all fine, and say so.
"""

from typing import TYPE_CHECKING

from sigscope.lazyimport import from_modules

if TYPE_CHECKING:
    from sigscope.ledger.build import build_ledger
    from sigscope.ledger.records import (
        Fate,
        FateAt,
        Grade,
        Ledger,
        Link,
        SightingAt,
        Signature,
        Thread,
    )
else:
    __getattr__ = from_modules(
        __name__,
        {
            "build": ("build_ledger",),
            "records": (
                "Fate",
                "FateAt",
                "Grade",
                "Ledger",
                "Link",
                "SightingAt",
                "Signature",
                "Thread",
            ),
        },
    )

__all__ = [
    "Fate",
    "FateAt",
    "Grade",
    "Ledger",
    "Link",
    "SightingAt",
    "Signature",
    "Thread",
    "build_ledger",
]
