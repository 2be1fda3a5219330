"""When the parts of a response arrived: one lane of the reasoning timeline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from sigscope.dialects.assembling import Effect, Write
from sigscope.opaque import sha256
from sigscope.reading import Reading
from sigscope.refusals import Refusal

Kind = Literal["wait", "thought", "text", "call", "other"]

_KINDS: tuple[tuple[Effect, Kind], ...] = (
    (Effect.CALL, "call"),
    (Effect.TEXT, "text"),
    (Effect.THOUGHT, "thought"),
)
"""What an event counts as, the most telling effect first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A stretch of time in which one kind of thing arrived."""

    kind: Kind
    start: float
    """Milliseconds after the request began; events where the lane is not timed."""
    end: float
    first: int
    """Number of its first event; 0 where the answer was not streamed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureMark:
    """The arrival of a signature."""

    at: float
    sha256: str
    event: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One response on the time axis."""

    number: int
    """Its step."""
    segments: tuple[Segment, ...] = ()
    marks: tuple[SignatureMark, ...] = ()
    end: float = 0.0
    """Where it ends, in the unit of the segments."""
    is_timed: bool = True
    """False: the recording has no arrival times, the unit is one event."""
    failed_at: float | None = None
    """When the error arrived; None if there was none."""
    figures: str = ""
    """What stands beside it: "thought 17 · tool call 8 · signature ev 14 of 14"."""


def lane_of(reading: Reading, refusal: Refusal | None) -> Lane:
    """The lane of a step's response."""
    if reading.is_streamed and reading.events:
        return _streamed(reading, refusal)
    return _whole(reading, refusal)


def _whole(reading: Reading, refusal: Refusal | None) -> Lane:
    """A response in one piece: a wait, and what it brought at its end."""
    exchange = reading.exchange
    response = exchange.response
    took = exchange.duration_ms
    if took is None and response and response.chunks:
        took = response.chunks[-1].at_ms
    end = took or 0.0
    if refusal is not None or response is None:
        event = "before the first event"
        words = f"rejected {event}" if refusal else "no answer recorded"
        failed = 0.0 if refusal else None
        return Lane(
            number=reading.number,
            end=end,
            is_timed=took is not None,
            failed_at=failed,
            figures=words,
        )
    message = reading.reply.message
    found: list[tuple[str, int]] = []
    if message is not None:
        found = [
            ("thought", len(message.thoughts)),
            ("text", len(message.text)),
            ("tool call", len(message.calls)),
        ]
    words = " · ".join(
        f"{name} {n:,}" + ("" if name == "tool call" else " chars")
        for name, n in found
        if n
    )
    first = exchange.first_byte_ms
    begun = first if first is not None and first <= end else end
    segments = (
        Segment(kind="wait", start=0.0, end=begun, first=0),
        Segment(kind="other", start=begun, end=end, first=0),
    )
    return Lane(
        number=reading.number,
        segments=tuple(s for s in segments if s.end > s.start),
        marks=_marks(reading, [end]),
        end=end,
        is_timed=took is not None,
        figures=f"in one piece · {words}" if words else "in one piece",
    )


def _streamed(reading: Reading, refusal: Refusal | None) -> Lane:
    events = reading.events
    timed = all(event.at_ms is not None for event in events)
    ends = [
        (event.at_ms or 0.0) if timed else float(index)
        for index, event in enumerate(events, start=1)
    ]
    writes = reading.event_writes or ((),) * len(events)
    kinds = [kind_of(found) for found in writes]
    failed = refusal.event if refusal else None
    failed_at = None
    if refusal is not None:
        failed_at = ends[min(failed, len(ends)) - 1] if failed else 0.0
    return Lane(
        number=reading.number,
        segments=tuple(_segments(kinds, ends, timed=timed)),
        marks=_marks(reading, ends),
        end=ends[-1],
        is_timed=timed,
        failed_at=failed_at,
        figures=_figures(reading, kinds),
    )


def kind_of(writes: Iterable[Write]) -> Kind:
    """What an event counts as; `other` if it brought none of the great three."""
    effects = {write.effect for write in writes}
    for effect, kind in _KINDS:
        if effect in effects:
            return kind
    return "other"


def _segments(kinds: list[Kind], ends: list[float], *, timed: bool) -> list[Segment]:
    """Neighbouring events of one kind as one stretch. An event's stretch begins where
    the event before it ended; before the first, the client waits."""
    found: list[Segment] = []
    before = 0.0
    for number, (kind, end) in enumerate(zip(kinds, ends, strict=True), start=1):
        if number == 1 and timed:
            found.append(Segment(kind="wait", start=0.0, end=end, first=0))
            before = end
        last = found[-1] if found else None
        if last and last.kind == kind:
            found[-1] = Segment(kind=kind, start=last.start, end=end, first=last.first)
        else:
            found.append(Segment(kind=kind, start=before, end=end, first=number))
        before = end
    return found


def _marks(reading: Reading, ends: list[float]) -> tuple[SignatureMark, ...]:
    """The first arrival of each signature."""
    found: dict[str, SignatureMark] = {}
    for sighting in reading.received:
        key = sha256(sighting.value)
        event = sighting.event
        at = ends[min(event, len(ends)) - 1] if event else ends[-1]
        found.setdefault(key, SignatureMark(at=at, sha256=key, event=event))
    return tuple(found.values())


def _figures(reading: Reading, kinds: list[Kind]) -> str:
    """Events by kind, and where the signatures came."""
    names: dict[Kind, str] = {"thought": "thought", "text": "text", "call": "tool call"}
    counts = Counter(kind for kind in kinds if kind in names)
    words = [f"{names[kind]} {counts[kind]}" for kind in names if counts[kind]]
    events = sorted({s.event for s in reading.received if s.event})
    total = len(kinds)
    if len(events) == 1:
        words.append(f"signature ev {events[0]} of {total}")
    elif events:
        listed = ", ".join(map(str, events[:4])) + (", …" if len(events) > 4 else "")
        words.append(f"signatures ev {listed} of {total}")
    else:
        words.append(f"{total} events" if total != 1 else "1 event")
    return " · ".join(words)
