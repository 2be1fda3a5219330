"""Mending a request from itself: an earlier signature goes where its service reads it.

Of a capture that begins in the middle nobody knows which response brought a signature.
But where it stands tells: in the message of its call, or on the result of that call,
in a place that the service does not read, while the place that is read is empty.
"""

from __future__ import annotations

from sigscope.conversation import Json, Message, Part, Sighting
from sigscope.dialects.homes import Delivery
from sigscope.ledger.links import plain
from sigscope.opaque import fingerprint
from sigscope.rules.base import Subject
from sigscope.rules.edits import Fix, drop, joined, node, put, with_bearers
from sigscope.rules.fixes import FixPlace, placed
from sigscope.rules.kinds.split import first_half, rejoined
from sigscope.rules.places import covering, is_earlier, signing
from sigscope.rules.words import UNRESTORABLE

DETAILS = frozenset({"reasoning_details", "reasoningDetails", "reasoning"})
"""Members that hold a whole list of entries."""


def homecoming(subject: Subject, sighting: Sighting) -> Fix | None:
    """The edits; None where it is no earlier signature, or its home is not certain."""
    if not is_earlier(subject, sighting):
        return None
    index = _message_of(subject, sighting)
    if index is None or not subject.messages[index].calls:
        return None
    home = _home(subject, index, sighting)
    if home is None:
        return None
    place = _holder(subject.reading.request_json, sighting.pointer)
    if home.pointer == place:
        return None
    name = fingerprint(sighting.value)
    label = f"move {name} to {home.pointer.rpartition('/')[2]}"
    away = drop(place, f"take {name} away here")
    return joined([away, put(home.pointer, home.value, label)])


def _message_of(subject: Subject, sighting: Sighting) -> int | None:
    """The message with the calls: its own, or that whose call its result answers."""
    index = sighting.anchor.message
    if index < 0:
        return None
    if subject.messages[index].calls:
        return index
    behind = subject.messages[index].results
    wanted = {plain(result.call_id) for result in behind if result.call_id}
    for before in range(index - 1, -1, -1):
        message = subject.messages[before]
        if not message.calls:
            if message.results:
                continue
            return None
        ids = {plain(call.call_id) for call in message.calls if call.call_id}
        return before if not wanted or not ids or wanted & ids else None
    return None


def _holder(body: Json, pointer: str) -> str:
    """What goes with it: the list of entries it stands in, or what only holds it."""
    parts = pointer.split("/")
    for size in range(len(parts) - 1, 0, -1):
        if parts[size] in DETAILS and isinstance(_at(body, parts, size), list):
            return "/".join(parts[: size + 1])
    return with_bearers(body, pointer)


def _at(body: Json, parts: list[str], size: int) -> Json:
    return node(body, "/".join(parts[: size + 1]))


def _home(subject: Subject, index: int, sighting: Sighting) -> FixPlace | None:
    """The place in a message that has calls; None where something stands there."""
    dialect, message = subject.reading.dialect, subject.messages[index]
    if dialect is None:
        return None
    finder, body = dialect.home, subject.reading.request_json
    if finder.signs == "part":
        part = message.calls[0]  # only the first of parallel calls is signed
        is_taken = bool(signing(subject, index, part))
    else:
        part = _call(message, sighting)
        key = finder.list_key
        taken = node(body, f"{message.pointer}/{key}") if key else None
        is_taken = bool(taken if key else covering(subject, index))
    if is_taken:
        return None
    held = node(body, _holder(body, sighting.pointer)) if finder.list_key else None
    entries = held if isinstance(held, list) else []
    found = finder.of(
        Delivery(
            value=sighting.value,
            message=message,
            part=part,
            holder=node(body, part.pointer),
            entries=entries if all(isinstance(e, dict) for e in entries) else (),
        )
    )
    return placed(subject, found) if found else None


def _call(message: Message, sighting: Sighting) -> Part:
    """The call it stands on; else the first."""
    on = (c for c in message.calls if sighting.pointer.startswith(f"{c.pointer}/"))
    return next(on, message.calls[0])


def found_elsewhere(subject: Subject, index: int) -> tuple[str, Fix | None]:
    """What is said of a message without a signature whose response was not recorded,
    and what mends it: one stands elsewhere in the request, or none can be had."""
    at = f"{subject.messages[index].pointer}/"
    for sighting in subject.sent:
        fix = homecoming(subject, sighting)
        if fix and fix[-1].pointer.startswith(at):
            said = f"one from before the recording stands at {sighting.pointer}"
            return said, fix
    half = first_half(subject, index)
    if half is not None:
        said = (
            "one from before the recording stands on"
            f" {subject.messages[half].pointer}, the other half of the same reply"
        )
        return said, rejoined(subject, index)
    return UNRESTORABLE, None
