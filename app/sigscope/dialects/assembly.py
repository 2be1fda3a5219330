"""Putting a stream together again, and remembering which event wrote what."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import defaultdict
from enum import StrEnum

from sigscope.conversation import Json
from sigscope.records import dataclass


class Effect(StrEnum):
    """What an event did to the message."""

    TEXT = "text"
    THOUGHT = "thought"
    CALL = "call"
    SIGNATURE = "signature"
    MEDIA = "media"
    FINISH = "finish"
    USAGE = "usage"
    ERROR = "error"
    META = "meta"
    """Ids, model names, roles and the like."""


@dataclass(frozen=True, slots=True)
class FieldWrite:
    """One field that one event set or lengthened."""

    pointer: str
    """In the assembled body."""
    event: int
    """Number of the event, from 1."""
    source: str
    """Pointer in the event's JSON that the value came from."""
    effect: Effect
    appended: bool
    """Whether the value was added to what was there, rather than set."""


class Assembler(ABC):
    """Makes, event by event, the body that an unstreamed call would have sent.

    Feed it the parsed JSON of each event in order. It never raises on odd shapes:
    what it cannot place it leaves out of the body (the raw event still shows it).
    Events are never changed: what later events add to goes into copies.
    """

    pieces = re.compile(r"(?!)")
    """Of the carriers' table: strings that `_blend` joins, though it knows no such
    member."""

    def __init__(self) -> None:
        self.body: dict[str, Json] = {}
        """The body so far. Belongs to the assembler: copy before changing."""
        self.writes: defaultdict[str, list[FieldWrite]] = defaultdict(list)
        """Every write, by pointer in the body, oldest first."""
        self._event = 0
        self._fresh: list[FieldWrite] = []

    def feed(self, number: int, data: Json) -> tuple[FieldWrite, ...]:
        """Take in one event; return what it wrote."""
        self._event, self._fresh = number, []
        if isinstance(data, dict):
            self._take(data)
        return tuple(self._fresh)

    @abstractmethod
    def _take(self, data: dict[str, Json]) -> None:
        """Merge one event's JSON into the body."""

    def _note(
        self, pointer: str, source: str, effect: Effect, *, appended: bool = False
    ) -> None:
        write = FieldWrite(pointer, self._event, source, effect, appended)
        self.writes[pointer].append(write)
        self._fresh.append(write)

    def _set(
        self,
        holder: dict[str, Json],
        key: str,
        value: Json,
        at: str,
        source: str,
        effect: Effect,
    ) -> None:
        """Set a member, unless it stands there already with this value."""
        if key in holder and holder[key] == value:
            return
        holder[key] = own(value)
        self._note(f"{at}/{key}", f"{source}/{key}", effect)

    @staticmethod
    def _object(holder: dict[str, Json], key: str) -> dict[str, Json]:
        """The object at a key, made where there is none. A value of another type,
        which an odd event left there, gives way."""
        found = holder.get(key)
        if not isinstance(found, dict):
            found = holder[key] = {}
        return found

    @staticmethod
    def _list(holder: dict[str, Json], key: str) -> list[Json]:
        """The list at a key, made where there is none, like `_object`."""
        found = holder.get(key)
        if not isinstance(found, list):
            found = holder[key] = []
        return found

    def _set_odd(
        self, holder: dict[str, Json], key: str, value: Json, at: str, source: str
    ) -> None:
        """Keep a value of the wrong type where a container belongs, unless there is
        something already: it must not wipe out what came before."""
        if value is not None and holder.get(key) is None:
            self._set(holder, key, value, at, source, Effect.META)

    def _append(
        self,
        holder: dict[str, Json],
        key: str,
        text: str,
        at: str,
        source: str,
        effect: Effect,
    ) -> None:
        """Lengthen a string member; an empty piece only makes sure it is there."""
        before = holder.get(key)
        if not isinstance(before, str):
            holder[key] = text
            self._note(f"{at}/{key}", f"{source}/{key}", effect)
        elif text:
            holder[key] = before + text
            self._note(f"{at}/{key}", f"{source}/{key}", effect, appended=True)

    def _blend(
        self,
        holder: dict[str, Json],
        key: str,
        value: Json,
        at: str,
        source: str,
        effect: Effect,
    ) -> None:
        """Merge a value of no special meaning: objects deeply, lists and `pieces` by
        adding, anything else by replacing; null never replaces a value."""
        before = holder.get(key)
        here, there = f"{at}/{key}", f"{source}/{key}"
        if isinstance(value, dict) and isinstance(before, dict):
            for name, inner in value.items():
                self._blend(before, name, inner, here, there, effect)
        elif isinstance(value, list) and isinstance(before, list):
            for index, item in enumerate(value):
                before.append(own(item))
                self._note(f"{here}/{len(before) - 1}", f"{there}/{index}", effect)
        elif isinstance(value, str) and self.pieces.fullmatch(there):
            self._append(holder, key, value, at, source, effect)
        elif value is not None or key not in holder:
            self._set(holder, key, value, at, source, effect)

    def authors(self, pointer: str) -> tuple[FieldWrite, ...]:
        """The writes that made the value at a pointer, the ones inside it included.

        Where no event wrote exactly there, those that set an enclosing value count.
        """
        inside = [
            write
            for place, writes in self.writes.items()
            if place == pointer or place.startswith(pointer + "/")
            for write in writes
        ]
        while not inside and "/" in pointer:
            pointer = pointer.rpartition("/")[0]
            inside = list(self.writes.get(pointer, ()))
        return tuple(sorted(inside, key=lambda write: write.event))


def own(value: Json) -> Json:
    """A value of an event that may be added to: containers are copied, at any depth."""
    if not isinstance(value, dict | list):
        return value
    top: list[Json] = [value]
    open_: list[Json] = [top]
    while open_:
        holder = open_.pop()
        places = range(len(holder)) if isinstance(holder, list) else list(holder)
        for place in places:
            inner = holder[place]
            if isinstance(inner, dict | list):
                holder[place] = inner.copy()
                open_.append(holder[place])
    return top[0]
