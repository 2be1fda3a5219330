"""Places that are calls, or tool results without their calls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sigscope.conversation import Message, Part, Role
from sigscope.opaque import split_call_id
from sigscope.refusals.places import Located, Occurrence, distinct, misfit, tell

_SIGN = re.compile(r"[^\w.-]")
_Found = tuple[Part, int]
"""A call, and the index of its message."""


def read_content(query: Occurrence) -> Located:
    """`position N`, `N. content block`: a call of the named function in that entry."""
    name, position = query.groups.get("fn", ""), query.number("n")
    if position is None:
        return Located(note="the error names no place")
    ways: dict[str, str] = {}
    for counting in query.countings:
        found = _offender(query, counting.at(position), name)
        if found:
            ways.setdefault(query.node(*found), counting.caption)
    if ways:
        return tell(f"content {position}", ways)
    return _fall_back(query, name, position)


def _offender(query: Occurrence, entry: Sequence[int], name: str) -> _Found | None:
    """The first call of that name without a signature, else the first of that name."""
    calls = [
        (call, index)
        for index in entry
        for call in query.message(index).calls
        if _is_named(call, name)
    ]
    owed = [(call, index) for call, index in calls if not query.is_signed(call, index)]
    return next(iter(owed or calls), None)


def _is_named(call: Part, name: str) -> bool:
    """Google puts a prefix before the name that the client gave
    (docs/wire/gemini.md#rules),
    and knows no other signs in names than these."""
    return not name or _bare(call.name or "") == _bare(name)


def _bare(name: str) -> str:
    return _SIGN.sub("_", name.removeprefix("default_api:"))


def _fall_back(query: Occurrence, name: str, position: int) -> Located:
    """No way of counting finds such a call there: all unsigned ones of that name."""
    named = [
        (call, index)
        for index, message in enumerate(query.conversation.messages)
        for call in message.calls
        if _is_named(call, name)
    ]
    owed = [found for found in named if query.is_owed(*found)]
    current = [c for c in owed if query.conversation.is_current(c[1])]
    past = [c for c in owed if not query.conversation.is_current(c[1])]
    pointers = distinct(query.node(*found) for found in (*current, *past))
    absent = misfit(query, f"content {position}", position - 1)
    calls = f"calls of `{name}`" if name else "calls"
    if not query.reading.dialect:
        return Located(note=absent)
    if not named:
        return Located(
            note=f"{absent}; this request has no call of `{name}` at all: is it the"
            " one that was refused?",
            fits=False,
        )
    if not pointers:
        note = f"{absent}; and there are no unsigned {calls} elsewhere"
        return Located(note=note, fits=False)
    there = "stands here" if len(pointers) == 1 else "stand here"
    kind = calls if len(pointers) > 1 else calls.replace("calls", "one call", 1)
    note = f"{absent}; {kind} without a signature {there}"
    return Located(pointers=pointers, note=note, fits=False)


# --- Results ----------------------------------------------------------------------


def read_result(query: Occurrence) -> Located:
    """A tool result whose call is not found, by the id that the error prints."""
    wanted = query.groups.get("id")
    results = [
        part
        for message in query.conversation.messages
        for part in message.results
        if wanted is None or part.call_id == wanted
    ]
    calls = {
        part.call_id
        for message in query.conversation.messages
        for part in message.calls
    }
    lone = [part for part in results if part.call_id not in calls]
    if not lone:
        pointers = tuple(part.pointer for part in results) if wanted else ()
        return Located(pointers=pointers)
    near = {split_call_id(call_id).plain for call_id in calls if call_id}
    note = f"{lone[0].call_id!r} is no call's id"
    if any(split_call_id(part.call_id or "").plain in near for part in lone):
        note += "; a call has it with or without `__thought__`"
    return Located(pointers=tuple(part.pointer for part in lone), note=note)


def read_pairing(query: Occurrence) -> Located:
    """Calls and results that do not fit each other; the error names none."""
    pointers = distinct(_unpaired(query.conversation.messages))
    if not pointers:
        return Located(note="the error names no place; calls and results are paired")
    return Located(pointers=pointers, note="the error names no place; unpaired here")


def _unpaired(messages: Sequence[Message]) -> Iterator[str]:
    """Per step: calls without a result, then results without a call."""
    calls: list[Part] = []
    results: list[Part] = []
    for message in messages:
        if results and message.calls:
            yield from _left_over(calls, results)
            calls, results = [], []
        if message.role is Role.USER and not message.results:
            yield from _left_over(calls, results)
            calls, results = [], []
        calls.extend(message.calls)
        results.extend(message.results)
    yield from _left_over(calls, results)


def _left_over(calls: Sequence[Part], results: Sequence[Part]) -> Iterator[str]:
    """By id where both sides have ids, else by name and number."""
    open_calls = list(calls)
    lone = []
    for result in results:
        call = next((c for c in open_calls if _fits(c, result)), None)
        if call is None:
            lone.append(result)
        else:
            open_calls.remove(call)
    yield from (part.pointer for part in (*open_calls, *lone))


def _fits(call: Part, result: Part) -> bool:
    if call.call_id and result.call_id:
        return call.call_id == result.call_id
    return not (call.name and result.name) or call.name == result.name
