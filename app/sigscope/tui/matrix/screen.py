"""Cells of the matrix as rows; enter opens one as a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from sigscope.edits.records import Edit
from sigscope.engine.sending.matrix import (
    MatrixCell,
    MatrixOutcome,
    MatrixPlan,
    Question,
)
from sigscope.engine.sending.matrixwords import (
    rules_words,
    sent_words,
    simulator_words,
)
from sigscope.records import dataclass
from sigscope.runs import Run
from sigscope.tui.itemlist import ItemList
from sigscope.tui.itemstack import Item
from sigscope.tui.lines import Line, Span, column, fit, line
from sigscope.tui.linewrap import wrap
from sigscope.tui.matrix.model import MatrixModel
from sigscope.tui.panes.keyline import KeyLine
from sigscope.tui.panes.oneliners import TopLine
from sigscope.tui.panes.toosmall import TooSmall
from sigscope.tui.screens.sidescreen import SideScreen
from sigscope.tui.shown import one_line
from sigscope.tui.symbols import UNICODE, Symbols

_INKS = {
    MatrixOutcome.ACCEPTED: "good",
    MatrixOutcome.REFUSED: "bad",
    MatrixOutcome.UNCLEAR: "warn",
    MatrixOutcome.CONFLICT: "dim",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenCell:
    """A cell that the user wants to see in the debugger."""

    edits: tuple[Edit, ...]
    title: str
    """What its run is called."""
    is_sent: bool
    """Whether it is to be sent to where requests go; asked before it may cost money.
    Else the simulator answers, unless it was sent before."""


class CellList(ItemList):
    """Cells, the edits they are made of above them."""

    HELP = (
        "Each row is the recorded request with some of the edits, and what is"
        " foretold of it: by the simulator, and by the rules on their own. Where the"
        " two contradict each other, or the simulator cannot tell, it is unclear."
        " Nothing is sent until you send it."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Open", id="matrix.open",
                tooltip="Open this cell as a run in the debugger, its edits on: the one"
                " that was sent, else the simulator's answer"),
    ]  # fmt: skip


class MatrixScreen(SideScreen[ChosenCell | None]):
    """Shows the matrix; answers which cell to open."""

    HELP = "Every combination of edits: what is foretold of it, and what interacts."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "send", "Send", id="matrix.send",
                tooltip="Send this cell to where requests go, and open it"),
        Binding("o", "sort", "Sort", id="matrix.sort",
                tooltip="By size, cell, outcome, or the rule that refuses"),
        Binding("p", "only", "Only", id="matrix.only",
                tooltip="All cells, or those of one outcome, or where the voices"
                " contradict each other"),
        Binding("v", "vary", "Vary", id="matrix.vary",
                tooltip="Combine the ready-made edits in place of the fixes, or back"),
        Binding("escape", "back", "Back", id="matrix.back",
                tooltip="Stop asking; then back to the debugger"),
        Binding("q", "leave", "Back", False, id="matrix.leave",
                tooltip="Back to the debugger"),
    ]  # fmt: skip

    list_ = getters.query_one(CellList)

    def __init__(
        self, model: MatrixModel, *, title: str = "", symbols: Symbols = UNICODE
    ) -> None:
        """`title`: of the session."""
        super().__init__(symbols=symbols)
        self._model = model
        self._title = title

    def compose(self) -> ComposeResult:
        yield TopLine()
        yield CellList(classes="pane")
        yield KeyLine()
        yield TooSmall()

    def on_mount(self) -> None:
        """Ask at once: it costs nothing and sends nothing."""
        self._model.observe(self._changed)
        self.list_.focus()
        self._model.begin()
        self._tell()

    def on_unmount(self) -> None:
        """Nobody looks any more."""
        self._model.forget(self._changed)
        self._model.cancel()

    # --- What the model tells --------------------------------------------------------

    def _changed(self, what: str) -> None:
        self._tell()

    def _tell(self) -> None:
        model, shown, top = self._model, self.list_, self.query_one(TopLine)
        shown.border_title = f"Matrix of step {model.step}: {model.source}"
        shown.border_subtitle = f"{model.only} by {model.sort}" * (not model.problem)
        nothing = (Span("nothing to combine", "warn"),) if model.problem else ()
        stand = () if nothing else (Span(one_line(model.words), "dim"),)
        top.say(self._title, nothing, stand)
        shown.show(self._items(), one_line(model.words))

    def _items(self) -> list[Item]:
        model, matrix = self._model, self._model.matrix
        if matrix is None:
            return []
        plan, cells = matrix.plan, model.shown
        items = [
            Item(("told", n), partial(_lay_told, words), selectable=False)
            for n, words in enumerate(model.told)
        ]
        table = _Columns.of(cells, model.runs)
        items.append(Item("head", table.head, selectable=False, height=1))
        items += [
            Item(
                cell.question,
                partial(table.row, plan, cell, model.runs.get(cell.question)),
                height=1,
            )
            for cell in cells
        ]
        if not cells:
            words = f"no cell is {model.only}"
            items.append(Item("none", partial(_lay_told, words), selectable=False))
        items.append(Item("edits", partial(_lay_rule, self._symbols), False))
        size = max(len(factor.name) for factor in plan.factors)
        items += [
            Item(
                ("edit", number),
                partial(_lay_factor, number, factor.name, one_line(factor.label), size),
                selectable=False,
                height=1,
            )
            for number, factor in enumerate(plan.factors, 1)
        ]
        return items

    # --- Keys ------------------------------------------------------------------------

    def action_sort(self) -> None:
        """Another order."""
        self._model.next_sort()

    def action_only(self) -> None:
        """Other cells."""
        self._model.next_filter()

    def action_vary(self) -> None:
        """Combine something else."""
        self._model.vary()

    @on(ItemList.Chosen)
    def _chosen(self, message: ItemList.Chosen) -> None:
        message.stop()
        self._choose(is_sent=False)

    def action_send(self) -> None:
        self._choose(is_sent=True)

    def _choose(self, *, is_sent: bool) -> None:
        question, matrix = self.list_.key, self._model.matrix
        if matrix is None or not isinstance(question, frozenset):
            self.notify("there is no cell under the cursor yet", markup=False)
            return
        cell = matrix.cell(question)
        if cell is not None and cell.outcome is MatrixOutcome.CONFLICT:
            self.notify(cell.error, title="Conflict", severity="warning", markup=False)
            return
        self.dismiss(
            ChosenCell(
                edits=matrix.plan.edits(question),
                title=matrix.plan.title(question),
                is_sent=is_sent,
            )
        )

    def action_back(self) -> None:
        """Stop asking, else leave."""
        if not self._model.cancel():
            self.dismiss(None)

    def action_leave(self) -> None:
        self.dismiss(None)


def _lay_told(words: str, cells: int) -> Sequence[Line]:
    return wrap([Span(words, "accent")], cells - 1)


@dataclass(frozen=True, slots=True)
class _Columns:
    """Widths in cells, of what is shown."""

    name: int
    simulator: int
    rules: int
    sent: int
    """0 where no cell was sent."""

    @classmethod
    def of(cls, shown: Sequence[MatrixCell], runs: Mapping[Question, Run]) -> _Columns:
        sent = [sent_words(runs.get(cell.question)) for cell in shown]
        return cls(
            max([len("on"), *(len(cell.name) for cell in shown)]),
            max([len("simulator"), *(len(simulator_words(cell)) for cell in shown)]),
            max([len("rules"), *(len(_rules_said(cell)) for cell in shown)]),
            max(map(len, sent), default=0),
        )

    def head(self, cells: int) -> list[Line]:
        """What stands in the columns: edits that are on are named last."""
        words = ("on", "outcome", "simulator", "rules", "sent", "edits that are on")
        return [self._lay([Span(word, "dim") for word in words], cells)]

    def row(
        self, plan: MatrixPlan, cell: MatrixCell, run: Run | None, cells: int
    ) -> list[Line]:
        """ "1+2  accepted  200  accept  run 3: 200  CPC-1 + CPC-2"; in place of the
        names why it is unclear."""
        on = one_line(cell.why or plan.names(cell.question) or "none: as recorded")
        spans = (
            Span(cell.name, "bold"),
            Span(str(cell.outcome), _INKS[cell.outcome]),
            Span(simulator_words(cell)),
            Span(_rules_said(cell), "warn" if cell.differs else ""),
            Span(sent_words(run)),
            Span(on, "dim"),
        )
        return [self._lay(spans, cells)]

    def _lay(self, spans: Sequence[Span], cells: int) -> Line:
        widths = (self.name, _OUTCOME, self.simulator, self.rules, self.sent)
        laid = [
            column(span.text, width + 2, span.ink)
            for span, width in zip(spans, widths, strict=False)
            if width
        ]
        return fit((*laid, spans[-1]), cells)


_OUTCOME = max(map(len, MatrixOutcome))


def _rules_said(cell: MatrixCell) -> str:
    is_asked = cell.outcome is not MatrixOutcome.CONFLICT
    return rules_words(cell.rules) if is_asked else ""


def _lay_rule(symbols: Symbols, cells: int) -> list[Line]:
    return [line((symbols.rule * cells, "faint"))]


def _lay_factor(
    number: int, name: str, label: str, size: int, cells: int
) -> list[Line]:
    head = line(f"{number:<3}  ", column(name, min(size, cells // 2), "bold"), "  ")
    return [fit((*head, Span(label, "dim")), cells)]
