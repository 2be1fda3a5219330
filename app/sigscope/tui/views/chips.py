"""Signatures named in a sentence, drawn as they are everywhere else: "◆ 9f3a21"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from sigscope.tui.lines import Line, Span
from sigscope.tui.symbols import Symbols
from sigscope.tui.views.palette import Palette

_NAME = re.compile(r"(?<![0-9A-Za-z_/+=-])[0-9a-f]{6}(?![0-9A-Za-z_/+=-])")
_TIED = "\N{NO-BREAK SPACE}"
"""Between glyph and name, so that no line ends between the two."""


def chips(
    text: str,
    palette: Palette,
    symbols: Symbols,
    *,
    ink: str = "",
    target: object = None,
) -> Iterator[Span]:
    """The text, with a chip for each signature that the ledger knows. `target`: what
    a click on the words leads to; without one, a click on a chip follows it."""
    at = 0
    for found in _NAME.finditer(text):
        sha256 = palette.named(found[0])
        if sha256 is None:
            continue
        if before := text[at : found.start()]:
            yield Span(before, ink, target)
        follow = f"signature:{sha256}" if target is None else target
        glyph = f"{symbols.signature}{_TIED}"
        yield Span(f"{glyph}{found[0]}", palette.ink(sha256), follow)
        at = found.end()
    if rest := text[at:]:
        yield Span(rest, ink, target)


def untied(lines: Iterable[Line]) -> list[Line]:
    """Lines that were broken: with plain blanks, which can be searched for."""
    return [
        tuple(replace(span, text=span.text.replace(_TIED, " ")) for span in spans)
        for spans in lines
    ]
