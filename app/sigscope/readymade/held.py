"""Which signatures the history of a step holds, or should hold, and where.

The ledger knows what earlier responses brought and which messages of this request hold
those responses. For a request without its past (one recorded step alone), the values
that stand in the request itself are taken, wherever they stand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set

from sigscope import opaque
from sigscope.conversation import Message, Part, PartKind, Role, Sighting, SignatureKind
from sigscope.dialects.base import part_at
from sigscope.ledger import Ledger, Link, Signature
from sigscope.reader import Reading
from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldSignature:
    """One signature and what it belongs to in this request."""

    value: str
    source: str
    """ "step 1", or "this request"."""
    carrier: str
    """Name of the carrier it came on."""
    message: int
    """Index of the message it belongs to."""
    call: Part | None = None
    """The call it signs, in this request; None if it signs no single call."""
    part: Part | None = None
    """Any other part it sits on, in this request; None if that part is not there."""
    received: Sighting | None = None
    """Where it came; None where only this request has it."""
    reply: Reading | None = None
    """The step that brought it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bearer:
    """A message of the history that has signatures, or should."""

    index: int
    message: Message
    held: tuple[HeldSignature, ...]
    """In the order of arrival."""
    reply: Reading | None
    """The step whose reply it holds; None if no recorded one."""


def find_bearers(
    reading: Reading, ledger: Ledger, readings: Mapping[int, Reading]
) -> tuple[Bearer, ...]:
    """The messages of a request with signatures, in order."""
    messages = reading.conversation.messages
    found: dict[int, list[HeldSignature]] = defaultdict(list)
    for link in ledger.links.get(reading.number, ()):
        reply = readings.get(link.step)
        for signature in ledger.received_in(link.step) if reply else ():
            is_own = signature.kind is not SignatureKind.BYPASS
            if reply and is_own and not signature.is_provisional:
                held = _received(reading, link, reply, signature)
                found[held.message].append(held)
    known = {opaque.comparison_key(h.value) for held in found.values() for h in held}
    for index, message in enumerate(messages):
        if not found[index] and message.role is Role.ASSISTANT:
            found[index].extend(_present(reading, index, message, known))
    return tuple(
        Bearer(
            index=index,
            message=messages[index],
            held=tuple(found[index]),
            reply=found[index][0].reply,
        )
        for index in sorted(found)
        if found[index]
    )


# --- From the ledger ------------------------------------------------------------------


def _received(
    request: Reading, link: Link, reply: Reading, signature: Signature
) -> HeldSignature:
    sighting = _telling(signature)
    index, call, part = _home(request, link, reply, signature, sighting)
    return HeldSignature(
        value=signature.value,
        source=f"step {link.step}",
        carrier=sighting.carrier,
        message=index,
        call=call,
        part=part,
        received=sighting,
        reply=reply,
    )


def _telling(signature: Signature) -> Sighting:
    """Of several places in a response, the one that names a call."""
    places = [place.sighting for place in signature.received]
    return next((s for s in places if s.anchor.call_id), places[0])


def _home(
    request: Reading,
    link: Link,
    reply: Reading,
    signature: Signature,
    sighting: Sighting,
) -> tuple[int, Part | None, Part | None]:
    """Message, call and part of this request that a signature belongs to."""
    messages = request.conversation.messages
    calls = [(i, call) for i in link.messages for call in messages[i].calls]
    theirs = reply.reply.message
    for index, call in calls:
        if call.call_id and _plain(call.call_id) in map(_plain, signature.call_ids):
            return index, call, None
    anchored = _anchored(theirs, sighting)
    if theirs and anchored and anchored.kind is PartKind.CALL:
        position = theirs.calls.index(anchored)
        if position < len(calls) and calls[position][1].name == anchored.name:
            return *calls[position], None
        same = [(i, call) for i, call in calls if call.name == anchored.name]
        if same:
            return *same[0], None
    if anchored and anchored.kind is not PartKind.CALL:
        for index in link.messages:
            part = _same_part(messages[index], anchored)
            if part is not None:
                return index, None, part
    if calls and theirs and theirs.calls:
        return calls[0][0], None, None
    return link.messages[-1], None, None


def _plain(call_id: str) -> str:
    return opaque.split_call_id(call_id).plain


def _anchored(message: Message | None, sighting: Sighting) -> Part | None:
    place = sighting.anchor.part
    if message is None or place is None:
        return None
    return part_at(message, place)


def _same_part(message: Message, anchored: Part) -> Part | None:
    """The part of a message that is a reply's part again: same kind and text."""
    return next(
        (
            part
            for part in message.parts
            if part.kind is anchored.kind and part.text == anchored.text
        ),
        None,
    )


# --- From the request alone -----------------------------------------------------------


def _present(
    request: Reading, index: int, message: Message, known: Set[bytes]
) -> Iterator[HeldSignature]:
    """Values that stand in a message of which no response is recorded; `known`: those
    that belong to other messages."""
    seen = set(known)
    here = [s for s in request.sent if s.anchor.message == index]
    for sighting in sorted(here, key=lambda s: not s.is_read):
        key = opaque.comparison_key(sighting.value)
        if sighting.kind is SignatureKind.BYPASS or key in seen:
            continue
        seen.add(key)
        part = part_at(message, sighting.pointer)
        call = _signed_call(message.calls, sighting, part)
        yield HeldSignature(
            value=sighting.value,
            source="this request",
            carrier=sighting.carrier,
            message=index,
            call=call,
            part=part if call is None else None,
        )


def _signed_call(
    calls: Sequence[Part], sighting: Sighting, part: Part | None
) -> Part | None:
    if part is not None and part.kind is PartKind.CALL:
        return part
    by_id = sighting.anchor.call_id
    return next((c for c in calls if by_id and c.call_id == by_id), None)
