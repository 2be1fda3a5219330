"""What a screen says where there is no room for it."""

from __future__ import annotations

from textual.geometry import Size
from textual.widgets import Static

from sigscope.tui.screens.arrangement import LEAST


class TooSmall(Static):
    """Stands on a screen, not shown; the screen's style sheet shows it, and hides all
    else, while the screen has the class `-tiny`."""

    DEFAULT_CSS = """
    TooSmall { display: none; }
    .-tiny > TooSmall {
        display: block;
        width: 100%;
        height: 100%;
        content-align: center middle;
        text-align: center;
        color: $ink-dim;
    }
    """
    SCOPED_CSS = False

    def judge(self, size: Size) -> bool:
        """Say so, if the size is too small; tell whether it is."""
        is_small = size.width < LEAST[0] or size.height < LEAST[1]
        self.screen.set_class(is_small, "-tiny")
        if is_small:
            small = f"{size.width}×{size.height} is too small; sigscope needs"
            self.update(f"{small}\n{LEAST[0]}×{LEAST[1]} at least")
        return is_small
