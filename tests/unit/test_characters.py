"""What is shown as an escape, in the terminal and on the screens."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from sigscope.characters import UNSEEN, printable
from sigscope.tui.json.visible import is_seen
from sigscope.tui.shown import shown

SIGNS = frozenset(range(0x600, 0x606)) | {0x6DD, 0x70F, 0x890, 0x891, 0x8E2}
"""Format characters that have a glyph of their own."""


def test_whatever_drives_turns_hides_or_separates_is_unseen() -> None:
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        kind = unicodedata.category(char)
        if kind in ("Cc", "Zl", "Zp", "Cs"):
            assert UNSEEN.match(char), hex(code)
        if kind == "Cf" and code not in SIGNS and not 0x11000 <= code < 0x13500:
            assert UNSEEN.match(char), hex(code)


@pytest.mark.parametrize("text", ["é", "日本語", "😀️", "a b", "\u3000", "\ue0b0", "﷽"])
def test_letters_and_wide_blanks_stay(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x9b2J", "\\x9b2J"),
        ("a\u202eb", "a\\u202eb"),
        ("pay\u200bload", "pay\\u200bload"),
        ("\U000e0041", "\\U000e0041"),
        ("\u2028\u2029", "\\u2028\\u2029"),
        ("a\nstep 2  200", "a\\nstep 2  200"),
        ("a\rb\tc", "a\\rb\\tc"),
        ("\udcff", "\\xff"),
        ("\ud83d", "\\ud83d"),
        ("\ufeffa\xadb", "\\ufeffa\\xadb"),
    ],
)
def test_escapes(text: str, expected: str) -> None:
    assert printable(text) == expected


def test_what_is_kept_stays() -> None:
    assert printable("a\n\tb\r", "\n\t") == "a\n\tb\\r"


def test_the_screens_spell_the_same_characters_alike() -> None:
    for char in (
        "\x1b",
        "\u202e",
        "\u200b",
        "\U000e0041",
        "\udcff",
        "\ud83d",
        "\ufe00",
    ):
        assert shown(char) == printable(char)
        assert not is_seen(char)
