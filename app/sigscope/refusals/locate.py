"""From the place an error names to nodes of this very request.

Each kind of place (`patterns.Place`) has a reader. It answers with pointers that exist
in the request, the likeliest first, and a clause that says how they were found and why
there are several. A place that is not there gives no pointers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sigscope.reader import Reading
from sigscope.refusals import calls, members, signatures
from sigscope.refusals.pattern import Place
from sigscope.refusals.patterns import PatternHit
from sigscope.refusals.places import Located, Occurrence, distinct

READERS: Mapping[Place, Callable[[Occurrence], Located]] = {
    Place.NONE: lambda query: Located(),
    Place.CONTENT: calls.read_content,
    Place.RESULT: calls.read_result,
    Place.PAIRING: calls.read_pairing,
    Place.CONTENT_PART: signatures.read_content_part,
    Place.PART: signatures.read_part,
    Place.BLOCK: signatures.read_block,
    Place.SIGNATURE: signatures.read_any,
    Place.MESSAGE: members.read_message,
    Place.INPUT: members.read_input,
    Place.FIELD: members.read_field,
    Place.PATH: members.read_path,
    Place.MEMBER: members.read_member,
    Place.ID: members.read_id,
    Place.TWIN: members.read_twin,
    Place.SCHEMA: members.read_schema,
}


def locate(hit: PatternHit, reading: Reading) -> Located:
    """The nodes of the request that a rule's words name."""
    read = READERS[hit.pattern.place]
    found = [
        read(Occurrence(groups=groups, param=hit.param, text=hit.text, reading=reading))
        for groups in hit.groups
    ]
    return Located(
        pointers=distinct(pointer for located in found for pointer in located.pointers),
        note="; ".join(distinct(located.note for located in found if located.note)),
        fits=any(located.fits for located in found),
    )
