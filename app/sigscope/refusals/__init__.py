"""What an answer's error really says: unwrapped, matched to rules, and placed.

Gateways wrap errors in errors: a one-element array, a JSON string inside
`metadata.raw`, a prefix before JSON, JSON inside a message. `unwrap` peels these off
(`layers` knows each kind, `literals` finds objects inside text), `patterns` knows which
rule speaks in these words, `kinship` which rules share them, `dialects` what each API
makes of errors that it passes on (one file each), and `locate` turns "the 2. content
block" into the nodes of this very request: `counts` says how a service counts
translated messages, `calls`, `signatures` and `members` read the kinds of places.
`reader.read_refusal` does all of it for a step.

Where no pattern fits, `grounds` says what kind of failure the words tell of (access, a
limit, the service itself), and `mentions` which members of the request they name.

Where there is only a text, `pasted.read_pasted` says what it holds: `squeezed` undoes
what terminals and chats did to it, `positions` says what its numbers count, `topics`
what it is about where no rule is known, `catalogue` what is known of each rule id.

To add a wording: a line in the file of its API in `dialects`, its text in the table of
the test; a new kind of place: a member of `Place` and a reader in `locate.READERS`.
"""

from typing import TYPE_CHECKING

from sigscope.lazyimport import from_modules

if TYPE_CHECKING:
    from sigscope.refusals.kinship import confirms
    from sigscope.refusals.reader import read_refusal
    from sigscope.refusals.records import Refusal, RefusalMatch
else:
    __getattr__ = from_modules(
        __name__,
        {
            "kinship": ("confirms",),
            "reader": ("read_refusal",),
            "records": ("RefusalMatch", "Refusal"),
        },
    )

__all__ = ["Refusal", "RefusalMatch", "confirms", "read_refusal"]
