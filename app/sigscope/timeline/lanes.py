"""One response on a time axis: stretches of one kind, and moments that count."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from statistics import median
from typing import Literal

from sigscope.conversation import SignatureKind
from sigscope.dialects.assembly import Effect, FieldWrite
from sigscope.opaque import sha256
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.refusals import Refusal

Kind = Literal[
    "wait", "thought", "text", "call", "signature", "usage", "error", "whole", "other"
]
"""`wait`: nothing has come yet. `whole`: an answer that came in one piece."""

MarkKind = Literal["signature", "finish", "usage", "error"]

_KINDS: tuple[tuple[Effect, Kind], ...] = (
    (Effect.ERROR, "error"),
    (Effect.CALL, "call"),
    (Effect.TEXT, "text"),
    (Effect.THOUGHT, "thought"),
    (Effect.SIGNATURE, "signature"),
    (Effect.USAGE, "usage"),
)
"""What an event counts as, by the first of these that it did. A signature beside a
text is a mark on the text."""

GAP_MS = 1_000.0
"""A pause this long is a gap, unless events come this slowly anyway."""
GAP_TIMES = 8.0
"""Times the usual pause of the stream that makes a gap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A stretch of time in which one kind of thing arrived."""

    kind: Kind
    start: float
    """Milliseconds after the request began; events where the lane is not timed."""
    end: float
    first: int = 0
    """Number of its first event; 0 where no event belongs to it."""
    last: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A moment."""

    kind: MarkKind
    at: float
    event: int | None = None
    """None where the answer was not streamed."""
    sha256: str = ""
    """Of a signature; else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A pause in the stream."""

    start: float
    end: float
    event: int
    """The event that ended it."""

    @property
    def length(self) -> float:
        """Milliseconds."""
        return self.end - self.start


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One response."""

    step: int
    run: int | None = None
    """The run whose response this is; None for the step as recorded."""
    spans: tuple[Stretch, ...] = ()
    marks: tuple[Mark, ...] = ()
    gaps: tuple[Gap, ...] = ()
    end: float = 0.0
    """Where it ends, in the unit of the spans."""
    is_timed: bool = True
    """False: the recording has no arrival times; the unit is one event."""
    is_streamed: bool = True
    has_answer: bool = True
    """False where nothing came, or nothing was recorded."""
    first_byte: float | None = None
    """Milliseconds to the head of the response, or to its first event."""
    first_signature: float | None = None
    spent: str = ""
    """Tokens, first token and cost, as far as they are known."""
    """Milliseconds; None where none came, or no times are known."""
    began: float | None = None
    """When the request began, milliseconds since 1970; None if unknown."""
    took: float | None = None
    """Milliseconds to the end of the answer; None if unknown. A recording may know
    this and no arrival times."""
    counts: tuple[tuple[Kind, int], ...] = ()
    """Events by kind, in the order of first arrival."""
    arrivals: tuple[float, ...] = ()
    """When each event had come, in the unit of the spans; never falls. Empty where
    the answer was not streamed."""
    held: float = 0.0
    """Milliseconds for which the recorder held the request; they are cut out, and
    everything above counts from when it was sent."""
    note: str = ""
    """What is to be said instead of figures: "rejected before the first event"."""

    @property
    def key(self) -> tuple[str, int]:
        """What it is: a step, or a run."""
        return ("step", self.step) if self.run is None else ("run", self.run)

    @property
    def is_refused(self) -> bool:
        """Whether an error came in place of an answer."""
        return not self.is_streamed and any(m.kind == "error" for m in self.marks)

    @property
    def events(self) -> int:
        """How many there are."""
        return len(self.arrivals)

    @property
    def thinking(self) -> float | None:
        """Milliseconds in which thoughts arrived; None where no times are known, or
        where none came."""
        stretches = [s.end - s.start for s in self.spans if s.kind == "thought"]
        return sum(stretches) or None if self.is_timed else None

    def at(self, event: int | None) -> float:
        """The moment of an event; the end where there is no such event."""
        inside = event is not None and 0 < event <= len(self.arrivals)
        return self.arrivals[event - 1] if inside and event else self.end

    def event_at(self, moment: float) -> int:
        """The event nearest to a moment, the first of several; 0 if there is none."""
        times = self.arrivals
        if not times:
            return 0
        after = bisect_left(times, moment)
        near = [i for i in (after - 1, after) if 0 <= i < len(times)]
        best = min(near, key=lambda i: abs(times[i] - moment))
        return bisect_left(times, times[best]) + 1

    @property
    def longest_gap(self) -> Gap | None:
        return max(self.gaps, key=lambda gap: gap.length, default=None)


def lane_of(
    reading: Reading, refusal: Refusal | None = None, run: int | None = None
) -> Lane:
    """The lane of a step's response, or a run's. Assembles the stream if nobody did."""
    if reading.is_streamed and reading.events:
        lane = _streamed(reading, refusal)
    else:
        lane = _whole(reading, refusal)
    lane = replace(lane, run=run, began=_began(reading.exchange.started_at))
    return _without_hold(lane, reading.exchange.held_ms)


def _without_hold(lane: Lane, held: float) -> Lane:
    """A lane that begins when the request was let go: how long somebody thought about
    it says nothing about the service, and would leave the answer a few cells."""
    wait = lane.spans[0] if lane.spans else None
    if not held or not lane.is_timed or wait is None or wait.kind != "wait":
        return lane
    cut = min(held, wait.end)

    def earlier(at: float) -> float:
        return max(0.0, at - cut)

    def maybe_earlier(at: float | None) -> float | None:
        return None if at is None else earlier(at)

    spans = (
        replace(span, start=earlier(span.start), end=earlier(span.end))
        for span in lane.spans
    )
    gaps = (
        replace(gap, start=earlier(gap.start), end=earlier(gap.end))
        for gap in lane.gaps
    )
    return replace(
        lane,
        spans=tuple(span for span in spans if span.end > span.start),
        marks=tuple(replace(mark, at=earlier(mark.at)) for mark in lane.marks),
        gaps=tuple(gaps),
        end=earlier(lane.end),
        first_byte=maybe_earlier(lane.first_byte),
        first_signature=maybe_earlier(lane.first_signature),
        began=None if lane.began is None else lane.began + cut,
        took=maybe_earlier(lane.took),
        arrivals=tuple(earlier(at) for at in lane.arrivals),
        held=cut,
    )


def kind_of(writes: Iterable[FieldWrite]) -> Kind:
    """What an event counts as."""
    effects = {write.effect for write in writes}
    return next((kind for effect, kind in _KINDS if effect in effects), "other")


def _began(at: str | None) -> float | None:
    if not at:
        return None
    try:
        found = datetime.fromisoformat(at)
    except ValueError:
        return None
    if found.tzinfo is None:
        found = found.replace(tzinfo=UTC)
    return found.timestamp() * 1000


# --- Streams --------------------------------------------------------------------------


def _streamed(reading: Reading, refusal: Refusal | None) -> Lane:
    events = reading.events
    timed = any(event.at_ms is not None for event in events)
    ends: list[float] = []
    latest = 0.0
    for event in events:
        at = event.at_ms if timed else float(event.number)
        latest = max(latest, latest if at is None else at)
        ends.append(latest)
    writes = reading.event_writes or ((),) * len(events)
    kinds = [kind_of(found) for found in writes]
    if refusal is not None and refusal.event:
        kinds[refusal.event - 1] = "error"
    marks = (*_signatures(reading, ends), *_others(writes, ends, refusal))
    arrivals = [m.at for m in marks if m.kind == "signature"]
    first_byte = reading.exchange.first_byte_ms
    took = reading.exchange.duration_ms or 0.0
    return Lane(
        step=reading.number,
        spans=tuple(_spans(kinds, ends, timed=timed)),
        marks=tuple(sorted(marks, key=lambda mark: mark.at)),
        gaps=tuple(_gaps(ends)) if timed else (),
        end=max(ends[-1], took if timed else 0.0),
        is_timed=timed,
        first_byte=(first_byte if first_byte is not None else ends[0])
        if timed
        else None,
        first_signature=min(arrivals, default=None) if timed else None,
        took=reading.exchange.duration_ms if not timed else max(ends[-1], took),
        counts=tuple(Counter(kinds).items()),
        arrivals=tuple(ends),
    )


def _spans(kinds: list[Kind], ends: list[float], *, timed: bool) -> list[Stretch]:
    """Neighbouring events of one kind as one stretch. An event's stretch begins where
    the event before it ended; before the first, the client waits."""
    found: list[Stretch] = []
    before = 0.0
    if timed and ends[0] > 0:
        found.append(Stretch(kind="wait", start=0.0, end=ends[0]))
        before = ends[0]
    for number, (kind, end) in enumerate(zip(kinds, ends, strict=True), start=1):
        last = found[-1] if found else None
        if last is not None and last.kind == kind:
            found[-1] = replace(last, end=end, last=number)
        else:
            found.append(
                Stretch(kind=kind, start=before, end=end, first=number, last=number)
            )
        before = end
    return found


def _gaps(ends: list[float]) -> list[Gap]:
    pauses = [after - before for before, after in pairwise(ends)]
    if not pauses:
        return []
    least = max(GAP_MS, GAP_TIMES * median(pauses))
    return [
        Gap(start=ends[index], end=ends[index + 1], event=index + 2)
        for index, pause in enumerate(pauses)
        if pause >= least
    ]


def _signatures(reading: Reading, ends: Sequence[float]) -> list[Mark]:
    """The first arrival of each signature. Readable reasoning is no mark, though some
    services want it back."""
    found: dict[str, Mark] = {}
    for sighting in reading.received:
        if sighting.kind is not SignatureKind.TEXT:
            event = sighting.event
            at = ends[min(event, len(ends)) - 1] if event else ends[-1]
            key = sha256(sighting.value)
            found.setdefault(
                key, Mark(kind="signature", at=at, event=event, sha256=key)
            )
    return list(found.values())


def _others(
    writes: Sequence[Sequence[FieldWrite]],
    ends: Sequence[float],
    refusal: Refusal | None,
) -> list[Mark]:
    found: list[Mark] = []
    kinds: tuple[tuple[Effect, MarkKind], ...] = (
        (Effect.FINISH, "finish"),
        (Effect.USAGE, "usage"),
        (Effect.ERROR, "error"),
    )
    for number, wrote in enumerate(writes, start=1):
        effects = {write.effect for write in wrote}
        for effect, kind in kinds:
            if effect in effects:
                if kind == "usage":  # some services count up: the last count holds
                    found = [mark for mark in found if mark.kind != "usage"]
                found.append(Mark(kind=kind, at=ends[number - 1], event=number))
    if refusal is not None and not any(mark.kind == "error" for mark in found):
        event = refusal.event
        at = ends[event - 1] if event else 0.0
        found.append(Mark(kind="error", at=at, event=event))
    return found


# --- Answers in one piece -------------------------------------------------------------


def _whole(reading: Reading, refusal: Refusal | None) -> Lane:
    """A wait, and what came at its end."""
    exchange = reading.exchange
    response = exchange.response
    took = exchange.duration_ms
    if took is None and response and response.chunks:
        took = response.chunks[-1].at_ms
    end = took or 0.0
    is_measured = took is not None and response is not None
    first = exchange.first_byte_ms if is_measured else None
    begun = min(first, end) if first is not None else end
    marks: list[Mark] = []
    spans = [Stretch(kind="wait", start=0.0, end=begun)]
    note = ""
    if refusal is not None:
        marks.append(Mark(kind="error", at=end))
        spans.append(Stretch(kind="error", start=begun, end=end))
        status = f"{refusal.status}: " if refusal.status is not None else ""
        note = f"{status}rejected before the first event"
    elif response is None:
        other = reading.exchange.sent_as
        note = f"sent as step {other}" if other else "no answer recorded"
    else:
        spans.append(Stretch(kind="whole", start=begun, end=end))
        marks += _signatures(reading, [end])
        note = "in one piece" if response.body else "an empty answer"
    arrived = any(mark.kind == "signature" for mark in marks)
    return Lane(
        step=reading.number,
        spans=tuple(span for span in spans if span.end > span.start),
        marks=tuple(marks),
        end=end,
        is_timed=took is not None,
        is_streamed=False,
        has_answer=response is not None,
        took=took,
        first_byte=first,
        first_signature=end if arrived and took is not None else None,
        note=note,
    )
