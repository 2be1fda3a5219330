"""The last step before the terminal where only ASCII is wanted.

Views choose their symbols themselves; what is left are scroll bars, borders of
Textual's own widgets, ellipses and separators. They are exchanged cell for cell, also
where recorded text has the same characters; its other letters stay as they are.
"""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_TABLE = str.maketrans(
    {
        **dict.fromkeys("▁▂▃▄▅▆▇▔▉▊▋▍▎▏▕ ", " "),
        **dict.fromkeys("█▀▐▌", "#"),
        **dict.fromkeys("│┃║╎┊┆▎", "|"),
        **dict.fromkeys("─━═┄┈╌–—‒╶╴", "-"),
        **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯┏┓┗┛╔╗╚╝", "+"),
        **dict.fromkeys("•●", "*"),
        **dict.fromkeys("‘’", "'"),
        **dict.fromkeys("“”", '"'),
        "·": "-",
        "›": ">",
        "‹": "<",
        "…": "~",
        "→": ">",
        "←": "<",
        "↑": "^",
        "↓": "v",
        "×": "x",
        "▶": ">",
        "▼": "v",
        "✓": "+",
        "✗": "X",
        "⭘": "o",
    }
)


_KEYS = {"⏎": "enter", "⌫": "backspace"}
"""Signs of keys that no single letter can stand for; arrows are in the table."""


class AsciiFilter(LineFilter):
    """Exchanges drawing characters for ASCII."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same cells with other characters."""
        return [
            segment
            if segment.text.isascii()
            else Segment(in_ascii(segment.text), segment.style, segment.control)
            for segment in segments
        ]


def in_ascii(text: str) -> str:
    """A text without drawing characters; of the same width."""
    return text.translate(_TABLE)


def key_in_ascii(shown: str) -> str:
    """The name of a key instead of its sign."""
    for sign, name in _KEYS.items():
        shown = shown.replace(sign, name)
    return shown
