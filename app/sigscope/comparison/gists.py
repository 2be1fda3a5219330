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
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from sigscope.conversation import Message, Part, PartKind, Role
from sigscope.reader import Reading

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
    spoken = [message for message in messages if message.role is not Role.SYSTEM]
    turns = _turns(spoken)
    if not turns:
        return None
    asked = tuple(_asked(turn) for turn in turns)
    return Gist(
        words=(asked, tuple(_said(turn) for turn in turns)),
        outline=(asked, tuple(_called(turn) for turn in turns)),
        place=(asked, _answers(turns[-1])),
    )


def gists_of(readings: Iterable[Reading]) -> dict[int, Gist]:
    """Of the steps that hold a conversation, by number. What a request leaves to the
    service to remember is taken from the steps it names, as far as they are there."""
    found: dict[int, Gist] = {}
    kept: dict[str, tuple[Message, ...]] = {}
    for reading in readings:
        messages = (
            *kept.get(reading.continues, ()),
            *reading.conversation.messages,
        )
        gist = gist_of(messages) if reading.is_model_call else None
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


def _turns(messages: Sequence[Message]) -> list[list[Message]]:
    """Each begins with what a user says; several such messages in a row are one."""
    turns: list[list[Message]] = []
    was_asked = False
    for message in messages:
        if (message.opens_turn and not was_asked) or not turns:
            turns.append([])
        was_asked = message.opens_turn
        turns[-1].append(message)
    return turns


def _asked(turn: Sequence[Message]) -> str:
    said = " ".join(m.text for m in turn if m.role is Role.USER)
    return _VARYING.sub("0", _SPACE.sub(" ", said).strip())


def _said(turn: Sequence[Message]) -> Hashable:
    kinds = (PartKind.CALL, PartKind.RESULT)
    parts = [part for message in turn for part in message.parts if part.kind in kinds]
    texts = [m.text.strip() for m in turn if m.role is Role.ASSISTANT]
    return frozenset(map(content_of, parts)), "".join(texts)


def _called(turn: Sequence[Message]) -> Hashable:
    calls = (call for message in turn for call in message.calls)
    names = {(call.name or "", content_of(call)) for call in calls}
    return tuple(sorted(name for name, _ in names))


def _answers(turn: Sequence[Message]) -> tuple[int, bool]:
    """How often the model has answered; whether it called a function."""
    speakers = groupby(message.role is Role.ASSISTANT for message in turn)
    count = sum(1 for is_model, _ in speakers if is_model)
    return count, any(message.calls for message in turn)
