r"""The regular expressions JSON is cut up with, strict and tolerant.

All of them run on *masked* text: the same bytes with `\\`, `\"` and `\'` painted
over, so that every quote that is left opens or closes a string. That makes skipping
a string one byte search, which is what keeps bodies full of long strings quick.
Lengths do not change: an offset in masked text is the same offset in the text.

Groups are repeated inside an atomic group, `(?>(?:...)*)`: the possessive `(?:...)*+`
is broken in Python 3.11.0 to 3.11.4 (python/cpython issue 106052). As an atomic group
keeps some 80 bytes for each repetition until it is done, repetitions are bounded; what
is longer goes the slower way in `scan`.
"""

from __future__ import annotations

import re
from functools import lru_cache

SPACE = rb"[ \t\n\r]*+"

STRING = rb'"[^"]*+"'

NUMBER = rb"-?(?:0|[1-9][0-9]*+)(?>(?:\.[0-9]++)?)(?>(?:[eE][-+]?[0-9]++)?)"

_MOST = rb"{0,20000}"

_FLAT = (
    rb"""[^"'\[\]{}]*+(?>(?:"[^"]*+"[^"'\[\]{}]*+)""" + _MOST + rb")"
)  # fmt: skip
"""A stretch without brackets outside strings. No apostrophes either: whether one
opens a string takes a closer look (see `NEXT_BRACKET`)."""

_LEAF = rb"(?:\[" + _FLAT + rb"\]|\{" + _FLAT + rb"\})"

_NEST = _FLAT + rb"(?>(?:" + _LEAF + _FLAT + rb")" + _MOST + rb")"

SHALLOW = rb"\[" + _NEST + rb"\]|\{" + _NEST + rb"\}"
"""A container that holds at most one more level of them: skipped in one match."""

VALUE = rb"(?:" + STRING + rb"|" + SHALLOW + rb"|" + NUMBER + rb"|true|false|null)"

ELEMENT = re.compile(SPACE + rb"(" + VALUE + rb")" + SPACE + rb"(?:,|\Z)")
"""An array element with the comma or the end behind it; group 1 is the value."""

MEMBER = re.compile(
    SPACE + rb"(" + STRING + rb")" + SPACE + rb":" + SPACE
    # Group 1 is the key, group 2 the value.
    + rb"(" + VALUE + rb")" + SPACE + rb"(?:,|\Z)"
)  # fmt: skip

SKIP_SPACE = re.compile(SPACE)
WHOLE_SHALLOW = re.compile(SHALLOW)
WHOLE_STRING = re.compile(STRING)
WHOLE_NUMBER = re.compile(NUMBER)

SINGLE_QUOTED = re.compile(rb"'[^'\n]*+'")
"""Not JSON; what `repr` of a Python dict holds. Ends on its own line, so that a
stray apostrophe does not swallow the rest of the document."""

WORD = re.compile(rb"""[^ \t\n\r"\[\]{},:]++""")
"""Whatever else stands between structure: literals, numbers, keys without quotes."""

NEXT_BRACKET = re.compile(
    rb"(?>(?:"
    rb"""[^"'\[\]{}]++"""
    rb"|" + STRING +
    # An apostrophe inside a word is a letter of it: don't.
    rb"""|(?<![^ \t\n\r"'\[\]{},:])'[^'\n]*+'"""
    rb"|'"
    rb")" + _MOST + rb")([\[\]{}])?"
)  # fmt: skip
"""Up to the next bracket outside strings, group 1, or at least part of the way."""

OPENERS_IN_A_ROW = re.compile(rb"[\[{]{3,}")
"""Of these the last two may open something shallow, the ones before cannot."""

KEY_FOLLOWS = re.compile(STRING + SPACE + rb":")

OPENERS = b"[{"
CLOSERS = b"]}"
OPENER_OF = {0x5D: 0x5B, 0x7D: 0x7B}
"""Closing to opening bracket, as byte values."""


def mask(text: bytes) -> bytes:
    r"""The text with escaped backslashes and quotes painted over; same length.

    Costs two or three searches through the text; without escapes it is the very
    same object. Replacing from the left pairs backslashes as a JSON reader does.
    """
    if b"\\" not in text:
        return text
    masked = text.replace(b"\\\\", b"__").replace(b'\\"', b"__")
    return masked.replace(b"\\'", b"__")


@lru_cache(maxsize=4096)
def kind_of_word(word: bytes) -> str:
    """ "number", "true", "false", "null", or "broken" for any other word."""
    if word in (b"true", b"false", b"null"):
        return word.decode()
    return "number" if WHOLE_NUMBER.fullmatch(word) else "broken"
