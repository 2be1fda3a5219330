"""Rows of findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from sigscope.edits.records import Edit, Op
from sigscope.rules.findings import Finding, Severity
from sigscope.tui import figures
from sigscope.tui.lines import Line, Span, fit, line, sides, width
from sigscope.tui.linewrap import wrap
from sigscope.tui.shown import shown
from sigscope.tui.symbols import Symbols, severity_glyph
from sigscope.tui.views.chips import chips, untied
from sigscope.tui.views.outcome import SentOutcome
from sigscope.tui.views.palette import Palette

_GRAVITY = (Severity.ERROR, Severity.WARNING, Severity.INFO)
NOBODY = Palette()
"""Without signatures that the ledger knows."""
INKS = {Severity.ERROR: "bad", Severity.WARNING: "warn", Severity.INFO: "info"}


def lay_finding(
    finding: Finding,
    cells: int,
    symbols: Symbols,
    palette: Palette = NOBODY,
    *,
    is_fixed: bool,
    is_open: bool,
    mended: str = "",
    key: str = "f",
) -> list[Line]:
    """ "✗ CPC-1 message   /messages/2   f restore 9f3a21"; where that does not fit on
    one line, place and fix end the last line that has room for them. Under the cursor
    with everything there is to say. `mended`: in which words it is none of what was
    sent; empty where it is, or nothing was. `key`: what applies a fix."""
    ink = "good" if mended else INKS[finding.severity]
    glyph = symbols.good if mended else severity_glyph(symbols, finding.severity)
    head = line((f"{glyph} {finding.rule} ", f"{ink} bold"))
    where = f"{'response ' * finding.in_response}{finding.pointer or '/'}"
    fix = _fix(finding, symbols, palette, key, is_fixed=is_fixed, mended=mended)
    right = (Span(shown(where), "dim"), *untied([fix])[0])
    message = tuple(chips(shown(finding.message), palette, symbols))
    if width(head) + width(message) + width(right) + 2 <= cells:
        lines = untied([sides((*head, *message), right, cells)])
        return [*lines, *_more(finding, cells)] if is_open else lines
    lines = untied(wrap([*head, *message], cells, hang=line("  ")))
    limit = 6 if is_open else 2
    if len(lines) > limit:
        lines = [*lines[: limit - 1], fit((*lines[limit - 1], Span(" …")), cells)]
    more = _more(finding, cells) if is_open else []
    if width(right) + 4 > cells:
        return [*lines, *_below(where, fix, cells), *more]
    for rows in (lines, more):
        if len(rows) > (rows is lines) and width(rows[-1]) + width(right) + 2 <= cells:
            gap = cells - width(rows[-1]) - width(right)
            rows[-1] = (*rows[-1], Span(" " * gap), *right)
            return [*lines, *more]
    blank = Span(" " * (cells - width(right)))
    return [*lines, (blank, *right), *more]


def lay_elsewhere(
    where: str,
    findings: Sequence[Finding],
    cells: int,
    symbols: Symbols,
    palette: Palette = NOBODY,
) -> Line:
    """ "step 2  ! LLM-1 message   and 1 more": what is found in another step, or in a
    run."""
    worst = min(findings, key=lambda finding: _GRAVITY.index(finding.severity))
    glyph = severity_glyph(symbols, worst.severity)
    left = line(
        (f"{where:<8} ", "dim"),
        (f"{glyph} {worst.rule} ", INKS[worst.severity]),
        *chips(shown(worst.message), palette, symbols, ink="dim"),
    )
    more = len(findings) - 1
    right = line((f"and {more} more", "dim")) if more else ()
    return untied([sides(left, right, cells)])[0]


def _below(where: str, fix: Line, cells: int) -> list[Line]:
    """Place, then fix, where one line has no room for both: whole."""
    indent, hang = line("  "), line("    ")
    place = wrap([Span(shown(where), "dim")], cells, first=indent, hang=hang)
    words = wrap(fix[1:], cells, first=indent, hang=hang) if fix else []
    return [*place, *untied(words)]


def mended_words(finding: Finding, outcome: SentOutcome | None) -> str:
    """ "fix confirmed, run 3"; empty where it is still found, or nothing was sent."""
    if outcome is None or finding not in outcome.mended:
        return ""
    what = "fix confirmed" if outcome.is_confirmed else "mended"
    return f"{what}, run {outcome.run.number}"


def _fix(
    finding: Finding,
    symbols: Symbols,
    palette: Palette,
    key: str,
    *,
    is_fixed: bool,
    mended: str,
) -> Line:
    if mended:
        return line("   ", (f"{symbols.good} {mended}", "good"))
    if not finding.fix:
        return ()
    if is_fixed:
        return line("   ", Span(f"{symbols.good} fix is on", "good", "fix"))
    words = fix_words(finding.fix)
    said = chips(words, palette, symbols, target="fix")
    return (Span("   "), Span(f"{key} ", "key bold", "fix"), *said)


def fix_words(edits: Sequence[Edit]) -> str:
    # What is put comes first.
    ordered = sorted(edits, key=lambda edit: edit.op in (Op.DROP, Op.UNHEADER))
    labels = list(dict.fromkeys(edit.label for edit in ordered if edit.label))
    if len(labels) == 1 or (labels and len(labels[0]) > 24):
        more = f" (+{len(labels) - 1})" if len(labels) > 1 else ""
        return shown(labels[0]) + more
    if labels:
        return shown("; ".join(labels[:2])) + (" …" if len(labels) > 2 else "")
    return f"fix it with {figures.count(len(edits), 'edit')}"


def _more(finding: Finding, cells: int) -> list[Line]:
    words = [str(finding.confidence)]
    if finding.is_echo:
        words = ["the recorded answer's own words"]
    elif finding.is_confirmed:
        words.append("confirmed by the recorded answer")
    text = f"{', '.join(words)}; more: sigscope explain {finding.rule}"
    lines = wrap([Span(text, "dim")], cells, first=line("  "), hang=line("  "))
    if finding.candidates:
        others = ", ".join(finding.candidates[:5])
        lines += wrap(
            [Span(f"could also be {shown(others)}", "dim")],
            cells,
            first=line("  "),
            hang=line("  "),
        )
    return lines


def counts_of(findings: Sequence[Finding], mended: Collection[Finding] = ()) -> str:
    """ "1 error, 2 warnings"; with "3 mended" where that many are none of what was
    sent; empty if there are none."""
    found = Counter(finding.severity for finding in findings)
    words = []
    for severity, noun in (
        (Severity.ERROR, "error"),
        (Severity.WARNING, "warning"),
        (Severity.INFO, "note"),
    ):
        if found[severity]:
            words.append(figures.count(found[severity], noun))
    if mended:
        words.append(f"{len(mended)} mended")
    return ", ".join(words)
