"""The two titles in the border of the pane."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content

from sigscope.tui.lines import cut
from sigscope.tui.symbols import Symbols

OTHERS = "not bold $ink-dim"
"""How the tabs look that are not on show."""
_SHORT = {
    "request": "Req",
    "response": "Res",
    "events": "Ev",
    "raw": "Raw",
    "diff": "Dif",
}


def tab_title(
    number: str, tabs: Sequence[str], shown: str, room: int, *, ascii_only: bool
) -> str:
    """Markup: "4 Request | Response | Events | Raw | Diff", the tab on show bold,
    each one a click away. Blanks go first, names only where even that does not fit."""
    bar = "|" if ascii_only else "│"
    head = f"{number} " if number else ""
    for style in ("whole", "dense", "mixed", "short", "one"):
        names = {name: _name(name, shown, style) for name in tabs}
        wide = " " if style in ("whole", "mixed") else ""
        gap = f"{wide}{bar}{wide}"
        visible = [name for name in tabs if names[name]]
        plain = head + gap.join(names[name] for name in visible)
        if cell_len(plain) <= room or style == "one":
            break
    marked = [
        f"[@click=show_tab('{name}')]"
        + (f"[b]{names[name]}[/b]" if name == shown else f"[{OTHERS}]{names[name]}[/]")
        + "[/]"
        for name in visible
    ]
    return head + f"[{OTHERS}]{gap}[/]".join(marked)


def _name(name: str, shown: str, style: str) -> str:
    whole = name.capitalize()
    if style in ("whole", "dense") or (style == "mixed" and name == shown):
        return whole
    if style == "one":
        return whole if name == shown else ""
    return _SHORT[name]


def subtitle(search: str, words: Sequence[str], room: int, symbols: Symbols) -> Content:
    """How the search stands, and `words`, the last of which is where the cursor
    is. Where they do not all fit, the first go whole; of a long path the end is what
    tells."""
    left = room - (cell_len(search) + 3 if search else 0)
    dot = f" {symbols.dot} "
    place = dot.join(words)
    while len(words) > 1 and cell_len(place) > left:
        words = words[1:]
        place = dot.join(words)
    shown = place
    if cell_len(place) > max(4, left):
        shown = "…" + _tail(place, max(4, left) - 1)
    parts = []
    if search:
        parts.append(Content.styled(_visible(cut(search, room)), "bold"))
    if shown:
        parts.append(Content(_visible(shown)))
    return Content(dot).join(parts)


def _tail(text: str, cells: int) -> str:
    while text and cell_len(text) > cells:
        text = text[1:] if len(text) < 2 * cells else text[-2 * cells :][1:]
    return text


def _visible(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)
