"""Pane 3: the conversation, as it was sent and answered."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, ClassVar, NamedTuple

from textual import on
from textual.binding import Binding, BindingType
from textual.reactive import var

from sigscope.search.text import Pattern
from sigscope.tui.debugger.desk import Desk
from sigscope.tui.debugger.screendesk import ScreenDesk
from sigscope.tui.itemlist import ItemList
from sigscope.tui.itemstack import Item
from sigscope.tui.keymap import key_on
from sigscope.tui.panes.chatwindow import ChatWindow
from sigscope.tui.panes.pane import Pane
from sigscope.tui.selection import Selection
from sigscope.tui.symbols import Symbols
from sigscope.tui.views.blockplaces import BlockPlaces
from sigscope.tui.views.chat import Block, chat_blocks, whose_words
from sigscope.tui.views.facts import StepFacts
from sigscope.tui.views.outcome import SentOutcome
from sigscope.tui.views.shownsession import Overview, Shown

AT_ONCE = 4_000
"""Messages and parts of which blocks are made at once: a tenth of a second."""


class _Prepared(NamedTuple):
    """What is to be shown of a conversation."""

    shown: Shown
    words: str
    """Whose it is."""
    places: BlockPlaces


def _size(shown: Shown) -> int:
    if shown.reading.dialect is None:
        return 0
    messages = shown.reading.conversation.messages
    return sum(1 + len(message.parts) for message in messages)


def _waiting(facts: tuple[StepFacts, ...]) -> list[tuple[int, bool]]:
    return [(fact.number, fact.is_held) for fact in facts if fact.is_waiting]


class ChatPane(Pane):
    """Shows the conversation of `shown`; keys are those of blocks."""

    NUMBER = 3
    NAME = "Chat"
    MARK = "bar"
    EMPTY = "no conversation"
    HELP = (
        "The history as this request sent it, then the answer or the error. Thoughts,"
        " results and the system prompt are folded: {chat.fold}, {chat.unfold} and"
        " {chat.close} open and close them. A diamond with an id is a signature beside"
        " what it signs; a hollow one should be there and is not."
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
    outcome: var[SentOutcome | None] = var(None, init=False)
    facts: var[tuple[StepFacts, ...]] = var((), init=False)
    """The rows of the steps, which know what is held."""
    invitation = "no steps yet; a request that is recorded appears here at once"
    """Said while there is no step."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.window = ChatWindow(lambda: key_on(self, "chat.fold"))

    def watch_overview(self) -> None:
        """Colours are known now."""
        self.window.redraw()
        self.rebuild()

    def watch_shown(self) -> None:
        """Another conversation."""
        self.window.begin_anew()
        self.rebuild()

    def watch_outcome(self) -> None:
        """What was sent is known, or other edits are on."""
        self.rebuild()

    def watch_facts(
        self, old: tuple[StepFacts, ...], new: tuple[StepFacts, ...]
    ) -> None:
        """What is held goes on its way; else they say nothing that is shown here."""
        if _waiting(old) != _waiting(new):
            self.rebuild()

    def watch_symbols(self, symbols: Symbols) -> None:
        """Draw with other glyphs."""
        self.window.symbols = symbols
        self.window.redraw()
        super().watch_symbols(symbols)

    def watch_selection(self, selection: Selection | None) -> None:
        """The cursor follows, unless it stands on such a place already."""
        self._follow(selection)

    def block(self, key: object) -> Block | None:
        """The block with a key; None for other rows."""
        return self.window.block(key)

    def rebuild(self) -> None:
        """Make the blocks anew: in a thread where there are many."""
        shown, overview = self.shown, self.overview
        if self._desk is not None:
            self._desk.cancel("chat")
        if shown is None or overview is None:
            self.window.take(BlockPlaces(()))
            is_empty = overview is not None and not overview.facts
            self.show([], note=self.invitation if is_empty else "reading …")
            self.say("")
            return
        facts = {fact.number: fact for fact in (*overview.facts, *self.facts)}
        opens = key_on(self, "list.choose") if self.outcome else ""
        outcome = self.outcome
        words = whose_words(shown, facts.get(shown.step), outcome)

        def make() -> _Prepared:
            found = chat_blocks(shown, facts, outcome=outcome, opens=opens)
            return _Prepared(shown, words, BlockPlaces(found))

        if _size(shown) <= AT_ONCE:
            self._take(make())
            return
        if self._taken is not shown:
            self.window.take(BlockPlaces(()))
            self.show([], note="reading …")
        self._desk = self._desk or ScreenDesk(self.screen)
        self._desk.aside("chat", make, self._take, self._tell_failed)

    _taken: Shown | None = None
    """What is on show."""

    _desk: Desk | None = None
    """Where the blocks of a long conversation are made; the newest count."""

    def _tell_failed(self, words: str) -> None:
        self.show([], note="the conversation could not be laid out")

    def _take(self, made: _Prepared) -> None:
        self._taken = made.shown
        self.window.take(made.places)
        self._lay_window()
        self._follow(self.selection)
        self.say(made.words)

    def _lay_window(self) -> None:
        """An item for each block that is laid out."""
        if self.overview is not None:
            self.show(self.window.items(self.overview.palette))

    def _reach(self, block: Block) -> None:
        """See to it that a block is laid out."""
        if self.window.reach(block):
            self._lay_window()

    def _follow(self, selection: Selection | None) -> None:
        if selection is None or selection.place is None:
            return
        here = self.block(self.key)
        if self.has_focus and here is not None and here.place == selection.place:
            return
        block = self.window.find(selection.place, selection.signature)
        if block is not None:
            self._reach(block)
            self.select(block.key)

    # --- Searching -------------------------------------------------------------------

    def text_of(self, item: Item) -> str:
        """A folded block is searched whole, and so are those not laid out."""
        told = self.window.text_of(item.key)
        if told is None:
            return super().text_of(item)
        is_block = self.block(item.key) is not None
        return f"{told}\n{super().text_of(item)}" if is_block else told

    def go_to(self, key: Hashable, pattern: Pattern[str] | None = None) -> None:
        """What is found is laid out and unfolded."""
        if pattern is not None:
            key = self.window.nearest(key, pattern)
        block = self.block(key)
        if block is not None:
            self._reach(block)
            self._fold(block, False)
        super().go_to(key)

    # --- Folding ---------------------------------------------------------------------

    def _fold(self, block: Block | None, folded: bool) -> None:
        if block is not None and self.window.fold(block, folded):
            self._lay_window()
            self._follow(self.selection)

    def _flip(self, block: Block | None) -> None:
        if block is not None:
            self._fold(block, not self.window.is_folded(block))

    def action_fold(self) -> None:
        """Open or close what is under the cursor."""
        if self.window.widen(self.key):
            self._lay_window()
        else:
            self._flip(self.block(self.key))

    def action_unfold(self) -> None:
        """Open what is under the cursor."""
        self._fold(self.block(self.key), False)

    def action_close(self) -> None:
        """Close what is under the cursor."""
        self._fold(self.block(self.key), True)

    def action_unfold_all(self, is_open: bool) -> None:
        """Open or close everything."""
        self.window.fold_all(not is_open, self.block(self.key))
        self._lay_window()

    @on(ItemList.Hit)
    def _fold_by_click(self, message: ItemList.Hit) -> None:
        if message.target == "fold":
            message.stop()
            self._flip(self.block(message.key))
