"""Places that are members of the body, by path, by name or by id."""

from __future__ import annotations

import re

from sigscope.refusals.paths import find_ids, find_schema_place, resolve, split
from sigscope.refusals.places import Located, Occurrence

_SCHEMA = re.compile(
    r"got (?P<got>\w+)(?:, want \w+)?,? Location: (?P<location>/\S+?)(?:[.,]?\s|$)"
)


def read_message(query: Occurrence) -> Located:
    """`message index N`: counts `messages` from 0, the system message too."""
    index = query.groups.get("i", "")
    found = _direct(query, ("messages", index))
    if found.pointers and found.pointers[0] != "/messages":
        return found
    body = query.body
    messages = body.get("messages") if isinstance(body, dict) else None
    have = len(messages) if isinstance(messages, list) else 0
    note = f"message {index} does not fit: this request has {have}, counted from 0"
    return Located(note=note, fits=False)


def read_input(query: Occurrence) -> Located:
    """`input[N]`: only a request of the Responses shape has it."""
    found = _direct(query, ("input", query.groups.get("i", "")))
    if found.pointers:
        return found
    return Located(
        note="it counts what a gateway translated; this request has no input"
    )


def read_field(query: Occurrence) -> Located:
    """Google's path to an object, and the member of it that is not known."""
    path = query.groups.get("path", "")
    steps = [*split(path), query.groups.get("key", "")]
    root = "/request" if _is_wrapped(query) and steps[0] != "request" else ""
    return _direct(query, (*split(root.replace("/", ".")), *steps))


def _is_wrapped(query: Occurrence) -> bool:
    """Code Assist puts the request inside a `request` object."""
    messages = query.conversation.messages
    return bool(messages) and messages[0].pointer.startswith("/request/")


def read_path(query: Occurrence) -> Located:
    """A path in dots and brackets; where its end is missing, the object it lacks in."""
    return _direct(query, split(query.groups.get("path") or query.param))


def read_member(query: Occurrence) -> Located:
    """A member of the body; the model, where the words name an API for it."""
    return _direct(query, (query.groups.get("key", "model"),))


def read_id(query: Occurrence) -> Located:
    """Objects that have the id the error prints."""
    wanted = query.groups.get("id")
    return Located(pointers=find_ids(query.body, wanted) if wanted else ())


def read_twin(query: Occurrence) -> Located:
    """The second of two with one id comes first: it is the one too many."""
    found = read_id(query).pointers
    return Located(
        pointers=(*found[1:], *found[:1]),
        note=f"the first is {found[0]}" if len(found) > 1 else "",
    )


def read_schema(query: Occurrence) -> Located:
    """Copilot sometimes prints where its schema stopped fitting."""
    for told in _SCHEMA.finditer(query.text):
        found = find_schema_place(query.body, told["location"], told["got"])
        if found:
            return Located(
                pointers=found,
                note=f"the service's schema has no {told['got']} there",
            )
    return Located(note="the error names no place")


def _direct(query: Occurrence, steps: tuple[str, ...]) -> Located:
    found = resolve(query.body, steps)
    return Located(pointers=(found,) if found else ())
