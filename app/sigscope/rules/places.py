"""Where things stand in a request: whose reply a message is, and how servers count.

Servers name the message they refuse by a number. For Gemini it is the 1-based index
into `contents` (dialects.md 1(d), [issue report]); behind a gateway it counts what the
gateway made of the messages (dialects.md 2(d), [inferred]).
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Message, Part, Role, Sighting
from sigscope.ledger import Signature
from sigscope.ledger.linking import call_shape, plain
from sigscope.ledger.models import enforces_signatures
from sigscope.reading import ASTRAY, Reading
from sigscope.refusals.counting import countings
from sigscope.rules.base import Subject
from sigscope.rules.editing import node


def reply_of(subject: Subject, index: int) -> Reading | None:
    """The step whose reply a message is; None where the recording does not hold it."""
    link = subject.held.get(index)
    return subject.readings.get(link.step) if link else None


def is_enforced(subject: Subject, index: int) -> bool:
    """Whether the model asked, or the one that wrote this message, insists on
    signatures."""
    reply = reply_of(subject, index)
    answered = reply.reply.model if reply else ""
    return enforces_signatures(subject.reading.conversation.model, answered)


def current_calls(subject: Subject) -> Iterator[tuple[int, Message]]:
    """Messages of the current turn in which the model calls something."""
    conversation = subject.reading.conversation
    for index in range(conversation.turn_start, len(conversation.messages)):
        message = conversation.messages[index]
        if message.role is Role.ASSISTANT and message.calls:
            yield index, message


def misplaced(subject: Subject) -> Iterator[Sighting]:
    """Signatures in messages at places that the service does not read, those in
    unknown fields too; not those inside a longer string."""
    body = subject.reading.request_json
    astray = (
        sighting
        for loss in subject.losses
        for sighting in subject.placed(loss.signature)
        if sighting.carrier == ASTRAY
    )
    for sighting in (*subject.sent, *astray):
        is_whole = node(body, sighting.pointer) == sighting.value
        if not sighting.is_read and sighting.anchor.message >= 0 and is_whole:
            yield sighting


def signing(subject: Subject, index: int, part: Part) -> tuple[Sighting, ...]:
    """What the service reads as the signature of a part."""
    return tuple(
        sighting
        for sighting in subject.sighted.get(index, ())
        if sighting.is_read and sighting.anchor.part == part.pointer
    )


def covering(subject: Subject, index: int) -> tuple[Sighting, ...]:
    """Everything in a message that the service reads as a signature."""
    return tuple(s for s in subject.sighted.get(index, ()) if s.is_read)


def counterpart(subject: Subject, index: int, part: Part) -> Part | None:
    """The part of a message that a reply's part became; None if it is not there.

    Calls are known by id, else by name and arguments; other parts by their text.
    """
    message = subject.messages[index]
    if part.call_id is not None:
        for call in message.calls:
            if call.call_id is not None and plain(call.call_id) == plain(part.call_id):
                return call
    same = [other for other in message.parts if other.kind is part.kind]
    for other in same:
        if call_shape(other) == call_shape(part) and other.text == part.text:
            return other
    return None


def signed_parts(signature: Signature, reply: Reading) -> tuple[Part, ...]:
    """The parts of the reply that a signature came on, in wire order."""
    places = {place.sighting.anchor.part for place in signature.received}
    message = reply.reply.message
    parts = message.parts if message else ()
    return tuple(part for part in parts if part.pointer in places)


def content_number(subject: Subject, index: int) -> int:
    """The number by which the service would name a message, from 1; the likeliest
    where a gateway translates and counting is inferred."""
    counting = countings(subject.reading.conversation, subject.wire)[0]
    for number, indices in enumerate(counting.entries, start=1):
        if index in indices:
            return number
    return index + 1
