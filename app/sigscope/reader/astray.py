"""A signature in a request at a place that no carrier names."""

from __future__ import annotations

from sigscope.conversation import AnchorPlace, Sighting, SignatureKind
from sigscope.dialects.leaves import strings_in
from sigscope.dialects.sightings import message_index
from sigscope.errors import PointerError
from sigscope.jsontext.repeats import run_length
from sigscope.jsontext.skeletons import spelled
from sigscope.pointer import resolve
from sigscope.reader.reading import Reading
from sigscope.utf8 import to_bytes

ASTRAY = "unknown place"
"""Carrier name of a signature found where no carrier is."""
JOINED = "inside a longer value"
"""Carrier name of a signature that is a piece of some other string."""


def find_astray(reading: Reading, value: str) -> Sighting | None:
    """In an unknown field, or inside another string; None where it is in neither. One
    search through the bytes, at most."""
    if run_length(value) > reading.longest_run:
        return None
    if not reading.request_text.may_hold(value):
        return None
    pointer = _pointer_of(reading, value) if value else None
    if pointer is None:
        return None
    places = {m.pointer: i for i, m in enumerate(reading.conversation.messages)}
    return Sighting(
        carrier=ASTRAY if _is_at(reading, pointer, value) else JOINED,
        kind=SignatureKind.SIGNATURE,
        value=value,
        pointer=pointer,
        anchor=AnchorPlace(message=message_index(pointer, places)),
        is_read=False,
    )


def _pointer_of(reading: Reading, value: str) -> str | None:
    """Of the first node that holds a string."""
    raw = reading.request_body.data
    at = raw.find(to_bytes(spelled(value)))
    if at >= 0:
        return reading.request_text.pointer_at(at)
    is_escaped = b"\\/" in raw or b"\\u" in raw
    if not is_escaped or (value.isascii() and value.isalnum()):
        return None
    found = (p for p, text in strings_in(reading.request_json) if value in text)
    return next(found, None)


def _is_at(reading: Reading, pointer: str, value: str) -> bool:
    """Whether a node of the request is this very string."""
    try:
        return bool(resolve(reading.request_json, pointer) == value)
    except PointerError:
        return False
