"""Turns as a plot: reasoning to the left, answers to the right, signatures beside.

    turn  steps                    reasoning │ answer               tokens  sent back
       1  1, 2    ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒ 584 │ 40 █                   421  ○
       8  15, 16                           0 │ 1,769 █████████████    631  ○○○○○○○○

Fading shows as a shape that leans over. Token counts are drawn the same way. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sigscope.ledger.unjudged import NOT_JUDGED
from sigscope.records import dataclass
from sigscope.timeline.turns import Figures
from sigscope.tui.figures import count, ranges
from sigscope.tui.lines import Line, Span, column, fit, line
from sigscope.tui.symbols import Symbols

LEAST_BAR = 8
"""Cells of one bar, at least."""
MOST_MARKS = 8
"""Signatures drawn one by one; more are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotMeasure:
    """What the bars stand for."""

    name: str
    unit: str
    left: Callable[[Figures], int | None]
    """None where nobody counted."""
    right: Callable[[Figures], int | None]
    left_name: str
    right_name: str


CHARACTERS = PlotMeasure(
    name="characters",
    unit="bars in characters",
    left=lambda row: row.thought_chars,
    right=lambda row: row.text_chars,
    left_name="reasoning",
    right_name="answer",
)
TOKENS = PlotMeasure(
    name="tokens",
    unit="as the service counted",
    left=lambda row: row.reasoning_tokens,
    right=lambda row: row.completion_tokens,
    left_name="reasoning tokens",
    right_name="completion tokens",
)


def has_tokens(rows: Sequence[Figures]) -> bool:
    """Whether any service counted tokens."""
    return any(
        count is not None
        for row in rows
        for count in (row.reasoning_tokens, row.completion_tokens)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Columns and lengths that fit all rows of a plot."""

    bar: int
    """Cells of the longest bar, with its number."""
    number: int
    """Cells of the longest number."""
    most: int
    """Characters, or tokens, that the longest bar stands for."""
    measure: PlotMeasure
    steps: int
    """Cells of the column of steps."""
    tokens: int
    """Cells of the column of token counts; 0 leaves it out."""
    sent: int
    """Cells of the column of signatures; 0 leaves it out."""
    by_turn: bool


def scale_of(
    rows: Sequence[Figures],
    cells: int,
    *,
    by_turn: bool,
    measure: PlotMeasure = CHARACTERS,
) -> Scale:
    """Fit some rows into a width. Bars of both sides have one scale: what fades on the
    left may be seen again on the right."""
    most = max((max(measure.left(r) or 0, measure.right(r) or 0) for r in rows),
               default=0)  # fmt: skip
    number = max(len(f"{most:,}"), 3)
    listed = [ranges(sorted(row.steps)) for row in rows] if by_turn else []
    steps = max((len(text) for text in listed), default=0)
    steps = min(max(steps, 5), 12) if by_turn else 5
    counted = has_tokens(rows)
    if measure is TOKENS:
        tokens = 9
    else:
        tokens = 21 if cells >= 110 and counted else 7 if counted else 0
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
        measure=measure,
        steps=steps,
        tokens=tokens,
        sent=sent,
        by_turn=by_turn,
    )


def lay_heads(scale: Scale, symbols: Symbols) -> Line:
    """The names of the columns."""
    measure = scale.measure
    right = column(measure.left_name, scale.bar, "dim", right=True)
    spans = [
        Span("turn  ", "dim"),
        column("steps" if scale.by_turn else "step", scale.steps, "dim"),
        Span("  "),
        right,
        Span(" " + _axis(symbols) + " ", "faint"),
        column(measure.right_name, scale.bar, "dim"),
    ]
    if scale.tokens:
        name = "tokens: think/out/in" if scale.tokens > 7 else "tokens"
        name = "prompt" if measure is TOKENS else name
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
        *_left(scale.measure.left(row), scale, symbols),
        Span(f" {_axis(symbols)} ", "faint"),
        *_right(scale.measure.right(row), scale, symbols),
    ]
    if scale.tokens:
        text = _tokens(row, scale)
        spans += [Span("  "), column(text, scale.tokens, "dim", right=True)]
    spans += [Span("  "), *_sent(row, symbols)]
    return fit(tuple(spans), cells)


def _axis(symbols: Symbols) -> str:
    return "|" if symbols.ascii else "│"


def _length(amount: int | None, scale: Scale) -> int:
    """Cells of a bar; something is never nothing."""
    room = scale.bar - scale.number - 1
    if not amount or not scale.most:
        return 0
    return max(1, round(amount / scale.most * room))


def _left(amount: int | None, scale: Scale, symbols: Symbols) -> list[Span]:
    bar = _length(amount, scale)
    number = _count(amount)
    blank = scale.bar - bar - scale.number - 1
    return [
        Span(" " * max(0, blank) + number.rjust(scale.number) + " ",
             "dim" if amount else "faint"),
        Span(symbols.thought_fill * bar, "seg-thought"),
    ]  # fmt: skip


def _right(amount: int | None, scale: Scale, symbols: Symbols) -> list[Span]:
    bar = _length(amount, scale)
    number = _count(amount)
    blank = scale.bar - bar - len(number) - 1
    return [
        Span(symbols.text_fill * bar, "seg-text"),
        Span(f" {number}" + " " * max(0, blank), "dim" if amount else "faint"),
    ]


def _tokens(row: Figures, scale: Scale) -> str:
    reasoning, out = _count(row.reasoning_tokens), _count(row.completion_tokens)
    if scale.measure is TOKENS:
        return _count(row.prompt_tokens)
    if scale.tokens <= 7:
        return out
    return f"{reasoning}/{out}/{_count(row.prompt_tokens)}"


def _count(number: int | None) -> str:
    return "–" if number is None else f"{number:,}"


def _sent(row: Figures, symbols: Symbols) -> list[Span]:
    """Signatures that the request sent back, bypasses, refusals."""
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
    """ "reasoning 584 → 0 · answers 40 → 1,769 · 8 turns · bypasses in 8"."""
    told = [row for row in rows if row.thought_chars or row.text_chars]
    if not told:
        unjudged = sum(row.unjudged for row in rows)
        words = f"{NOT_JUDGED}, so nothing is counted"
        return line((words if unjudged else "no answers to count", "dim"))
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
        spans.append(Span(f"{dot}{symbols.bypass} bypasses in {bypass}", "warn"))
    unjudged = sum(row.unjudged for row in rows)
    if unjudged:
        spans.append(Span(f"{dot}{unjudged} not judged", "warn"))
    elif not genuine and not bypass:
        spans.append(Span(f"{dot}no signature sent back", "dim"))
    return fit(tuple(spans), cells)
