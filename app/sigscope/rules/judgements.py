"""What is judged of single messages, and holds for the requests that repeat them.

A rule that looks at all messages of each request costs the square of a session, the
more so where each of them lost something. What it says of one holds for as long as
what it goes by is the very same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain
from typing import Any, TypeVar

from sigscope.conversation import Message, Sighting
from sigscope.dialects.histories import changes
from sigscope.ledger import Link
from sigscope.ledger.fates import surface
from sigscope.rules.base import Subject
from sigscope.rules.subject import Loss

Judged = TypeVar("Judged")


def judged(
    subject: Subject, judge: Callable[[Subject, int], Judged], indices: Collection[int]
) -> Mapping[int, Judged]:
    """What `judge` says of each of these messages, by index, and of others.

    It is asked anew where something changed since the last request that it was asked
    for. Of a message that holds one recorded reply, which stands in no other, it may
    look at nothing but the message, that reply, what it lost (if no sighting is told
    with it) and what is read as a signature in it; and at what is so of the request as
    a whole: dialect, model, host, status, refusal.
    """
    grounds = subject.once(_Grounds)
    known = subject.once_in_session(_known)
    thread = subject.ledger.thread_of.get(subject.step)
    key = judge, thread.number if thread else None, subject.reading.status
    before, said = known.get(key, (None, {}))
    if before is not grounds:
        stale = _changed(subject, grounds, before)
        said = {} if stale is None else said.copy()
        for index in stale or ():
            said.pop(index, None)
    for index in [index for index in indices if index not in said]:
        said[index] = judge(subject, index)
    known[key] = grounds, said
    return said


class _Grounds:
    """What a request's messages are judged by."""

    def __init__(self, subject: Subject) -> None:
        self._links = subject.ledger.links.get(subject.step, ())
        self._messages: Sequence[Message] = subject.messages
        self._held: Mapping[int, Link] = subject.held
        self._losses: Mapping[int, tuple[Loss, ...]] = subject.losses_at
        self._sighted: Mapping[int, tuple[Sighting, ...]] = subject.sighted
        self._astray = [loss.index for loss in subject.losses if loss.sightings]
        reading = subject.reading
        self._whole = (
            reading.dialect,
            reading.conversation.model,
            reading.exchange.response is None,
            reading.status,
            surface(reading),
            subject.is_accepted,
            subject.error,
        )

    def changed(self, before: _Grounds) -> Set[int] | None:
        """The messages of which something is not what it was in another request, or
        may not be; None for all of them."""
        if self._whole != before._whole:
            return None
        ours, theirs = len(self._messages), len(before._messages)
        found = {*changes(self._messages, before._messages)}
        found.update(range(min(ours, theirs), max(ours, theirs)))
        found |= _other_links(self._held, before._held)
        found |= _others(self._losses, before._losses)
        found |= _others(self._sighted, before._sighted)
        return found | self._entangled

    @cached_property
    def _entangled(self) -> Set[int]:
        """Messages that are not judged by themselves."""
        found = {*range(len(self._messages))} - self._held.keys()
        found.update(self._astray)
        several = [each.messages for each in self._links if len(each.messages) > 1]
        found.update(chain.from_iterable(several))
        places = [index for each in self._links for index in each.messages]
        if len(places) > len(self._held):
            found.update(i for i, count in Counter(places).items() if count > 1)
        return found


def _changed(
    subject: Subject, grounds: _Grounds, before: _Grounds | None
) -> Set[int] | None:
    """Many ask for the same two: compared once."""
    last = subject.once_in_session(_last_compared)
    if not last or last[0] is not grounds or last[1] is not before:
        last[:] = grounds, before, grounds.changed(before) if before else None
    found: Set[int] | None = last[2]
    return found


def _last_compared(_: Subject) -> list[Any]:
    return []


def _others(
    ours: Mapping[int, tuple[object, ...]], theirs: Mapping[int, tuple[object, ...]]
) -> Set[int]:
    found = {index for index, told in ours.items() if theirs.get(index) != told}
    return found | (theirs.keys() - ours.keys())


def _other_links(ours: Mapping[int, Link], theirs: Mapping[int, Link]) -> Set[int]:
    found = {index for index, link in ours.items() if theirs.get(index) is not link}
    return found | (theirs.keys() - ours.keys())


def _known(_: Subject) -> dict[object, tuple[_Grounds, dict[int, Any]]]:
    """What each judge said last in each conversation, and of which request."""
    return {}
