"""The lines around a comparison."""

from __future__ import annotations

from rich.cells import cell_len

from sigscope.records import dataclass
from sigscope.tui import figures
from sigscope.tui.lines import Line, Span, cut, pad, sides
from sigscope.tui.shown import one_line
from sigscope.tui.symbols import Symbols
from sigscope.tui.views.headline import lay_top


@dataclass(frozen=True, slots=True, kw_only=True)
class Heads:
    session: str = ""
    """What the session of the left side is called."""
    left: str = ""
    right: str = ""
    is_stacked: bool = False
    is_known: bool = False
    """Whether the comparison is made."""
    differences: int = 0
    around: str = ""
    """What differs around the bodies."""
    at: int = 0
    """Which difference the cursor is on, from 1; 0 for none."""
    left_place: str = ""
    """Pointer of the row under the cursor; empty where that side has none, and for
    the whole request."""
    right_place: str = ""
    masks: str = ""
    edits: int = 0
    """Edits of the left request that are on."""
    search: str = ""


def lay_head(heads: Heads, cells: int, symbols: Symbols) -> Line:
    """ "sigscope  name of the session      7 differences · text, ids masked" """
    words = []
    if heads.is_known and not heads.differences and not heads.around:
        words.append(Span("nothing differs", "good bold"))
    elif heads.is_known and heads.differences:
        words.append(Span(figures.count(heads.differences, "difference"), "bold"))
    if heads.around:
        words.append(Span(heads.around, "bold"))
    if heads.masks:
        words.append(Span(heads.masks, "warn"))
    if heads.edits:
        words.append(Span(figures.count(heads.edits, "edit") + " on", "good"))
    right: list[Span] = []
    for word in words:
        if right:
            right.append(Span(f" {symbols.dot} ", "dim"))
        right.append(word)
    return lay_top(heads.session, (), tuple(right), cells)


def lay_titles(heads: Heads, cells: int, symbols: Symbols) -> Line:
    """What stands left and what right."""
    if heads.is_stacked:
        room = cells - 7
        half = max(room // 2, room - cell_len(heads.right))
        left = _title(heads.left, half)
        right = _title(heads.right, room - cell_len(left))
        return (
            Span("< ", "bad bold"),
            Span(left, "bold"),
            Span("   > ", "good bold"),
            Span(right, "bold"),
        )
    half = (cells - 3) // 2
    return (
        *pad((Span(_title(heads.left, half), "bold"),), half),
        Span("   "),
        Span(_title(heads.right, half), "bold"),
    )


def _title(text: str, cells: int) -> str:
    """What stands at one side; without its last figures where there is no room."""
    words = one_line(text, 120).split(" · ")
    while len(words) > 1 and cell_len(" · ".join(words)) > cells:
        words.pop()
    return cut(" · ".join(words), cells)


def lay_foot(heads: Heads, cells: int, symbols: Symbols) -> Line:
    """ "/messages/2/content   /contents/1/parts/0    difference 3 of 7" """
    places = [place for place in (heads.left_place, heads.right_place) if place]
    if len(places) == 2 and places[0] == places[1]:
        places.pop()
    if heads.right_place and not heads.left_place:
        places.insert(0, symbols.nothing)
    elif heads.left_place and not heads.right_place:
        places.append(symbols.nothing)
    words = f"  {symbols.moved}  ".join(one_line(place, 200) for place in places)
    right = []
    if heads.search:
        right.append(f"search {heads.search}")
    if heads.at:
        right.append(f"difference {heads.at} of {heads.differences}")
    tail = (Span(f" {symbols.dot} ".join(right), "dim"),)
    return sides((Span(words, "accent"),), tail, cells)
