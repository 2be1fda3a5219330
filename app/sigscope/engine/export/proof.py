"""Proof that a redacted session tells the same: its ledger and findings, laid beside
those of the session it was made from.

Ids and hashes of signatures are left aside, as stand-ins have others; so are words of
messages, which quote them. What counts is which signature came where, went where, with
which fate and grade, and which rule found what at which node.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from sigscope.engine.sessions.document import Document
from sigscope.ledger import SightingAt
from sigscope.ledger.opaque_fields import FieldSpot

MOST = 10
"""Differences that are told."""


def differences(old: Document, new: Document) -> tuple[str, ...]:
    """What the copy tells otherwise, a line each; empty where the proof holds."""
    found = [
        *_compare("step", _steps(old), _steps(new)),
        *_compare("thread", _threads(old), _threads(new)),
        *_compare("signature", _signatures(old), _signatures(new)),
        *_compare("opaque field", _fields(old), _fields(new)),
        *_compare("finding", _findings(old), _findings(new)),
    ]
    if len(found) > MOST:
        return (*found[:MOST], f"and {len(found) - MOST} more")
    return tuple(found)


def _compare(what: str, old: list[str], new: list[str]) -> Iterator[str]:
    for number, (one, other) in enumerate(zip_longest(old, new), start=1):
        if one != other:
            yield f"{what} {number}: {one or 'none'}; in the copy: {other or 'none'}"


def _steps(document: Document) -> list[str]:
    return [
        " ".join(
            (
                str(reading.dialect.name if reading.dialect else None),
                str(reading.status),
                f"{len(reading.events)} events",
                f"{len(reading.conversation.messages)} messages",
                f"calls {','.join(map(str, _calls(document, reading.number)))}",
            )
        )
        for reading in document.readings
    ]


def _calls(document: Document, step: int) -> Iterator[int]:
    """For each call of the reply the length of its id: ids may hold signatures."""
    yield from (len(each) for each in document.reading(step).reply.call_ids)


def _threads(document: Document) -> list[str]:
    return [
        f"{thread.kind} {','.join(map(str, thread.steps))} from {thread.parent}"
        for thread in document.ledger.threads
    ]


def _signatures(document: Document) -> list[str]:
    return [
        f"{signature.kind} of {len(signature.value)} characters"
        f" at {_places(signature.received)}; sent {_places(signature.sent)};"
        + "".join(f" {f.step} {f.fate} {f.grade}" for f in signature.fates)
        for signature in document.ledger.signatures
    ]


def _fields(document: Document) -> list[str]:
    return [
        f"{field.name} of {len(field.value)} characters at"
        f" {_spots(field.received)}; sent {_spots(field.sent)}"
        for field in document.opaque_fields
    ]


def _spots(spots: Sequence[FieldSpot]) -> str:
    return ", ".join(f"{spot.step}.{spot.event or 0} {spot.pointer}" for spot in spots)


def _places(places: Sequence[SightingAt]) -> str:
    return ", ".join(
        f"{place.step}.{place.sighting.event or 0} {place.sighting.pointer}"
        for place in places
    )


def _findings(document: Document) -> list[str]:
    return [
        f"{f.severity} {f.rule} ({f.confidence}) step {f.step} event {f.event or 0}"
        f" {f.pointer} {'confirmed' if f.is_confirmed else ''}"
        f" fix {[(str(e.op), e.pointer, e.source) for e in f.fix or ()]}"
        for f in document.findings
    ]
