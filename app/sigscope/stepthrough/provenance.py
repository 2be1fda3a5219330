"""Which event wrote a field, and where in the message an event's field went."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

from sigscope.dialects.assembly import FieldWrite
from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Authors:
    """The events that wrote a field."""

    pointer: str
    """The field whose writes these are: the one asked for, or the one around it that
    was written whole."""
    writes: tuple[FieldWrite, ...] = ()
    """By event; the first one made the field."""

    @property
    def events(self) -> tuple[int, ...]:
        """Their numbers, ascending, each once."""
        return tuple(dict.fromkeys(write.event for write in self.writes))


class Provenance:
    """An index over what the events of a stream wrote. Making it costs one pass; a
    question costs a few lookups, not a pass over the writes."""

    def __init__(
        self,
        writes: Mapping[str, Sequence[FieldWrite]],
        by_event: Sequence[Sequence[FieldWrite]],
    ) -> None:
        """`writes` by pointer in the assembled body; `by_event` in event order."""
        self._writes = writes
        self._by_event = by_event
        self._pointers = sorted(writes)
        self._events = {p: [w.event for w in found] for p, found in writes.items()}

    def authors(self, pointer: str, until: int | None = None) -> Authors:
        """The writes that made the value at a pointer of the assembled body, those
        inside it included; with `until`, only those of events up to this one.

        Where nothing wrote there (containers, a null), those around it answer.
        """
        place = pointer
        while True:
            found = sorted(
                (w for p in self._within(place) for w in self._until(p, until)),
                key=lambda write: write.event,
            )
            if found or not place:
                return Authors(pointer=place, writes=tuple(found))
            place = place.rpartition("/")[0]

    def changes_of(self, pointer: str) -> tuple[int, ...]:
        """Events, ascending, at which the value at a pointer or in it changed, or
        that around it was set."""
        found = {e for p in self._within(pointer) for e in self._events[p]}
        above = pointer
        while above:
            above = above.rpartition("/")[0]
            found.update(self._events.get(above, ()))
        return tuple(sorted(found))

    def written_by(self, event: int) -> tuple[FieldWrite, ...]:
        """What an event wrote, in its order."""
        inside = 1 <= event <= len(self._by_event)
        return tuple(self._by_event[event - 1]) if inside else ()

    def destination(self, event: int, source: str) -> str | None:
        """Where the value at a pointer of an event's JSON went in the assembled body;
        None where it went nowhere."""
        writes = self.written_by(event)
        for write in writes:
            if write.source == source:
                return write.pointer
        for write in writes:
            if source.startswith(write.source + "/"):
                return write.pointer + source[len(write.source) :]
            if write.source.startswith(source + "/"):
                return write.pointer
        return None

    def _within(self, pointer: str) -> list[str]:
        """Written pointers that are this one or lie inside it."""
        if not pointer:
            return self._pointers
        found = [pointer] if pointer in self._writes else []
        start = bisect_left(self._pointers, pointer + "/")
        # "0" is the character after "/": what lies inside stands between the two.
        end = bisect_left(self._pointers, pointer + "0")
        return found + self._pointers[start:end]

    def _until(self, pointer: str, until: int | None) -> Sequence[FieldWrite]:
        writes = self._writes[pointer]
        if until is None:
            return writes
        return writes[: bisect_right(self._events[pointer], until)]
