"""What a mended request may differ in from the one that the client sent.

Fixes of rules mend what is wrong, and some rewrite more than signatures for it. Of
these none is applied behind a client's back: what was said, called, answered and set
stays; signatures that come in are those that this service issued in this conversation.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress

from sigscope.conversation import Json, Message, Part, PartKind, SignatureKind
from sigscope.edits.records import Edit, Op
from sigscope.errors import PointerError
from sigscope.pointer import resolve
from sigscope.reader import Reading
from sigscope.records import dataclass

_OPS = frozenset({Op.DROP, Op.SET, Op.INSERT, Op.MOVE, Op.COPY})
_SAID = frozenset({PartKind.TEXT, PartKind.CALL, PartKind.RESULT, PartKind.MEDIA})
Said = tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestChange:
    """What was done to a request, as the dialect reads both versions."""

    put_back: frozenset[str] = frozenset()
    """Signatures that were nowhere in it."""
    moved: frozenset[str] = frozenset()
    """Signatures that stood elsewhere."""
    dropped: int = 0
    """Results that were there twice."""


def maybe_object(
    edits: Sequence[Edit], before: Reading, received: Collection[str]
) -> str | None:
    """Why these edits are not for a recorder to make; None where nothing speaks against
    them. `received`: signatures that the service issued in this conversation."""
    known = {sighting.value for sighting in before.sent}
    messages = {message.pointer for message in before.conversation.messages}
    for edit in edits:
        if edit.op not in _OPS or not _is_in_history(edit.pointer, messages):
            return "its fix changes more than the conversation"
        for text in brought((edit,), before):
            if text in known and text not in received:
                return "its fix moves a signature that did not come in this recording"
    return None


def compare(
    before: Reading, after: Reading, received: Collection[str]
) -> RequestChange | str:
    """What was changed; or why that is more than a recorder may change."""
    ours, theirs = _said(before), _said(after)
    missing = Counter(ours) - Counter(theirs)
    dropped = sum(missing.values())
    if Counter(theirs) - Counter(ours) or not _is_told_still(ours, theirs, missing):
        return "its fix changes what is said"
    if _thoughts(after) < _thoughts(before):
        return "its fix takes reasoning away"
    had, has = _signatures(before), _signatures(after)
    fresh = {value for value in has if value not in had}
    if any(s.kind is SignatureKind.BYPASS for s in after.sent if s.value in fresh):
        return "its fix puts in a bypass"
    if not fresh <= set(received):
        return "its fix puts in what did not come in this recording"
    read = _read_at(before)
    gone = [value for value in read if value in received and value not in has]
    if gone:
        return "its fix takes a signature away"
    moved = frozenset(_read_at(after)) - set(read) - fresh
    return RequestChange(put_back=frozenset(fresh), moved=moved, dropped=dropped)


def _is_in_history(pointer: str, messages: Collection[str]) -> bool:
    """Asked of each edit: costs the depth of its place, not the length of history."""
    while pointer:
        if pointer in messages:
            return True
        pointer = pointer.rpartition("/")[0]
    return False


def brought(edits: Sequence[Edit], before: Reading) -> Iterator[str]:
    """The strings that edits put somewhere."""
    for edit in edits:
        if edit.op in (Op.MOVE, Op.COPY):
            with suppress(PointerError):
                yield from _strings(resolve(before.request_json, edit.source or ""))
        elif edit.value is not None:
            yield from _strings(json.loads(edit.value))


def _strings(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


def _said(reading: Reading) -> list[Said]:
    """All that is said, in order, whatever message it stands in."""
    return [
        _key(message, part)
        for message in reading.conversation.messages
        for part in message.parts
        if part.kind in _SAID and (part.kind is not PartKind.TEXT or part.text)
    ]


def _key(message: Message, part: Part) -> Said:
    told = (part.text, part.call_id, part.name, part.arguments, part.size)
    return (message.role, part.kind, *told)


def _is_told_still(
    ours: Sequence[Said], theirs: Sequence[Said], missing: Counter[Said]
) -> bool:
    """Whether all of one is in the other, in order, but for results that it has
    twice."""
    if any(kind is not PartKind.RESULT for _, kind, *_ in missing):
        return False
    there = set(theirs)
    if any(result not in there for result in missing):
        return False
    rest = iter(ours)
    return all(said in rest for said in theirs)


def _thoughts(reading: Reading) -> int:
    messages = reading.conversation.messages
    return sum(p.kind is PartKind.THOUGHT for m in messages for p in m.parts)


def _signatures(reading: Reading) -> Collection[str]:
    return {sighting.value for sighting in reading.sent}


def _read_at(reading: Reading) -> dict[str, list[str]]:
    """Signatures that stand where the service reads them."""
    found: dict[str, list[str]] = {}
    for sighting in reading.sent:
        if sighting.is_read:
            found.setdefault(sighting.value, []).append(sighting.pointer)
    return found
