"""A strip on cells: step numbers, lanes with their marks, the legend, anomalies. Pure.

Only columns in sight are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from sigscope.ledger import Fate, Ledger
from sigscope.overview import (
    SHADES,
    Anomaly,
    Shade,
    StepState,
    StripCell,
    StripLane,
    rank_of,
)
from sigscope.records import dataclass
from sigscope.rules.findings import Finding, Severity
from sigscope.runs import Run
from sigscope.tui import figures
from sigscope.tui.lines import Line, Span, column, fit, width
from sigscope.tui.linewrap import wrap
from sigscope.tui.overview.model import OverviewModel
from sigscope.tui.shown import one_line
from sigscope.tui.symbols import Symbols, fate_glyph, severity_glyph
from sigscope.tui.timeline.bars import BarCells

NAME = 12
"""Cells beside the lanes."""
APART = 10
"""Cells from one number of the ruler to the next, at least."""
LEAST_ROWS = 3
"""Rows of lanes that are there at any height."""
MOST_LOST = 3
"""Signatures that are named of one step; more become a number."""

Kind = Literal["failures", "fates", "findings", "runs"]
Row = tuple[int, Kind]
"""A lane, and which of its rows."""
Look = tuple[str, str]
"""A glyph and its ink."""

_WORDS = {
    Fate.DROPPED: "dropped",
    Fate.FOREIGN: "never issued here",
    Fate.EARLIER: "from before",
    Fate.EXACT: "as issued",
    Fate.RECEIVED: "received",
}
_MARKS = ("refused", "stream error", "broken off", "no answer")


@dataclass(frozen=True, kw_only=True)
class StripGrid:
    """Lays an overview."""

    model: OverviewModel
    symbols: Symbols

    # --- Glyphs ----------------------------------------------------------------------

    def shade(self, shade: Shade) -> tuple[str, str, str]:
        """Glyph, ink and words of a fate. No two that differ in colour alone."""
        symbols, fate = self.symbols, shade.fate
        if not shade.is_judged:
            return symbols.unjudged, "warn", "not judged"
        if fate is None:
            return symbols.untouched, "faint", "no signature"
        glyph, words = fate_glyph(symbols, fate), _WORDS.get(fate, str(fate))
        if shade.is_lost:
            return symbols.dropped, "bad bold", f"{words}, required"
        if fate is Fate.DROPPED:
            if shade.is_idle:
                return symbols.nothing, "dim", "not sent, not required"
            return symbols.ghost, "", "not sent, optional"
        if fate in (Fate.EXACT, Fate.RECEIVED):
            return glyph, "good" if fate is Fate.EXACT else "accent", words
        ink = "dim" if fate in (Fate.EARLIER, Fate.STORED) else "warn"
        lost = {Fate.ALTERED, Fate.CUT, Fate.BYPASS, Fate.MOVED}
        return glyph, ink, f"{words}, not required" if fate in lost else words

    def failure(self, name: str) -> Look:
        """Of a failure; empty where there is none."""
        symbols = self.symbols
        found: dict[str, Look] = {
            "refused": (symbols.bad, "bad bold"),
            "stream error": (symbols.stream_error, "bad bold"),
            "broken off": (symbols.stream_error, "bad"),
            "no answer": (symbols.unjudged, "warn"),
        }
        return found.get(name, ("", ""))

    def finding(self, cell: StripCell) -> Look:
        """Of what rules and the course of reasoning say; empty where they do not."""
        symbols = self.symbols
        if cell.fading is not None:
            return symbols.fading, "warn bold"
        if cell.severity is not None:
            ink = "bad" if cell.severity is Severity.ERROR else "warn"
            return severity_glyph(symbols, cell.severity), ink
        return "", ""

    def run(self, run: Run | None) -> Look:
        """Of how a step fared when it was sent again."""
        if run is None:
            return "", ""
        if run.status is None:
            return self.symbols.unjudged, "warn"
        is_good = run.status < 400
        glyph = self.symbols.good if is_good else self.symbols.bad
        return glyph, "good" if is_good else "bad"

    # --- The strip -------------------------------------------------------------------

    @property
    def rows(self) -> list[Row]:
        """Rows of all lanes: marks only where a lane has some."""
        strip, found = self.model.strip, list[Row]()
        for lane in range(len(strip.lanes)):
            found += [(lane, "failures")] if strip.has_failures(lane) else []
            found.append((lane, "fates"))
            found += [(lane, "findings")] if strip.has_findings(lane) else []
            found += [(lane, "runs")] if self.model.has_runs(lane) else []
        return found

    def ruler(self, cells: int) -> Line:
        """Numbers of steps above the columns they stand for."""
        model = self.model
        drawn = BarCells(max(0, cells - NAME))
        free = 0
        longest = max((len(str(one.step)) for one in model.strip.states), default=0)
        apart = APART if model.width < longest + 2 else 0
        for number in model.in_sight:
            x = (number - model.first) * model.width
            start, _ = model.span(number)
            label = str(model.strip.states[start].step)
            if x >= free and x + len(label) <= drawn.count:
                drawn.write(x, label, "dim")
                free = x + max(apart, len(label) + 2)
        return (Span(" step".ljust(NAME), "dim"), *drawn.spans())

    def lay(self, row: Row, cells: int) -> Line:
        """One row of a lane."""
        model = self.model
        lane, kind = row
        drawn = BarCells(max(0, cells - NAME))
        for number in model.in_sight:
            cell = model.strip.cell(lane, *model.span(number))
            if cell is None:
                continue
            if kind == "runs":
                glyph, ink = self.run(model.run_in(lane, number))
            else:
                glyph, ink = self._look(kind, cell)
            x = (number - model.first) * model.width
            drawn.put(x, glyph or " ", ink, f"cell:{lane}:{number}")
        x = (model.column - model.first) * model.width
        if lane == model.lane and 0 <= x < drawn.count:
            drawn.inks[x] = f"{drawn.inks[x]} inverse".strip()
        is_here = lane == model.lane and kind == "fates"
        bar = self.symbols.bar if is_here else " "
        name = self._name(model.strip.lanes[lane]) if kind == "fates" else f" {kind}"
        ink = "bold" if is_here else "" if kind == "fates" else "dim"
        return (Span(bar, "accent"), column(name, NAME - 1, ink), *drawn.spans())

    def _look(self, kind: Kind, cell: StripCell) -> Look:
        if kind == "fates":
            return self.shade(cell.shade)[:2]
        return (
            self.failure(cell.failure or "")
            if kind == "failures"
            else (self.finding(cell))
        )

    def _name(self, lane: StripLane) -> str:
        if len(lane.threads) > 1:
            kinds = {"main": "threads", "fork": "forks", "side": "side"}
            return f"{len(lane.threads)} {kinds[lane.kind]}"
        words = {"main": "thread", "fork": "fork", "side": "side"}
        return " ".join([words[lane.kind], *map(str, lane.threads)])

    # --- The legend ------------------------------------------------------------------

    def legend(self, cells: int) -> list[Line]:
        """What the glyphs mean that the session has, on as many lines as it takes."""
        lines: list[Line] = []
        row: list[Span] = []
        for entry in self._legend():
            if row and width(row) + width(entry) + 2 > cells:
                lines.append(tuple(row))
                row = []
            row += [Span("  " if row else " "), *entry]
        return [*lines, *([tuple(row)] if row else [])]

    def _legend(self) -> Iterator[Line]:
        states = self.model.strip.states
        failed = {state.failure for state in states}
        for name in _MARKS:
            if name in failed:
                glyph, ink = self.failure(name)
                yield Span(glyph, ink), Span(f" {name}", "dim")
        shades = {state.shade for state in states}
        lost = [shade for shade in SHADES if shade.is_lost and shade in shades]
        for shade in SHADES:
            if shade in shades and shade not in lost[1:]:
                glyph, ink, words = self.shade(shade)
                words = "lost, required" if shade.is_lost else words
                yield Span(glyph, ink), Span(f" {words}", "dim")
        if any(state.fading for state in states):
            words = " reasoning fades or ends"
            yield Span(self.symbols.fading, "warn bold"), Span(words, "dim")
        severities = {state.severity for state in states}
        for severity in (Severity.ERROR, Severity.WARNING):
            if severity in severities:
                ink = "bad" if severity is Severity.ERROR else "warn"
                glyph = severity_glyph(self.symbols, severity)
                yield Span(glyph, ink), Span(f" {severity} found", "dim")

    # --- All of it -------------------------------------------------------------------

    def page(self, cells: int, lines: int) -> list[Line]:
        """The whole picture: the lanes first, then the legend, then what there is to
        go to."""
        if not len(self.model.strip):
            return [(Span(" this session has no steps", "dim"),)]
        legend = self.legend(cells)
        rows = self._rows_in(max(LEAST_ROWS, lines - 2 - len(legend)))
        found = [self.ruler(cells), *(self.lay(row, cells) for row in rows)]
        found += [(), *legend]
        rest = lines - len(found) - 1
        return [*found, (), *self.anomalies(rest, cells)] if rest > 1 else found

    def _rows_in(self, room: int) -> list[Row]:
        """As many rows as there is room for, around the lane of the cursor."""
        rows = self.rows
        if len(rows) <= room:
            return rows
        at = rows.index((self.model.lane, "fates"))
        first = max(0, min(at - room // 2, len(rows) - room))
        return rows[first : first + room]

    # --- Anomalies -------------------------------------------------------------------

    def anomalies(self, lines: int, cells: int) -> list[Line]:
        """The list around the cursor, with its heading; whole where there is room."""
        listed, unknown = self.model.anomalies.listed, self.model.anomalies.unknown
        if lines < 2:
            return []
        said = figures.count(len(listed), "anomaly", "anomalies")
        heading = f" {said}" + (f": {unknown}" if unknown else "")
        found: list[Line] = [fit((Span(heading, "heading"),), cells)]
        if not listed:
            words = "" if unknown else self.model.anomalies.told(None)
            margin = (Span("  "),)
            told = wrap([Span(words, "dim")], cells, first=margin, hang=margin)
            return [*found, *told[: lines - 1]]
        step = self.model.state.step if self.model.state else 0
        near = sum(each.step < step for each in listed)
        digits = len(str(listed[-1].step))
        if len(listed) < lines:
            whole = [
                line
                for each in listed
                for line in self._anomaly(
                    each, digits, cells, is_here=each.step == step, is_whole=True
                )
            ]
            if len(whole) < lines:
                return [*found, *whole]
        here = [
            line
            for each in listed[near : near + 1]
            if each.step == step
            for line in self._anomaly(each, digits, cells, is_here=True, is_whole=True)
        ][: max(1, lines // 2)]
        room = lines - max(1, len(here))
        first = max(0, min(near - room // 2, len(listed) - room))
        for each in listed[first : first + room]:
            if here and each.step == step:
                found += here
            else:
                found += self._anomaly(
                    each, digits, cells, is_here=False, is_whole=False
                )
        return found

    def _anomaly(
        self, each: Anomaly, digits: int, cells: int, *, is_here: bool, is_whole: bool
    ) -> list[Line]:
        """On as many lines as it takes, or what fits on one."""
        message = one_line(each.finding.message, 400) if each.finding else ""
        state = self.model.strip.states[self.model.strip.place_of(each.step)]
        has_failed = state.failure in ("refused", "stream error")
        ink = "bad" if has_failed or state.shade.is_lost else "warn"
        target = f"step:{each.step}"
        bar = Span(self.symbols.bar if is_here else " ", "accent")
        spans = (
            Span(f"{each.step:>{digits}}  ", "bold" if is_here else "", target),
            Span(", ".join(each.names), ink, target),
            Span(f"  {message}", "" if is_here else "dim", target),
        )
        if not is_whole:
            return [fit((bar, *spans), cells)]
        return wrap(spans, cells, first=(bar,), hang=(bar, Span(" " * (digits + 2))))


# --- The lowest lines -----------------------------------------------------------------


def told_state(
    state: StepState,
    ledger: Ledger,
    findings: Sequence[Finding],
    grid: StripGrid,
) -> tuple[Line, Line]:
    """Step, how it went, its fates; and what is found in it."""
    symbols = grid.symbols
    dot = Span(f" {symbols.dot} ", "faint")
    total = len(grid.model.strip)
    spans = [Span(f" step {state.step:,}", "bold"), Span(f" of {total:,}", "dim"), dot]
    ink = "bad" if state.failure in ("refused", "stream error") else ""
    status = "no status" if state.status is None else str(state.status)
    if state.failure is not None:
        status += f" {state.failure}"
    spans += [Span(status, ink), dot]
    glyph, ink, words = grid.shade(state.shade)
    spans.append(Span(f"{glyph} {words}", ink))
    fate = state.shade.fate
    if fate not in (None, Fate.RECEIVED):
        found = [
            signature.id
            for signature, stretch in ledger.stretches_in(state.step, frozenset({fate}))
            if rank_of(stretch.fate) == state.shade.rank
        ]
        named = found[:MOST_LOST] if len(found) <= MOST_LOST else found[: MOST_LOST - 1]
        more = [f"{len(found) - len(named)} more"] if len(named) < len(found) else []
        spans.append(Span(f" {', '.join([*named, *more])}", ink))
    if state.fading is not None:
        spans += [dot, Span(f"{symbols.fading} reasoning {state.fading}", "warn")]
    run = grid.model.runs.get(state.step)
    if run is not None:
        status = "no answer" if run.status is None else str(run.status)
        spans += [dot, Span(f"run {run.number}: {status}", grid.run(run)[1])]
    return tuple(spans), _told_findings(state, findings, grid)


def _told_findings(
    state: StepState, findings: Sequence[Finding], grid: StripGrid
) -> Line:
    if findings:
        worst, rest = findings[0], len(findings) - 1
        glyph = severity_glyph(grid.symbols, worst.severity)
        inks = {Severity.ERROR: "bad", Severity.WARNING: "warn"}
        ink = inks.get(worst.severity, "dim")
        more = f" (and {rest} more)" if rest else ""
        message = one_line(worst.message, 400)
        return (Span(f" {glyph} {worst.rule}{more}: ", ink), Span(message))
    if not grid.model.strip.is_checked:
        return (Span(" findings are not known yet: the rules have not run", "warn"),)
    if state.unjudged:
        words = f" not judged: {state.unjudged}; nothing is said of this step"
        return (Span(words, "warn"),)
    if state.failure in ("refused", "stream error", "broken off"):
        return (Span(" no rule knows why", "warn"),)
    return (Span(" no finding", "dim"),)
