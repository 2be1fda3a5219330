"""Recorded text made safe to draw: what would drive the terminal is spelled out."""

from __future__ import annotations

from sigscope.characters import printable

TAB = "    "
"""A tab is drawn as this; columns are of no use in proportional recordings."""


def shown(text: str, *, lines: bool = False) -> str:
    """Text with everything unseen spelled out as `\\x1b`, `\\u202e` (the table is
    `characters`); with `lines`, line feeds stay."""
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n") if lines else text
    return printable(text.replace("\t", TAB), "\n" if lines else "")


def one_line(text: str, most: int = 400) -> str:
    """The beginning of a text on one line, white space folded."""
    head = text[: most * 2]
    folded = " ".join(head.split())
    if len(folded) > most or len(text) > len(head):
        folded = folded[:most] + "…"
    return shown(folded)
