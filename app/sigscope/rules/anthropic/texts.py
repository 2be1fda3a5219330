"""Texts of thinking blocks that were changed while their signature was kept."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from sigscope.conversation import Json
from sigscope.dialects.anthropic import CARRIERS
from sigscope.dialects.anthropic_blocks import is_thought
from sigscope.dialects.carriers import UNRULED
from sigscope.dialects.leaves import text_of
from sigscope.ledger import Fate, Signature
from sigscope.opaque import mark
from sigscope.records import dataclass
from sigscope.rules.base import Subject
from sigscope.rules.edits import node
from sigscope.rules.kinds.kept import changed_thoughts
from sigscope.rules.words import told


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedText:
    """One that reads otherwise than it came."""

    signature: Signature
    index: int
    """Of its message."""
    pointer: str
    """Of its block."""
    text: str
    received: str
    whole: str
    """All that the reply thought."""


def changed_texts(subject: Subject) -> tuple[ChangedText, ...]:
    """The blocks of a request whose signature is exact and whose text is not."""
    return () if are_as_received(subject) else tuple(_changed(subject))


def are_as_received(subject: Subject) -> bool:
    """Whether no block has a signature that came on another kind of block, or with
    another text. True is certain; told from what is kept of each message."""
    known = subject.once_in_session(_received)
    held = set(chain.from_iterable(subject.reading.facts(_sealed_in)))
    return all(known.get(block[0], {block}) == {block} for block in held)


_Sealed = tuple[int, str, int]
"""Mark of a signature, its place in its block, and mark of the text there."""
_BLOCK = "/messages/*/content/*"
_PLACES = tuple(
    place.removeprefix(_BLOCK)
    for carrier in CARRIERS
    for place in carrier.request
    if place.startswith(f"{_BLOCK}/") and not carrier.name.startswith(UNRULED)
)
"""Where in a block, whatever its type, a signature may stand: "/signature"."""
_MEMBERS = frozenset(place.split("/")[1] for place in _PLACES)


def _received(subject: Subject) -> dict[int, set[_Sealed]]:
    """Blocks that answers brought, by the mark of their signature; empty sets where it
    is not known on what block a signature came."""
    found: dict[int, set[_Sealed]] = {
        mark(signature.value): set() for signature in subject.ledger.signatures
    }
    for reading in subject.readings.values():
        for block in _sealed_in(reading.response_json):
            found.setdefault(block[0], set()).add(block)
    return found


def _sealed_in(entry: Json) -> tuple[_Sealed, ...]:
    content = entry.get("content") if isinstance(entry, dict) else None
    found: list[_Sealed] = []
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            continue
        said = hash(text_of(block.get("thinking"))) if is_thought(block) else 0
        for place in _PLACES if _MEMBERS & block.keys() else ():
            if value := text_of(node(block, place)):
                found.append((mark(value), place, said))
    return tuple(found)


def _changed(subject: Subject) -> Iterator[ChangedText]:
    for each in changed_thoughts(subject, Fate.EXACT, Fate.DUPLICATED):
        yield ChangedText(
            signature=each.signature,
            index=each.index,
            pointer=each.part.pointer,
            text=each.part.text,
            received=each.received.text,
            whole=each.whole,
        )


def words_for(each: ChangedText) -> str:
    """ "the text under signature 9f3a21 (...) has 3 characters where 120 came"."""
    start = f"the text under {told(each.signature)} has {len(each.text):,} characters"
    if each.text == each.whole:
        return f"{start}: all blocks of its response joined under one signature"
    if each.text == each.received.strip():
        return f"{start} where {len(each.received):,} were received: white space counts"
    return f"{start} where {len(each.received):,} were received; the signature was kept"
