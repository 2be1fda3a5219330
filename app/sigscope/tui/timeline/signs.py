"""Glyphs of the timeline and of stepping that other screens have no use for."""

from __future__ import annotations

from dataclasses import dataclass

from sigscope.tui.symbols import Symbols


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """One set; every entry is one cell wide."""

    head: str
    """The play head, below a bar."""
    line: str
    """The play head, across the lanes."""
    first_byte: str
    """The head of a response, in the wait for its first event."""
    finish: str
    usage: str
    gap: str
    """Nothing came for a while."""
    whole: str
    """An answer that came in one piece."""
    stop: str
    """A breakpoint."""
    added: str
    changed: str
    extended: str
    play: str
    pause: str
    end: str
    """The end of a text that is still growing."""
    ellipsis: str


UNICODE = Signs(
    head="▲",
    line="│",
    first_byte="┬",
    finish="■",
    usage="Σ",
    gap="╌",
    whole="▬",
    stop="●",
    added="+",
    changed="~",
    extended="›",
    play="▶",
    pause="‖",
    end="▏",
    ellipsis="…",
)

ASCII = Signs(
    head="^",
    line="|",
    first_byte="+",
    finish="]",
    usage="S",
    gap="_",
    whole="=",
    stop="B",
    added="+",
    changed="~",
    extended=">",
    play=">",
    pause="=",
    end="|",
    ellipsis="~",
)


def signs_for(symbols: Symbols) -> Signs:
    """The set that goes with the symbols of the screen."""
    return ASCII if symbols.ascii else UNICODE
