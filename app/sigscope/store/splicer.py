"""Finding what a new body has in common with the latest ones.

Where to look is decided by content: a quote, a backslash or a line end is an anchor,
and the bytes that follow it are the key under which its place is remembered. So
anything that comes again is found again, however much was inserted before it, and a
long string without anchors (an image) is found by what surrounds it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from zlib import crc32

from sigscope.records import dataclass
from sigscope.store.agreement import common_prefix, common_suffix
from sigscope.store.refrain import Refrain
from sigscope.store.splices import Splice

WINDOW = 16 * 1024 * 1024
"""Bytes of latest bodies kept for comparison: a dozen steps with a full context. Well
below what readers keep at hand (`space.CACHE`): a body that copies from all over the
window would else have them put together all of it, for each body anew."""
KEY = 16
"""Bytes after an anchor that must agree before a longer comparison is tried."""
MIN_COPY = 24
"""Shorter copies cost about as much as the text they save."""
SPACING = 32
"""Least distance between remembered anchors in new text."""
SPARSE = 4096
"""The same in copied text, which is remembered at its source already."""
MAX_PLACES = 200_000
"""Remembered anchors, each about 200 bytes of memory."""

_ANCHOR = re.compile(rb'["\\\n]')
_MAX_BACK = 64 * 1024
_ENOUGH = 1024
_LATEST = 12
"""Bodies whose beginning is tried: several conversations may alternate, and answers
stand between."""
_PATIENCE = 64
_MAX_STRIDE = 256
_TRIES = 32
"""Places at least at which a copy is looked for that alone is worth telling. How far
the next one is depends on what stands there: so the search soon goes the same way,
wherever the same text begins, and comes to places that are remembered."""
_KEPT = 2
"""Windows that a single body may be large, and is still held."""
_LARGE = 4 * 1024 * 1024
"""Behind so many bytes of a body the search goes on with long strides only: what comes
again there is worth telling if it is long."""
_LARGE_STRIDE = 4096
_NOTES = 50_000
"""Anchors remembered of one body, about: of a large one, few."""
_LONG = 256
"""A stretch without anchors (an image, a signature): what leads to it is remembered."""


@dataclass(slots=True)
class _Copy:
    start: int
    """Offset in the body that is being told."""
    source: int
    """Offset in the body space."""
    length: int

    @property
    def end(self) -> int:
        return self.start + self.length


class Splicer:
    """Remembers the latest bodies and tells new ones by them.

    Telling a body costs time in proportion to what is new in it, plus one fast
    comparison of what is not. Where long stretches are new the search strides ahead, so
    that no input is slow: 5 MB without any repetition take about 0.2 s. A body that is
    larger than the window by far is compared, and not kept for those to come.
    """

    def __init__(self, window: int = WINDOW, least: int = MIN_COPY) -> None:
        """`least`: bytes of a copy that is worth telling. The search goes on with
        strides of a fraction of that, and costs as much less."""
        self.end = 0
        """Where the next body begins, if nothing stands between."""
        self.least = least
        self._window = window
        self._starts: list[int] = []
        self._bodies: dict[int, bytes] = {}
        self._held = 0
        self._places: dict[bytes, int] = {}

    def splice(self, data: bytes, at: int) -> Splice:
        """Tell a body that begins at `at`, and remember it for those to come."""
        self._hold(data, at)
        copies = _Search(self, data, at).run() if data else []
        if len(data) > _KEPT * self._window:
            self._let_go(at)
        if not copies:
            return Splice(rest=data, copies=(), needs=())
        view = memoryview(data)
        rest: list[memoryview] = []
        flat: list[int] = []
        needs: set[int] = set()
        done = 0
        for copy in copies:
            rest.append(view[done : copy.start])
            flat += (copy.start - done, at + copy.start - copy.source, copy.length)
            if copy.source < at:
                needs.add(self._start_of(copy.source))
            done = copy.end
        rest.append(view[done:])
        return Splice(
            rest=b"".join(rest), copies=tuple(flat), needs=tuple(sorted(needs))
        )

    @property
    def begin(self) -> int:
        """Where the first body that is held begins; 0 if none is."""
        return self._starts[0] if self._starts else 0

    def latest(self, count: int) -> Sequence[int]:
        """Where the latest bodies that are held begin, the last one first."""
        return self._starts[: -count - 1 : -1]

    def find(self, key: bytes) -> int | None:
        """The latest place in the body space where `key` follows an anchor."""
        return self._places.get(key)

    def remember(self, key: bytes, place: int) -> None:
        """Note an anchor; the latest of equal ones counts."""
        self._places[key] = place

    def body_at(self, place: int) -> tuple[int, bytes] | None:
        """Start and bytes of the held body around a place; None if none is held."""
        start = self._start_of(place)
        body = self._bodies.get(start)
        if body is None or place >= start + len(body):
            return None
        return start, body

    def _start_of(self, place: int) -> int:
        index = bisect_right(self._starts, place) - 1
        return self._starts[index] if index >= 0 else -1

    def _hold(self, data: bytes, at: int) -> None:
        self.end = at + len(data)
        if not data:
            return
        self._starts.append(at)
        self._bodies[at] = data
        self._held += len(data)
        while self._held > self._window and len(self._bodies) > 2:
            oldest = self._starts.pop(0)
            self._held -= len(self._bodies.pop(oldest))
        if len(self._places) > MAX_PLACES:
            self._forget()

    def _let_go(self, at: int) -> None:
        self._starts.remove(at)
        self._held -= len(self._bodies.pop(at))

    def _forget(self) -> None:
        """Drop anchors of bodies no longer held, and the older half of the others."""
        kept = sorted(place for place in self._places.values())
        oldest = self._starts[0] if self._starts else self.end
        floor = max(oldest, kept[len(kept) // 2])
        self._places = {k: p for k, p in self._places.items() if p >= floor}


class _Search:
    """One pass over one body."""

    def __init__(self, splicer: Splicer, data: bytes, at: int) -> None:
        self._splicer = splicer
        self._data = data
        self._at = at
        self._copies: list[_Copy] = []
        self._spacing = max(SPACING, len(data) // _NOTES)
        self._stride = splicer.least // _TRIES
        self._noted = -self._spacing
        """Where the last anchor was remembered."""
        self._refrain = Refrain(data)

    def run(self) -> list[_Copy]:
        data, misses = self._data, 0
        place = self._take_beginning()
        while len(data) - place >= KEY:
            missed = place
            copy = self._copy_at(place)
            most = _MAX_STRIDE if place < _LARGE else _LARGE_STRIDE
            stride = min(misses // _PATIENCE, most)
            if self._stride:
                stride = max(stride, crc32(data[place : place + KEY]) % self._stride)
            if copy is None:
                if place - self._noted >= self._spacing:
                    self._note(place)
                place += 1 + stride
                misses += 1
            else:
                self._take(copy)
                if copy.end < _LARGE or copy.length >= _LONG:
                    place, misses = self._take_refrain(copy), 0
                else:
                    place = copy.end + stride
                    misses += 1
            anchor = _ANCHOR.search(data, place)
            following = anchor.start() if anchor else len(data)
            if copy is None and following - missed >= max(_LONG, self._spacing):
                self._note(missed)
            place = following
        self._note(0)
        return self._copies

    def _take_beginning(self) -> int:
        """Begin like one of the latest bodies; gives where that ends. Who goes on with
        a conversation begins like the last request: told so, a body can be read
        without that one."""
        best: _Copy | None = None
        for start in self._splicer.latest(_LATEST):
            copy = self._extend(0, start) if start != self._at else None
            if copy and (best is None or copy.end > best.end):
                best = copy
                if copy.end * 2 > len(self._data):
                    break
        if best is None or best.length < _ENOUGH:
            return 0
        self._take(best)
        return best.end

    def _take_refrain(self, copy: _Copy) -> int:
        """Add what comes again as it did before this copy; gives where that ends."""
        end = copy.end
        for start, source, length in self._refrain.after(copy.start, end):
            self._copies.append(_Copy(start, self._at + source, length))
            end = start + length
        return end

    def _note(self, place: int) -> None:
        key = self._data[place : place + KEY]
        self._splicer.remember(key, self._at + place)
        self._noted = place

    def _copy_at(self, place: int) -> _Copy | None:
        """The longest copy that covers `place`, of the few places worth trying."""
        best: _Copy | None = None
        for source in self._candidates(place):
            copy = self._extend(place, source)
            if copy and (best is None or copy.end > best.end):
                best = copy
                if copy.end - place >= _ENOUGH:
                    break
        return best

    def _candidates(self, place: int) -> Iterator[int]:
        key = self._data[place : place + KEY]
        found = self._splicer.find(key)
        if found is not None:
            yield found
        if self._copies:
            last = self._copies[-1]
            source = last.source + place - last.start
            if source != found:
                yield source

    def _extend(self, place: int, source: int) -> _Copy | None:
        held = self._splicer.body_at(source)
        if held is None:
            return None
        start, body = held
        data, offset = self._data, source - start
        if data[place : place + KEY] != body[offset : offset + KEY]:
            return None
        room = len(data)
        if start == self._at:
            room = place - offset
            if room <= 0:
                return None
        ahead = common_prefix(data, place, body, offset, room)
        if ahead < KEY:
            return None
        behind = common_suffix(data, place, body, offset, min(room - ahead, _MAX_BACK))
        return self._fit(place - behind, place + ahead, source - behind)

    def _fit(self, begin: int, end: int, source: int) -> _Copy | None:
        """Cut a range back to whole characters, and to what is not covered yet."""
        data = self._data
        kept = len(self._copies)
        while kept and self._copies[kept - 1].start >= begin:
            kept -= 1
        floor = self._copies[kept - 1].end if kept else 0
        start = _char_start(data, max(begin, floor), 1)
        end = _char_start(data, end, -1)
        if end - start < self._splicer.least:
            return None
        return _Copy(start, source + start - begin, end - start)

    def _take(self, copy: _Copy) -> None:
        """Add a copy; it may swallow smaller ones, found by chance, behind it."""
        while self._copies and self._copies[-1].start >= copy.start:
            self._copies.pop()
        self._copies.append(copy)
        if copy.length < 2 * SPACING:
            return
        place = copy.start
        while anchor := _ANCHOR.search(self._data, place, copy.end):
            found = anchor.start()
            self._note(found)
            # The next step behind it: from those before, an image say, the search
            # would come to the same one, through all that stands between.
            place += ((found - place) // SPARSE + 1) * SPARSE


def _char_start(data: bytes, place: int, step: int) -> int:
    """The nearest start of a UTF-8 character; the place itself in other data."""
    for moved in range(4):
        at = place + moved * step
        if at <= 0 or at >= len(data) or data[at] & 0xC0 != 0x80:
            return at
    return place
