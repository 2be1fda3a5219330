"""Calls and results that lack their other half, in chat histories.

What is certain is mended: a result whose id was rewritten while everything else of its
round is paired, one that stands before its call, one that an earlier request had sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from sigscope.conversation import Json, Message, Part
from sigscope.edits.records import Edit
from sigscope.records import dataclass
from sigscope.rules.base import Check, Claim, Subject
from sigscope.rules.edits import Fix, drop, insert, move, node, put
from sigscope.rules.places import answered_before
from sigscope.rules.tallies import Pairs
from sigscope.rules.words import called, short


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpaired:
    """Calls and results without their other half, where the service counts them."""

    among: Callable[[Subject], bool]
    """Which requests are judged."""
    walks: tuple[Check, ...]
    """`orphans`, `unanswered` or both."""

    def __call__(self, subject: Subject) -> Iterator[Claim]:
        """One claim for each."""
        if self.among(subject):
            for walk in self.walks:
                yield from walk(subject)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Round:
    """A message with calls, and the results right behind it."""

    index: int
    end: int
    """One past the last of the results."""


def unanswered(subject: Subject) -> Iterator[Claim]:
    """Calls, but for those of the last message, that no result answers."""
    messages = subject.messages
    waiting = subject.tally(Pairs).pending.values()
    if all(index == len(messages) - 1 for index in waiting):
        return
    answered = {r.call_id for message in messages for r in message.results}
    renamed = _renamed(messages)
    for found in _rounds(messages):
        for call in messages[found.index].calls:
            if call.call_id is None or call.call_id in answered:
                continue
            if found.index == len(messages) - 1:
                continue  # it may still wait for its result
            stray = renamed.get(call.pointer)
            said = f"call {called(call)} has no tool message that answers it"
            fix: Fix | None = None
            if stray is not None:
                said += f"; that for {short(stray.call_id or '')} is meant"
                fix = (_rename(messages, stray, call),)
            else:
                earlier = answered_before(subject, call)
                if earlier is not None:
                    said += f"; step {earlier.reading.number} had sent one"
                    at = earlier.message.pointer
                    raw = node(earlier.reading.request_json, at)
                    fix = (_put_behind(subject, found, raw),)
            yield Claim(call.pointer, said, fix=fix)


def orphans(subject: Subject) -> Iterator[Claim]:
    """Results that answer no call before them."""
    if not subject.tally(Pairs).orphans:
        return
    messages = subject.messages
    calls = {
        call.call_id: (index, call)
        for index, message in enumerate(messages)
        for call in message.calls
    }
    renamed = {stray.pointer: at for at, stray in _renamed(messages).items()}
    by_pointer = {call.pointer: call for each in messages for call in each.calls}
    known: set[str | None] = {None}
    for message in messages:
        known.update(call.call_id for call in message.calls)
        for result in message.results:
            if result.call_id in known:
                continue
            said = (
                f"tool message answers {short(result.call_id or '')}, which no message"
                " before it calls"
            )
            if result.call_id in calls:
                later, call = calls[result.call_id]
                said += f"; {called(call)} comes in {messages[later].pointer}"
                place = _behind(messages, later + 1)
                fix: Fix = (move(message.pointer, place, "move it behind its call"),)
            elif result.pointer in renamed:
                call = by_pointer[renamed[result.pointer]]
                said += f"; {called(call)} is meant"
                fix = (_rename(messages, result, call),)
            else:
                fix = (
                    drop(message.pointer, "take away the result that answers no call"),
                )
            yield Claim(message.pointer, said, fix=fix)


def _rounds(messages: Sequence[Message]) -> Iterator[_Round]:
    for index, message in enumerate(messages):
        if message.calls:
            end = index + 1
            while end < len(messages) and messages[end].results:
                end += 1
            yield _Round(index=index, end=end)


def _renamed(messages: Sequence[Message]) -> Mapping[str, Part]:
    """Pointer of a call → the result that must be its own: in their round everything
    else is paired."""
    known = {call.call_id for message in messages for call in message.calls}
    answered = {r.call_id for message in messages for r in message.results}
    found: dict[str, Part] = {}
    for each in _rounds(messages):
        calls = [c for c in messages[each.index].calls if c.call_id not in answered]
        strays = [
            result
            for message in messages[each.index + 1 : each.end]
            for result in message.results
            if result.call_id not in known
        ]
        if len(calls) == len(strays) == 1:
            found[calls[0].pointer] = strays[0]
    return found


def _rename(messages: Sequence[Message], stray: Part, call: Part) -> Edit:
    holder = next(m for m in messages if stray in m.results)
    at = f"{holder.pointer}/tool_call_id"
    return put(at, call.call_id, "set the id of its call")


def _put_behind(subject: Subject, found: _Round, raw: Json) -> Edit:
    place = _behind(subject.messages, found.end)
    return insert(place, raw, "insert the result that was sent before")


def _behind(messages: Sequence[Message], index: int) -> str:
    """The place before a message, or at the end of them all."""
    if index < len(messages):
        return messages[index].pointer
    return f"{messages[-1].pointer.rpartition('/')[0]}/-"
