"""A dialog that lets one choose from a list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from sigscope.tui.finder import Finder
from sigscope.tui.itemlist import ItemList
from sigscope.tui.itemstack import Item
from sigscope.tui.keymap import key_on
from sigscope.tui.screens.dialog import Dialog
from sigscope.tui.symbols import UNICODE, Symbols

MOST = 24
"""Lines of the list; more scroll."""


class ChoiceDialog(Dialog[str]):
    """Shows items; answers the key of the chosen one."""

    DEFAULT_CSS = """
    ChoiceDialog {
        & > .box { width: 100; max-height: 90%; padding: 1 1 0 2; }
        ItemList { background: $surface; }
        #more { height: 3; margin-top: 1; padding-right: 1; color: $ink-dim; }
        #ask { dock: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "Search", False, id="choosing.search",
                tooltip="Search the list"),
        Binding("n", "search_next(1)", "Next", False, id="choosing.next",
                tooltip="Next hit"),
        Binding("N", "search_next(-1)", "Previous", False, id="choosing.previous",
                tooltip="Previous hit"),
        Binding("q", "close", "Close", False, id="choosing.close",
                tooltip="Close without choosing"),
    ]  # fmt: skip

    finder = getters.query_one(Finder)

    def __init__(
        self,
        title: str,
        items: Sequence[Item],
        *,
        note: str = "",
        more: Mapping[str, str] | None = None,
        symbols: Symbols = UNICODE,
    ) -> None:
        super().__init__()
        self._title = title
        self._items = items
        self._more = more or {}
        """What is said of the item under the cursor, by key."""
        self._note = note
        self._dot = f" {symbols.dot} "

    def compose(self) -> ComposeResult:
        """The list, and what is said of the item under the cursor."""
        with Vertical(classes="box") as box:
            box.border_title = self._title
            listed = ItemList()
            box.border_subtitle = self.ways(
                f"{key_on(listed, 'list.choose')} chooses",
                f"{key_on(self, 'choosing.search')} searches",
                dot=self._dot,
            )
            yield listed
            yield Static("", id="more", markup=False)
            yield Finder(id="ask")

    def on_mount(self) -> None:
        listed = self.query_one(ItemList)
        self.query_one("#more").display = bool(self._more)
        least = self.app.size.height * 9 // 10 - 7
        listed.styles.height = max(3, min(len(self._items) or 1, MOST, least))
        listed.show(self._items, note=self._note)
        self._tell()

    @on(ItemList.Moved)
    def _moved(self, message: ItemList.Moved) -> None:
        message.stop()
        self._tell()

    def _tell(self) -> None:
        key = self.query_one(ItemList).key
        self.query_one("#more", Static).update(self._more.get(str(key), ""))

    @on(ItemList.Chosen)
    def _chosen(self, message: ItemList.Chosen) -> None:
        message.stop()
        self.dismiss(str(message.key))

    def action_search(self) -> None:
        self.finder.ask_in(self.query_one(ItemList))

    def action_search_next(self, by: int) -> None:
        """To the next or previous hit."""
        self.finder.step(by)

    def action_close(self) -> None:
        """Forget what is searched for; then close."""
        if not self.finder.end():
            super().action_close()
