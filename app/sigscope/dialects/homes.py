"""Where a signature goes back in a request, said once for all who put one there.

A home is on the record of a dialect, one of four kinds: on the part that it signs, on
its call, on its message, or in a list that goes back whole. Whoever has a signature and
knows the message, the call or the part it belongs to asks for the place:

    dialect.home.of(Delivery(value=..., message=..., part=call)) -> Home
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Literal

from sigscope.conversation import Json, Message, Part, PartKind
from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A signature to be put into a request, and what it belongs to there."""

    value: str
    message: Message
    """Of the request."""
    part: Part | None = None
    """What it signs: a call of the message, or another part; None: the message."""
    holder: Json = None
    """The JSON of the part, or of the message where there is none."""
    carrier: str = ""
    """Name of the carrier it came on; empty where that is not known."""
    entries: Sequence[Json] = ()
    """The list of which it came as a member, as received; empty where not known."""
    others: Sequence[str] = ()
    """Those that belong to the same message, itself among them, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """A place in a request, and what has to stand there."""

    at: str
    """Pointer of an object that is there: the part or the message."""
    path: str
    """Members below it, with `/` between; those that are not there are to be made."""
    value: Json
    is_made_up: bool = False
    """What stands around the value there is not as any response had it."""


Signed = Literal["part", "call", "message"]


class HomeFinder(ABC):
    """Knows one dialect's places."""

    signs: Signed = "call"
    """What has a place of its own: each part, each call, or the message."""
    list_key: str = ""
    """Member of a message with the entries that go back whole; empty: no list."""
    is_single: bool = False
    """Whether a place holds one value: of several of a reply, the last counts."""

    @abstractmethod
    def of(self, delivery: Delivery) -> Home | None:
        """The place; None where the service reads it at none."""


@dataclass(frozen=True, slots=True)
class Nowhere(HomeFinder):
    """Of a dialect of which it is not known."""

    def of(self, delivery: Delivery) -> Home | None:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class OnPart(HomeFinder):
    """On the part that it came on: a call, a text, a thought."""

    key: str
    spellings: Mapping[str, str]
    """Member that tells of another spelling → the key in that spelling."""
    empty: Mapping[str, Json]
    """What a part is that only holds a signature."""
    signs = "part"

    def of(self, delivery: Delivery) -> Home | None:
        part = delivery.part
        if part is None:
            made = {**self.empty, self.key: delivery.value}
            at = delivery.message.pointer
            return Home(at=at, path="parts/-", value=made, is_made_up=True)
        key = self.key_in(delivery.holder)
        return Home(at=part.pointer, path=key, value=delivery.value)

    def key_in(self, part: Json) -> str:
        """The key in the spelling that a part uses."""
        keys = part if isinstance(part, dict) else ()
        return next((k for sign, k in self.spellings.items() if sign in keys), self.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class OnMessage(HomeFinder):
    """A member of the message, whatever it signs."""

    key: str
    """The member for what came on no carrier of the others."""
    keys: Mapping[str, str]
    """Carrier → its own member."""
    signs = "message"
    is_single = True

    def of(self, delivery: Delivery) -> Home | None:
        key = self.keys.get(delivery.carrier, self.key)
        return Home(at=delivery.message.pointer, path=key, value=delivery.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class OnCall(HomeFinder):
    """On the call it signs; where the message calls nothing, in a list of it."""

    path: str
    """Below the call, for what came on no carrier of the others."""
    paths: Mapping[str, str] = field(default_factory=dict)
    """Carrier → its own path below the call."""
    list_path: str = ""
    """Below a message without calls whose content is a string; empty: nowhere."""

    def of(self, delivery: Delivery) -> Home | None:
        part, message = delivery.part, delivery.message
        if part is not None and part.kind is PartKind.CALL:
            path = self.paths.get(delivery.carrier, self.path)
            return Home(at=part.pointer, path=path, value=delivery.value)
        texts = [p for p in message.parts if p.kind is PartKind.TEXT]
        is_string = len(texts) == 1 and texts[0].pointer.endswith("/content")
        if not self.list_path or message.calls or not is_string:
            return None
        values: list[Json] = list(delivery.others or (delivery.value,))
        return Home(at=message.pointer, path=self.list_path, value=values)


@dataclass(frozen=True, slots=True, kw_only=True)
class InList(HomeFinder):
    """In an entry of a list on the message, which goes back whole and in order."""

    list_key: str
    entry: Mapping[str, Json]
    """An entry that signs a call, made where none was received."""
    value_key: str
    call_key: str
    signs = "message"

    def of(self, delivery: Delivery) -> Home | None:
        entries = list(delivery.entries)
        call_id = delivery.part.call_id if delivery.part else None
        return Home(
            at=delivery.message.pointer,
            path=self.list_key,
            value=entries or [self.made(delivery.value, call_id)],
            is_made_up=not entries,
        )

    def made(self, value: str, call_id: str | None) -> dict[str, Json]:
        """An entry for a call."""
        own = {self.value_key: value, self.call_key: call_id}
        return {key: own.get(key, told) for key, told in self.entry.items()}
