"""Two requests side by side; what differs can be carried over as edits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.worker import Worker, WorkerState, get_current_worker

from sigscope.comparison import NOTHING, ComparedRow, Comparison, Mask, joined
from sigscope.edits.records import Edit
from sigscope.engine.engine import Engine
from sigscope.engine.sessions.document import Document
from sigscope.errors import SigscopeError
from sigscope.records import dataclass
from sigscope.tui import figures
from sigscope.tui.finder import Finder
from sigscope.tui.itemlist import ItemList
from sigscope.tui.panes.comparison import ComparisonList
from sigscope.tui.panes.keyline import KeyLine
from sigscope.tui.panes.oneliners import OneLine
from sigscope.tui.panes.toosmall import TooSmall
from sigscope.tui.picks import (
    Pick,
    around_picks,
    compare_picks,
    masks_words,
    next_masks,
    signature_inks,
)
from sigscope.tui.screens.comparewith import Picker
from sigscope.tui.screens.sidescreen import SideScreen
from sigscope.tui.study import glances
from sigscope.tui.symbols import UNICODE, Symbols
from sigscope.tui.views.compareheads import Heads, lay_foot, lay_head, lay_titles
from sigscope.tui.views.facts import StepFacts
from sigscope.tui.views.headline import name_of
from sigscope.tui.views.palette import Palette

Asked = tuple[Pick, frozenset[Mask]]
"""What was to be compared with, and what masked."""


class CompareHead(OneLine):
    """What is compared, and how many differences there are."""

    def spans(self, cells: int) -> Any:
        assert isinstance(self.screen, CompareScreen)
        return lay_head(self.screen.heads, cells, self.symbols)


class TitleLine(OneLine):
    """The heads of both columns."""

    DEFAULT_CSS = "TitleLine { background: $background; padding: 0 2; }"

    def spans(self, cells: int) -> Any:
        assert isinstance(self.screen, CompareScreen)
        return lay_titles(self.screen.heads, cells, self.symbols)


class CompareFoot(OneLine):
    """Pointers of the row under the cursor, which difference it is, what is masked."""

    def spans(self, cells: int) -> Any:
        assert isinstance(self.screen, CompareScreen)
        return lay_foot(self.screen.heads, cells, self.symbols)


class CompareScreen(SideScreen[Any]):
    """Compares the request on show with another one. Its answer is the edits of the
    left request that are on when it is left."""

    HELP = "What differs between two requests, and the way from one to the other."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "difference(1)", "Next", id="compare.next",
                tooltip="Next difference; next hit while searching"),
        Binding("N", "difference(-1)", "Previous", False, id="compare.previous",
                tooltip="Previous difference; previous hit while searching"),
        Binding("m", "mask", "Mask", id="compare.mask",
                tooltip="Mask text and ids, then signatures too, then nothing"),
        Binding("c", "compare_with", "With …", id="compare.with",
                tooltip="Choose the step, run or session to compare with"),
        Binding("right_curly_bracket", "other_step(1)", "Step", id="compare.step-next",
                tooltip="Compare with the next step"),
        Binding("left_curly_bracket", "other_step(-1)", "Step", False,
                id="compare.step-previous", tooltip="Compare with the previous step"),
        Binding("a", "take_all", "All as edits", False, id="compare.take-all",
                tooltip="Switch all differences on, or off, as edits of the left"),
        Binding("slash", "search", "Search", False, id="compare.search",
                tooltip="Search the rows on show"),
        Binding("escape,q", "back", "Back", id="compare.back",
                tooltip="Back to the debugger, with the edits that are on"),
    ]  # fmt: skip

    finder = getters.query_one(Finder)

    @dataclass
    class Compared(Message):
        """The comparison is made."""

        comparison: Comparison
        asked: Asked
        around: str = ""

    @dataclass
    class Failed(Message):
        """There is nothing to compare."""

        problem: str
        asked: Asked

    def __init__(
        self,
        engine: Engine,
        left: Pick,
        right: Pick | None,
        *,
        edits: Sequence[Edit] = (),
        facts: Sequence[StepFacts] = (),
        palette: Palette | None = None,
        symbols: Symbols = UNICODE,
    ) -> None:
        super().__init__(symbols=symbols)
        self._engine = engine
        self._left = left
        self._right = right
        self._before = tuple(edits)
        self.edits = tuple(edits)
        """Edits of the left request that are on."""
        self._facts = facts or glances(left.document)
        self._palette = palette
        self.masks: frozenset[Mask] = NOTHING
        self._around = ""
        """What differs around the bodies, in words."""
        self.heads = Heads(session=self._session, left=left.title)

    @property
    def documents(self) -> tuple[Document, ...]:
        """Those that are compared."""
        sides = self._left, self._right
        return tuple(side.document for side in sides if side is not None)

    @property
    def _session(self) -> str:
        return name_of(self._left.document.session)

    # --- What is there ---------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Head, columns, foot."""
        yield CompareHead()
        yield TitleLine()
        yield ComparisonList(classes="pane")
        yield Finder(id="ask")
        yield CompareFoot()
        yield KeyLine()
        yield TooSmall()

    @property
    def rows(self) -> ComparisonList:
        return self.query_one(ComparisonList)

    def on_mount(self) -> None:
        for one in self.query(OneLine):
            one.symbols = self._symbols
        self.rows.symbols = self._symbols
        self.rows.border_title = "Compare"
        self.rows.focus()
        if self._right is None:
            self.action_compare_with()
        else:
            self._begin(self._right)

    def adapt(self) -> None:
        """The titles stand above columns only where there are columns."""
        self.call_after_refresh(self._tell)

    # --- Comparing -------------------------------------------------------------------

    def _begin(self, right: Pick) -> None:
        self._right = right
        self._compare(right, self.masks)

    @work(thread=True, exclusive=True, group="compare", description="compare")
    def _compare(self, right: Pick, masks: frozenset[Mask]) -> None:
        asked = (right, masks)
        try:
            comparison = compare_picks(self._left, *asked)
            around = around_picks(self._left, right)
            found: Message = self.Compared(comparison, asked, around)
        except SigscopeError as error:
            found = self.Failed(str(error), asked)
        if not get_current_worker().is_cancelled:
            self.post_message(found)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """It failed, which the application tells."""
        event.stop()
        if event.worker.group == "compare" and event.state is WorkerState.ERROR:
            self.rows.comparison = None
            self.rows.show([], note="they could not be compared")
            self._tell()

    @on(Compared)
    def _compared(self, message: Compared) -> None:
        message.stop()
        if message.asked != (self._right, self.masks):
            return  # overtaken
        comparison, rows = message.comparison, self.rows
        is_first = rows.comparison is None
        self._around = message.around
        rows.inks = signature_inks(comparison, self._palette)
        rows.taken = self._taken(comparison)
        rows.show_comparison(comparison)
        if is_first:
            self._go(comparison.following(None, 1))
        self._tell()

    @on(Failed)
    def _failed(self, message: Failed) -> None:
        message.stop()
        if message.asked != (self._right, self.masks):
            return
        self.rows.comparison = None
        self.rows.show([], note=message.problem)
        self._tell()

    def action_mask(self) -> None:
        """Mask more, or nothing again."""
        self.masks = next_masks(self.masks)
        if self._right is not None:
            self._compare(self._right, self.masks)

    @work(exclusive=True, group="ask")
    async def action_compare_with(self) -> None:
        """Choose what stands on the right."""
        picker = Picker(self.app, self._engine, self._symbols)
        chosen = await picker.pick(self._left, self._facts)
        if chosen is not None:
            self._begin(chosen)
        elif self._right is None:
            self.action_back()

    def action_other_step(self, by: int) -> None:
        """Compare with the step after, or before, the one on the right."""
        right = self._right
        if right is None:
            return
        numbers = [step.number for step in right.document.steps]
        at = numbers.index(right.step) + by
        if 0 <= at < len(numbers):
            self._begin(Pick(document=right.document, step=numbers[at]))
        else:
            self.notify("there is no further step", timeout=2)

    # --- Differences -----------------------------------------------------------------

    def action_difference(self, by: int) -> None:
        """To the next or previous difference, around the end."""
        if self.finder.search is not None:
            self.finder.step(by)
            return
        comparison = self.rows.comparison
        if comparison is None or not comparison.differences:
            self.notify(
                f"nothing differs{self._in_the_bodies}", timeout=2, markup=False
            )
            return
        self._go(self._ahead(comparison, by))

    def _ahead(self, comparison: Comparison, by: int) -> ComparedRow | None:
        """The difference after, or before, the cursor, wherever that is."""
        here = self.rows.row_here
        if here in comparison.differences:
            return comparison.following(here, by)
        order = {id(row): at for at, row in enumerate(_all(comparison.root))}
        at = order.get(id(here), -1)
        found = comparison.differences[:: 1 if by > 0 else -1]
        for row in found:
            if (order[id(row)] - at) * by > 0:
                return row
        return found[0]

    def _go(self, row: ComparedRow | None) -> None:
        if row is not None:
            self.rows.go_to_row(row)
            self._tell()

    # --- Edits -----------------------------------------------------------------------

    def _taken(self, comparison: Comparison) -> frozenset[ComparedRow]:
        on = set(self.edits)
        return frozenset(
            row
            for row in comparison.differences
            for edits in [comparison.edits(row, "left")]
            if edits and set(edits) <= on
        )

    @on(ComparisonList.Switched)
    def _switched(self, message: ComparisonList.Switched) -> None:
        message.stop()
        comparison = self.rows.comparison
        if comparison is not None:
            self._switch(comparison.edits(message.row, "left"), message.row)

    def action_take_all(self) -> None:
        """Switch all differences on, or off."""
        comparison = self.rows.comparison
        if comparison is not None:
            self._switch(comparison.all_edits("left"), comparison.root)

    @property
    def edits_carried(self) -> tuple[Edit, ...]:
        """Edits of the request on the left that go with the user when they leave."""
        return self.edits

    def _switch(self, edits: tuple[Edit, ...], row: ComparedRow) -> None:
        if not edits:
            words = "nothing differs here"
            if row.is_difference:
                words = f"the left request has no place for it: {row.right_place}"
            self.notify(words, timeout=4, markup=False)
            return
        if set(edits) <= set(self.edits):
            self.edits = tuple(edit for edit in self.edits if edit not in edits)
        else:
            self._switch_on(edits)
        comparison = self.rows.comparison
        assert comparison is not None
        self.rows.taken = self._taken(comparison)
        self.rows.rebuild()
        self._tell()

    def _switch_on(self, edits: tuple[Edit, ...]) -> None:
        comparison = self.rows.comparison
        assert comparison is not None
        named = [replace(edit, label=self._label(edit)) for edit in edits]
        try:
            self.edits, gone = joined(self.edits, named, comparison.left.text)
        except SigscopeError as error:
            self.notify(str(error), severity="error", timeout=8, markup=False)
            return
        if gone:
            count = figures.count(len(gone), "edit")
            self.notify(f"{count} of the same place switched off", timeout=4)

    def _label(self, edit: Edit) -> str:
        return f"{edit.pointer.rpartition('/')[2]} as in {self._right_title()}"

    def _right_title(self) -> str:
        return self._right.title if self._right else ""

    # --- Saying it -------------------------------------------------------------------

    @on(ItemList.Moved)
    def _moved(self, message: ItemList.Moved) -> None:
        message.stop()
        self._tell()

    def _tell(self) -> None:
        rows = self.rows
        comparison, here = rows.comparison, rows.row_here
        differences = comparison.differences if comparison else ()
        self.heads = Heads(
            session=self._session,
            left=comparison.left.title if comparison else self._left.title,
            right=comparison.right.title if comparison else self._right_title(),
            is_stacked=rows.is_stacked,
            is_known=comparison is not None,
            differences=len(differences),
            around=self._around,
            at=differences.index(here) + 1 if here in differences else 0,
            left_place=here.left_place if here and here.left else "",
            right_place=here.right_place if here and here.right else "",
            masks=masks_words(self.masks),
            edits=len(self.edits),
            search=rows.found,
        )
        rows.border_subtitle = self._subtitle(comparison)
        for one in self.query(OneLine):
            one.refresh()

    def _subtitle(self, comparison: Comparison | None) -> str:
        if comparison is None:
            return ""
        around = self._around
        if not comparison.differences:
            hint = (
                f" but what is masked: {masks_words(self.masks)}" if self.masks else ""
            )
            none = f"nothing differs{self._in_the_bodies}{hint}"
            return " · ".join(filter(None, (none, around)))
        ops = [row.op.value for row in comparison.differences]
        words = [f"{ops.count(op)} {op}" for op in dict.fromkeys(ops)]
        return " · ".join(filter(None, (*words, around)))

    @property
    def _in_the_bodies(self) -> str:
        return " in the bodies" if self._around else ""

    # --- Searching -------------------------------------------------------------------

    def action_search(self) -> None:
        """Search the rows on show."""
        self.finder.ask_in(self.rows)

    # --- Leaving ---------------------------------------------------------------------

    def action_back(self) -> None:
        """Forget a search; else back, with the edits."""
        if self.finder.end():
            return
        changed = self.edits if self.edits != self._before else None
        self.dismiss(changed)


def _all(row: ComparedRow) -> list[ComparedRow]:
    return [row, *(found for below in row.below for found in _all(below))]
