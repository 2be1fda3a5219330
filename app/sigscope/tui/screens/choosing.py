"""A dialog that lets one choose from a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from sigscope.tui.itemlist import Item, ItemList
from sigscope.tui.screens.dialog import Dialog


class Choosing(Dialog[str]):
    """Shows items; answers the key of the chosen one."""

    DEFAULT_CSS = """
    Choosing > .box { height: auto; max-height: 80%; width: 100; padding: 1 1 1 2; }
    Choosing > ItemList { background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "close", "Close", False, id="choosing.close",
                tooltip="Close without choosing"),
    ]  # fmt: skip

    def __init__(self, title: str, items: Sequence[Item], note: str = "") -> None:
        super().__init__()
        self._title = title
        self._items = items
        self._note = note

    def compose(self) -> ComposeResult:
        """One list."""
        listed = ItemList(classes="box")
        listed.border_title = self._title
        listed.border_subtitle = "enter chooses · esc closes"
        yield listed

    def on_mount(self) -> None:
        """Fill it."""
        listed = self.query_one(ItemList)
        listed.styles.height = min(len(self._items), 24) + 4
        listed.show(self._items, note=self._note)

    @on(ItemList.Chosen)
    def _chosen(self, message: ItemList.Chosen) -> None:
        message.stop()
        self.dismiss(str(message.key))
