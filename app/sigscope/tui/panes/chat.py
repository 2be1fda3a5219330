"""Pane 3: the conversation, as it was sent and answered."""

from __future__ import annotations

from collections.abc import Hashable
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
from sigscope.tui.views.chat import Block, chat_blocks, find_block
from sigscope.tui.views.chatlines import FOLDABLE, is_folded_at_first, lay_block
from sigscope.tui.views.palette import Palette
from sigscope.tui.views.studied import Overview, Shown

Look = tuple[Block, bool, bool]
"""A block, whether it is folded, whether it is the first one."""


MOST_BLOCKS = 400
"""Blocks that are laid out at first, and with each call for more: the last ones, where
the conversation is at. A history may have tens of thousands."""
EARLIER = "earlier"
"""Key of the row above them."""


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

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._blocks: tuple[Block, ...] = ()
        self._by_key: dict[str, Block] = {}
        self._folds: dict[str, bool] = {}
        self._reach = MOST_BLOCKS
        """How many blocks are laid out, from the last one back."""
        self._kept: dict[Look, Item] = {}

    def watch_overview(self) -> None:
        """Colours are known now."""
        self._kept = {}
        self.rebuild()

    def watch_shown(self) -> None:
        """Another conversation."""
        self._reach = MOST_BLOCKS
        self.rebuild()

    def watch_symbols(self, symbols: Symbols) -> None:
        """Draw with other glyphs."""
        self._kept = {}
        super().watch_symbols(symbols)

    def watch_selection(self, selection: Selection | None) -> None:
        """The cursor follows, unless it stands on such a place already."""
        self._follow(selection)

    def block(self, key: object) -> Block | None:
        """The block with this key."""
        return self._by_key.get(str(key))

    def rebuild(self) -> None:
        """An item for each block; what was laid out before is kept."""
        shown, overview = self.shown, self.overview
        if shown is None or overview is None:
            self._blocks = ()
            self.show([], note="reading …")
            self.say("")
            return
        facts = {fact.number: fact for fact in overview.facts}
        self._blocks = chat_blocks(shown, facts)
        self._by_key = {block.key: block for block in self._blocks}
        kept: dict[Look, Item] = {}
        items: list[Item] = []
        hidden = len(self._hidden)
        if hidden:
            items.append(Item(EARLIER, partial(self._lay_earlier, hidden)))
        for number, block in enumerate(self._blocks[hidden:]):
            look = (block, self.is_folded(block), number == 0)
            item = self._kept.get(look) or Item(
                block.key, partial(self._lay, look, overview.palette)
            )
            kept[look] = item
            items.append(item)
        self._kept = kept
        self.show(items)
        self._follow(self.selection)
        where = f"run {shown.run} of step" if shown.is_run else "as sent in step"
        self.say(f"{where} {shown.step}")

    def _lay(self, look: Look, palette: Palette, cells: int) -> list[Line]:
        block, folded, first = look
        return lay_block(
            block, cells, self.symbols, palette, folded=folded, first=first
        )

    @property
    def _hidden(self) -> tuple[Block, ...]:
        """Blocks before those that are laid out."""
        return self._blocks[: max(0, len(self._blocks) - self._reach)]

    def _lay_earlier(self, hidden: int, cells: int) -> list[Line]:
        words = f"{figures.count(hidden, 'earlier part')}; space shows more of them"
        return [fit(line((f"{self.symbols.folded} {words}", "dim")), cells)]

    def _reach_back(self, block: Block | None) -> None:
        """Lay out as far back as this block; without one, a good deal farther."""
        reach = self._reach + MOST_BLOCKS
        if block is not None:
            reach = len(self._blocks) - self._blocks.index(block)
        if reach > self._reach:
            self._reach = reach
            self.rebuild()

    def _follow(self, selection: Selection | None) -> None:
        if selection is None or selection.place is None:
            return
        here = self.block(self.key)
        if self.has_focus and here is not None and here.place == selection.place:
            return
        block = find_block(self._blocks, selection.place, selection.signature)
        if block is not None:
            self._reach_back(block)
            self.select(block.key)

    # --- Searching -------------------------------------------------------------------

    def text_of(self, item: Item) -> str:
        """A folded block is searched whole, and so are those not laid out."""
        if item.key == EARLIER:
            return "\n".join(map(_told, self._hidden))
        block = self.block(item.key)
        if block is None:
            return super().text_of(item)
        return f"{_told(block)}\n{super().text_of(item)}"

    def go_to(self, key: Hashable) -> None:
        """What is found is laid out and unfolded."""
        if key == EARLIER and self._pattern is not None:
            find = self._pattern.search
            found = (b for b in reversed(self._hidden) if find(_told(b)))
            key = next((b.key for b in found), key)
        block = self.block(key)
        if block is not None:
            self._reach_back(block)
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
        if self.key == EARLIER:
            self._reach_back(None)
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
