"""Giving a signature back to the place where its service reads it.

One function per dialect knows the home of a signature in a request; `send_back` takes
away what stands in its stead or in wrong places.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from sigscope import opaque
from sigscope.conversation import Json, Part, PartKind
from sigscope.edits.records import Edit
from sigscope.ledger import Signature
from sigscope.ledger.links import plain
from sigscope.rules.base import Subject
from sigscope.rules.edits import Fix, drop, joined, node, put, with_bearers
from sigscope.rules.places import counterpart, reply_of, signed_parts, split_calls
from sigscope.rules.subject import Loss
from sigscope.rules.words import field_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """Where a value has to stand in this request."""

    pointer: str
    value: Json


def send_back(subject: Subject, loss: Loss, index: int | None = None) -> Fix | None:
    """Edits that put a lost signature, as received, where message `index` needs it;
    None: the message that it belongs to.

    Copies of it in places that the service does not read are dropped. None where its
    home in this request is not certain.
    """
    signature = loss.signature
    home = maybe_home(subject, signature, loss.index if index is None else index)
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
    stand-ins. A place that another lost signature will take is left to that one's fix.
    """
    body = subject.reading.request_json
    strays = [
        sighting
        for sighting in subject.placed(signature)
        if opaque.maybe_bypass(sighting.value) is None
        and _fills(node(body, sighting.pointer), sighting.value)
    ]
    homes = {home, *_other_homes(subject, signature)} if strays else {home}
    for sighting in strays:
        whole = with_bearers(body, sighting.pointer)
        for place in (whole, sighting.pointer):
            if not any(_overlap(place, taken) for taken in homes):
                yield drop(place, f"take {signature.id} away here")
                break


def _fills(text: Json, value: str) -> bool:
    """Whether a string is a value and nothing else, quotes around it aside."""
    return isinstance(text, str) and text.strip(' "') == value.strip(' "')


def _other_homes(subject: Subject, signature: Signature) -> Iterator[str]:
    for loss in subject.losses:
        if loss.signature is not signature:
            home = maybe_home(subject, loss.signature, loss.index)
            if home is not None:
                yield home.pointer


def _overlap(one: str, other: str) -> bool:
    return one == other or one.startswith(other + "/") or other.startswith(one + "/")


def maybe_home(subject: Subject, signature: Signature, index: int) -> Home | None:
    """Where a received signature belongs in a message of this request."""
    find = HOMES.get(subject.wire)
    if find is None or not signature.received:
        return None
    known = subject.once(_homes)
    # By identity: the ledger keeps it alive, and comparing signatures costs.
    key = (id(signature), index)
    if key not in known:
        # A reply in several messages is mended in the first that can have it.
        places = (*split_calls(subject, index), index)
        homes = (find(subject, signature, place) for place in places)
        known[key] = next(filter(None, homes), None)
    return known[key]


def _homes(_: Subject) -> dict[tuple[int, int], Home | None]:
    """Those asked for so far: several rules ask for each."""
    return {}


def _on_gemini_part(subject: Subject, signature: Signature, index: int) -> Home | None:
    part = _signed_part(subject, signature, index)
    if part is None:
        return None
    return Home(
        pointer=f"{part.pointer}/{spelling(subject, part)}", value=signature.value
    )


def spelling(subject: Subject, part: Part) -> str:
    """The field's name in the spelling that this part uses."""
    raw = node(subject.reading.request_json, part.pointer)
    keys: Collection[str] = raw if isinstance(raw, dict) else ()
    is_snake = "thought_signature" in keys or "function_call" in keys
    return "thought_signature" if is_snake else "thoughtSignature"


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


_COPILOT_FIELDS = ("reasoning_opaque", "cot_id", "signature")


def _on_copilot_message(
    subject: Subject, signature: Signature, index: int
) -> Home | None:
    name = signature.received[0].sighting.carrier.removeprefix("copilot.")
    if name not in _COPILOT_FIELDS:
        return None
    return Home(
        pointer=f"{subject.messages[index].pointer}/{name}", value=signature.value
    )


def _in_details(subject: Subject, signature: Signature, index: int) -> Home | None:
    """The whole sequence of entries, as received: none may be left out, changed or
    reordered (docs/wire/openrouter.md#policy, [docs])."""
    step = signature.step
    reply = subject.readings.get(step) if step is not None else None
    message = reply.reply.message if reply else None
    if reply is None or message is None:
        return None
    entries = node(reply.response_json, f"{message.pointer}/reasoning_details")
    if not isinstance(entries, list) or not entries:
        return None
    at = subject.messages[index].pointer
    return Home(pointer=f"{at}/reasoning_details", value=entries)


def _in_litellm_fields(
    subject: Subject, signature: Signature, index: int
) -> Home | None:
    """The field of the call it signs; for a plain text answer the message's list
    (docs/wire/litellm.md#placements, executed)."""
    message = subject.messages[index]
    signed = {plain(call_id) for call_id in signature.call_ids}
    for call in message.calls:
        if call.call_id is not None and plain(call.call_id) in signed:
            return _member(subject, call.pointer, "thought_signature", signature.value)
    texts = [part for part in message.parts if part.kind is PartKind.TEXT]
    is_string = len(texts) == 1 and texts[0].pointer.endswith("/content")
    if message.calls or signed or not is_string:
        return None
    return _member(subject, message.pointer, "thought_signatures", [signature.value])


def _member(subject: Subject, at: str, name: str, value: Json) -> Home:
    """A member of `provider_specific_fields`, with the object where it is not there."""
    holder = f"{at}/provider_specific_fields"
    if isinstance(node(subject.reading.request_json, holder), dict):
        return Home(pointer=f"{holder}/{name}", value=value)
    return Home(pointer=holder, value={name: value})


HOMES: Mapping[str, Callable[[Subject, Signature, int], Home | None]] = {
    "gemini": _on_gemini_part,
    "copilot-chat": _on_copilot_message,
    "openrouter": _in_details,
    "litellm": _in_litellm_fields,
}
