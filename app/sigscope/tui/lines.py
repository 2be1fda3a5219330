"""Lines of styled text, before anybody paints them.

Views make them and tests read them; only `lineview` knows what an ink looks like. An
ink is a name ("dim", "bad", "sig-3"), or several with blanks between ("sig-3 bold").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from rich.cells import cell_len, set_cell_size

from sigscope.records import dataclass
from sigscope.search.text import Pattern

ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Span:
    """Some text in one ink."""

    text: str
    ink: str = ""
    """Names of inks; empty for the pane's own colour."""
    target: Any = None
    """What a click on it means, told to the pane; None: a click on the row."""


Line = tuple[Span, ...]
"""One row of cells, from left to right."""


class Look(NamedTuple):
    """What one line is painted from."""

    spans: Line
    row: str = ""
    """How the whole row looks: one of `lineview.ROWS`, or as usual."""


def line(*parts: str | tuple[str, str] | Span) -> Line:
    """A line of plain texts, (text, ink) pairs and spans."""
    return tuple(
        part
        if isinstance(part, Span)
        else Span(part)
        if isinstance(part, str)
        else Span(*part)
        for part in parts
    )


def plain(spans: Iterable[Span]) -> str:
    """The text alone."""
    return "".join(span.text for span in spans)


def width(spans: Iterable[Span]) -> int:
    """Cells it takes."""
    return sum(cell_len(span.text) for span in spans)


def cut(text: str, cells: int) -> str:
    """Text that fits, with an ellipsis where something was left out."""
    if cell_len(text) <= cells:
        return text
    if cells <= 0:
        return ""
    return set_cell_size(text, cells - 1).rstrip() + ELLIPSIS


def fit(spans: Sequence[Span], cells: int) -> Line:
    """A line that fits, with an ellipsis where something was left out."""
    if width(spans) <= cells:
        return tuple(spans)
    kept: list[Span] = []
    left = cells
    for span in spans:
        size = cell_len(span.text)
        if size < left:
            kept.append(span)
            left -= size
            continue
        # One cell more than there is room for, so that the cut shows.
        text = cut(span.text + " ", left) if size == left else cut(span.text, left)
        kept.append(replace(span, text=text))
        break
    return tuple(kept)


def pad(spans: Sequence[Span], cells: int) -> Line:
    """A line of at least so many cells."""
    missing = cells - width(spans)
    return (*spans, Span(" " * missing)) if missing > 0 else tuple(spans)


def sides(left: Sequence[Span], right: Sequence[Span], cells: int) -> Line:
    """Left and right end of a line; the left one is cut where both do not fit, and
    the right one is left out where it would take more than half of the line."""
    if not right or (width(right) > cells // 2 and width(left) + 2 > cells // 2):
        return fit(left, cells)
    head = fit(left, max(0, cells - width(right) - 2))
    gap = cells - width(head) - width(right)
    return (*head, Span(" " * max(0, gap)), *fit(right, cells))


def column(text: str, cells: int, ink: str = "", *, right: bool = False) -> Span:
    """A cell of a table."""
    text = cut(text, cells)
    blank = " " * (cells - cell_len(text))
    return Span(blank + text if right else text + blank, ink)


def join(lines: Iterable[Sequence[Span]], gap: str = "  ") -> Line:
    """Lines one after the other on one line."""
    found: list[Span] = []
    for spans in lines:
        if found and spans:
            found.append(Span(gap))
        found.extend(spans)
    return tuple(found)


def highlit(spans: Sequence[Span], pattern: Pattern[str] | None) -> list[Span]:
    """Spans in which what a pattern finds stands out."""
    if pattern is None:
        return list(spans)
    found: list[Span] = []
    for span in spans:
        done = 0
        for match in pattern.finditer(span.text):
            if match.start() == match.end():
                continue
            if match.start() > done:
                found.append(replace(span, text=span.text[done : match.start()]))
            found.append(replace(span, text=match[0], ink=f"{span.ink} found"))
            done = match.end()
        if done < len(span.text):
            found.append(replace(span, text=span.text[done:]))
    return found
