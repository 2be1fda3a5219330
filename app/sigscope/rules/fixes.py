"""Giving a signature back to the place where its service reads it.

One function per dialect knows the home of a signature in a request; `send_back` takes
away what stands in its stead or in wrong places.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from sigscope import opaque
from sigscope.conversation import Json, Message, Part
from sigscope.dialects.gemini import Gemini
from sigscope.dialects.homes import Delivery, Home
from sigscope.edits.records import Edit
from sigscope.ledger import Signature
from sigscope.ledger.links import plain
from sigscope.records import dataclass
from sigscope.rules.base import Subject
from sigscope.rules.edits import Fix, drop, joined, node, put, with_bearers
from sigscope.rules.places import counterpart, reply_of, signed_parts, split_calls
from sigscope.rules.subject import Loss
from sigscope.rules.words import field_of


@dataclass(frozen=True, slots=True, kw_only=True)
class FixPlace:
    """Where a value has to stand in this request."""

    pointer: str
    value: Json


def send_back(subject: Subject, loss: Loss, index: int | None = None) -> Fix | None:
    """Edits that put a lost signature, as received, where message `index` needs it;
    None: the message that it belongs to.

    Copies of it in places that the service does not read are dropped. None where its
    home in this request is not certain.
    """
    at = loss.index if index is None else index
    lasting = None if loss.sightings else _lasting(subject, loss.signature, at)
    known = (subject.once_in_session if lasting else subject.once)(_ways_back)
    key = lasting or (id(loss.signature), at)
    found = known.get(key)
    if found is None:
        found = known[key] = subject.messages[at], _way_back(subject, loss, at)
    return found[1]


def _lasting(subject: Subject, signature: Signature, index: int) -> Hashable | None:
    """What tells a signature's home in a message of this request and of those that
    repeat it: the message, and whose reply it is. None where others count."""
    link = subject.held.get(index)
    if link is not None and len(link.messages) > 1:
        return None
    step, message = link.step if link else None, subject.messages[index]
    # By identity: the ledger keeps the signature alive, and comparing them costs.
    return id(signature), index, id(message), step, subject.wire


def _ways_back(_: Subject) -> dict[Hashable, tuple[Message, Fix | None]]:
    """Those asked for so far, each with the message that it was for, which is kept, as
    its address is: several rules ask for each, and every request that repeats one."""
    return {}


def _way_back(subject: Subject, loss: Loss, index: int) -> Fix | None:
    signature = loss.signature
    home = maybe_home(subject, signature, index)
    if home is None:
        return None
    step = signature.received[0].step
    label = f"restore {field_of(signature)} {signature.id} from step {step}"
    return joined(
        clearing(subject, signature, home.pointer),
        [put(home.pointer, home.value, label)],
    )


def clearing(subject: Subject, signature: Signature, home: str) -> Iterator[Edit]:
    """Drops of what is sent of a signature outside its home, damaged copies too.

    A string that holds more than the signature, such as a call id, stays, and so do
    bypasses. A place that another lost signature will take is left to that one's fix.
    """
    body = subject.reading.request_json
    strays = [
        sighting
        for sighting in subject.placed(signature)
        if opaque.maybe_bypass(sighting.value) is None
        and _fills(node(body, sighting.pointer), sighting.value)
    ]
    for sighting in strays:
        whole = with_bearers(body, sighting.pointer)
        for place in (whole, sighting.pointer):
            if not _overlap(place, home) and not _is_awaited(subject, signature, place):
                yield drop(place, f"take {signature.id} away here")
                break


def _fills(text: Json, value: str) -> bool:
    """Whether a string is a value and nothing else, quotes around it aside."""
    return isinstance(text, str) and text.strip(' "') == value.strip(' "')


def _is_awaited(subject: Subject, signature: Signature, place: str) -> bool:
    """Whether another lost signature has its home there, around it or in it."""
    at, inside = subject.once(_awaited)
    own = {id(signature)}
    waiting = [at.get(above) for above in (place, *_around(place))]
    return any(found and found != own for found in (*waiting, inside.get(place)))


def _awaited(subject: Subject) -> tuple[dict[str, set[int]], dict[str, set[int]]]:
    """Homes of lost signatures, and all that is around these, each with the identities
    of the signatures: found once, as each fix asks about all the others."""
    at: dict[str, set[int]] = {}
    inside: dict[str, set[int]] = {}
    for loss in subject.losses:
        home = maybe_home(subject, loss.signature, loss.index)
        if home is not None:
            at.setdefault(home.pointer, set()).add(id(loss.signature))
            for around in _around(home.pointer):
                inside.setdefault(around, set()).add(id(loss.signature))
    return at, inside


def _around(pointer: str) -> Iterator[str]:
    """Pointers of what a place is in, from the inside out."""
    while pointer:
        pointer = pointer.rpartition("/")[0]
        yield pointer


def _overlap(one: str, other: str) -> bool:
    return one == other or one.startswith(other + "/") or other.startswith(one + "/")


def maybe_home(subject: Subject, signature: Signature, index: int) -> FixPlace | None:
    """Where a received signature belongs in a message of this request."""
    if not signature.received:
        return None
    lasting = _lasting(subject, signature, index)
    known = (subject.once_in_session if lasting else subject.once)(_homes)
    key = lasting or (id(signature), index)
    found = known.get(key)
    if found is None:
        # A reply in several messages is mended in the first that can have it.
        places = (*split_calls(subject, index), index)
        homes = (_home(subject, signature, place) for place in places)
        found = known[key] = subject.messages[index], next(filter(None, homes), None)
    return found[1]


def _homes(_: Subject) -> dict[Hashable, tuple[Message, FixPlace | None]]:
    """The same of homes."""
    return {}


def _home(subject: Subject, signature: Signature, index: int) -> FixPlace | None:
    """The place in one message; None where it has none, or would have to be given
    one that no response showed."""
    dialect, message = subject.reading.dialect, subject.messages[index]
    if dialect is None or signature.is_unruled:
        return None
    part = None
    if dialect.home.signs == "part":
        part = _signed_part(subject, signature, index)
    elif dialect.home.signs == "call" and signature.call_ids:
        part = _signed_call(signature, message)
        if part is None:
            return None
    found = dialect.home.of(
        Delivery(
            value=signature.value,
            message=message,
            part=part,
            holder=node(subject.reading.request_json, part.pointer) if part else None,
            carrier=signature.received[0].sighting.carrier,
            entries=_entries(subject, signature, dialect.home.list_key),
        )
    )
    return None if found is None or found.is_made_up else placed(subject, found)


def placed(subject: Subject, home: Home) -> FixPlace:
    """A home as the node to set, with the objects around it that are not there."""
    pointer, value = home.at, home.value
    *way, last = home.path.split("/")
    missing = [last]
    while way and not isinstance(
        node(subject.reading.request_json, "/".join((pointer, *way))), dict
    ):
        missing.insert(0, way.pop())
    for key in reversed(missing[1:]):
        value = {key: value}
    return FixPlace(pointer="/".join((pointer, *way, missing[0])), value=value)


def _signed_call(signature: Signature, message: Message) -> Part | None:
    """The call of a message that a signature names."""
    signed = {plain(call_id) for call_id in signature.call_ids}
    for call in message.calls:
        if call.call_id is not None and plain(call.call_id) in signed:
            return call
    return None


def _entries(subject: Subject, signature: Signature, key: str) -> list[Json]:
    """The list that it came in, as received: none of it may be left out, changed or
    reordered (docs/wire/openrouter.md#policy, [docs])."""
    step = signature.step
    reply = subject.readings.get(step) if key and step is not None else None
    message = reply.reply.message if reply else None
    if reply is None or message is None:
        return []
    entries = node(reply.response_json, f"{message.pointer}/{key}")
    return entries if isinstance(entries, list) else []


def spelling(subject: Subject, part: Part) -> str:
    """The signature's name in the spelling that this part uses."""
    raw = node(subject.reading.request_json, part.pointer)
    return Gemini.home.key_in(raw)


def _signed_part(subject: Subject, signature: Signature, index: int) -> Part | None:
    """The part of the request that the signature came on."""
    reply = reply_of(subject, index)
    if reply is None or reply.number != signature.step:
        return None
    link = subject.held.get(index)
    others = link.messages if link else ()
    for place in dict.fromkeys((index, *others)):
        for part in signed_parts(signature, reply):
            found = counterpart(subject, place, part)
            if found is not None:
                return found
    return None
