"""What the rules say about a step, its runs, and where else there is something, as
items. No widget: the pane of the findings shows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from sigscope.characters import printable
from sigscope.edits.notation import describe
from sigscope.edits.records import Edit
from sigscope.ledger.unjudged import NOT_JUDGED, why_unjudged
from sigscope.records import dataclass
from sigscope.rules.findings import Finding, Severity, rules_of_fixes
from sigscope.runs import Run
from sigscope.tui import figures
from sigscope.tui.itemstack import Item
from sigscope.tui.lines import Line, Span, line
from sigscope.tui.linewrap import wrap
from sigscope.tui.symbols import Symbols
from sigscope.tui.views.findings import (
    counts_of,
    lay_elsewhere,
    lay_finding,
    mended_words,
)
from sigscope.tui.views.outcome import SentOutcome
from sigscope.tui.views.runs import (
    RunRow,
    edits_title,
    lay_run,
    name_cells,
    outcome_cells,
    run_rows,
    tally,
)
from sigscope.tui.views.shownsession import Overview, Shown

Key = tuple[str, object]
"""("finding", Finding), ("run", number or None), ("made", number): what is found in a
run, ("step", number), ("rule", 0), ("remark", 0), ("before", 0), ("after", 0)."""
MOST_FINDINGS = 200
"""Findings of a step that are listed at once. A list that loses all ids has one for
each of its calls."""


class OtherSteps:
    """A line for each step in which something was found. In a session that loses all it
    has, these are as many as there are steps: made once for what is known of it."""

    def __init__(self, overview: Overview, symbols: Symbols) -> None:
        self._overview, self._symbols = overview, symbols
        self._by_step: dict[int, list[Finding]] = {}
        for finding in overview.findings:
            self._by_step.setdefault(finding.step, []).append(finding)
        self._items = [
            _elsewhere(("step", number), f"step {number}", found, overview, symbols)
            for number, found in self._by_step.items()
        ]

    def are_of(self, overview: Overview, symbols: Symbols) -> bool:
        """Whether they were made for these."""
        return self._overview is overview and self._symbols == symbols

    def without(self, step: int) -> list[Item]:
        """Those of all steps but one."""
        return [item for item in self._items if item.key != ("step", step)]

    @property
    def most_rows(self) -> int:
        """About the lines that the step with most findings takes, and the others."""
        most = max(map(len, self._by_step.values()), default=0)
        others = len(self._by_step) if len(self._by_step) > 1 else 0
        return most + 2 + others if most else 1


@dataclass(frozen=True, kw_only=True)
class FindingItems:
    """Findings, then runs, then where else there is something."""

    overview: Overview
    shown: Shown
    chosen: Finding | None = None
    """The one that is open."""
    edits: tuple[Edit, ...] = ()
    """Those that are on."""
    runs: tuple[Run, ...] = ()
    outcome: SentOutcome | None = None
    symbols: Symbols
    key: str
    """What applies a fix."""

    def items(self, others: OtherSteps) -> list[Item]:
        shown, rows = self.shown, self._rows
        items = [*self._findings(), *self._added()]
        if not items or why_unjudged(shown.reading):
            items.append(_words(("none", 0), self._nothing))
        items += self._remarks()
        if rows:
            items += [self._rule(0), *self._runs(rows)]
        elsewhere = others.without(shown.step)
        return [*items, self._rule(1), *elsewhere] if elsewhere else items

    @property
    def has_runs(self) -> bool:
        """Whether the step has runs, which stand below its findings."""
        return bool(self._rows)

    @property
    def figures(self) -> str:
        """ "2 errors · 1 not judged · 3 runs"."""
        left = sum(len(group.steps) for group in self.overview.unjudged)
        unsaid = f"{left} not judged" if left else ""
        mended = self.outcome.mended if self.outcome else ()
        mine = [row.run for row in self._rows if row.run is not None]
        said = (counts_of(self.shown.findings, mended), unsaid, tally(mine))
        return " · ".join(word for word in said if word)

    @property
    def _rows(self) -> Sequence[RunRow]:
        step, facts = self.shown.step, self.overview.facts
        status = next((fact.status for fact in facts if fact.number == step), None)
        return run_rows(self.runs, step, status)

    @property
    def _nothing(self) -> str:
        """Why no rule speaks of it."""
        shown = self.shown
        what = f"run {shown.run}" if shown.is_run else f"step {shown.step}"
        if shown.reading.is_judged:
            why = why_unjudged(shown.reading)
            if why:
                return f"{what}: not judged: {why}"
            none = f"no findings in {what}"
            return f"{none}, nor in any other" if self._is_clean else none
        return f"{what}: {NOT_JUDGED}; Dialect, in the palette, says which"

    @property
    def _is_clean(self) -> bool:
        """Whether rules spoke of all of several steps, and found nothing."""
        overview = self.overview
        is_whole = overview.is_checked and not (overview.unjudged or overview.remarks)
        are_sent = not any(fact.is_held for fact in overview.facts)
        is_alone = self.shown.is_run or len(overview.facts) < 2
        return is_whole and are_sent and not overview.findings and not is_alone

    def _findings(self) -> Iterable[Item]:
        """Those around the one that is open, which the cursor opens as it moves."""
        on = frozenset(self.edits)
        found = self.shown.findings
        at = found.index(self.chosen) if self.chosen in found else 0
        first = max(0, min(at - MOST_FINDINGS // 2, len(found) - MOST_FINDINGS))
        if first:
            words = f"{figures.count(first, 'finding')} before these"
            yield _words(("before", 0), words)
        for finding in found[first : first + MOST_FINDINGS]:
            is_fixed = bool(finding.fix) and on.issuperset(finding.fix or ())
            yield Item(("finding", finding), partial(self._lay, finding, is_fixed))
        after = len(found) - first - MOST_FINDINGS
        if after > 0:
            words = f"{figures.count(after, 'finding')} after these"
            yield _words(("after", 0), words)

    def _lay(self, finding: Finding, is_fixed: bool, cells: int) -> list[Line]:
        return lay_finding(
            finding,
            cells,
            self.symbols,
            self.overview.palette,
            is_fixed=is_fixed,
            is_open=finding == self.chosen,
            mended=mended_words(finding, self.outcome),
            key=self.key,
        )

    def _added(self) -> Iterable[Item]:
        """What the rules say of what was sent, and not of the step."""
        added = self.outcome.added if self.outcome else ()
        serious = [each for each in added if each.severity is not Severity.INFO]
        if self.outcome is not None and serious:
            number = self.outcome.run.number
            key, where = ("made", number), f"run {number}"
            yield _elsewhere(key, where, serious, self.overview, self.symbols)

    def _remarks(self) -> Iterable[Item]:
        """What to know of the step before one trusts that nothing (more) was found."""
        told = {} if self.shown.is_run else self.overview.remarks
        for number, remark in enumerate(told.get(self.shown.step, ())):
            words = f"read with a remark: {printable(remark)}"
            yield Item(("remark", number), partial(_wrapped, words), selectable=False)

    def _rule(self, number: int) -> Item:
        rule = self.symbols.rule
        return Item(
            ("rule", number),
            lambda cells: [line((rule * min(cells, 4), "faint"))],
            selectable=False,
        )

    def _runs(self, rows: Sequence[RunRow]) -> Iterable[Item]:
        failed = self.shown.step in self.overview.refusals
        names = self._names(rows)
        columns = (
            name_cells(rows, names),
            outcome_cells(rows, self.symbols, failed=failed),
        )
        for row in rows:
            number = row.run.number if row.run else None
            lay = partial(self._lay_run, row, names, columns, failed)
            yield Item(("run", number), lay)

    def _names(self, rows: Sequence[RunRow]) -> dict[int, str]:
        """What each run is called; a fix by its rule, whoever switched it on."""
        step = self.shown.step
        mine = [found for found in self.overview.findings if found.step == step]
        names = {}
        for run in (row.run for row in rows if row.run is not None):
            words = {edit: describe(edit) for edit in run.edits}
            rules = rules_of_fixes(mine, run.edits)
            names[run.number] = run.title or edits_title(run.edits, words, rules)
        return names

    def _lay_run(
        self,
        row: RunRow,
        names: dict[int, str],
        columns: tuple[int, int],
        failed: bool,
        cells: int,
    ) -> list[Line]:
        return [
            lay_run(row, cells, self.symbols, names, columns=columns, failed=failed)
        ]


def _elsewhere(
    key: Key, where: str, found: list[Finding], overview: Overview, symbols: Symbols
) -> Item:
    palette = overview.palette
    return Item(
        key,
        lambda cells: [lay_elsewhere(where, found, cells, symbols, palette)],
        height=1,
    )


def _wrapped(words: str, cells: int) -> list[Line]:
    return wrap([Span(words, "dim")], cells, hang=line("  "))


def _words(key: Key, words: str) -> Item:
    return Item(key, lambda cells: [line((words, "dim"))], selectable=False)
