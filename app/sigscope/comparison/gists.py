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
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from hashlib import blake2b

from sigscope.conversation import Message, Part, PartKind, Role
from sigscope.dialects.histories import Tallies
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

    is_system: bool
    opens_turn: bool
    is_model: bool
    asks: str
    """What a user says in it."""
    tells: str
    """What the model says in it."""
    contents: tuple[int, ...]
    """Digests of its calls and results."""
    calls: tuple[tuple[int, str], ...]
    """Digests of its calls alone, each with the name of the function."""


class _Sayings:
    """Gists of histories that repeat one another: each message is looked at once, and
    a history that begins as another did is gone on from. What a history says is kept
    as digests, for a thousand of them are nearly alike."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Message, _Saying]] = {}
        """By identity, each with the message, so that no other gets its id."""
        self._tallies = Tallies(told=self._of)
        self._asked: dict[str, str] = {}

    def gist(self, messages: Sequence[Message]) -> Gist | None:
        """Of a history; None where nobody says anything in it."""
        turns = self._tallies.of(self._turns, messages)
        if not turns.count:
            return None
        asked = (*turns.asked, turns.latest_asked)
        return Gist(
            words=(asked, (*turns.said, turns.latest_said)),
            outline=(asked, (*turns.called, turns.latest_called)),
            place=(asked, (turns.answers, turns.has_calls)),
        )

    def _turns(self) -> _Turns:
        return _Turns(self._of, self._bare)

    def _of(self, message: Message) -> _Saying:
        known = self._known.get(id(message))
        if known is None:
            known = self._known[id(message)] = message, _saying(message)
        return known[1]

    def _bare(self, said: str) -> str:
        """What a user says, numbers and white space left out of account."""
        if said not in self._asked:
            bare = _SPACE.sub(" ", said).strip()
            self._asked[said] = _VARYING.sub("0", bare)
        return self._asked[said]


class _Turns:
    """The turns of a history: each begins with what a user says; several such messages
    in a row are one."""

    def __init__(
        self, of: Callable[[Message], _Saying], bare: Callable[[str], str]
    ) -> None:
        self.count = 0
        self.asked: tuple[str, ...] = ()
        self.said: tuple[Hashable, ...] = ()
        self.called: tuple[Hashable, ...] = ()
        """Of the turns before the latest one."""
        self._of = of
        self._bare = bare
        self._was_asked = False
        self._begin()

    def _begin(self) -> None:
        self.answers = 0
        """How often the model has answered in the latest one."""
        self._was_model = False
        self._asks = ""
        self._contents: set[int] = set()
        self._total = 0
        """Of these."""
        self._calls: set[int] = set()
        self._names: dict[str, int] = {}
        """How many of these call each function."""
        self._tells = _Digest()

    def add(self, index: int, message: Message) -> None:
        """Hear the next message."""
        saying = self._of(message)
        if saying.is_system:
            return
        if not self.count or (saying.opens_turn and not self._was_asked):
            if self.count:
                self.asked = (*self.asked, self.latest_asked)
                self.said = (*self.said, self.latest_said)
                self.called = (*self.called, self.latest_called)
                self._begin()
            self.count += 1
        self._was_asked = saying.opens_turn
        self.answers += saying.is_model and not self._was_model
        self._was_model = saying.is_model
        if saying.asks:
            self._asks = f"{self._asks} {saying.asks}"
        self._total += sum(set(saying.contents) - self._contents)
        self._contents.update(saying.contents)
        for call, name in saying.calls:
            if call not in self._calls:
                self._calls.add(call)
                self._names[name] = self._names.get(name, 0) + 1
        self._tells.add(saying.tells)

    @property
    def latest_asked(self) -> str:
        """What the user says in the latest turn."""
        return self._bare(self._asks)

    @property
    def latest_said(self) -> Hashable:
        """All that is said in it by others."""
        return self._total, len(self._contents), self._tells.value

    @property
    def latest_called(self) -> Hashable:
        """The functions that are called in it, each as often as it is."""
        return frozenset(self._names.items())

    @property
    def has_calls(self) -> bool:
        """Whether any function is called in it."""
        return bool(self._calls)


class _Digest:
    """Of a text that comes in pieces."""

    def __init__(self) -> None:
        self._hash = blake2b(digest_size=16)

    def __copy__(self) -> _Digest:
        made = _Digest()
        made._hash = self._hash.copy()
        return made

    def add(self, text: str) -> None:
        """Go on with more of it."""
        self._hash.update(to_bytes(text))

    @property
    def value(self) -> bytes:
        """That of all so far."""
        return self._hash.digest()


def _saying(message: Message) -> _Saying:
    kinds = (PartKind.CALL, PartKind.RESULT)
    is_model = message.role is Role.ASSISTANT
    contents = {
        _digest(content_of(part)) for part in message.parts if part.kind in kinds
    }
    calls = {_digest(content_of(call)): call.name or "" for call in message.calls}
    return _Saying(
        is_system=message.role is Role.SYSTEM,
        opens_turn=message.opens_turn,
        is_model=is_model,
        asks=message.text if message.role is Role.USER else "",
        tells=message.text.strip() if is_model else "",
        contents=tuple(sorted(contents)),
        calls=tuple(sorted(calls.items())),
    )


def _digest(content: object) -> int:
    data = to_bytes(repr(content))
    return int.from_bytes(blake2b(data, digest_size=16).digest())
