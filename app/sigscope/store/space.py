"""The body space of a file: every body found, put together when it is asked for.

A body copies from earlier ones, which copy from still earlier ones. Loading one builds
all that it needs and that is not at hand, in file order, each once; walking through a
session builds each body once.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from threading import RLock
from typing import Literal

from sigscope.errors import InputError
from sigscope.latest import Latest
from sigscope.store.lines import bodies_of, crc, unpack
from sigscope.store.splices import assemble, sources

CACHE = 24 * 1024 * 1024
"""Bytes of bodies kept in memory after they were loaded, the latest used."""

Side = Literal["request", "response"]


@dataclass(slots=True, kw_only=True)
class StoragePlace:
    """One body of the file. Not frozen, only because that is five times faster."""

    key: int
    """Names the body; its `at`, or below 0 where another body claims the same."""
    at: int
    """Offset of its first byte in the body space."""
    size: int
    crc: str | None
    """CRC-32 of its bytes; None if the file does not tell."""
    needs: tuple[int, ...]
    """Where the bodies begin that it copies from."""
    side: Side
    line: Callable[[], bytes]
    """Reads the line that holds it. Raises `InputError`."""
    where: str
    """"line 12"."""


class BodySpace:
    """All bodies of a file by where they lie. May be used from several threads."""

    def __init__(self, cache: int = CACHE) -> None:
        self.end = 0
        """Where the next body will begin."""
        self._places: dict[int, StoragePlace] = {}
        self._starts: list[int] = []
        self._doubtful: set[int] = set()
        """Bodies whose copies may not come out right."""
        self._spare = 0
        self._cache: Latest[int, bytes] = Latest(cache)
        self._lock = RLock()

    def add(self, place: StoragePlace) -> None:
        """Make a body known."""
        self._places[place.key] = place
        if place.key >= 0:
            if place.at >= self.end:
                self._starts.append(place.at)
            else:
                insort(self._starts, place.at)
            self.end = max(self.end, place.at + place.size)

    def forget(self, key: int) -> None:
        """Leave out a body that cannot be put together."""
        place = self._places.pop(key)
        if key >= 0:
            self._starts.remove(place.at)

    def accept(self, key: int, size: int) -> None:
        """Take a body as it comes out, although it is not what was written."""
        place = self._places[key]
        self._places[key] = replace(place, crc=None, size=size)
        self._doubtful.add(place.at)

    def free_key(self, at: int) -> int:
        """The key for a new body; copies from a place claimed twice are doubtful."""
        if at not in self._places:
            return at
        self._doubtful.add(at)
        return self.spare_key()

    def spare_key(self) -> int:
        """A key for a body that nothing can copy from."""
        self._spare -= 1
        return self._spare

    def is_doubtful(self, needs: Sequence[int]) -> bool:
        """Whether a body that copies from these has to be checked."""
        return not self._doubtful.isdisjoint(needs)

    def needed(self, copies: Sequence[int], at: int) -> tuple[int, ...]:
        """The bodies that copies lead to; what leads nowhere is left to fail."""
        starts = {self.start_of(offset) for offset in sources(copies, at)}
        return tuple(sorted(start for start in starts if start is not None))

    def __contains__(self, key: object) -> bool:
        return key in self._places

    def starts_from(self, at: int) -> Sequence[int]:
        """Where bodies begin, from a place on, ascending."""
        return self._starts[bisect_right(self._starts, at - 1) :]

    def size_at(self, key: int) -> int:
        return self._places[key].size

    def start_of(self, offset: int) -> int | None:
        """Where the body around an offset begins; None if no body is there."""
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            return None
        start = self._starts[index]
        return start if offset < start + self._places[start].size else None

    def load(self, key: int) -> bytes:
        """The bytes of a body. Raises `InputError` where they cannot be had.

        That happens only where the file was changed after it was opened: what was wrong
        before is known, and such bodies are forgotten.
        """
        with self._lock:
            data = self._cache.get(key)
            return self._build(key) if data is None else data

    def _build(self, key: int) -> bytes:
        built: dict[int, bytes] = {}
        order = self._missing(key, built)
        waiting = Counter(n for k in order for n in self._places[k].needs)
        for each in order:
            place = self._places[each]
            data = self._assemble(place, built)
            built[each] = data
            self._cache.put(each, data, len(data))
            for need in place.needs:
                waiting[need] -= 1
                if not waiting[need]:
                    built.pop(need, None)
        return built[key]

    def _missing(self, key: int, built: dict[int, bytes]) -> list[int]:
        """What has to be built, in order; what is at hand goes to `built`."""
        found: set[int] = set()
        queue = [key]
        while queue:
            each = queue.pop()
            if each in found or each in built:
                continue
            cached = self._cache.get(each)
            if cached is not None:
                built[each] = cached
                continue
            found.add(each)
            place = self._places[each]
            for need in place.needs:
                if need not in self._places or need >= place.at:
                    raise _broken(place, "it copies from a body that is not there")
                queue.append(need)
        return sorted(found, key=lambda each: self._places[each].at)

    def _assemble(self, place: StoragePlace, built: dict[int, bytes]) -> bytes:
        def read(offset: int, length: int) -> memoryview:
            start = self.start_of(offset)
            body = built.get(start) if start is not None else None
            if start is None or body is None:
                raise ValueError("it copies from a body that is not there")
            data = memoryview(body)[offset - start : offset - start + length]
            if len(data) < length:
                raise ValueError("it copies past the end of a body")
            return data

        try:
            stored = bodies_of(place.line()).get(place.side) or {}
            data = assemble(unpack(stored), stored.get("copies", ()), place.at, read)
        except (ValueError, TypeError, AttributeError) as error:
            raise _broken(place, str(error)) from error
        if len(data) != place.size or place.crc not in (None, crc(data)):
            raise AlteredBody(place, data)
        return data


class AlteredBody(InputError):
    """A body came out other than it was written: the file was changed since."""

    def __init__(self, place: StoragePlace, data: bytes) -> None:
        super().__init__(f"the {place.side} body is not what was recorded")
        self.data = data
        """What came out."""


def _broken(place: StoragePlace, reason: str) -> InputError:
    return InputError(f"the {place.side} body cannot be put together: {reason}")
