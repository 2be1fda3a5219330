"""Searching all bodies of a session: each text is found where it stood first.

Requests repeat those before them. Only the stretch between the beginning and the end
that a request shares with a recent one is looked through; what was found in the rest
is there again, and is told as a repetition. So costs follow what is new, and comparing
bytes.

An answer that was streamed is searched as it came, event by event, and as it reads put
together: a word may be spread over events. Searched are bodies without their content
codings, not headers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from hashlib import blake2b
from typing import Literal

from sigscope.jsontext import JsonSpans, JsonText
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.search.patternprocess import GivenUpError, PatternProcess
from sigscope.search.text import MOST_HITS, REGEX_MARK, Query, is_in_text
from sigscope.utf8 import to_bytes
from sigscope.wire.bodies import decode

Where = Literal["request", "response", "event"]

_MOST_NAMED = 1024 * 1024
"""Characters of all pointers: a hit at each level of a body that nests without bottom
has as many as there are levels."""
_KEPT = 4
"""Requests that the next one may go on from: conversations may alternate."""
_ALIKE = 0.9
"""Share of a request that has to be that of another for no third to be asked."""
_BLOCK = 64 * 1024
_REGEX_REACH = 4 * 1024
"""Bytes a regular expression may match beyond where it begins."""
_TOLD = 4
"""Stretches of steps that are told."""
_STEPS_TOLD = 10
_BEFORE, _AFTER = 40, 200
"""Bytes of an excerpt around where a match begins."""


@dataclass(slots=True, eq=False, kw_only=True)
class BodyHit:
    """A value, or a key, in which something was found; where it stood first."""

    step: int
    where: Where
    event: int | None = None
    pointer: str
    """JSON Pointer; "" for what is in no JSON."""
    excerpt: str
    """What stands around the first match, as it is spelled, on one line."""
    match: tuple[int, int]
    """Where the match is in the excerpt."""
    repeats: list[tuple[int, int]] = field(default_factory=list)
    """Later requests that have it too: first and last step of each stretch."""
    at: int = -1
    """How many requests there are up to the last that has it."""

    @property
    def place(self) -> str:
        """ "request /messages/2/content", "event 3 /delta"."""
        where = self.where if self.event is None else f"event {self.event}"
        return f"{where} {self.pointer or '/'}"

    @property
    def repeated(self) -> str:
        """ "5–1,000"; empty where no later request has it."""
        told = [
            f"{first:,}" if first == last else f"{first:,}–{last:,}"
            for first, last in self.repeats[:_TOLD]
        ]
        more = len(self.repeats) - len(told)
        return ", ".join([*told, *([f"{more} more stretches"] if more else [])])

    def meet(self, step: int, request: int) -> None:
        """A later request, the so-manieth, has it too."""
        if self.step == step or (self.repeats and self.repeats[-1][1] == step):
            return
        if self.repeats and self.at == request - 1:
            self.repeats[-1] = (self.repeats[-1][0], step)
        else:
            self.repeats.append((step, step))
        self.at = request


def _process_for(query: Query) -> PatternProcess:
    pattern = query.in_bytes
    # A value counts once, however many matches are in it: there may be a million.
    return PatternProcess(pattern.pattern, pattern.flags, 100 * MOST_HITS)


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyProgress:
    """How far a search is."""

    done: int
    """Steps looked through."""
    total: int
    hits: tuple[BodyHit, ...]
    """Found since the last report."""
    is_cut: bool = False
    """Whether it stopped because there is too much to find."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A value or key with a match in it."""

    begin: int
    end: int
    at: int
    """Offset of the first match."""
    past: int
    """Where it ends."""
    pointer: str


@dataclass(slots=True, kw_only=True)
class _Leaf:
    """Where a hit stands in a body."""

    hit: BodyHit
    begin: int
    end: int
    same: tuple[bytes, int]
    """Digest of the text, and which of those alike in its body it is."""

    def moved(self, by: int) -> _Leaf:
        """The same so many bytes further on."""
        begin, end = self.begin + by, self.end + by
        return _Leaf(hit=self.hit, begin=begin, end=end, same=self.same)


