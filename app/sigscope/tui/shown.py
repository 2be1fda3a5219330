"""Recorded text made safe to draw: what would drive the terminal is spelled out."""

from __future__ import annotations

import re

_UNSAFE = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
    "\ud800-\udfff]"
)
TAB = "    "
"""A tab is drawn as this; columns are of no use in proportional recordings."""


def shown(text: str, *, lines: bool = False) -> str:
    """Text with control characters, direction marks and lone surrogates spelled out
    as `\\x1b`, `\\u202e`; with `lines`, line feeds stay."""
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n") if lines else text
    found = _UNSAFE.sub(_spell, text)
    return found if lines else found.replace("\n", "\\n")


def _spell(found: re.Match[str]) -> str:
    char = found[0]
    if char == "\t":
        return TAB
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def one_line(text: str, most: int = 400) -> str:
    """The beginning of a text on one line, white space folded."""
    head = text[: most * 2]
    folded = " ".join(head.split())
    if len(folded) > most or len(text) > len(head):
        folded = folded[:most] + "…"
    return shown(folded)
