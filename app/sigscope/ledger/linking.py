"""Finding the reply of an earlier step inside a later request.

Histories may be trimmed, merged, split and rewritten on the way, so every message is
asked on its own, by the best evidence it has: tool call ids, then its text, then a
signature in it, then the names and arguments of its calls, and last its place (it
follows the earlier step's whole request word for word).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from sigscope import opaque
from sigscope.conversation import Message, Part, PartKind, Role
from sigscope.ledger.records import Link
from sigscope.reading import Reading

Key = TypeVar("Key", bound=Hashable)
Evidence = Literal["call id", "text", "signature", "call", "position"]

TELLING_TEXT = 24
"""Characters from which equal text alone tells that a message is that reply; a shorter
one ("Done.") must also follow the same words as it did."""


@dataclass(slots=True)
class _Index:
    """What the replies so far can be found by."""

    calls: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    texts: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    signatures: dict[bytes, list[int]] = field(
        default_factory=lambda: defaultdict(list)
    )
    shapes: dict[tuple[str, str], list[int]] = field(
        default_factory=lambda: defaultdict(list)
    )
    places: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))


class Linker:
    """Takes readings in step order; tells which replies each request contains."""

    def __init__(self) -> None:
        self._index = _Index()
        self._replies: dict[int, Message] = {}
        self._last_words: dict[int, str] = {}
        self.whole: dict[int, int] = {}
        """Step → digest of its whole history, for finding resends."""

    def take(self, reading: Reading) -> tuple[Link, ...]:
        """Link one request to the steps before it, then learn its reply."""
        messages = reading.conversation.messages
        digests = prefix_digests(messages)
        links = self._links(reading, messages, digests)
        self._learn(reading, digests[-1])
        return links

    def _links(
        self, reading: Reading, messages: Sequence[Message], digests: Sequence[int]
    ) -> tuple[Link, ...]:
        sighted: dict[int, list[bytes]] = defaultdict(list)
        for sighting in reading.sent:
            key = opaque.comparison_key(sighting.value)
            sighted[sighting.anchor.message].append(key)
        found: list[Link] = []
        bound = reading.number
        for index in range(len(messages) - 1, -1, -1):
            if messages[index].role is not Role.ASSISTANT:
                continue
            for step, evidence in self._ask(
                messages, index, digests, sighted[index], bound
            ):
                _add(found, step, index, evidence)
                bound = min(bound, step + 1)
        return tuple(reversed(found))

    def _ask(
        self,
        messages: Sequence[Message],
        index: int,
        digests: Sequence[int],
        sighted: Sequence[bytes],
        bound: int,
    ) -> list[tuple[int, Evidence]]:
        """Steps, latest first, whose reply this message is or holds.

        `bound` keeps the order: replies stand in requests as they came.
        """
        message = messages[index]
        by_id = {
            step
            for call in message.calls
            if call.call_id
            for step in self._latest(self._index.calls, plain(call.call_id), bound)
        }
        if by_id:
            return [(step, "call id") for step in sorted(by_id, reverse=True)]
        text = message.text.strip()
        for step in reversed(self._index.texts.get(text, ())) if text else ():
            if step < bound and (
                len(text) >= TELLING_TEXT
                or self._last_words.get(step) == _words(messages[:index])
            ):
                return [(step, "text")]
        by_signature = {
            step
            for key in sighted
            for step in self._issuer(key, messages, index, bound)
        }
        if by_signature:
            return [(step, "signature") for step in sorted(by_signature, reverse=True)]
        for shape in map(call_shape, message.calls):
            for step in self._latest(self._index.shapes, shape, bound):
                return [(step, "call")]
        for step in reversed(self._index.places.get(digests[index], ())):
            if step < bound and _could_be(message, self._replies[step]):
                return [(step, "position")]
        return []

    def _issuer(
        self, key: bytes, messages: Sequence[Message], index: int, bound: int
    ) -> Iterable[int]:
        """The step that issued a signature. Of several with an equal one (recorders
        that hide signatures write one word for all) the one whose calls, then whose
        question, is the same."""
        steps = [step for step in self._index.signatures.get(key, ()) if step < bound]
        if len(steps) > 1:
            calls = [call_shape(call) for call in messages[index].calls]
            steps = _narrowed(
                steps,
                lambda step: list(map(call_shape, self._replies[step].calls)) == calls,
            )
            asked = _words(messages[:index])
            steps = _narrowed(steps, lambda step: self._last_words[step] == asked)
        return steps[-1:]

    @staticmethod
    def _latest(index: Mapping[Key, list[int]], key: Key, bound: int) -> Iterable[int]:
        for step in reversed(index.get(key, ())):
            if step < bound:
                return (step,)
        return ()

    def _learn(self, reading: Reading, whole: int) -> None:
        self.whole[reading.number] = whole
        message = reading.reply.message
        if message is None:
            return
        step, index = reading.number, self._index
        self._replies[step] = message
        self._last_words[step] = _words(reading.conversation.messages)
        index.places[whole].append(step)
        for call in message.calls:
            if call.call_id:
                index.calls[plain(call.call_id)].append(step)
            index.shapes[call_shape(call)].append(step)
        if message.text.strip():
            index.texts[message.text.strip()].append(step)
        for sighting in reading.received:
            index.signatures[opaque.comparison_key(sighting.value)].append(step)


def _narrowed(steps: list[int], test: Callable[[int], bool]) -> list[int]:
    """The steps that pass; all of them where none does."""
    return [step for step in steps if test(step)] or steps


def _add(found: list[Link], step: int, message: int, evidence: Evidence) -> None:
    for position, link in enumerate(found):
        if link.step == step:
            both = (message, *link.messages)
            found[position] = Link(step=step, messages=both, evidence=link.evidence)
            return
    found.append(Link(step=step, messages=(message,), evidence=evidence))


def plain(call_id: str) -> str:
    """A call id without what middlemen append to it."""
    return opaque.split_call_id(call_id).plain


def call_shape(call: Part) -> tuple[str, str]:
    """Name and arguments of a call, spelled in one way."""
    arguments = call.arguments
    with suppress(ValueError, RecursionError):
        arguments = json.dumps(json.loads(arguments), sort_keys=True)
    return call.name or "", arguments


_TOOLS = (PartKind.CALL, PartKind.RESULT)


def prefix_digests(messages: Sequence[Message]) -> list[int]:
    """Digest of what stands before each message, and last of the whole history.

    Only what was said counts: system messages, ids and signatures do not.
    """
    digest = 0
    found = [digest]
    for message in messages:
        if message.role is not Role.SYSTEM:
            told = tuple(
                [
                    (part.name, part.text, part.arguments)
                    for part in message.parts
                    if part.kind in _TOOLS
                ]
            )
            said = (message.role, message.text, told)
            digest = hash((digest, said))
        found.append(digest)
    return found


def _words(messages: Sequence[Message]) -> str:
    """What was said last before a reply."""
    if not messages:
        return ""
    last = messages[-1]
    return last.text or "".join(part.text for part in last.results)


def _could_be(message: Message, reply: Message) -> bool:
    """Whether a message in the right place may be a rewritten form of the reply."""
    if bool(message.calls) != bool(reply.calls):
        return False
    if message.calls:
        return {c.name for c in message.calls} <= {c.name for c in reply.calls}
    ours, theirs = message.text.strip(), reply.text.strip()
    return not ours or not theirs or ours[:20] == theirs[:20] or ours in theirs
