r"""What comes again and again in a body: the envelopes of a stream's events.

    data: {"id":"x1","choices":[{"delta":{"content":"Let"}}]}
    data: {"id":"x1","choices":[{"delta":{"content":" me"}}]}

Where the latest copies have a text in common with those before them,
`"}}]}\n\ndata: ...`, the next one is likely to bring it too. To look for a text that is
known takes a twentieth of what it takes to find out what is the same, and a stream has
ten thousand events.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sigscope.store.agreement import common_prefix, common_suffix

_WORTH_IT = 64 * 1024
"""Smaller bodies are told by what they have in common to the last byte."""
_LEAST, _MOST = 24, 4096
"""Bytes of a text that is looked for again."""
_FAR = 96
"""Bytes between two of them at most: in more there may be something else to copy."""
_LONGEST = 4
"""Texts in a row that come again: an event may change in several places."""
_KEY = 16
_EDGE = re.compile(rb"""[",:\\{}\[\]\n]""")
_INNER = re.compile(rb"""(?s)[",:\\{}\[\]\n].*[",:\\{}\[\]\n]""")
"""Letters and digits at the ends of a text agree by chance."""

_Span = tuple[int, int]


class Refrain:
    """Follows one body, copy by copy."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._is_worth_it = len(data) >= _WORTH_IT
        self._latest: list[_Span] = []
        """The latest copies."""
        self._turn: list[_Span] = []
        """The texts that come one after the other, each where it came last."""
        self._next = 0
        """Which of them comes next."""

    def after(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """The copies that follow one: start, source and length, all in this body."""
        if not self._is_worth_it:
            return
        copy = start, min(end, start + _MOST)
        if self._turn and self._is_shorter(copy):
            yield from self._again(end)
            return
        self._latest.append(copy)
        del self._latest[: -2 * _LONGEST]
        self._turn, self._next = self._maybe_turn(), 0
        if self._turn:
            self._latest.clear()
            yield from self._again(end, new=len(self._turn))

    def _is_shorter(self, copy: _Span) -> bool:
        """Whether the text that did not come is in this copy, but for its ends."""
        last = self._turn[self._next]
        text = self._maybe_common(last, copy)
        if text is None or 2 * (text[1] - text[0]) < last[1] - last[0]:
            return False
        self._turn[self._next] = text
        self._next = (self._next + 1) % len(self._turn)
        return True

    def _maybe_turn(self) -> list[_Span]:
        """The texts that came twice in a row; none where they did not."""
        latest = self._latest
        for count in range(1, len(latest) // 2 + 1):
            turn: list[_Span] = []
            for back in range(1, count + 1):
                text = self._maybe_common(latest[-back - count], latest[-back])
                if text is None:
                    break
                turn.insert(0, text)
            if len(turn) == count:
                return turn
        return []

    def _maybe_common(self, before: _Span, latest: _Span) -> _Span | None:
        """The longest text of the latter that the former has too, about as far behind
        its beginning; of the few that are looked for."""
        data, (low, high), (start, end) = self._data, before, latest
        best: _Span | None = None
        for quarter in range(1, 4):
            here = start + (end - start) * quarter // 4
            near = here - start + low
            key = data[here : here + _KEY]
            there = data.find(key, max(low, near - _KEY), min(high, near + 2 * _KEY))
            if there < 0:
                continue
            room = min(here - start, there - low)
            behind = common_suffix(data, here, data, there, room)
            room = min(end - here, high - there)
            ahead = common_prefix(data, here, data, there, room)
            inner = _INNER.search(data, here - behind, here + ahead)
            size = len(inner[0]) if inner else 0
            if inner and size >= _LEAST and (best is None or size > best[1] - best[0]):
                best = inner.span()
        return best

    def _again(self, end: int, new: int = 0) -> Iterator[tuple[int, int, int]]:
        """Each text where it comes next, told by where it came last; with what stands
        between two of them, if it is the same. `new`: so many may begin earlier than
        they did, which may have been where the body begins."""
        data, number = self._data, self._next
        texts = [data[start:stop] for start, stop in self._turn]
        sources = [start for start, _ in self._turn]
        begin = source = end
        """Of the copy that is made."""
        while True:
            text = texts[number]
            place = data.find(text, end, end + _FAR + len(text))
            if place < 0:
                break
            was = sources[number]
            if new:
                new -= 1
                more = self._before(place, was, place - end)
                place, was = place - more, was - more
                text = texts[number] = data[place : place + more + len(text)]
            by = begin - source
            if place - was != by or data[end:place] != data[end - by : was]:
                if begin < end:
                    yield begin, source, end - begin
                begin, source = place, was
            elif place + len(text) > begin + by:
                texts.clear()  # nothing changes: one copy can tell more of that
                break
            sources[number] = place
            end = place + len(text)
            number = (number + 1) % len(texts)
        if begin < end:
            yield begin, source, end - begin
        self._next = number
        self._turn = [(s, s + len(t)) for s, t in zip(sources, texts, strict=False)]

    def _before(self, place: int, source: int, room: int) -> int:
        """How many bytes before two texts agree as well, from an edge on."""
        more = common_suffix(self._data, place, self._data, source, room)
        edge = _EDGE.search(self._data, place - more, place)
        return place - edge.start() if edge else 0
