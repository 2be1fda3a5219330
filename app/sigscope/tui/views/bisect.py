"""The rows of a bisect: changes, and what was asked about them."""

from __future__ import annotations

from collections.abc import Sequence

from sigscope.bisect import Factor, FactorStanding, Observation
from sigscope.engine.sending.bisection import Trial
from sigscope.tui.bisectpanel import BisectPanel
from sigscope.tui.lines import Line, Span, column, fit, line, width
from sigscope.tui.linewrap import wrap
from sigscope.tui.shown import one_line
from sigscope.tui.symbols import Symbols

_INKS = {
    Observation.PASSES: "good",
    Observation.FAILS: "bad",
    Observation.UNCLEAR: "warn",
}


_STANDING_INKS = {
    FactorStanding.NEEDED: "good",
    FactorStanding.NOT_NEEDED: "dim",
    FactorStanding.OPEN: "",
}


def factor_lines(
    number: int,
    factor: Factor,
    size: int,
    minimal: frozenset[int] | None,
    symbols: Symbols,
    cells: int,
) -> list[Line]:
    """ "✓ 2  CPC-2  set content to null". `minimal`: those believed to matter."""
    sign, ink = " ", ""
    if minimal is not None:
        is_needed = number in minimal
        sign = symbols.good if is_needed else symbols.nothing
        ink = "good" if is_needed else "dim"
    head = line((sign, ink), f" {number:>2}  ", column(factor.name, size, "bold"))
    return [fit((*head, *line("  ", (one_line(factor.label), ink))), cells)]


def standing_lines(
    number: int,
    factor: Factor,
    size: int,
    panel: BisectPanel,
    symbols: Symbols,
    cells: int,
) -> list[Line]:
    """ "→ 2  needed      CPC-2  set content to null". The arrow: it is made in what is
    tried now."""
    standing = panel.knowledge.standing(number)
    ink = _STANDING_INKS[standing]
    sign = symbols.arrow if panel.is_tried(number) else " "
    head = line(
        (sign, "accent"),
        f" {number:>2}  ",
        column(str(standing), len(FactorStanding.NOT_NEEDED) + 2, ink),
        column(factor.name, size, "bold"),
    )
    return [fit((*head, *line("  ", (one_line(factor.label), ink))), cells)]


def heading(symbols: Symbols, cells: int) -> list[Line]:
    """Between the changes and the evidence."""
    return [line((symbols.rule * cells, "faint"))]


def trial_lines(
    trial: Trial, asked: str, size: int, symbols: Symbols, cells: int
) -> Sequence[Line]:
    """ "run 3  without 2 (CPC-2)  400 ✗ invalid request body". `asked`: what was asked,
    in words; `size`: the cells it takes in all of them."""
    glyphs = {
        Observation.PASSES: symbols.good,
        Observation.FAILS: symbols.bad,
        Observation.UNCLEAR: symbols.warn,
    }
    run = trial.run
    status = str(run.status) if run.status is not None else "no answer"
    head = line(
        column(f"run {run.number}", 8, "dim"),
        column(asked, min(size, cells // 2)),
        "  ",
        (f"{status} {glyphs[trial.answer]}", _INKS[trial.answer]),
    )
    said = one_line(run.error) if run.error else ""
    if trial.is_reused:
        said = f"(before) {said}"
    hang = (Span(" " * (width(head) + 2)),)
    if width(hang) > cells // 3:  # below the question
        hang = (Span(" " * 10),)
    return wrap([Span(said, "dim")], cells, first=(*head, Span("  ")), hang=hang)
