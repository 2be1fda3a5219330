"""Texts of thinking blocks that were changed while their signature was kept."""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import PartKind
from sigscope.dialects.base import part_at
from sigscope.ledger import Fate, Signature
from sigscope.records import dataclass
from sigscope.rules.base import Subject
from sigscope.rules.places import signed_parts
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


def changed_texts(subject: Subject) -> Iterator[ChangedText]:
    """The blocks of a request whose signature is exact and whose text is not."""
    for signature, _ in subject.met(Fate.EXACT, Fate.DUPLICATED):
        if not signature.received:
            continue
        reply = subject.readings[signature.received[0].step]
        parts = signed_parts(signature, reply)
        signed = [part for part in parts if part.kind is PartKind.THOUGHT]
        message = reply.reply.message
        for sighting in subject.placed(signature) if signed and message else ():
            index = sighting.anchor.message
            part = part_at(subject.messages[index], sighting.pointer)
            if part is None or part.kind is not PartKind.THOUGHT or message is None:
                continue
            if part.text != signed[0].text:
                yield ChangedText(
                    signature=signature,
                    index=index,
                    pointer=part.pointer,
                    text=part.text,
                    received=signed[0].text,
                    whole=message.thoughts,
                )


def words_for(each: ChangedText) -> str:
    """ "the text under signature 9f3a21 (...) has 3 characters where 120 came"."""
    start = f"the text under {told(each.signature)} has {len(each.text):,} characters"
    if each.text == each.whole:
        return f"{start}: all blocks of its response joined under one signature"
    if each.text == each.received.strip():
        return f"{start} where {len(each.received):,} were received: white space counts"
    return f"{start} where {len(each.received):,} were received; the signature was kept"
