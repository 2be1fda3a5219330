"""A picture of the screen, which is made to be shown to others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape, unescape

from sigscope.records import dataclass

_PIECE = re.compile(
    r'<text [^>]*?x="(?P<x>[\d.]+)"[^>]*?textLength="(?P<width>[\d.]+)"'
    r'[^>]*-line-(?P<row>\d+)\)">(?P<text>[^<]*)(?=</text>)'
)
_BLANK = "\xa0"
_BORDER = re.compile("[─-▟▲▼]+")
"""Lines, corners and scroll bars, which part the panes of a row."""
_SPARE = 3
"""Cells at the end of a row that stay empty where a word goes on in the next one."""

_Place = tuple[int, int]
"""A piece, and a character of it."""


@dataclass(frozen=True, slots=True)
class _Cell:
    """What stands in a row between two borders."""

    start: int
    end: int
    text: str
    places: Sequence[_Place | None]
    """Of each character; None for what no piece says."""


def without_keys(svg: str, known: Sequence[str]) -> str:
    """The same picture with stars for keys: known ones, and those told by their row, or
    by the rows of a pane over which they go on.

    `svg`: of Rich, with an element for each piece of a row that has one style.
    """
    pieces = [*_PIECE.finditer(svg)]
    texts = [unescape(piece["text"]).replace(_BLANK, " ") for piece in pieces]
    rows = _rows(pieces, texts)
    keys: set[_Place] = set()
    for text, places in (*rows, *_columns(rows)):
        keys |= {place for place in _keys_in(text, places, known) if place}
    out: list[str] = []
    done = 0
    for number, (piece, text) in enumerate(zip(pieces, texts, strict=True)):
        shown = "".join(
            "*" if (number, at) in keys and character.strip() else character
            for at, character in enumerate(text)
        )
        out += svg[done : piece.start("text")], escape(shown).replace(" ", "&#160;")
        done = piece.end()
    return "".join((*out, svg[done:]))


_Told = tuple[str, Sequence[_Place | None]]


def _rows(pieces: Sequence[re.Match[str]], texts: Sequence[str]) -> list[_Told]:
    """The rows, with blanks where the picture has no piece."""
    rows: dict[int, tuple[list[str], list[_Place | None]]] = {}
    for number, (piece, text) in enumerate(zip(pieces, texts, strict=True)):
        row, places = rows.setdefault(int(piece["row"]), ([], []))
        cell = float(piece["width"]) / max(1, len(text))
        gap = max(0, round(float(piece["x"]) / cell) - len(row))
        row += [" "] * gap + [*text]
        places += [None] * gap
        places += [(number, at) for at in range(len(text))]
    return [("".join(rows[row][0]), rows[row][1]) for row in sorted(rows)]


def _columns(rows: Iterable[_Told]) -> Iterator[_Told]:
    """What each pane says over its rows: a word that the end of one breaks is whole."""
    open_ones: dict[tuple[int, int], list[_Cell]] = {}
    for text, places in rows:
        here = {(cell.start, cell.end): cell for cell in _cells(text, places)}
        for span in [span for span in open_ones if span not in here]:
            yield _joined(open_ones.pop(span))
        for span, cell in here.items():
            open_ones.setdefault(span, []).append(cell)
    yield from map(_joined, open_ones.values())


def _cells(text: str, places: Sequence[_Place | None]) -> Iterator[_Cell]:
    start = 0
    for end, after in (*(m.span() for m in _BORDER.finditer(text)), (len(text),) * 2):
        if text[start:end].strip():
            yield _Cell(start, end, text[start:end], places[start:end])
        start = after


def _joined(cells: Sequence[_Cell]) -> _Told:
    said: list[str] = []
    places: list[_Place | None] = []
    for cell in cells:
        plain = cell.text.rstrip()
        at = len(plain) - len(plain.lstrip())
        said += plain[at:]
        places += cell.places[at : len(plain)]
        if len(cell.text) - len(plain) > _SPARE:
            said.append("\n")
            places.append(None)
    return "".join(said), places


def _keys_in(
    text: str, places: Sequence[_Place | None], known: Sequence[str]
) -> Iterator[_Place | None]:
    from sigscope.store.secrets.encoded import DEEPEST, find_all  # dear to import

    data = text.encode()
    for secret in find_all(data, known, DEEPEST):
        start = len(data[: secret.start].decode("utf-8", "replace"))
        end = start + len(data[secret.start : secret.end].decode("utf-8", "replace"))
        yield from places[start:end]
