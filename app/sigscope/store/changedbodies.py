"""Bodies of which most was changed before, in an earlier one.

An agent sends its whole history again with every request. What stands in an array that
begins like one of an earlier body is left out, the rest is changed, and what became of
it then is put back:

    {"messages":[A,B,C],"tools":[T]}       changed as it is
    {"messages":[A,B,C,D],"tools":[T]}     changed as {"messages":[D],"tools":[]}
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

from sigscope.jsontext import JsonText, Node
from sigscope.records import dataclass
from sigscope.store.agreement import common_prefix

Change = Callable[[bytes], tuple[bytes, Sequence[int]]]
"""Gives a body of the same length, and where it has what counts as changed. What
becomes of an element of an array depends on nothing beside it."""

_WORTH_IT = 4 * 1024
_MOST = 16 * 1024 * 1024
"""Smaller and larger bodies are changed as they are."""
_REMEMBERED = 4
"""Bodies: several conversations may alternate."""
_PAST_ELEMENT = re.compile(rb"[ \t\r\n]*(?:,[ \t\r\n]*|(?=\]))")
"""What has to follow, or it may go on otherwise: `1` is how `12` begins."""


@dataclass(frozen=True, slots=True)
class _Array:
    """A member of a body. All places are counted from behind its bracket."""

    head: bytes
    """Its name, up to and with the bracket."""
    inside: int
    """Where in the body that ends."""
    ends: Sequence[int]
    """Where each element ends."""
    places: Sequence[int]
    """Where it was changed."""


@dataclass(frozen=True, slots=True)
class _Changed:
    before: bytes
    after: bytes
    arrays: Sequence[_Array]


@dataclass(frozen=True, slots=True)
class _Hole:
    """What is left out of an array: its first elements, and what parts them from the
    next one."""

    array: _Array
    """That of the earlier body."""
    inside: int
    count: int
    """Elements."""
    end: int

    @property
    def size(self) -> int:
        return self.end - self.inside

    @property
    def places(self) -> Sequence[int]:
        """Those that were changed in it."""
        known = self.array.places
        return known[: bisect_left(known, self.array.ends[self.count - 1])]


class ChangedBodies:
    """Changes bodies. Costs what is new in each, and the comparison."""

    def __init__(self) -> None:
        self._latest: deque[_Changed] = deque(maxlen=_REMEMBERED)

    def change(self, data: bytes, change: Change) -> tuple[bytes, int]:
        """The body changed, and at how many places."""
        if not _WORTH_IT <= len(data) <= _MOST:
            after, places = change(data)
            return after, len(places)
        before, holes, text = self._shorten(data)
        after, places = change(text.data)
        count = len(places) + sum(len(hole.places) for hole in holes)
        if before is not None:
            after = _put_back(after, data, before, holes)
            self._latest.remove(before)
        arrays = tuple(_arrays(text, sorted(places), holes))
        self._latest.append(_Changed(data, after, arrays))
        return after, count

    def _shorten(
        self, data: bytes
    ) -> tuple[_Changed | None, Sequence[_Hole], JsonText]:
        """The earlier body with most of this one, and what is left when it goes."""
        found = [(known, list(_holes(known, data))) for known in self._latest]
        before, holes = max(
            found,
            key=lambda pair: sum(hole.size for hole in pair[1]),
            default=(None, []),
        )
        if before is not None and holes:
            text = JsonText(b"".join(_between(data, holes)))
            insides = {array.start + 1 for array in _lists(text)}
            if insides.issuperset(_shifted(holes)):
                return before, holes, text
        return None, (), JsonText(data)


def _holes(known: _Changed, data: bytes) -> Iterator[_Hole]:
    done = 0
    for array in known.arrays:
        at = data.find(array.head, done)
        if at < 0:
            continue
        inside = at + len(array.head)
        size = array.ends[-1]
        shared = common_prefix(known.before, array.inside, data, inside, size)
        count = bisect_right(array.ends, shared)
        past = count and _PAST_ELEMENT.match(data, inside + array.ends[count - 1])
        if past:
            done = past.end()
            yield _Hole(array, inside, count, done)


def _between(data: bytes, holes: Iterable[_Hole]) -> Iterator[bytes]:
    done = 0
    for hole in holes:
        yield data[done : hole.inside]
        done = hole.end
    yield data[done:]


def _shifted(holes: Iterable[_Hole]) -> Iterator[int]:
    """Where each of them is in the text without them."""
    gone = 0
    for hole in holes:
        yield hole.inside - gone
        gone += hole.size


def _put_back(
    after: bytes, data: bytes, known: _Changed, holes: Sequence[_Hole]
) -> bytes:
    pieces = []
    done = 0
    for hole, place in zip(holes, _shifted(holes), strict=True):
        size = hole.array.ends[hole.count - 1]
        start = hole.array.inside
        pieces += [
            after[done:place],
            known.after[start : start + size],
            data[hole.inside + size : hole.end],
        ]
        done = place
    return b"".join([*pieces, after[done:]])


def _lists(text: JsonText) -> Sequence[Node]:
    """The members that are arrays, where bodies are JSON as services take it."""
    if not text.encoding.is_utf8 or text.encoding.bom or text.root.kind != "object":
        return ()
    return [node for node in text.children(text.root) if node.kind == "array"]


def _arrays(
    text: JsonText, places: Sequence[int], holes: Sequence[_Hole]
) -> Iterator[_Array]:
    """Those of the whole body; `text` is what is left without the holes."""
    hole_at = dict(zip(_shifted(holes), holes, strict=True))
    gone = 0
    for node in _lists(text):
        inside = node.start + 1
        hole = hole_at.get(inside)
        size = hole.size if hole else 0
        ends = hole.array.ends[: hole.count] if hole else ()
        held = hole.places if hole else ()
        ends = [*ends, *(c.end - inside + size for c in text.children(node))]
        low, high = bisect_left(places, inside), bisect_left(places, node.end)
        if ends:
            yield _Array(
                head=text.data[node.begin : inside],
                inside=inside + gone,
                ends=ends,
                places=[*held, *(place - inside + size for place in places[low:high])],
            )
        gone += size
