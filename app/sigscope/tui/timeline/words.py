"""What is said of a lane in words and figures. Pure."""

from __future__ import annotations

from sigscope.ledger import FateAt, Thread
from sigscope.timeline.lanes import Kind, Lane
from sigscope.tui.figures import millis, ranges
from sigscope.tui.lines import Line, Span
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
    lane: Lane, symbols: Symbols, palette: Palette, fate: FateAt | None = None
) -> Line:
    """ "step 1 · first byte 0.6 s · first signature 1.4 s ◆ 9f3a21 · ends 1.8 s".
    `fate`: what became of the followed signature in the request of the lane."""
    name = f"step {lane.step}" if lane.run is None else f"run {lane.run}"
    spans = [Span(name, "bold")]

    def add(words: str, ink: str = "dim") -> None:
        spans.extend([Span(f" {symbols.dot} ", "faint"), Span(words, ink)])

    if lane.held:
        add(f"held {millis(lane.held)}, not counted")
    if lane.first_byte is not None:
        add(f"first byte {millis(lane.first_byte)}")
    if lane.first_signature is not None:
        add(f"first signature {millis(lane.first_signature)}")
    seen: dict[str, None] = {}
    for mark in lane.marks:
        if mark.kind == "signature" and mark.sha256 not in seen and len(seen) < 4:
            seen[mark.sha256] = None
            glyph = f" {symbols.signature} {palette.id(mark.sha256)}"
            spans.append(
                Span(glyph, palette.ink(mark.sha256), f"signature:{mark.sha256}")
            )
    gap = lane.longest_gap
    if gap is not None:
        more = f", the longest of {len(lane.gaps)}" if len(lane.gaps) > 1 else ""
        add(f"gap {millis(gap.length)} before event {gap.event:,}{more}", "warn")
    if lane.spent:
        add(lane.spent)
    if lane.is_timed and lane.end:
        add(f"ends {millis(lane.end)}")
    if not lane.is_timed:
        add("no arrival times recorded" + (": by event" if lane.events else ""), "warn")
        if lane.took is not None:
            add(f"took {millis(lane.took)}")
    if lane.note:
        add(lane.note, "bad" if lane.is_refused else "dim")
    if fate is not None and lane.run is None:
        glyph, words, ink = say_fate(fate, symbols)
        add(f"{glyph} {words}", ink)
    return tuple(spans)


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
