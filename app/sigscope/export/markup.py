"""Markdown in which recorded text stays text (GitHub's dialect, GFM 0.29).

A code fence is longer than any run of its character inside, an inline one likewise; in
prose every character that Markdown or HTML would act on is escaped; table cells hold no
bar and no line end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sigscope.characters import printable

_SPECIAL = re.compile(r"([\\`*{}\[\]<>#|~!&]|(?<![^\W_])_|_(?![^\W_]))")
"""An underscore inside a word is none of them (GFM, 6.4)."""
_AT = re.compile(r"@(?=\w)")
_TICKS = re.compile(r"`+")


def fenced(text: str, language: str = "") -> str:
    """A block of code."""
    ticks = "`" * (max((len(run) for run in _TICKS.findall(text)), default=0) + 1)
    fence = ticks if len(ticks) > 3 else "```"
    return f"{fence}{language}\n{visible(text)}\n{fence}"


def code(text: str) -> str:
    """A span of code; on one line."""
    text = visible(text).replace("\n", "⏎")
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if text[:1] in "` " or text[-1:] in "` " else ""
    return f"{ticks}{pad}{text}{pad}{ticks}" if text else ""


def prose(text: str) -> str:
    """Words on one line, nothing of which is markup. Nobody is notified by an `@`."""
    line = " ".join(visible(text).split())
    return _AT.sub("@\u200b", _SPECIAL.sub(r"\\\1", line))


def quoted(markdown: str) -> str:
    """Markdown by others, kept in a block: a fence left open ends with the block."""
    shown = visible(markdown).replace("<", "&lt;")
    return "\n".join(f"> {line}".rstrip() for line in shown.splitlines())


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells are Markdown."""
    lines = [_row(head), _row(["---"] * len(head)), *map(_row, rows)]
    return "\n".join(lines)


def visible(text: str) -> str:
    """What is unseen as escapes, as on the terminal; line ends and tabs stay."""
    return printable(text.replace("\r\n", "\n"), "\n\t")


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(cell: str) -> str:
    # GFM takes a bar for the end of the cell even in code, unless a backslash is there.
    cell = cell.replace("\n", " ")
    return re.sub(r"(?<!\\)\|", r"\\|", cell)
