"""The glyphs of the JSON pane that the other panes have no use for."""

from __future__ import annotations

from dataclasses import dataclass

from sigscope.tui.symbols import Symbols


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """One set; every entry is one cell wide."""

    on: str
    off: str
    changed: str
    """An edit replaces the value."""
    ellipsis: str
    line_end: str
    """A line feed."""
    same: str
    differs: str
    gap: str
    """Rows that are left out."""


UNICODE = Signs(
    on="☑",
    off="☐",
    changed="◩",
    ellipsis="…",
    line_end="␊",
    same=" ",
    differs="~",
    gap="┄",
)

ASCII = Signs(
    on="x",
    off="-",
    changed="%",
    ellipsis="~",
    line_end="$",
    same=" ",
    differs="~",
    gap="-",
)


def signs_for(symbols: Symbols) -> Signs:
    """The set that goes with the symbols of the screen."""
    return ASCII if symbols.ascii else UNICODE
