"""One matrix: under way, asked, given up. No widget, no terminal."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from sigscope.edits.records import Edit
from sigscope.engine.sending.matrix import (
    Matrix,
    MatrixCell,
    MatrixPlan,
    Question,
    cells,
    chosen_factors,
    plan_matrix,
    runs_of_cells,
)
from sigscope.engine.sending.matrixwords import (
    FILTERS,
    SORTS,
    chosen_cells,
    cure_words,
    interaction_lines,
    summary,
)
from sigscope.engine.sending.variants import Variants
from sigscope.engine.sessions.document import Document
from sigscope.errors import SigscopeError
from sigscope.runs import Run
from sigscope.tui.debugger.desk import Desk
from sigscope.tui.debugger.observed import Observable, Observed
from sigscope.upstreams.simulator import SimConfig

_GROUP = "matrix"
_REPORTS = 50
"""Times, at most, that it is said how far it is."""


class MatrixModel(Observable):
    """What is combined, what both voices said so far, which cells are shown."""

    matrix: Observed[Matrix | None] = Observed(None)
    """As far as it was asked; None before the first report."""
    is_busy: Observed[bool] = Observed(False)
    problem: Observed[str] = Observed("")
    """Why there is nothing to combine."""
    sort: Observed[str] = Observed("size")
    only: Observed[str] = Observed("all")

    def __init__(
        self,
        document: Document,
        step: int,
        desk: Desk,
        *,
        edits: tuple[Edit, ...] = (),
        base: SimConfig | None = None,
    ) -> None:
        """`edits`: those that are on; each is combined with the others."""
        super().__init__()
        self.step = step
        self.is_ready_made = False
        """Whether the ready-made edits are combined, in place of the fixes."""
        self._document = document
        self._edits = edits
        self._base = base
        self._desk = desk
        self.runs: Mapping[Question, Run] = {}

    @property
    def source(self) -> str:
        """What is combined, in words."""
        found = "ready-made edits" if self.is_ready_made else "fixes"
        return f"{found}, edits that are on" if self._edits else found

    def begin(self) -> None:
        """Ask both voices about every cell, in a thread. An older one is given up."""
        self.problem, self.matrix, self.is_busy = "", None, True
        self._desk.aside(_GROUP, self._ask, self._ended, self._ended)

    def vary(self) -> None:
        """Combine the ready-made edits in place of the fixes, or back."""
        self.is_ready_made = not self.is_ready_made
        self.begin()

    def _plan(self) -> MatrixPlan:
        document, step = self._document, self.step
        has_fixes = any(finding.fix for finding in document.findings_of(step))
        if not has_fixes and not self._edits:
            self.is_ready_made = True  # there is nothing else
        fixes = has_fixes and not self.is_ready_made
        factors = chosen_factors(
            document,
            step,
            edits=self._edits,
            fixes=fixes,
            ready=("all",) if self.is_ready_made else (),
            ways="switch on in pane 4 what is to be combined, then come back",
        )
        return plan_matrix(step, factors)

    def _ask(self) -> Matrix | str:
        """In a thread; words where there is no matrix."""
        try:
            plan = self._plan()
            variants = Variants(self._document, self.step, self._base)
            found: list[MatrixCell] = []
            every = max(1, plan.size // _REPORTS)
            for cell in cells(plan, variants):
                found.append(cell)
                if self._desk.is_over():
                    break
                if len(found) % every == 0:
                    self._report(plan, found)
            return Matrix(plan=plan, cells=tuple(found))
        except SigscopeError as error:
            return str(error)

    def _report(self, plan: MatrixPlan, found: list[MatrixCell]) -> None:
        made = Matrix(plan=plan, cells=tuple(found))
        self._desk.later(partial(self._take, made))

    def _take(self, made: Matrix) -> None:
        if self.is_busy:
            self.matrix = made

    def _ended(self, found: Matrix | str) -> None:
        if not self.is_busy:
            return
        if isinstance(found, str):
            self.problem = found
        else:
            self.runs = runs_of_cells(self._document, found.plan)
            self.matrix = found
        self.is_busy = False

    def cancel(self) -> bool:
        """Stop asking; what was asked stays. False if nothing was under way."""
        if not self.is_busy:
            return False
        self._desk.cancel(_GROUP)
        self.is_busy = False
        return True

    # --- What is shown ---------------------------------------------------------------

    @property
    def shown(self) -> tuple[MatrixCell, ...]:
        """Sorted and filtered."""
        if self.matrix is None:
            return ()
        return chosen_cells(self.matrix, self.sort, self.only)

    def next_sort(self) -> None:
        """Another order."""
        self.sort = _after(self.sort, tuple(SORTS))

    def next_filter(self) -> None:
        """Other cells. Those that no cell passes are left out."""
        held = [
            name
            for name, test in FILTERS.items()
            if self.matrix and any(map(test, self.matrix.cells))
        ]
        self.only = _after(self.only, ("all", *(n for n in held if n != "all")))

    @property
    def words(self) -> str:
        """How far it is, or what came of it."""
        if self.problem:
            return self.problem
        if self.matrix is None:
            return "asking the simulator and the rules"
        if self.is_busy:
            done, size = len(self.matrix.cells), self.matrix.plan.size
            stop = self._desk.key("matrix.back")
            return f"{done:,} of {size:,} cells asked, {stop} stops"
        return summary(self.matrix)

    @property
    def told(self) -> tuple[str, ...]:
        """What cures, what interacts; nothing while it is asked."""
        if self.matrix is None or self.is_busy:
            return ()
        lines = (cure_words(self.matrix), *interaction_lines(self.matrix))
        return tuple(words for words in lines if words)


def _after(name: str, names: tuple[str, ...]) -> str:
    at = names.index(name) if name in names else -1
    return names[(at + 1) % len(names)]
