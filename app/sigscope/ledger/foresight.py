"""What a request that is not sent yet would do with the signatures received before.

    foresight = Foresight()
    foresight.learn(reading)        # each exchange when it has ended
    foresight.look(reading)         # a request: its ledger, before it is sent

A ledger of a session costs what all of its steps cost. Here the answers stay indexed,
and a look costs what one request costs, and the answers that it brings back.

It is strict where a ledger for people is generous. Only answers count that are certain
to be of the very conversation: everything before them was said word for word as it was
when they came, or a call has an id that no other answer has.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sigscope.conversation import Message, Part, PartKind
from sigscope.ledger.build import foretell
from sigscope.ledger.links import Linker
from sigscope.ledger.records import Ledger, Link
from sigscope.reader import Reading
from sigscope.records import dataclass

TELLING_ID = 16
"""Characters from which the id of a call is taken for one of its kind: services draw 24
and more at random ("call_" and 24, "toolu_" and 24); "call_1" anybody may write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreseen:
    """One request that is still to be sent."""

    ledger: Ledger
    readings: Mapping[int, Reading]
    """The steps whose answers it brings back, and itself."""
    doubtful: tuple[int, ...]
    """Steps whose answers it may bring back, or those of another conversation."""


def _calls(message: Message) -> list[Part]:
    return [part for part in message.parts if part.kind is PartKind.CALL]


def _said(part: Part) -> tuple[object, object]:
    """Name and arguments, however those are spelled."""
    try:
        return part.name, json.loads(part.arguments)
    except (ValueError, TypeError, RecursionError):
        return part.name, part.arguments


class Foresight:
    """Knows what was answered. Steps come in the order in which they ended."""

    def __init__(self) -> None:
        self._linker = Linker()
        self._replies: dict[int, Reading] = {}

    def learn(self, reading: Reading, kept: Reading) -> None:
        """Know an exchange that has ended; `kept` is the same without what is not
        needed of it any more."""
        self._linker.take(reading)
        if reading.received:
            self._replies[reading.number] = kept

    def forget(self, step: int) -> None:
        """Have what a step brought no more."""
        self._replies.pop(step, None)

    def look(self, reading: Reading) -> Foreseen:
        """The ledger of a request, whose number is above those that were learned."""
        links, digests = self._linker.look(reading)
        certain: dict[int, Link] = {}
        doubtful: list[int] = []
        for link in links:
            step = self._maybe_step(link, digests)
            is_its = step is not None and self._is_as_said(step, link, reading)
            if is_its and step is not None and step not in certain:
                certain[step] = replace(link, step=step)
            elif link.step in self._replies:
                doubtful.append(link.step)
        replies = [self._replies[step] for step in sorted(certain)]
        return Foreseen(
            ledger=foretell(replies, reading, tuple(certain.values())),
            readings={each.number: each for each in (*replies, reading)},
            doubtful=tuple(doubtful),
        )

    def _is_as_said(self, step: int, link: Link, reading: Reading) -> bool:
        """Whether the calls of a message are those of the answer: of one that the
        client changed nothing was signed."""
        reply = self._replies[step].reply.message
        messages = reading.conversation.messages
        there = [p for index in link.messages for p in _calls(messages[index])]
        named = {part.call_id: _said(part) for part in there if part.call_id}
        bare = [_said(part) for part in there if not part.call_id]
        for part in _calls(reply) if reply else ():
            said = _said(part)
            if part.call_id in named:
                if named[part.call_id] != said:
                    return False
            elif bare and said not in bare:
                return False
        return True

    def _maybe_step(self, link: Link, digests: Sequence[int]) -> int | None:
        """The step whose answer a message is, and no other's; None if not certain."""
        if link.step not in self._replies:
            return None
        rivals = self._linker.rivals(link.step)
        here, whole = digests[link.messages[0]], self._linker.whole
        followed = [step for step in (link.step, *rivals) if whole[step] == here]
        if followed:
            return followed[0] if len(followed) == 1 else None
        call_ids = self._replies[link.step].reply.call_ids
        is_named = link.evidence == "call id" and min(map(len, call_ids)) >= TELLING_ID
        return link.step if is_named and not rivals else None
