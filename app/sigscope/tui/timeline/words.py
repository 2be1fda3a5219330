"""What is said of a lane in words and figures. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sigscope.ledger import FateAt, Thread
from sigscope.records import dataclass
from sigscope.timeline.lanes import Kind, Lane
from sigscope.tui.figures import millis, ranges
from sigscope.tui.lines import Line, Span, fit, width
from sigscope.tui.symbols import Symbols
from sigscope.tui.timeline.bars import NAMES
from sigscope.tui.views.palette import Palette
from sigscope.tui.views.signatures import say_fate

COUNTED: tuple[Kind, ...] = ("thought", "text", "call")


def figures_of(lane: Lane, symbols: Symbols, *, is_short: bool = False) -> str:
    """ "thought 17 · tool call 8 · signature ev 14 of 25"; short: "◆ ev 14 of 25"."""
    if lane.note:
        return lane.note
    counts = dict(lane.counts)
    words = [f"{NAMES[kind]} {counts[kind]:,}" for kind in COUNTED if kind in counts]
    events = sorted({m.event for m in lane.marks if m.kind == "signature" and m.event})
    if events:
        noun = "signature" if len(events) == 1 else "signatures"
        noun = symbols.signature if is_short else noun
        listed = ", ".join(f"{n:,}" for n in events[:3])
        listed += ", …" if len(events) > 3 else ""
        words.append(f"{noun} ev {listed} of {lane.events:,}")
    else:
        words.append(f"{lane.events:,} event{'' if lane.events == 1 else 's'}")
    return f" {symbols.dot} ".join(words)


def detail_of(
    lane: Lane,
    symbols: Symbols,
    palette: Palette,
    cells: int,
    fate: FateAt | None = None,
) -> Line:
    """ "step 1 · first byte 0.6 s · first signature 1.4 s ◆ 9f3a21 · ends 1.8 s".
    `fate`: what became of the followed signature in the request of the lane. What does
    not fit is left out, a statement at a time; what matters most comes first."""
    name = f"step {lane.step}" if lane.run is None else f"run {lane.run}"
    parts = [_Part(spans=(Span(name, "bold"),), rank=0)]
    parts += _measured(lane, symbols, palette)
    if not lane.is_timed and lane.has_answer:
        by_event = ": by event" if lane.events else ""
        parts.append(_part(f"no arrival times recorded{by_event}", 2, "warn"))
        if lane.took is not None:
            parts.append(_part(f"took {millis(lane.took)}", 3))
    if lane.note:
        parts.append(_part(lane.note, 1, "bad" if lane.is_refused else "dim"))
    if fate is not None and lane.run is None:
        glyph, words, ink = say_fate(fate, symbols)
        parts.append(_part(f"{glyph} {words}", 1, ink))
    dot = f" {symbols.dot} "
    kept = parts[:1]
    for part in sorted(parts[1:], key=lambda part: part.rank):
        if _width([*kept, part], dot) <= cells:
            kept.append(part)
    spans: list[Span] = []
    for part in parts:
        if part in kept:
            spans += [Span(dot, "faint")] if spans else []
            spans += part.spans
    return fit(spans, cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A statement of a line of them."""

    spans: Line
    rank: int
    """The lowest has room first. What the picture shows too has the highest."""


def _part(words: str, rank: int, ink: str = "dim") -> _Part:
    return _Part(spans=(Span(words, ink),), rank=rank)


def _width(parts: Sequence[_Part], dot: str) -> int:
    return sum(width(p.spans) for p in parts) + len(dot) * (len(parts) - 1)


def _measured(lane: Lane, symbols: Symbols, palette: Palette) -> Iterator[_Part]:
    """Times, signatures and figures, in the order of a response."""
    if lane.held:
        yield _part(f"held {millis(lane.held)}, not counted", 3)
    if lane.first_byte is not None:
        yield _part(f"first byte {millis(lane.first_byte)}", 5)
    arrived: list[Span] = []
    if lane.first_signature is not None:
        arrived.append(Span(f"first signature {millis(lane.first_signature)}", "dim"))
    signed = (mark.sha256 for mark in lane.marks if mark.kind == "signature")
    for sha256 in list(dict.fromkeys(signed))[:4]:
        blank = " " if arrived else ""
        words = f"{blank}{symbols.signature} {palette.id(sha256)}"
        arrived.append(Span(words, palette.ink(sha256), f"signature:{sha256}"))
    if arrived:
        yield _Part(spans=tuple(arrived), rank=2)
    gap = lane.longest_gap
    if gap is not None:
        more = f", the longest of {len(lane.gaps)}" if len(lane.gaps) > 1 else ""
        words = f"gap {millis(gap.length)} before event {gap.event:,}{more}"
        yield _part(words, 2, "warn")
    if lane.spent:
        yield _part(lane.spent, 3)
    if lane.is_timed and lane.end:
        yield _part(f"ends {millis(lane.end)}", 4)


def thread_title(thread: Thread | None) -> str:
    """ "thread 2 · side request, from step 1 · steps 3–5"."""
    if thread is None:
        return "no thread"
    kind = {"main": "", "fork": "fork", "side": "side request"}[thread.kind]
    words = [f"thread {thread.number}"]
    if kind:
        origin = f", from step {thread.parent}" if thread.parent else ""
        words.append(f"{kind}{origin}")
    noun = "step" if len(thread.steps) == 1 else "steps"
    words.append(f"{noun} {ranges(sorted(thread.steps))}")
    return " · ".join(words)
