"""What the readers of places share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sigscope.conversation import Conversation, Json, Message, Part, Sighting
from sigscope.dialects.base import Dialect
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.refusals.counts import Counting, countings


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """Where an error's words point."""

    pointers: tuple[str, ...] = ()
    """The likeliest first."""
    note: str = ""
    fits: bool = True
    """Whether the place that is named is one of this request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """One occurrence of an error's words, and the request it is about."""

    groups: Mapping[str, str]
    """What the pattern read, by the names that `Place` tells."""
    param: str = ""
    """The field that the error itself names."""
    text: str = ""
    """The whole message."""
    reading: Reading

    def number(self, name: str) -> int | None:
        """A number that was read; None where the words have none."""
        digits = self.groups.get(name, "")
        return int(digits) if digits.isdecimal() and len(digits) < 10 else None

    @property
    def dialect(self) -> Dialect | None:
        """The dialect spoken; None if none fits."""
        return self.reading.dialect

    @property
    def is_native(self) -> bool:
        """Whether its messages are what the service counts."""
        return self.dialect is not None and self.dialect.joined_roles is None

    @property
    def body(self) -> Json:
        """The parsed request."""
        return self.reading.request_json

    @property
    def conversation(self) -> Conversation:
        """The request's history."""
        return self.reading.conversation

    @property
    def countings(self) -> tuple[Counting, ...]:
        """Ways to count its messages."""
        return countings(self.conversation, self.dialect)

    def message(self, index: int) -> Message:
        return self.conversation.messages[index]

    def is_signed(self, call: Part, index: int) -> bool:
        """Whether something stands where the service reads this call's signature."""
        return any(_signs(sighting, call, index) for sighting in self.reading.sent)

    def is_owed(self, call: Part, index: int) -> bool:
        """Whether a call has no signature and is no sibling of one that has: only the
        first of parallel calls needs one (docs/wire/gemini.md#policy)."""
        for other in self.message(index).calls:
            if self.is_signed(other, index):
                return False
            if other.pointer == call.pointer:
                return True
        return False

    def node(self, call: Part, index: int) -> str:
        """What to point at when a call lacks its signature."""
        on_message = self.dialect is not None and self.dialect.home.signs == "message"
        return self.message(index).pointer if on_message else call.pointer


def _signs(sighting: Sighting, call: Part, index: int) -> bool:
    anchor = sighting.anchor
    if not sighting.is_read or anchor.message != index:
        return False
    if anchor.part is not None or anchor.call_id is not None:
        return call.pointer == anchor.part or (
            call.call_id is not None and call.call_id == anchor.call_id
        )
    return True


def misfit(query: Occurrence, named: str, index: int) -> str:
    """Why a place does not fit, by the likeliest way of counting; `index` from 0.

    "content 9 does not fit this request: it has 4 (counted from 1; every message
    counts)".
    """
    if not query.reading.dialect:
        return f"{named} cannot be counted: what this step speaks is not known"
    counting = query.countings[0]
    how = "; ".join(filter(None, ("as we count, from 1", counting.caption)))
    have = len(counting.entries)
    if not 0 <= index < have:
        return f"{named} does not fit this request: it has {have} ({how})"
    here = [query.message(i) for i in counting.entries[index]]
    names = distinct(f"`{c.name}`" for m in here for c in m.calls if c.name)
    where = here[0].pointer
    calls = f"calls {', '.join(names)}" if names else "calls nothing"
    return f"{named} does not fit: it is {where} ({how}), which {calls}"


def distinct(items: Iterable[str]) -> tuple[str, ...]:
    """Each once, in order."""
    return tuple(dict.fromkeys(items))


def tell(what: str, ways: Mapping[str, str]) -> Located:
    """Candidates found by several ways of counting: pointer → what that way takes for
    granted."""
    if len(ways) == 1:
        ((pointer, clause),) = ways.items()
        note = f"{what} is {pointer}" + (f": {clause}" if clause else "")
    else:
        readings = ", ".join(f"{p} if {c}" if c else p for p, c in ways.items())
        note = f"{what} may be {readings}"
    return Located(pointers=tuple(ways), note=note)
