"""A picture of the screen, which is made to be shown to others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape, unescape
from itertools import groupby

_PIECE = re.compile(r'<text [^>]*-line-(?P<row>\d+)\)">(?P<text>[^<]*)(?=</text>)')
_BLANK = "\xa0"


def without_keys(svg: str, known: Sequence[str]) -> str:
    """The same picture with stars for keys: known ones, and those told by their row.

    `svg`: of Rich, with an element for each piece of a row that has one style.
    """
    out: list[str] = []
    done = 0
    for _, row in groupby(_PIECE.finditer(svg), key=lambda piece: piece["row"]):
        pieces = [*row]
        texts = [unescape(piece["text"]).replace(_BLANK, " ") for piece in pieces]
        for piece, text in zip(pieces, _masked(texts, known), strict=True):
            out += svg[done : piece.start("text")], escape(text).replace(" ", "&#160;")
            done = piece.end()
    return "".join((*out, svg[done:]))


def _masked(texts: Sequence[str], known: Sequence[str]) -> Iterable[str]:
    from sigscope.store.secrets.encoded import DEEPEST, find_all  # dear to import
    from sigscope.store.secrets.masker import apply_stars

    pieces = [text.encode() for text in texts]
    row = b"".join(pieces)
    masked, _ = apply_stars(row, find_all(row, known, DEEPEST))
    at = 0
    for piece in pieces:
        yield masked[at : at + len(piece)].decode()
        at += len(piece)
