"""What a request says, apart from how it is spelled: by which a conversation is found
again in another recording of it.

Ids, signatures, readable reasoning, system messages and the grammar of an API do not
count, nor in which order or in how many messages parallel calls and their results
stand; a result that is sent twice counts once. Of what a user says, numbers are left
out of account: clients put the time of day there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from hashlib import blake2b
from itertools import groupby

from sigscope.conversation import Message, Part, PartKind, Role
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.utf8 import to_bytes

_VARYING = re.compile(r"\d+")
_SPACE = re.compile(r"\s+")


class Likeness(StrEnum):
    """How much two requests have in common; the most first."""

    WORDS = "word for word"
    """Texts, calls with their arguments, and results."""
    OUTLINE = "in outline"
    """What the user said, and which functions were called."""
    PLACE = "by place"
    """What the user said, and how often the model has answered since; it went about
    it in another way."""


@dataclass(frozen=True, slots=True)
class Gist:
    """What one request says."""

    words: Hashable
    outline: Hashable
    place: Hashable

    def key(self, likeness: Likeness) -> Hashable:
        """What is equal in two requests that are alike to this degree."""
        keys: Mapping[Likeness, Hashable] = {
            Likeness.WORDS: self.words,
            Likeness.OUTLINE: self.outline,
            Likeness.PLACE: self.place,
        }
        return keys[likeness]


def gist_of(messages: Sequence[Message]) -> Gist | None:
    """Of a history; None where nobody says anything in it."""
    return _Sayings().gist(messages)


def gists_of(readings: Iterable[Reading]) -> dict[int, Gist]:
    """Of the steps that hold a conversation, by number. What a request leaves to the
    service to remember is taken from the steps it names, as far as they are there."""
    found: dict[int, Gist] = {}
    kept: dict[str, tuple[Message, ...]] = {}
    sayings = _Sayings()
    for reading in readings:
        messages = (
            *kept.get(reading.continues, ()),
            *reading.conversation.messages,
        )
        gist = sayings.gist(messages) if reading.is_model_call else None
        if gist is not None:
            found[reading.number] = gist
        reply = reading.reply
        if reply.response_id and reply.message:
            kept[reply.response_id] = (*messages, reply.message)
    return found


def content_of(part: Part) -> Hashable:
    """What a part says, without its ids."""
    if part.kind is PartKind.CALL:
        return part.kind, part.name or "", _arguments(part)
    return part.kind, part.text.strip(), ""


def _arguments(part: Part) -> str:
    with suppress(ValueError, RecursionError):
        return json.dumps(json.loads(part.arguments), sort_keys=True)
    return part.arguments


@dataclass(frozen=True, slots=True)
class _Saying:
    """What one message says, apart from how it is spelled."""

    message: Message
    is_system: bool
    opens_turn: bool
    is_model: bool
    asks: str
    """What a user says in it."""
    tells: str
    """What the model says in it."""
    contents: frozenset[int]
    """Digests of its calls and results."""
    calls: Mapping[int, str]
    """Digests of its calls alone, each with the name of the function."""


class _Sayings:
    """Gists of histories that repeat one another: each message is looked at once. What
    a history says is kept as digests, for a thousand of them are nearly alike."""

    def __init__(self) -> None:
        self._known: dict[int, _Saying] = {}
        self._asked: dict[str, str] = {}

    def gist(self, messages: Sequence[Message]) -> Gist | None:
        """Of a history; None where nobody says anything in it."""
        spoken = [one for one in map(self._of, messages) if not one.is_system]
        turns = _turns(spoken)
        if not turns:
            return None
        asked = tuple(self._asked_in(turn) for turn in turns)
        return Gist(
            words=(asked, tuple(map(_said, turns))),
            outline=(asked, tuple(map(_called, turns))),
            place=(asked, _answers(turns[-1])),
        )

    def _of(self, message: Message) -> _Saying:
        known = self._known.get(id(message))
        if known is None:
            # It holds the message, so that no other gets its id.
            known = self._known[id(message)] = _saying(message)
        return known

    def _asked_in(self, turn: Sequence[_Saying]) -> str:
        said = " ".join([one.asks for one in turn if one.message.role is Role.USER])
        if said not in self._asked:
            bare = _SPACE.sub(" ", said).strip()
            self._asked[said] = _VARYING.sub("0", bare)
        return self._asked[said]


def _saying(message: Message) -> _Saying:
    kinds = (PartKind.CALL, PartKind.RESULT)
    is_model = message.role is Role.ASSISTANT
    return _Saying(
        message=message,
        is_system=message.role is Role.SYSTEM,
        opens_turn=message.opens_turn,
        is_model=is_model,
        asks=message.text if message.role is Role.USER else "",
        tells=message.text.strip() if is_model else "",
        contents=frozenset(
            _digest(content_of(part)) for part in message.parts if part.kind in kinds
        ),
        calls={_digest(content_of(call)): call.name or "" for call in message.calls},
    )


def _digest(content: object) -> int:
    data = to_bytes(repr(content))
    return int.from_bytes(blake2b(data, digest_size=16).digest())


def _turns(messages: Sequence[_Saying]) -> list[list[_Saying]]:
    """Each begins with what a user says; several such messages in a row are one."""
    turns: list[list[_Saying]] = []
    was_asked = False
    for message in messages:
        if (message.opens_turn and not was_asked) or not turns:
            turns.append([])
        was_asked = message.opens_turn
        turns[-1].append(message)
    return turns


def _said(turn: Sequence[_Saying]) -> Hashable:
    contents = frozenset[int]().union(*[one.contents for one in turn])
    return sum(contents), len(contents), _digest("".join([one.tells for one in turn]))


def _called(turn: Sequence[_Saying]) -> Hashable:
    calls: dict[int, str] = {}
    for one in turn:
        calls.update(one.calls)
    return _digest(sorted(calls.values()))


def _answers(turn: Sequence[_Saying]) -> tuple[int, bool]:
    """How often the model has answered; whether it called a function."""
    speakers = groupby(one.is_model for one in turn)
    count = sum(1 for is_model, _ in speakers if is_model)
    return count, any(one.calls for one in turn)
