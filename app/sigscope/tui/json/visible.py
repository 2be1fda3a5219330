"""Recorded text as spans: nothing is invisible, nothing drives a terminal."""

from __future__ import annotations

import re
from itertools import groupby

from rich.cells import cell_len

from sigscope.characters import UNSEEN, spell
from sigscope.tui.lines import Span

BAD = "warn"
"""The ink of what is spelled out."""


def is_seen(text: str) -> bool:
    """Whether all characters show: no controls, direction marks, blanks without
    width, lone surrogates, nothing that Unicode has not assigned."""
    return text.isprintable() and (text.isascii() or not UNSEEN.search(text))


def spans_of(text: str, ink: str = "") -> list[Span]:
    """Text in an ink; what is unseen spelled out in a warning ink."""
    if is_seen(text):
        return [Span(text, ink)] if text else []
    return [
        Span("".join(run) if seen else "".join(map(spell, run)), ink if seen else BAD)
        for seen, run in groupby(text, is_seen)
    ]


def cells_of(spans: list[Span]) -> int:
    """Cells some spans take."""
    return sum(cell_len(span.text) for span in spans)


def stand_in(code: int, *, ascii_only: bool) -> Span:
    """A control byte in one cell: its Unicode picture, or its letter reversed (M for
    carriage return, as in ^M)."""
    if ascii_only:
        return Span("?" if code == 0x7F else chr(code + 0x40), "inverse")
    return Span("␡" if code == 0x7F else chr(0x2400 + code), BAD)


_PIECES = re.compile(
    rb"[\x20-\x7e]+"
    rb"|[\xc2-\xdf][\x80-\xbf]"
    rb"|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}"
    rb"|\xed[\x80-\x9f][\x80-\xbf]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}"
    rb"|\xf4[\x80-\x8f][\x80-\xbf]{2}"
    rb"|[\x00-\xff]",
    re.DOTALL,
)
"""A run of plain ASCII, one character of UTF-8, or one stray byte."""


def spans_of_bytes(data: bytes, ink: str = "", *, ascii_only: bool) -> list[Span]:
    """Bytes with no more cells than bytes: one for each control character, stray byte
    and unseen character."""
    found: list[Span] = []
    for piece in _PIECES.findall(data):
        first = piece[0]
        span: Span | None = None
        text = ""
        if len(piece) > 1 or 0x20 <= first < 0x7F:
            text = piece.decode()
            if not is_seen(text):
                span = Span("?" if ascii_only else "·", BAD)
        elif first >= 0x80:
            span = Span("?" if ascii_only else "�", "bad")
        else:
            span = stand_in(first, ascii_only=ascii_only)
        span = span or Span(text, ink)
        if found and found[-1].ink == span.ink and span.ink != "inverse":
            span = Span(found.pop().text + span.text, span.ink)
        found.append(span)
    return found
