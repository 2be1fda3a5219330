"""Places that are signatures, or parts that should have one."""

from __future__ import annotations

from collections.abc import Sequence

from sigscope import opaque
from sigscope.conversation import PartKind, Role, Sighting
from sigscope.refusals.paths import resolve
from sigscope.refusals.places import Located, Occurrence, distinct, misfit, tell

_FIELDS = ("thoughtSignature", "thought_signature")


def read_part(query: Occurrence) -> Located:
    """`contents[i].parts[j]`: the very part, or what was translated into it."""
    i, j = query.number("i"), query.number("j")
    if i is None or j is None:
        return Located()
    if query.is_native:
        pointer = _native_part(query, i, j)
        if pointer is None:
            return Located(note=_beyond(query, f"contents[{i}]"), fits=False)
        return Located(pointers=(pointer,))
    ways: dict[str, str] = {}
    for counting in query.countings:
        for sighting in _suspects(query, counting.at(i + 1)):
            ways.setdefault(sighting.pointer, counting.caption)
    if ways:
        return tell(f"contents[{i}].parts[{j}]", ways)
    bad = distinct(s.pointer for s in query.reading.sent if _is_broken(s))
    note = misfit(query, f"contents[{i}] (from 0)", i)
    if bad:
        note += "; no base64 is sent here"
    asked = query.conversation
    is_elsewhere = not query.reading.dialect or bool(asked.continues or asked.kept_in)
    return Located(pointers=bad, note=note, fits=is_elsewhere)


def _beyond(query: Occurrence, named: str) -> str:
    have = len(query.conversation.messages)
    return f"{named} does not fit this request: it has {have}, counted from 0"


def _native_part(query: Occurrence, i: int, j: int) -> str | None:
    messages = query.conversation.messages
    if i >= len(messages):
        return None
    at = messages[i].pointer
    part = resolve(query.body, (*at.split("/")[1:], "parts", str(j)))
    if part is None or not part.endswith(f"/parts/{j}"):
        return at
    sent = next((s for s in query.reading.sent if s.anchor.part == part), None)
    return sent.pointer if sent else part


def _suspects(query: Occurrence, entry: Sequence[int]) -> list[Sighting]:
    """Signatures in an entry, only those that are no base64 if there are such."""
    here = [s for s in query.reading.sent if s.anchor.message in entry]
    return [s for s in here if _is_broken(s)] or here


def _is_broken(sighting: Sighting) -> bool:
    return opaque.decode(sighting.value) is None


def read_content_part(query: Occurrence) -> Located:
    """`content position N, part position M`; M counts from 0 or from 1, who knows."""
    position, part = query.number("n"), query.number("j")
    messages = query.conversation.messages
    if position is None or part is None:
        return Located(note="the error names no place")
    if not 1 <= position <= len(messages):
        note = misfit(query, f"content {position}", position - 1)
        return Located(note=note, fits=not query.reading.dialect)
    wanted = query.groups.get("kind", "").lower()
    parts = messages[position - 1].parts
    ways = {
        parts[index].pointer: clause
        for index, clause in ((part - 1, "parts count from 1"), (part, "from 0"))
        if 0 <= index < len(parts) and _is_kind(parts[index].kind, wanted)
    }
    if not ways:
        return Located(pointers=(messages[position - 1].pointer,))
    return tell(f"part {part} of content {position}", ways)


def _is_kind(kind: PartKind, wanted: str) -> bool:
    if wanted == "image":
        return kind is PartKind.MEDIA
    return kind is PartKind.TEXT if wanted == "text" else True


def read_block(query: Occurrence) -> Located:
    """`messages.N.content.M`: Anthropic's own, or what was translated into it."""
    i, j = query.number("i"), query.number("j")
    if i is None:
        return Located(note="the error names no place")
    steps = ["messages", str(i), *(["content", str(j)] if j is not None else [])]
    direct = resolve(query.body, steps)
    if query.is_native or not query.dialect:
        named = _call_named(query)
        if named is not None:  # where no user speaks first, the number is one too high
            return Located(pointers=(named,))
        if direct is None or direct == "/messages":
            return Located(note=_short_of(query, i), fits=False)
        return Located(pointers=(direct,))
    ways: dict[str, str] = {}
    for counting in query.countings:
        for index in counting.at(i + 1):
            message = query.message(index)
            if message.role is Role.ASSISTANT:
                ways.setdefault(_block(query, index, j), counting.caption)
                break
    return (
        tell(f"message {i} (from 0)", ways)
        if ways
        else Located(
            note=f"message {i} (from 0) is no assistant message by any way of counting",
            fits=False,
        )
    )


def _call_named(query: Occurrence) -> str | None:
    """The call whose id the error prints."""
    wanted = query.groups.get("id")
    calls = (call for m in query.conversation.messages for call in m.calls)
    return next((c.pointer for c in calls if wanted and c.call_id == wanted), None)


def _short_of(query: Occurrence, index: int) -> str:
    body = query.body
    messages = body.get("messages") if isinstance(body, dict) else None
    if not isinstance(messages, list):
        return f"message {index} does not fit: this request has no messages"
    have = len(messages)
    return f"message {index} does not fit: this request has {have}, counted from 0"


def _block(query: Occurrence, index: int, block: int | None) -> str:
    """Thinking comes first in a message, so its signatures are the first blocks."""
    here = [s for s in query.reading.sent if s.anchor.message == index and s.is_read]
    if block is None or not here:
        return query.message(index).pointer
    return here[min(block, len(here) - 1)].pointer


def read_any(query: Occurrence) -> Located:
    """The words name no place: certain only where one signature was sent."""
    sent = [s for s in query.reading.sent if s.is_read]
    values = {opaque.comparison_key(s.value) for s in sent}
    if len(values) == 1:
        return Located(
            pointers=distinct(s.pointer for s in sent),
            note="the error names no place; this is the only signature sent",
        )
    if not sent:
        return Located(note="the error names no place, and no signature was sent")
    return Located(
        note=f"the error does not say which of the {len(values)} signatures sent"
    )
