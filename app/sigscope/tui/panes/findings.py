"""Pane 6: what the rules say about the step on show, and its runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial

from textual.geometry import Size
from textual.reactive import var

from sigscope.edits.notation import describe
from sigscope.edits.records import Edit
from sigscope.ledger.unjudged import NOT_JUDGED
from sigscope.rules.findings import Finding, Severity
from sigscope.runs import Run
from sigscope.tui.itemlist import Item
from sigscope.tui.keymap import key_on
from sigscope.tui.lines import Line, line
from sigscope.tui.panes.pane import Pane
from sigscope.tui.selection import Selection
from sigscope.tui.symbols import Symbols
from sigscope.tui.views.findings import (
    NOBODY,
    counts_of,
    lay_elsewhere,
    lay_finding,
    mended_words,
)
from sigscope.tui.views.outcome import SentOutcome
from sigscope.tui.views.palette import Palette
from sigscope.tui.views.runs import (
    RunRow,
    edits_title,
    lay_run,
    name_cells,
    run_rows,
    tally,
)
from sigscope.tui.views.shownsession import Overview, Shown

Key = tuple[str, object]
"""("finding", Finding), ("run", number or None), ("made", number): what is found in a
run, ("step", number), ("rule", 0)."""

CHECKING = "checking rules …"


class FindingsPane(Pane):
    """Shows the findings of `shown` and the runs of its step."""

    NUMBER = 6
    NAME = "Findings │ Runs"
    EMPTY = "nothing to complain about"
    HELP = (
        "What the rules say about this step: the node, the reason, the fix. {fix}"
        " applies the next fix that is off, from the cursor on; {fix.back} takes one"
        " back; {send} sends the request with those that are on. Below stand the runs"
        " made from the step: {list.choose} opens one like a step, {diff} compares it"
        " with what it was made from."
    )

    overview: var[Overview | None] = var(None, init=False)
    shown: var[Shown | None] = var(None, init=False)
    selection: var[Selection | None] = var(None, init=False)
    edits: var[tuple[Edit, ...]] = var((), init=False)
    runs: var[tuple[Run, ...]] = var((), init=False)
    outcome: var[SentOutcome | None] = var(None, init=False)

    def watch_overview(self) -> None:
        self.rebuild()

    def watch_shown(self) -> None:
        """Another step."""
        self.rebuild()

    def watch_edits(self) -> None:
        """Fixes are on, or off again."""
        self.rebuild()

    def watch_runs(self) -> None:
        """A run was made."""
        self.rebuild()

    def watch_outcome(self) -> None:
        """What was sent is known, or other edits are on."""
        self.rebuild()

    def watch_selection(self, old: Selection | None, new: Selection | None) -> None:
        """The cursor follows the finding; the finding under it opens."""
        if (old and old.finding) != (new and new.finding):
            self.rebuild()
            if new is not None and new.finding is not None:
                self.select(("finding", new.finding))

    def keep_in_sight(self, key: Key) -> None:
        """Scroll an item into sight, and again whenever rows or room are others, until
        the cursor moves."""
        self._kept = key
        self.reveal(key)

    def watch_cursor(self) -> None:
        """What is looked at now is under the cursor."""
        self._kept = None
        super().watch_cursor()

    def _scroll_to_cursor(self) -> None:
        super()._scroll_to_cursor()
        if self._kept is not None:
            self.reveal(self._kept)

    _kept: Key | None = None

    @property
    def finding_in_focus(self) -> Finding | None:
        """The finding under the cursor, while the pane is worked in."""
        key: Key | None = self.key if self.has_focus else None
        if key is None or key[0] != "finding":
            return None
        return key[1] if isinstance(key[1], Finding) else None

    def rebuild(self) -> None:
        """Findings, then runs, then where else there is something."""
        shown, overview = self.shown, self.overview
        if shown is None or overview is None:
            is_empty = overview is not None and not overview.facts
            note = "rules are checked with the first step" if is_empty else CHECKING
            self.show([], note=note)
            self.say("")
            return
        rows = run_rows(self.runs, shown.step, self._recorded(shown.step))
        items = [*self._findings(shown.findings), *self._added()]
        if not items or not shown.reading.is_judged:
            items.append(_words(("none", 0), self._nothing(shown)))
        if rows:
            items.append(Item(("rule", 0), self._rule, selectable=False))
            items += self._runs(rows, shown.step)
        elsewhere = self._elsewhere(shown.step)
        if elsewhere:
            items.append(Item(("rule", 1), self._rule, selectable=False))
            items += elsewhere
        self.show(items)
        mine = [row.run for row in rows if row.run is not None]
        left = sum(len(group.steps) for group in overview.unjudged)
        unsaid = f"{left} not judged" if left else ""
        mended = self.outcome.mended if self.outcome else ()
        said = (counts_of(shown.findings, mended), unsaid, tally(mine))
        self.say(" · ".join(word for word in said if word))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as were ever needed, so that the panes above keep their height
        while one walks from step to step; the style sheet says at most how many."""
        self._most = max(self._most, self.virtual_size.height, self._foreseen())
        return self._most

    def _foreseen(self) -> int:
        """About the lines that the step with most findings takes."""
        if self.overview is None:
            return 0
        by_step = Counter(finding.step for finding in self.overview.findings)
        if not by_step:
            return 1
        return max(by_step.values()) + 2 + (len(by_step) > 1) * len(by_step)

    _most = 0

    def _nothing(self, shown: Shown) -> str:
        """Why no rule speaks of it."""
        if shown.reading.is_judged:
            return f"no findings in {self._what(shown)}"
        return f"{self._what(shown)}: {NOT_JUDGED}; the command Dialect says which"

    def _what(self, shown: Shown) -> str:
        return f"run {shown.run}" if shown.is_run else f"step {shown.step}"

    def _recorded(self, step: int) -> int | None:
        assert self.overview is not None
        facts = self.overview.facts
        return next((fact.status for fact in facts if fact.number == step), None)

    def _findings(self, findings: Iterable[Finding]) -> Iterable[Item]:
        chosen = self.selection.finding if self.selection else None
        on = frozenset(self.edits)
        for finding in findings:
            is_fixed = bool(finding.fix) and on.issuperset(finding.fix or ())
            lay = partial(self._lay_finding, finding, is_fixed, finding == chosen)
            yield Item(("finding", finding), lay)

    def _lay_finding(
        self, finding: Finding, is_fixed: bool, is_open: bool, cells: int
    ) -> list[Line]:
        return lay_finding(
            finding,
            cells,
            self.symbols,
            self._palette,
            is_fixed=is_fixed,
            is_open=is_open,
            mended=mended_words(finding, self.outcome),
            key=key_on(self.screen, "fix"),
        )

    @property
    def _palette(self) -> Palette:
        return self.overview.palette if self.overview else NOBODY

    def _added(self) -> Iterable[Item]:
        """What the rules say of what was sent, and not of the step."""
        outcome = self.outcome
        serious = [
            finding
            for finding in (outcome.added if outcome else ())
            if finding.severity is not Severity.INFO
        ]
        if outcome is not None and serious:
            number = outcome.run.number
            lay = partial(self._lay_elsewhere, f"run {number}", serious)
            yield Item(("made", number), lay, height=1)

    def _rule(self, cells: int) -> list[Line]:
        return [line((self.symbols.rule * min(cells, 4), "faint"))]

    def _runs(self, rows: Sequence[RunRow], step: int) -> Iterable[Item]:
        assert self.overview is not None
        failed = step in self.overview.refusals
        names = {
            run.number: run.title
            or edits_title(run.edits, {edit: describe(edit) for edit in run.edits})
            for run in self.runs
        }
        size = name_cells(rows, names)
        for row in rows:
            number = row.run.number if row.run else None
            lay = partial(self._lay_run, row, names, size, failed)
            yield Item(("run", number), lay)

    def _lay_run(
        self, row: RunRow, names: dict[int, str], size: int, failed: bool, cells: int
    ) -> list[Line]:
        row_line = lay_run(
            row, cells, self.symbols, names, name_cells=size, failed=failed
        )
        return [row_line]

    def _elsewhere(self, step: int) -> list[Item]:
        """A line for each other step in which something was found. In a session that
        loses all it has, these are as many as there are steps."""
        assert self.overview is not None
        known = self._others
        if known is None or known[0] is not self.overview or known[1] != self.symbols:
            by_step: dict[int, list[Finding]] = {}
            for finding in self.overview.findings:
                by_step.setdefault(finding.step, []).append(finding)
            known = self._others = (
                self.overview,
                self.symbols,
                [
                    Item(
                        ("step", number),
                        partial(self._lay_elsewhere, f"step {number}", found),
                        height=1,
                    )
                    for number, found in by_step.items()
                ],
            )
        return [item for item in known[2] if item.key != ("step", step)]

    _others: tuple[Overview, Symbols, list[Item]] | None = None
    """A line for each step, made once for what is known of the session."""

    def _lay_elsewhere(
        self, where: str, found: list[Finding], cells: int
    ) -> list[Line]:
        return [lay_elsewhere(where, found, cells, self.symbols, self._palette)]


def _words(key: Key, words: str) -> Item:
    return Item(key, lambda cells: [line((words, "dim"))], selectable=False)
