"""How findings name things, so that one can search for them on every screen."""

from __future__ import annotations

from collections.abc import Iterable

from sigscope.conversation import Json, Message, Part, Sighting
from sigscope.ledger import Fate, Signature
from sigscope.ledger.records import UNSEEN
from sigscope.opaque import Bypass

HAPPENED = {
    Fate.DROPPED: "is missing",
    Fate.MOVED: "stands in another place",
    Fate.ALTERED: "was altered",
    Fate.CUT: "was cut",
    Fate.BYPASS: "was replaced by a bypass",
}
"""What a fate in which a signature is lost says about it."""

LIKEWISE = "likewise at"
"""Comes before the other messages of which a finding says the same."""
UNRESTORABLE = (
    "the recording does not hold the response that made this call, so the signature"
    " cannot be restored from this capture: record from the request on that was"
    " answered with the call"
)
"""What is said of a signature that is missing and was never recorded."""


def field_of(signature: Signature) -> str:
    """The wire name of the field that brought it: "reasoning_opaque"."""
    if not signature.received:
        return "signature"
    segments = signature.received[0].sighting.pointer.split("/")
    names = [name for name in segments if name and not name.isdigit()]
    name = names[-1] if names else "signature"
    if "reasoning_details" in names:
        return f"reasoning_details {name}"
    return "signature" if name == "id" else name


def told(signature: Signature) -> str:
    """ "reasoning_opaque 9f3a21 (received in step 1, event 14)"."""
    name = f"{field_of(signature)} {signature.id}"
    if not signature.received:
        return f"{name} ({UNSEEN[signature.origin]})"
    place = signature.received[0]
    event = place.sighting.event
    where = f"step {place.step}" + (f", event {event}" if event is not None else "")
    return f"{name} (received in {where})"


def inside(sighting: Sighting) -> str:
    """ "inside the longer value of /messages/2/reasoning_opaque, joined with more"."""
    return (
        f"inside the longer value of {sighting.pointer}, joined with more: as a whole"
        " that is no value that was received"
    )


def calling(message: Message) -> str:
    """ "calls read_file and list_dir"."""
    return f"calls {names_of(message)}"


def names_of(message: Message) -> str:
    """Names of the functions called, each once."""
    return named(part.name or "a function" for part in message.calls)


def named(words: Iterable[str]) -> str:
    """ "a", "a and b", "a, b, c and 2 more"; each once."""
    names = list(dict.fromkeys(words))
    if len(names) > 3:
        return f"{', '.join(names[:3])} and {len(names) - 3} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


def called(part: Part) -> str:
    """ "read_file (call_7)"; an id of hundreds of characters is shortened."""
    name = part.name or "a function"
    return f"{name} ({short(part.call_id)})" if part.call_id else name


def short(text: str, limit: int = 40) -> str:
    """A long id or value, cut for a message and marked as cut."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def stand_in(bypass: Bypass) -> str:
    """ "skip_thought_signature_validator in base64"."""
    form = "" if bypass.form == "raw" else " in base64"
    return f"{bypass.literal}{form}"


def kind_of(value: Json) -> str:
    """ "an object"; "missing" for null and for what is not there."""
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean"}
    return "missing" if value is None else names.get(type(value), "a number")


def number_of(count: int, noun: str) -> str:
    """ "1 result", "2 results"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
