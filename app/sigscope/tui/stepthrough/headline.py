"""What header and status line of the step-through screen say. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from sigscope.records import dataclass
from sigscope.stepthrough.breakpoints import Stop
from sigscope.stepthrough.happenings import Happening
from sigscope.stepthrough.player import FieldChange
from sigscope.tui.figures import seconds
from sigscope.tui.lines import Line, Span, fit, sides, width
from sigscope.tui.shown import one_line, shown
from sigscope.tui.symbols import Symbols

ROOM_FOR_TITLE = 20
"""Cells below which only the application's name stands there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    title: str = ""
    name: str = ""
    """ "step 2", "run 4 of step 2"."""
    event: int = 0
    events: int = 0
    at_ms: float | None = None
    """None where the recording tells no times."""
    speed: float = 1.0
    is_playing: bool = False
    wait_ms: float | None = None
    """Until the next event, while playing; None if it is not worth telling."""
    stop: Stop | None = None
    """The breakpoint that it stands at."""
    busy: str = ""


def lay_where(where: Where, cells: int, symbols: Symbols) -> Line:
    """ "sigscope  title  step 1 · event 14 of 25 · 1.204 s · paused at …" """
    dot = Span(f" {symbols.dot} ", "faint")
    name = [
        Span("sigscope ", "accent bold"),
        Span(" "),
        Span(one_line(where.title, 200)),
    ]
    place = [Span("  "), Span(where.name, "dim")]
    if where.busy:
        return fit((*name, *place, dot, Span(where.busy, "accent")), cells)
    if where.events:
        place += [dot, Span("event ", "dim"), Span(f"{where.event:,}", "bold")]
        place.append(Span(f" of {where.events:,}", "dim"))
    if where.at_ms is not None:
        place += [dot, Span(f"{where.at_ms / 1000:,.3f} s", "dim")]
    state = _state(where, symbols)
    if width((*name[:1], *place, dot, *state)) > cells:
        state = _state(where, symbols, brief=True)
    if state:
        place += [dot, *state]
    room = cells - width(place)
    title = fit(name, room) if room > ROOM_FOR_TITLE else tuple(name[:1])
    return fit((*title, *place), cells)


def _state(where: Where, symbols: Symbols, *, brief: bool = False) -> list[Span]:
    if where.is_playing:
        spans = [Span(f"{symbols.play} {speed_text(where.speed)}", "good bold")]
        if where.wait_ms is not None and where.wait_ms > 1000:
            spans.append(Span(f", next in {seconds(where.wait_ms)}", "dim"))
        return spans
    if where.stop is not None:
        note = one_line(where.stop.note, 80)
        return [
            Span("paused: " if brief else "paused at breakpoint ", "dim"),
            Span(str(where.stop.breakpoint), "bold"),
            Span(f" {note}" if note else "", "dim"),
        ]
    if where.speed != 1.0:
        return [Span(f"{symbols.pause} {speed_text(where.speed)}", "dim")]
    return []


def speed_text(speed: float) -> str:
    """ "recorded pace", "half", "×10"."""
    if speed == 1.0:
        return "recorded pace"
    return f"×{speed:g}"


def lay_footing(
    pointer: str,
    changes: Sequence[FieldChange],
    happening: Happening | None,
    told: str,
    cells: int,
    symbols: Symbols,
) -> Line:
    """ "/choices/0/message/content      extended 1 · 3 breakpoints" """
    right = _tally(changes, symbols) if happening is not None else ()
    if told:
        answer = (Span(one_line(told, 300), "accent"),)
        # An answer is read to its end; figures stand there again at the next key.
        fits = width(answer) + width(right) + 2 <= cells
        return sides(answer, right if fits else (), cells)
    if happening is not None and happening.anomalies:
        words = "; ".join(happening.anomalies)
        return sides((Span(f"{symbols.warn} {words}", "warn"),), right, cells)
    room = max(12, cells - width(right) - 2)
    text = shown(pointer)
    if len(text) > room:
        text = "…" + text[1 - room :]
    return sides((Span(text, "accent"),), right, cells)


def _tally(changes: Sequence[FieldChange], symbols: Symbols) -> Line:
    words: list[Span] = []
    looks = (
        ("added", symbols.added, "good"),
        ("changed", symbols.changed, "warn"),
        ("extended", symbols.extended, "info"),
    )
    for kind, glyph, ink in looks:
        number = sum(change.kind == kind for change in changes)
        if number:
            words += [Span(f"{glyph} {number} {kind}", ink), Span("  ")]
    return tuple(words[:-1]) or (Span("nothing in the message changed", "dim"),)