@dataclass(slots=True, kw_only=True)
class _Known:
    """A request that was searched."""

    data: bytes
    leaves: list[_Leaf]
    spans: JsonSpans | None
    """Of the latest text in which anything was found, which it began like."""
    spanned: int
    """Bytes that both have at the beginning."""


class BodySearch:
    """One query in all steps. Everything is in `hits` once `look` has ended."""

    def __init__(self, readings: Sequence[Reading], query: Query) -> None:
        self.query = query
        self.hits: list[BodyHit] = []
        """By step; in a step request, answer, events."""
        self.is_cut = False
        self.unassembled: list[int] = []
        """Steps whose streamed answer could not be put together: what is spread over
        its events is not found."""
        self.searched = 0
        """Bytes that were looked through."""
        self._readings = readings
        self._recent: list[_Known] = []
        self._by_text: dict[tuple[bytes, int], BodyHit] = {}
        self._requests = 0
        self._named = 0
        """Characters of the hits' pointers."""
        is_regex = query.text.startswith(REGEX_MARK)
        # Each character has at most twelve bytes and some backslashes.
        self._reach = _REGEX_REACH if is_regex else 16 * len(query.text) + 64
        self._process = _process_for(query) if is_regex else None
        self.given_up = ""
        """Why the rest was not searched; empty for nothing."""

    @property
    def remarks(self) -> list[str]:
        """What was not searched, in sentences."""
        told = [self.given_up] if self.given_up else []
        if self.is_cut and not self.given_up:
            told.append(f"stopped after {len(self.hits):,} hits: there are more")
        if self.unassembled:
            steps = ", ".join(f"{step:,}" for step in self.unassembled[:_STEPS_TOLD])
            more = " …" if len(self.unassembled) > _STEPS_TOLD else ""
            told.append(
                f"the streamed answer of step {steps}{more} is of no known dialect:"
                " what is spread over its events is not found"
            )
        return told

    def look(self) -> Iterator[BodyProgress]:
        """Look through the steps; a report after each."""
        try:
            yield from self._look()
        finally:
            if self._process is not None:
                self._process.close()

    def _look(self) -> Iterator[BodyProgress]:
        total, told = len(self._readings), 0
        for done, reading in enumerate(self._readings, start=1):
            try:
                self._look_in(reading)
            except GivenUpError as problem:
                self.is_cut = True
                self.given_up = f"step {reading.number}: {problem}"
            fresh = tuple(self.hits[told:])
            told = len(self.hits)
            yield BodyProgress(done=done, total=total, hits=fresh, is_cut=self.is_cut)
            if self.is_cut:
                return

    def _look_in(self, reading: Reading) -> None:
        for _ in self._in_step(reading):
            if len(self.hits) >= MOST_HITS or self._named >= _MOST_NAMED:
                self.is_cut = True
                break

    def _in_step(self, reading: Reading) -> Iterator[None]:
        yield from self._in_request(reading)
        if reading.is_streamed:
            yield from self._in_assembled(reading)
            for event in reading.events:
                number = event.number
                yield from self._in_body(reading.number, event.data, "event", number)
        else:
            data = reading.response_body.data
            yield from self._in_body(reading.number, data, "response", None)

    def _in_assembled(self, reading: Reading) -> Iterator[None]:
        body = reading.response_json
        if body is None:
            self.unassembled.append(reading.number)
            return
        told = to_bytes(json.dumps(body, ensure_ascii=False))
        yield from self._in_body(reading.number, told, "response", None)

    def _in_body(
        self, step: int, data: bytes, where: Where, event: int | None
    ) -> Iterator[None]:
        text = JsonText(data)
        self.searched += len(data)
        for found in self._found(text, 0, len(text.data)):
            self._add(step, where, event, text.data, found)
            yield

    def _found(self, text: JsonText, begin: int, stop: int) -> Iterator[_Found]:
        """Each value or key in which a match begins between two offsets."""
        data, passed = text.data, 0
        reach = min(stop + self._reach, len(data))
        for at, past in self._spans(data, begin, reach):
            if at >= stop:
                return
            if at < passed or past == at:
                continue
            found = _found_at(text, at, past)
            if found is not None:
                passed = found.end
                yield found

    def _spans(self, data: bytes, begin: int, reach: int) -> Iterable[tuple[int, int]]:
        if self._process is not None:
            return self._process.spans(data, begin, reach)
        matches = self.query.in_bytes.finditer(data, begin, reach)
        return (match.span() for match in matches)

    def _add(
        self,
        step: int,
        where: Where,
        event: int | None,
        data: bytes,
        found: _Found,
    ) -> BodyHit:
        excerpt, match = _excerpt(data, found)
        hit = BodyHit(
            step=step,
            where=where,
            event=event,
            pointer=found.pointer,
            excerpt=excerpt,
            match=match,
        )
        self.hits.append(hit)
        self._named += len(found.pointer)
        return hit

    # --- Requests --------------------------------------------------------------------

    def _in_request(self, reading: Reading) -> Iterator[None]:
        request = reading.exchange.request
        if request is None or not request.body:
            return
        # Not by way of the reading: its few kept bodies are those on show.
        text = JsonText(decode(request.body.raw, request.headers).data)
        data = text.data
        self._requests += 1
        known, start, tail = self._nearest(data)
        spans, spanned = None, 0
        if known is not None and known.spans is not None:
            spans, spanned = known.spans, min(known.spanned, start)
            text.begin_like(spans, spanned)
        before, after = self._inherited(known, data, start, tail)
        here = [*before, *after]
        for leaf in here:
            leaf.hit.meet(reading.number, self._requests)
        begin, stop = self._stretch(known, data, start, tail)
        self.searched += max(0, stop - begin)
        taken = {leaf.same for leaf in here}
        made: list[_Leaf] = []
        passed: dict[bytes, int] = {}
        for found in self._found(text, begin, stop):
            same = _free(_digest(data, found), taken, passed)
            taken.add(same)
            hit = self._by_text.get(same)
            if hit is None:
                hit = self._add(reading.number, "request", None, data, found)
                hit.at = self._requests
                self._by_text[same] = hit
                yield
            hit.meet(reading.number, self._requests)
            made.append(_Leaf(hit=hit, begin=found.begin, end=found.end, same=same))
        is_continued = known is not None and start + tail >= _ALIKE * len(known.data)
        if text.spans is not None:
            spans, spanned = text.spans, len(data)
        self._keep(
            _Known(
                data=data,
                leaves=[*before, *made, *after],
                spans=spans,
                spanned=spanned,
            ),
            known if is_continued else None,
        )

    def _stretch(
        self, known: _Known | None, data: bytes, start: int, tail: int
    ) -> tuple[int, int]:
        """From where to where a request has to be looked through: what it does not
        share, and the values that reach into that."""
        if known is None:
            return 0, len(data)
        edge = len(known.data) - tail
        begins = [
            leaf.begin
            for leaf in known.leaves
            if leaf.begin < start < leaf.end + self._reach
        ]
        ends = [leaf.end for leaf in known.leaves if leaf.begin < edge < leaf.end]
        begin = max(0, min([start - self._reach, *begins]))
        return begin, len(data) - tail + max(ends, default=edge) - edge

    def _nearest(self, data: bytes) -> tuple[_Known | None, int, int]:
        """The recent request that has most in common with this one; how many bytes at
        the beginning, and how many at the end."""
        best: tuple[_Known | None, int, int] = (None, 0, 0)
        for known in self._recent:
            start = _shared_start(known.data, data)
            if best[0] is not None and start <= best[1]:
                continue
            most = min(len(known.data), len(data)) - start
            best = (known, start, _shared_end(known.data, data, most))
            if start + best[2] >= _ALIKE * len(data):
                break
        return best

    def _inherited(
        self, known: _Known | None, data: bytes, start: int, tail: int
    ) -> tuple[list[_Leaf], list[_Leaf]]:
        """What was found in the parts that another request has too."""
        if known is None:
            return [], []
        edge, by = len(known.data) - tail, len(data) - len(known.data)
        before = [x for x in known.leaves if x.end + self._reach <= start]
        after = [x.moved(by) for x in known.leaves if x.begin >= max(edge, start)]
        return before, after

    def _keep(self, made: _Known, instead: _Known | None) -> None:
        """Remember a request; the one it goes on from is no longer needed."""
        if instead is not None:
            self._recent = [known for known in self._recent if known is not instead]
        self._recent.insert(0, made)
        del self._recent[_KEPT:]


