"""An app around a screen, and walks to show in it."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from textual.app import App
from textual.screen import Screen

from sigscope.engine.engine import Engine
from sigscope.reader import Reading
from sigscope.tui.lineview import LineView
from sigscope.tui.stepthrough.walk import Walk
from sigscope.tui.themes import fallbacks, read_theme
from sigscope.tui.views.palette import Palette

ROOT = Path(__file__).parents[3]


class Harness(App[Any]):
    """Shows one screen; keeps what it answers."""

    CSS_PATH = str(ROOT / "app" / "sigscope" / "tui" / "app.tcss")

    def __init__(self, screen: Screen[Any], theme: str = "sigscope-dark") -> None:
        super().__init__()
        self._shown = screen
        self._theme_name = theme
        self.answer: Any = None
        self.register_theme(read_theme(ROOT / "themes" / f"{theme}.toml"))

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return fallbacks(self.current_theme)

    def on_mount(self) -> None:
        self.theme = self._theme_name
        self.push_screen(self._shown, self._keep)

    def _keep(self, answer: Any) -> None:
        self.answer = answer


def walk_of(*readings: Reading, **more: Any) -> Walk:
    return Walk(title="a walk", readings=readings, **more)


@functools.cache
def bundled(name: str) -> Walk:
    document = Engine().open(str(ROOT / "sessions" / f"{name}.session.jsonl"))
    return Walk(
        title=name,
        readings=document.readings,
        refusals=document.refusals,
        palette=Palette.of(document.ledger.signatures),
    )


def text_of(widget: LineView) -> str:
    """What a list shows, line by line."""
    lines = [widget.render_line(y).text.rstrip() for y in range(widget.size.height)]
    return "\n".join(lines)
