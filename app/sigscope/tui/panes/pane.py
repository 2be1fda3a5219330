"""What every pane has: a number, a name, symbols, figures in its border."""

from __future__ import annotations

import re
from typing import ClassVar, Self

from textual.geometry import Region
from textual.reactive import var

from sigscope.tui.borderlines import border_lines
from sigscope.tui.itemlist import ItemList
from sigscope.tui.symbols import UNICODE, Symbols


class Pane(ItemList):
    """A list in a border: "1 Steps" above, figures below."""

    NUMBER: ClassVar[int] = 0
    NAME: ClassVar[str] = ""

    symbols: var[Symbols] = var(UNICODE, init=False)

    def on_mount(self) -> None:
        """Say what this is."""
        self.border_title = f"{self.NUMBER} {self.NAME}"

    def watch_symbols(self, symbols: Symbols) -> None:
        """Draw with other glyphs."""
        self.bar_glyph = symbols.bar
        self.rebuild()

    def rebuild(self) -> None:
        """Make the items anew."""

    def say(self, figures: str) -> None:
        """Put figures into the lower border, after how a search stands."""
        self._figures = figures
        said = " · ".join(filter(None, (self.found, figures)))
        if said != self._said:
            self._said, self._is_saying = said, True
            try:
                self.border_subtitle = said
            finally:
                self._is_saying = False

    _figures = _said = ""
    _is_saying = False
    """Whether nothing but words in the border are set just now."""

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Of other words in the border nothing but the border is painted."""
        if self._is_saying and not regions and not layout and not recompose:
            regions = border_lines(self)
        return super().refresh(
            *regions, repaint=repaint, layout=layout, recompose=recompose
        )

    def tell_found(self, pattern: re.Pattern[str] | None, words: str) -> None:
        """Say it in the border."""
        super().tell_found(pattern, words)
        self.say(self._figures)
