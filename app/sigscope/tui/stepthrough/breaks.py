"""Where the lines of a text break, remembered while the text grows. Pure.

A stream makes a text longer by a word at a time. Breaking it anew at every event would
cost as much as the text is long; the breaks found before hold, but for the last lines.
"""

from __future__ import annotations

from dataclasses import field

from rich.cells import cell_len

from sigscope.records import dataclass

Piece = tuple[int, int]
"""First character of a line, and one past its last; its line feed included."""


@dataclass(slots=True)
class _Kept:
    """The breaks of one text."""

    text: str = ""
    cells: int = 0
    lines: list[Piece] = field(default_factory=list)


class Breaks:
    """Breaks texts at blanks and line feeds; a word longer than a line is broken."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}

    def lines(self, key: str, text: str, cells: int) -> list[Piece]:
        """The lines of a text; `key` says which text it is the next state of. Costs
        what is new of it. The list is good until the next call: do not keep it."""
        kept = self._kept.setdefault(key, _Kept())
        same = min(len(kept.text), len(text))
        if cells != kept.cells or not _begin_alike(kept.text, text):
            kept.lines.clear()
        lines = kept.lines
        # What came after these may have decided where they end.
        while lines and max(lines[-1][1], lines[-1][0] + cells + 1) >= same:
            lines.pop()
        at = lines[-1][1] if lines else 0
        while at < len(text):
            end = _end_of_line(text, at, cells)
            lines.append((at, end))
            at = end
        kept.text, kept.cells = text, cells
        return lines

    def forget(self) -> None:
        """Other texts come."""
        self._kept.clear()


def _begin_alike(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


def _end_of_line(text: str, at: int, cells: int) -> int:
    """Where the line that begins at a character ends."""
    reach = _reach(text, at, cells)
    feed = text.find("\n", at, reach + 1)
    if feed >= 0:
        return feed + 1
    if reach == len(text):
        return reach
    blank = reach if text[reach] == " " else text.rfind(" ", at, reach)
    if blank <= at or text[at:blank].isspace():
        return reach
    end = blank + 1
    while end < len(text) and text[end] == " ":
        end += 1
    return end


def _reach(text: str, at: int, cells: int) -> int:
    """How far so many cells reach; one character at least."""
    reach = min(len(text), at + cells)
    piece = text[at:reach]
    if piece.isascii() or cell_len(piece) <= cells:
        return reach
    used = 0
    for place, char in enumerate(piece, start=at):
        used += cell_len(char)
        if used > cells:
            return max(place, at + 1)
    return reach