def _free(
    digest: bytes, taken: set[tuple[bytes, int]], passed: dict[bytes, int]
) -> tuple[bytes, int]:
    """Which of the texts alike in one body this one is. `passed`: how many of them
    are known to be taken."""
    nth = passed.get(digest, 0)
    while (digest, nth) in taken:
        nth += 1
    passed[digest] = nth
    return digest, nth


def _digest(data: bytes, found: _Found) -> bytes:
    return blake2b(data[found.begin : found.end], digest_size=16).digest()


def _shared_start(one: bytes, other: bytes) -> int:
    """How many bytes both have at the beginning."""
    most = min(len(one), len(other))
    at = 0
    while at < most and one[at : at + _BLOCK] == other[at : at + _BLOCK]:
        at += _BLOCK
    low, high = min(at, most), min(at + _BLOCK, most)
    while low < high:
        middle = (low + high + 1) // 2
        if one[at:middle] == other[at:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _shared_end(one: bytes, other: bytes, most: int) -> int:
    """How many bytes both have at the end; no more than `most`."""

    def tail(text: bytes, back: int, upto: int) -> bytes:
        return text[len(text) - upto : len(text) - back]

    at = 0
    while at < most and tail(one, at, min(at + _BLOCK, most)) == tail(
        other, at, min(at + _BLOCK, most)
    ):
        at += _BLOCK
    low, high = min(at, most), min(at + _BLOCK, most)
    while low < high:
        middle = (low + high + 1) // 2
        if tail(one, at, middle) == tail(other, at, middle):
            low = middle
        else:
            high = middle - 1
    return low


# --- Hits in one text ----------------------------------------------------------------


def _found_at(text: JsonText, offset: int, past: int) -> _Found | None:
    """The value or key that an offset is in; the line, in what is no JSON. None for
    the marks between values."""
    root = text.root
    node = root
    if root.is_container and root.start <= offset < root.end:
        node = text.node_at(offset)
        if is_in_text(node, offset):
            end = node.key_end if node.is_container else None
            begin, end = node.begin, end or node.end
            return _Found(
                begin=begin, end=end, at=offset, past=past, pointer=text.pointer(node)
            )
        if node.closed:
            return None
    begin, end = _line(text.data, offset)
    pointer = text.pointer(node)
    return _Found(begin=begin, end=end, at=offset, past=past, pointer=pointer)


def _line(data: bytes, offset: int) -> tuple[int, int]:
    end = data.find(b"\n", offset)
    return data.rfind(b"\n", 0, offset) + 1, len(data) if end < 0 else end


def _excerpt(data: bytes, found: _Found) -> tuple[str, tuple[int, int]]:
    """What stands around a match, and where in it the match is."""
    offset, begin, end = found.at, found.begin, found.end
    past = min(found.past, offset + _AFTER)
    start = max(begin, offset - _BEFORE)
    stop = max(past, min(end, past + _AFTER))
    while start < offset and data[start] & 0xC0 == 0x80:
        start += 1
    while stop > past and stop < end and data[stop] & 0xC0 == 0x80:
        stop -= 1
    head, middle, rest = (
        " ".join(f"|{piece.decode('utf-8', 'replace')}|".split())[1:-1]
        for piece in (data[start:offset], data[offset:past], data[past:stop])
    )
    head = f"…{head}" if start > begin else head
    rest = f"{rest}…" if stop < end else rest
    return head + middle + rest, (len(head), len(head) + len(middle))


def told_by_step(hits: Sequence[BodyHit]) -> dict[int, str]:
    """How many there are first in each step: "request 3, response 1"."""
    counts: dict[int, dict[str, int]] = {}
    for hit in hits:
        here = counts.setdefault(hit.step, {})
        name = "events" if hit.where == "event" else hit.where
        here[name] = here.get(name, 0) + 1
    return {
        step: ", ".join(f"{name} {count:,}" for name, count in here.items())
        for step, here in counts.items()
    }
