"""The assembled body after any event of a stream.

The first pass over a stream puts the body away now and then (checkpoints); any other
place is reached from the checkpoint before it. Going to the next event feeds one event.
Checkpoints lie so close that reaching a place takes a few milliseconds: near together
where texts are long (every event copies them), far apart where they are short.
"""

from __future__ import annotations

import copy
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from sigscope.conversation import Json
from sigscope.dialects.assembly import Assembler
from sigscope.records import dataclass
from sigscope.stepthrough.archive import Packed, pack, unpack

STRETCH = 3_000
"""Microseconds of feeding between two checkpoints, about."""
PER_EVENT = 20
"""Microseconds to feed an event, about."""
PER_MEGABYTE = 150
"""Microseconds to copy a megabyte, about: every event copies the text it adds to."""

_SHARED = frozenset({"body", "writes", "_event", "_fresh"})
"""What of an assembler is not state of its dialect."""


@dataclass(frozen=True, slots=True)
class _Checkpoint:
    number: int
    """Events fed so far."""
    packed: Any
    state: dict[str, Any]
    """What the dialect remembers beside the body."""


class AssemblyTape:
    """Winds an assembler to any event. Not to be used by two threads at once."""

    def __init__(
        self, make: Callable[[], Assembler], data: Sequence[Json], size: int = 0
    ) -> None:
        """`data`: the JSON of each event, None where it is none or shall not count;
        `size`: bytes of the stream, which tells how far apart checkpoints are."""
        self._make = make
        self._data = data
        self._megabytes = size / 1e6 / max(1, len(data))
        self._assembler = make()
        self._at = 0
        self._reached = 0
        """How far checkpoints have been made."""
        self._spent = 0.0
        self._last: Packed | None = None
        self._checkpoints = [_Checkpoint(0, {}, self._own_state())]

    def __len__(self) -> int:
        return len(self._data)

    def wind(self, number: int) -> dict[str, Json]:
        """The body after so many events; it is the assembler's own and good until the
        next call. Raises IndexError where there are not so many."""
        if not 0 <= number <= len(self._data):
            raise IndexError(f"there are {len(self._data)} events, not {number}")
        if number < self._at:
            self._restore(number)
        elif number > self._at:
            best = bisect_right(self._checkpoints, number, key=lambda c: c.number) - 1
            if self._checkpoints[best].number > self._at:
                self._restore(number)
        while self._at < number:
            self._feed()
        return self._assembler.body

    def _feed(self) -> None:
        self._at += 1
        assembler = self._assembler
        assembler.feed(self._at, self._data[self._at - 1])
        assembler.writes.clear()
        if self._at > self._reached:
            self._reached = self._at
            self._spent += PER_EVENT + PER_MEGABYTE * self._megabytes * self._at
            if self._spent >= STRETCH:
                self._put_away()

    def _put_away(self) -> None:
        self._spent = 0.0
        try:
            self._last = pack(self._assembler.body, self._last)
        except RecursionError:
            return  # hostile nesting: every place is reached from further back then
        self._checkpoints.append(
            _Checkpoint(self._at, self._last.packed, self._own_state())
        )

    def _own_state(self) -> dict[str, Any]:
        members = vars(self._assembler).items()
        return copy.deepcopy({k: v for k, v in members if k not in _SHARED})

    def _restore(self, number: int) -> None:
        best = bisect_right(self._checkpoints, number, key=lambda c: c.number) - 1
        found = self._checkpoints[best]
        self._assembler = self._make()
        vars(self._assembler).update(copy.deepcopy(found.state))
        self._assembler.body = unpack(found.packed)
        self._at = found.number
