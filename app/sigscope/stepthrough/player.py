"""One response, to be stepped through."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final, Literal

from sigscope import pointer as pointers
from sigscope.conversation import Json, Reply, SignatureKind
from sigscope.dialects.assembly import Effect, FieldWrite
from sigscope.errors import PointerError
from sigscope.opaque import sha256
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.stepthrough.breakpoints import Stop, StreamBreakpoint, find_next
from sigscope.stepthrough.happenings import happenings_of
from sigscope.stepthrough.mainstream import Arrived, Kept, kept_of, read_mainstream
from sigscope.stepthrough.pace import Pace
from sigscope.stepthrough.provenance import Provenance
from sigscope.stepthrough.tape import AssemblyTape


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()
"""What stood where nothing stood."""

ChangeKind = Literal["added", "changed", "extended"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """What an event did to one field of the message."""

    pointer: str
    """In the assembled body."""
    kind: ChangeKind
    effect: Effect
    source: str
    """Pointer in the event's JSON that the value came from."""
    before: Any = MISSING
    """The value that stood there; MISSING if none. Of a container only its type."""
    start: int = 0
    """For a text: from this character on it is new."""
    end: int = 0
    """For a text: its length now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerFrame:
    """The message after an event."""

    number: int
    """0: before the first event; of an answer in one piece all of it."""
    body: Json
    """The assembled body; None where no dialect fits. Belongs to the player and is
    good until it goes elsewhere: read it at once."""
    changes: tuple[FieldChange, ...] = ()
    """What this event did, in its order; one for each field."""


class Player:
    """Goes to any event of a response. Not to be used by two threads at once."""

    def __init__(self, reading: Reading) -> None:
        """Read the whole stream: takes about twice as long as assembling it."""
        self.reading = reading
        self.events = reading.events
        self.happenings = happenings_of(reading)
        self.reader = read_mainstream(reading)
        self._annotate()
        assembler = reading.assembler
        self._writes = reading.event_writes or ((),) * len(self.events)
        self.provenance = Provenance(
            assembler.writes if assembler else {}, self._writes
        )
        self.pace = Pace.of(self.events)
        self._tape = self._make_tape(frozenset())
        is_whole = not reading.is_streamed and reading.has_answer
        self._whole = reading.response_json if is_whole and reading.dialect else None
        missing = frozenset(self.reader.missing)
        self._seen_tape = self._make_tape(missing) if missing else self._tape
        self._missing = sorted(missing)
        self._arrived = self._find_arrived()
        self._arrived_at = [found.event for found in self._arrived]
        self._frame: PlayerFrame | None = None
        if self._tape is not None:
            self._tape.wind(len(self.events))

    def __len__(self) -> int:
        return len(self.events)

    def _annotate(self) -> None:
        """What httpx-sse does not tell, or tells otherwise, is odd."""
        odd: dict[int, list[str]] = {}
        if not self.reader.refusal:
            for number, reason in self.reader.missing.items():
                odd.setdefault(number, []).append(
                    f"httpx-sse does not see it: {reason}"
                )
            for number, reason in self.reader.differing.items():
                odd.setdefault(number, []).append(reason)
        if odd:
            self.happenings = tuple(
                replace(h, anomalies=(*h.anomalies, *odd[h.number]))
                if h.number in odd
                else h
                for h in self.happenings
            )

    def _make_tape(self, missing: frozenset[int]) -> AssemblyTape | None:
        dialect = self.reading.dialect
        if dialect is None or not self.events:
            return None
        data = self.reading.event_data
        if missing:
            numbered = enumerate(data, start=1)
            data = tuple(None if n in missing else value for n, value in numbered)
        return AssemblyTape(
            dialect.assembler, data, len(self.reading.response_body.data)
        )

    def _find_arrived(self) -> tuple[Arrived, ...]:
        found: dict[str, Arrived] = {}
        for sighting in self.reading.received:
            came_at = 0 if self._whole else sighting.event
            if came_at is not None and sighting.kind is not SignatureKind.TEXT:
                key = sha256(sighting.value)
                arrived = Arrived(
                    event=came_at,
                    sha256=key,
                    value=sighting.value,
                    is_provisional=sighting.is_provisional,
                )
                found.setdefault(key, arrived)
        return tuple(sorted(found.values(), key=lambda arrived: arrived.event))

    # --- Going there -----------------------------------------------------------------

    def at(self, number: int) -> PlayerFrame:
        """The message after so many events. Raises IndexError where there are not so
        many. To the next event: one feeding; elsewhere: a few milliseconds."""
        if not 0 <= number <= len(self.events):
            raise IndexError(f"there are {len(self.events)} events, not {number}")
        if self._frame is not None and self._frame.number == number:
            return self._frame
        tape = self._tape
        if tape is None:
            self._frame = PlayerFrame(number=number, body=self._whole)
        elif number == 0:
            self._frame = PlayerFrame(number=0, body=tape.wind(0))
        else:
            writes = _by_pointer(self._writes[number - 1])
            before = tape.wind(number - 1)
            olds = {pointer: _value(before, pointer) for pointer in writes}
            body = tape.wind(number)
            changes = tuple(
                _change(found, olds[pointer], _value(body, pointer))
                for pointer, found in writes.items()
            )
            self._frame = PlayerFrame(number=number, body=body, changes=changes)
        return self._frame

    def kept(self, number: int) -> Kept:
        """What a mainstream client has after so many events, or of an answer in one
        piece."""
        dialect = self.reading.dialect
        if dialect is None:
            return Kept(unseen=tuple(self._missing[: self._missed(number)]))
        sent = dialect.reply(self.at(number).body)
        seen = sent
        if self._seen_tape is not None and self._seen_tape is not self._tape:
            seen = dialect.reply(self._seen_tape.wind(number))
        arrived = self._arrived[: bisect_right(self._arrived_at, number)]
        return kept_of(seen, sent, arrived, self._missing[: self._missed(number)])

    def _missed(self, number: int) -> int:
        return bisect_right(self._missing, number)

    def reply(self, number: int) -> Reply:
        """The answer as far as it has come."""
        dialect = self.reading.dialect
        return dialect.reply(self.at(number).body) if dialect else Reply()

    # --- Searching -------------------------------------------------------------------

    def find_next(
        self,
        start: int,
        breakpoints: Iterable[StreamBreakpoint],
        *,
        way: Literal[1, -1] = 1,
        until: int | None = None,
    ) -> Stop | None:
        """The next event, or the one before, at which a breakpoint is met."""
        return find_next(
            self.happenings,
            self.provenance,
            breakpoints,
            start,
            way=way,
            until=until,
        )


def _by_pointer(writes: Iterable[FieldWrite]) -> dict[str, list[FieldWrite]]:
    found: dict[str, list[FieldWrite]] = {}
    for write in writes:
        found.setdefault(write.pointer, []).append(write)
    return found


def _value(body: Json, pointer: str) -> Any:
    """The value there, or MISSING; of a container only an empty one of its type, for
    the one that stands there changes."""
    try:
        value = pointers.resolve(body, pointer)
    except PointerError:
        return MISSING
    return type(value)() if isinstance(value, dict | list) else value


def _change(writes: list[FieldWrite], old: Any, new: Any) -> FieldChange:
    """All that one event did to one field, as one change."""
    kind: ChangeKind = "added" if old is MISSING else "changed"
    start, end = 0, len(new) if isinstance(new, str) else 0
    if isinstance(old, str) and all(write.appended for write in writes):
        kind, start = "extended", len(old)
    last = writes[-1]
    return FieldChange(
        pointer=last.pointer,
        kind=kind,
        effect=last.effect,
        source=last.source,
        before=old,
        start=start,
        end=end,
    )
