"""Replies that a request sends back with their signatures, part beside part.

Where a signature was kept, what it stands beside has to be what it was signed with.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from sigscope.conversation import Message, Part, PartKind, SignatureKind
from sigscope.ledger import Fate, Signature
from sigscope.ledger.links import plain
from sigscope.records import dataclass
from sigscope.rules.base import Subject
from sigscope.rules.places import part_of, signed_parts

KEPT = (Fate.EXACT, Fate.DUPLICATED)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnedMessage:
    """A message of the request that holds a reply, or some of it."""

    index: int
    message: Message
    reply: Message
    step: int
    """That brought the reply."""
    is_whole: bool
    """Whether no other message holds some of the reply, so that no other rule joins
    them."""
    anew: Collection[str] | None = None
    """Pointers of the parts that are to be looked at, its own for whether there is a
    thought; None for all."""

    def is_told(self, pointer: str) -> bool:
        """Whether an earlier request had this part: what is to be said of it was said
        there."""
        return self.anew is not None and pointer not in self.anew


def returned(subject: Subject) -> Sequence[ReturnedMessage]:
    """The replies in a request. Where it was accepted only those of which it has
    something that no request before has: what a client changes it changes in every
    request that follows."""
    return subject.once(_returned)


def _returned(subject: Subject) -> Sequence[ReturnedMessage]:
    links = subject.ledger.links.get(subject.step, ())
    anew = subject.ledger.anew.get(subject.step, {}) if subject.is_accepted else None
    if anew is not None:
        links = tuple([link for link in links if link.step in anew]) if anew else ()
    replies = ((link, subject.readings[link.step].reply.message) for link in links)
    return [
        ReturnedMessage(
            index=index,
            message=subject.messages[index],
            reply=reply,
            step=link.step,
            is_whole=len(link.messages) == 1,
            anew=None if anew is None else anew[link.step],
        )
        for link, reply in replies
        if reply is not None
        for index in link.messages
    ]


def kept(subject: Subject, back: ReturnedMessage) -> Iterator[Signature]:
    """Signatures of a reply that came back where they belong."""
    for signature in subject.ledger.received_in(back.step):
        fate = signature.fate_in(subject.step)
        if fate is not None and fate.fate in KEPT and not signature.is_unruled:
            yield signature


def covers(
    subject: Subject, signature: Signature, back: ReturnedMessage, call: Part
) -> bool:
    """Whether a signature is of this call of the reply, of the thought that led to it,
    or of all of the message. A readable thought that is its own signature is of none:
    nobody compares it with anything."""
    signed = {plain(call_id) for call_id in signature.call_ids}
    if signed and call.call_id is not None:
        return plain(call.call_id) in signed
    parts = signed_parts(signature, subject.readings[back.step])
    calls = {part.pointer for part in back.reply.calls}
    on_calls = [part for part in parts if part.pointer in calls]
    if parts and signature.kind is not SignatureKind.TEXT:
        led_to = _led_to(back.reply, {part.pointer for part in parts})
        if any(part.pointer == call.pointer for part in led_to):
            return True
    return not parts or any(part.pointer == call.pointer for part in on_calls)


_REASONING = (PartKind.THOUGHT, PartKind.OPAQUE)


def _led_to(reply: Message, pointers: Collection[str]) -> Iterator[Part]:
    """What stands behind a thought, up to the next one: it is what was thought of."""
    is_behind = False
    for part in reply.parts:
        if part.kind in _REASONING:
            is_behind = part.pointer in pointers
        elif is_behind:
            yield part


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A signed part that reads otherwise than it came."""

    signature: Signature
    index: int
    """Of the message that holds it."""
    part: Part
    received: Part
    whole: str = ""
    """All that the reply said of that kind."""


def changed_thoughts(subject: Subject, *fates: Fate) -> Iterator[Changed]:
    """Thoughts whose signature met one of these fates."""
    known = subject.once_in_session(_signed_thoughts)
    for signature, stretch in subject.met(*fates) if known else ():
        received, whole = known.get(id(signature), (None, ""))
        for sighting in stretch.sightings if received else ():
            part = part_of(subject, sighting)
            if part is None or part.kind is not PartKind.THOUGHT:
                continue
            if received and part.text != received.text:
                yield Changed(
                    signature=signature,
                    index=sighting.anchor.message,
                    part=part,
                    received=received,
                    whole=whole,
                )


def _signed_thoughts(subject: Subject) -> Mapping[int, tuple[Part, str]]:
    """The thought that a signature came on, and all that the reply thought; by the
    identity of the signature, which the ledger keeps. Most sign calls."""
    found = {}
    for signature in subject.ledger.signatures:
        reply = subject.readings[signature.step] if signature.step is not None else None
        parts = signed_parts(signature, reply) if reply else ()
        thought = next((p for p in parts if p.kind is PartKind.THOUGHT), None)
        if thought is not None and reply and reply.reply.message is not None:
            found[id(signature)] = thought, reply.reply.message.thoughts
    return found
