"""Pane 3: the conversation, as it was sent and answered."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from functools import partial
from typing import Any, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.reactive import var

from sigscope.tui import figures
from sigscope.tui.itemlist import Item, ItemList
from sigscope.tui.lines import Line, fit, line
from sigscope.tui.panes.pane import Pane
from sigscope.tui.selection import Selection
from sigscope.tui.symbols import Symbols
from sigscope.tui.views.blockplaces import BlockPlaces
from sigscope.tui.views.chat import Block, chat_blocks
from sigscope.tui.views.chatlines import FOLDABLE, is_folded_at_first, lay_block
from sigscope.tui.views.outcome import Outcome
from sigscope.tui.views.palette import Palette
from sigscope.tui.views.studied import Overview, Shown

Look = tuple[Block, bool, bool]
"""A block, whether it is folded, whether it is the first one."""


MOST_BLOCKS = 400
"""Blocks that are laid out at once, and with each call for more. A history may have
tens of thousands."""
EARLIER, LATER = "earlier", "later"
"""Keys of the rows above and below those that are laid out."""


NO_STEPS = "no steps yet; a request that is recorded appears here at once"


class ChatPane(Pane):
    """Shows the conversation of `shown`; keys are those of blocks."""

    NUMBER = 3
    NAME = "Chat"
    MARK = "bar"
    EMPTY = "no conversation"
    HELP = (
        "The history as this request sent it, then the answer or the error. Thoughts,"
        " results and the system prompt are folded: enter, space, l and h open and"
        " close them. A diamond with an id is a signature beside what it signs; a"
        " hollow one should be there and is not."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "fold", "Fold", id="chat.fold",
                tooltip="Open or close what is under the cursor"),
        Binding("l,right", "unfold", "Unfold", False, id="chat.unfold",
                tooltip="Open what is under the cursor"),
        Binding("h,left", "close", "Close", False, id="chat.close",
                tooltip="Close what is under the cursor"),
        Binding("L", "unfold_all(True)", "Open all", False, id="chat.unfold-all",
                tooltip="Open every thought, call and result"),
        Binding("H", "unfold_all(False)", "Close all", False, id="chat.close-all",
                tooltip="Close them again"),
    ]  # fmt: skip

    overview: var[Overview | None] = var(None, init=False)
    shown: var[Shown | None] = var(None, init=False)
    selection: var[Selection | None] = var(None, init=False)
    outcome: var[Outcome | None] = var(None, init=False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._blocks: tuple[Block, ...] = ()
        self._by_key: dict[str, Block] = {}
        self._places = BlockPlaces(())
        self._folds: dict[str, bool] = {}
        self._window = slice(0, 0)
        """Which blocks are laid out."""
        self._kept: dict[Look, Item] = {}

    def watch_overview(self) -> None:
        """Colours are known now."""
        self._kept = {}
        self.rebuild()

    def watch_shown(self) -> None:
        """Another conversation."""
        self._window = slice(0, 0)
        self.rebuild()

    def watch_outcome(self) -> None:
        """What was sent is known, or other edits are on."""
        self.rebuild()

    def watch_symbols(self, symbols: Symbols) -> None:
        """Draw with other glyphs."""
        self._kept = {}
        super().watch_symbols(symbols)

    def watch_selection(self, selection: Selection | None) -> None:
        """The cursor follows, unless it stands on such a place already."""
        self._follow(selection)

    def block(self, key: object) -> Block | None:
        return self._by_key.get(str(key))

    def rebuild(self) -> None:
        """An item for each block; what was laid out before is kept."""
        shown, overview = self.shown, self.overview
        if shown is None or overview is None:
            self._blocks, self._places = (), BlockPlaces(())
            is_empty = overview is not None and not overview.facts
            self.show([], note=NO_STEPS if is_empty else "reading …")
            self.say("")
            return
        facts = {fact.number: fact for fact in overview.facts}
        self._blocks = chat_blocks(shown, facts, outcome=self.outcome)
        self._by_key = {block.key: block for block in self._blocks}
        self._places = BlockPlaces(self._blocks)
        kept: dict[Look, Item] = {}
        items: list[Item] = []
        if not self._window.stop:
            # The end is where the conversation is at.
            self._window = self._window_at(len(self._blocks))
        before, after = self._outside
        if before:
            items.append(Item(EARLIER, partial(self._lay_rest, len(before), EARLIER)))
        for number, block in enumerate(self._blocks[self._window]):
            look = (block, self.is_folded(block), number == 0)
            item = self._kept.get(look) or Item(
                block.key, partial(self._lay, look, overview.palette)
            )
            kept[look] = item
            items.append(item)
        if after:
            items.append(Item(LATER, partial(self._lay_rest, len(after), LATER)))
        self._kept = kept
        self.show(items)
        self._follow(self.selection)
        where = f"run {shown.run} of step" if shown.is_run else "as sent in step"
        if self.outcome is not None:
            where = f"as sent in run {self.outcome.run.number} of step"
        self.say(f"{where} {shown.step}")

    def _lay(self, look: Look, palette: Palette, cells: int) -> list[Line]:
        block, folded, first = look
        return lay_block(
            block, cells, self.symbols, palette, folded=folded, first=first
        )

    @property
    def _outside(self) -> tuple[Sequence[Block], Sequence[Block]]:
        """Blocks before and after those that are laid out."""
        return self._blocks[: self._window.start], self._blocks[self._window.stop :]

    def _window_at(self, middle: int) -> slice:
        last = max(0, len(self._blocks) - MOST_BLOCKS)
        start = min(max(0, middle - MOST_BLOCKS // 2), last)
        return slice(start, start + MOST_BLOCKS)

    def _lay_rest(self, count: int, where: str, cells: int) -> list[Line]:
        words = f"{figures.count(count, f'{where} part')}; space shows more of them"
        return [fit(line((f"{self.symbols.folded} {words}", "dim")), cells)]

    def _widen(self, where: object) -> bool:
        """Lay out more at one end. False if the row is none of the two."""
        window = self._window
        if where == EARLIER:
            self._window = slice(max(0, window.start - MOST_BLOCKS), window.stop)
        elif where == LATER:
            self._window = slice(window.start, window.stop + MOST_BLOCKS)
        else:
            return False
        self.rebuild()
        return True

    def _reach(self, block: Block) -> None:
        """See to it that a block is laid out: around it, if it was not."""
        index = self._places.number(block)
        if not self._window.start <= index < self._window.stop:
            self._window = self._window_at(index)
            self.rebuild()

    def _follow(self, selection: Selection | None) -> None:
        if selection is None or selection.place is None:
            return
        here = self.block(self.key)
        if self.has_focus and here is not None and here.place == selection.place:
            return
        block = self._places.find(selection.place, selection.signature)
        if block is not None:
            self._reach(block)
            self.select(block.key)

    # --- Searching -------------------------------------------------------------------

    def text_of(self, item: Item) -> str:
        """A folded block is searched whole, and so are those not laid out."""
        if item.key in (EARLIER, LATER):
            return "\n".join(map(_told, self._outside[item.key == LATER]))
        block = self.block(item.key)
        if block is None:
            return super().text_of(item)
        return f"{_told(block)}\n{super().text_of(item)}"

    def go_to(self, key: Hashable, pattern: re.Pattern[str] | None = None) -> None:
        """What is found is laid out and unfolded."""
        if key in (EARLIER, LATER) and pattern is not None:
            find = pattern.search
            before, after = self._outside
            near = after if key == LATER else tuple(reversed(before))
            key = next((b.key for b in near if find(_told(b))), key)
        block = self.block(key)
        if block is not None:
            self._reach(block)
            self.set_fold(block, False)
        super().go_to(key)

    # --- Folding ---------------------------------------------------------------------

    def is_folded(self, block: Block) -> bool:
        """Whether it is closed: by the user's word, else by what it is."""
        return self._folds.get(block.key, is_folded_at_first(block))

    def set_fold(self, block: Block, folded: bool) -> None:
        """Open or close a block."""
        if block.kind in FOLDABLE and self.is_folded(block) is not folded:
            self._folds[block.key] = folded
            self.rebuild()

    def action_fold(self) -> None:
        """Open or close what is under the cursor."""
        if self._widen(self.key):
            return
        block = self.block(self.key)
        if block is not None:
            self.set_fold(block, not self.is_folded(block))

    def action_unfold(self) -> None:
        """Open what is under the cursor."""
        block = self.block(self.key)
        if block is not None:
            self.set_fold(block, False)

    def action_close(self) -> None:
        """Close what is under the cursor."""
        block = self.block(self.key)
        if block is not None:
            self.set_fold(block, True)

    def action_unfold_all(self, is_open: bool) -> None:
        """Open or close everything."""
        for block in self._blocks:
            if block.kind in FOLDABLE:
                self._folds[block.key] = not is_open
        self.rebuild()

    @on(ItemList.Hit)
    def _fold_by_click(self, message: ItemList.Hit) -> None:
        if message.target == "fold":
            message.stop()
            block = self.block(message.key)
            if block is not None:
                self.set_fold(block, not self.is_folded(block))


def _told(block: Block) -> str:
    return "\n".join(filter(None, (block.name, block.aside, block.text)))
