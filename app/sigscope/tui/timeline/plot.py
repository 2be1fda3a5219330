"""Turns as a plot: reasoning to the left, answers to the right, signatures beside.

    turn  steps                    reasoning │ answer               tokens  sent back
       1  1, 2    ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒ 584 │ 40 █                   421  ○
       8  15, 16                           0 │ 1,769 █████████████    631  ○○○○○○○○

Fading shows as a shape that leans over. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sigscope.timeline.turns import Figures
from sigscope.tui.figures import count, ranges
from sigscope.tui.lines import Line, Span, column, fit, line
from sigscope.tui.symbols import Symbols

LEAST_BAR = 8
"""Cells of one bar, at least."""
MOST_MARKS = 8
"""Signatures drawn one by one; more are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Columns and lengths that fit all rows of a plot."""

    bar: int
    """Cells of the longest bar, with its number."""
    number: int
    """Cells of the longest number."""
    most: int
    """Characters that the longest bar stands for."""
    steps: int
    """Cells of the column of steps."""
    tokens: int
    """Cells of the column of token counts; 0 leaves it out."""
    sent: int
    """Cells of the column of signatures; 0 leaves it out."""
    by_turn: bool


def scale_of(rows: Sequence[Figures], cells: int, *, by_turn: bool) -> Scale:
    """Fit some rows into a width. Bars of both sides have one scale: what fades on the
    left may be seen again on the right."""
    most = max((max(r.thought_chars, r.text_chars) for r in rows), default=0)
    number = max(len(f"{most:,}"), 3)
    listed = [ranges(sorted(row.steps)) for row in rows] if by_turn else []
    steps = max((len(text) for text in listed), default=0)
    steps = min(max(steps, 5), 12) if by_turn else 5
    has_tokens = any(r.completion_tokens or r.reasoning_tokens for r in rows)
    tokens = 21 if cells >= 110 and has_tokens else 7 if has_tokens else 0
    sent = min(MOST_MARKS, max((r.genuine + r.bypass for r in rows), default=0))
    sent = max(sent + 4, 9)
    fixed = 6 + steps + 2 + 3 + (tokens + 2 if tokens else 0) + sent + 2
    bar = (cells - fixed) // 2
    if bar < LEAST_BAR + number and tokens > 7:
        bar, tokens = bar + (tokens - 7) // 2, 7
    if bar < LEAST_BAR + number and tokens:
        bar, tokens = bar + (tokens + 2) // 2, 0
    return Scale(
        bar=max(number + 2, bar),
        number=number,
        most=most,
        steps=steps,
        tokens=tokens,
        sent=sent,
        by_turn=by_turn,
    )


def lay_heads(scale: Scale, symbols: Symbols) -> Line:
    """The names of the columns."""
    right = column("reasoning", scale.bar, "dim", right=True)
    spans = [
        Span("turn  ", "dim"),
        column("steps" if scale.by_turn else "step", scale.steps, "dim"),
        Span("  "),
        right,
        Span(" " + _axis(symbols) + " ", "faint"),
        column("answer", scale.bar, "dim"),
    ]
    if scale.tokens:
        name = "tokens: think/out/in" if scale.tokens > 7 else "tokens"
        spans += [Span("  "), column(name, scale.tokens, "dim", right=True)]
    spans += [Span("  "), column("sent back", scale.sent, "dim")]
    return tuple(spans)


def lay_row(row: Figures, scale: Scale, symbols: Symbols, cells: int) -> Line:
    """One turn, or one step."""
    steps = ranges(sorted(row.steps))
    spans = [
        column(f"{row.turn}", 4, "", right=True),
        Span("  "),
        column(steps, scale.steps, "dim"),
        Span("  "),
        *_left(row.thought_chars, scale, symbols),
        Span(f" {_axis(symbols)} ", "faint"),
        *_right(row.text_chars, scale, symbols),
    ]
    if scale.tokens:
        text = _tokens(row, scale)
        spans += [Span("  "), column(text, scale.tokens, "dim", right=True)]
    spans += [Span("  "), *_sent(row, symbols)]
    return fit(tuple(spans), cells)


def _axis(symbols: Symbols) -> str:
    return "|" if symbols.ascii else "│"


def _length(chars: int, scale: Scale) -> int:
    """Cells of a bar; something is never nothing."""
    room = scale.bar - scale.number - 1
    if not chars or not scale.most:
        return 0
    return max(1, round(chars / scale.most * room))


def _left(chars: int, scale: Scale, symbols: Symbols) -> list[Span]:
    bar = _length(chars, scale)
    number = f"{chars:,}"
    blank = scale.bar - bar - scale.number - 1
    return [
        Span(" " * max(0, blank) + number.rjust(scale.number) + " ",
             "dim" if chars else "faint"),
        Span(symbols.thought_fill * bar, "seg-thought"),
    ]  # fmt: skip


def _right(chars: int, scale: Scale, symbols: Symbols) -> list[Span]:
    bar = _length(chars, scale)
    number = f"{chars:,}"
    blank = scale.bar - bar - len(number) - 1
    return [
        Span(symbols.text_fill * bar, "seg-text"),
        Span(f" {number}" + " " * max(0, blank), "dim" if chars else "faint"),
    ]


def _tokens(row: Figures, scale: Scale) -> str:
    reasoning, out = _count(row.reasoning_tokens), _count(row.completion_tokens)
    if scale.tokens <= 7:
        return out
    return f"{reasoning}/{out}/{_count(row.prompt_tokens)}"


def _count(number: int | None) -> str:
    return "–" if number is None else f"{number:,}"


def _sent(row: Figures, symbols: Symbols) -> list[Span]:
    """Signatures that the request sent back, stand-ins, refusals."""
    spans: list[Span] = []
    if row.refused:
        spans.append(Span(f"{symbols.bad} ", "bad bold"))
    if row.genuine + row.bypass > MOST_MARKS:
        if row.genuine:
            spans.append(Span(f"{symbols.signature} {row.genuine} ", "good"))
        if row.bypass:
            spans.append(Span(f"{symbols.bypass} {row.bypass}", "warn"))
    else:
        spans.append(Span(symbols.signature * row.genuine, "good"))
        spans.append(Span(symbols.bypass * row.bypass, "warn"))
    if not row.genuine and not row.bypass:
        spans.append(Span(symbols.nothing, "faint"))
    return [span for span in spans if span.text]


def lay_summary(rows: Sequence[Figures], symbols: Symbols, cells: int) -> Line:
    """ "reasoning 584 → 0 · answers 40 → 1,769 · 8 turns · stand-ins in 8"."""
    told = [row for row in rows if row.thought_chars or row.text_chars]
    if not told:
        return line(("no answers to count", "dim"))
    first, last = told[0], told[-1]
    arrow, dot = symbols.arrow, f" {symbols.dot} "
    fades = last.thought_chars < first.thought_chars / 2
    swells = last.text_chars > first.text_chars * 2
    spans = [
        Span("reasoning ", "dim"),
        Span(f"{first.thought_chars:,} {arrow} {last.thought_chars:,}",
             "warn bold" if fades else "bold"),
        Span(f"{dot}answers ", "dim"),
        Span(f"{first.text_chars:,} {arrow} {last.text_chars:,}",
             "warn bold" if fades and swells else "bold"),
        Span(" characters" if cells >= 100 else "", "dim"),
    ]  # fmt: skip
    bypass = sum(1 for row in rows if row.bypass)
    genuine = sum(1 for row in rows if row.genuine)
    noun = "turn" if len({(r.thread, r.turn) for r in rows}) == len(rows) else "step"
    spans.append(Span(f"{dot}{count(len(rows), noun)}", "dim"))
    if genuine:
        spans.append(Span(f"{dot}{symbols.signature} genuine in {genuine}", "good"))
    if bypass:
        spans.append(Span(f"{dot}{symbols.bypass} stand-ins in {bypass}", "warn"))
    if not genuine and not bypass:
        spans.append(Span(f"{dot}no signature sent back", "dim"))
    return fit(tuple(spans), cells)
