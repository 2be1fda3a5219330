"""Choosing the colours: what is under the cursor is put on at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.theme import Theme

from sigscope.tui.itemlist import ItemList
from sigscope.tui.itemstack import Item
from sigscope.tui.keymap import key_on
from sigscope.tui.lines import Line, Span, column, cut, fit, line
from sigscope.tui.screens.dialog import Dialog


class ThemeList(ItemList):
    NAME = "Themes"
    EMPTY = "no themes could be read; `sigscope doctor` says why"
    HELP = (
        "The theme under the cursor is put on at once. Your own are TOML files in the"
        " folder `themes` of the config folder; a file you save while sigscope runs is"
        " put on again."
    )


class ThemeDialog(Dialog[str]):
    """Answers the name of the chosen theme; None leaves the one there was."""

    DEFAULT_CSS = """
    ThemeDialog {
        align: right top;
        background: transparent;
        & > .box { height: auto; width: 46; max-height: 100%; padding: 0 1;
                   margin: 1 1 0 0; }
        & > ItemList { background: $surface; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "close", "Close", False, id="themes.close",
                tooltip="Keep the theme there was"),
    ]  # fmt: skip

    def __init__(self, themes: Sequence[Theme], now: str, own: frozenset[str]) -> None:
        super().__init__()
        self._themes = themes
        self._before = now
        self._own = own

    def compose(self) -> ComposeResult:
        listed = ThemeList(classes="box")
        listed.border_title = "Theme"
        listed.border_subtitle = self.ways(
            f"{key_on(listed, 'list.choose')} keeps", closes="as before"
        )
        yield listed

    def on_mount(self) -> None:
        """Fill it; the cursor begins on the theme that is on."""
        self.list_again(self._themes)

    def list_again(self, themes: Sequence[Theme]) -> None:
        """Show these: a file was added, or one has gone."""
        self._themes = themes
        size = max((len(theme.name) for theme in themes), default=0)
        listed = self.query_one(ThemeList)
        listed.styles.height = min(len(themes), 20) + 2
        first = listed.key is None
        listed.show(
            [Item(theme.name, partial(self._lay, theme, size)) for theme in themes]
        )
        if first:
            listed.select(self._before)

    def _lay(self, theme: Theme, size: int, cells: int) -> list[Line]:
        kind = "the terminal's" if theme.ansi else "dark" if theme.dark else "light"
        own = (Span("  yours", "accent"),) if theme.name in self._own else ()
        name = column(cut(theme.name, 24), min(size, 24), "bold")
        return [fit((name, *line("  ", (kind, "dim")), *own), cells)]

    @on(ItemList.Moved)
    def _moved(self, message: ItemList.Moved) -> None:
        message.stop()
        self.app.theme = str(message.key)

    @on(ItemList.Chosen)
    def _chosen(self, message: ItemList.Chosen) -> None:
        message.stop()
        self.app.theme = str(message.key)
        self.dismiss(str(message.key))

    def action_close(self) -> None:
        """As before."""
        if self._before in self.app.available_themes:
            self.app.theme = self._before
        self.dismiss(None)
