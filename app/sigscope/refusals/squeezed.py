"""Text without what terminals, shells, JSON and chats do to it on the way.

An error's words arrive wrapped at some width, in boxes, with every quote escaped three
deep, without its backticks, with colours. None of that touches letters, digits and most
punctuation: what is left without the rest is the same for all of them. Words are
searched there (`patterns`), and what a place in it was made of is found again, so that
a function keeps its spelling.

    >>> Squeezed("the `2.`\\\\n content\\n  │ block").text
    'the2.contentblock'
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

_PAINT = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[@-Z\\-_])"
    r"|(?:(?<!\\)\\+(?:u001b|x1b|033|e)|\^\[)\[[0-9;]{0,20}[A-Za-z]"
    r"|\[\d{1,3}(?:;\d{1,3}){0,8}m",
    re.IGNORECASE,
)
"""Colours and other orders to a terminal, also where the escape is written out or
lost."""

_GUTTER = re.compile(
    r"^[ \t|>\u2500-\u257f]{0,40}"
    r"(?:(?:[\w.]{1,60}-\d{1,3}|\d{1,5})[ \t]{1,40}\||//|>)",
    re.MULTILINE,
)
"""What stands before each line in a log of docker compose, a listing, a comment, a
quotation."""

_PAINT_MARKS = ("\x1b", "^[[", "1b[", "1B[", "033[", "\\e[")
_BARE = re.compile(r"\[\d{1,3}[;m]")
_GUTTER_MARKS = (" |", "\t|", "//", ">")

_SPACES = re.compile(r"[^\x21-\x7b\x7d\x7e…‘’‚“”„«»´]+")
"""White space, borders, symbols: what stands between the signs of an error's words."""

_ADORNED = re.compile(
    f"(?:{_PAINT.pattern})|(?:{_GUTTER.pattern})|{_SPACES.pattern}",
    re.IGNORECASE | re.MULTILINE,
)
"""The same, where there is paint or a gutter; slower."""

_ESCAPES = re.compile(
    r"\\+(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[nrtbfv])?"
    r"|&(?:amp;){0,4}(?:quot|apos|lt|gt|nbsp|grave|#0{0,4}(?:34|39|60|62|96|160)"
    r"|#x0{0,4}(?:22|27|3c|3e|60|a0));"
    r"|</?(?:code|pre|tt|kbd|samp|var|b|i|u|em|strong|mark|span|font|p|br|div|li|td|a)"
    r"(?:(?:class|style|href|id|title|target|rel|dir|data-\w+)=[^<>]{0,300})?/?>"
    r"|[-=]{4,}"
    r"|['\"`*_|+#>~^{}‘’‚“”„«»´]+",
    re.IGNORECASE,
)
"""Quotes of every kind, as signs and as escapes, and what marks up a text."""

MAX_WIDTH_SLACK = 4
"""Cells a wrapped line may be short of the longest one: a wide letter did not fit."""
CHUNK = 32_768
"""Characters of a text that are squeezed at once: places are only looked up in the
chunk that has them."""
MIN_WIDTH = 40
"""Cells of the narrowest terminal whose line ends are taken for wraps."""


_NEW_LINE = re.compile(r"[-:/.,]?\d|[-:/]|[ \t]+\w")
"""What stands after a number that begins a line of its own: the rest of a date."""


class _Kept:
    """What a pattern leaves of a text, and where each piece of it came from."""

    def __init__(self, text: str, junk: re.Pattern[str]) -> None:
        self._whole = text
        self._junk = junk
        self.text = junk.sub("", text)

    @cached_property
    def _runs(self) -> tuple[list[int], list[int]]:
        """Where each kept run begins, here and in the whole text."""
        here, there = [0], [0]
        removed = 0
        for found in self._junk.finditer(self._whole):
            start, end = found.span()
            removed += end - start
            if start - (removed - (end - start)) == here[-1]:
                there[-1] = end  # nothing was kept since the last one
            else:
                here.append(end - removed)
                there.append(end)
        return here, there

    def origin(self, at: int) -> int:
        """Where in the whole text the character at a place of this one stands."""
        here, there = self._runs
        run = bisect_right(here, at) - 1
        return there[run] + at - here[run]


class _Chunk:
    """A stretch of a text, squeezed by itself."""

    def __init__(self, whole: str) -> None:
        self._spaceless = _Kept(whole, _junk_of(whole))
        self._plain = _Kept(self._spaceless.text, _ESCAPES)
        self.text = self._plain.text.lower()
        # A few letters grow when they are made small; none of ASCII, and no other is
        # kept but the ellipsis.

    def origin(self, at: int) -> int:
        return self._spaceless.origin(self._plain.origin(at))


def _junk_of(whole: str) -> re.Pattern[str]:
    """What to leave out; the marks of paint and gutters are looked for first, since
    few texts have any and the search is slow."""
    has_paint = any(mark in whole for mark in _PAINT_MARKS) or _BARE.search(whole)
    has_gutter = any(mark in whole for mark in _GUTTER_MARKS) and _GUTTER.search(whole)
    return _ADORNED if has_paint or has_gutter else _SPACES


def _chunks(whole: str) -> Iterator[tuple[int, str]]:
    """Stretches of a text and where they begin, each ending with a line."""
    at = 0
    while len(whole) - at > CHUNK:
        end = whole.rfind("\n", at + CHUNK // 2, at + CHUNK) + 1
        end = end or at + CHUNK
        yield at, whole[at:end]
        at = end
    yield at, whole[at:]


class Squeezed:
    """A text without white space, quotes, escapes and borders, in small letters."""

    def __init__(self, whole: str) -> None:
        self.whole = whole
        self._starts: list[int] = []
        """Where each chunk begins in the whole text."""
        self._offsets: list[int] = []
        """The same in the squeezed one."""
        self._parts: list[_Chunk] = []
        length = 0
        for start, stretch in _chunks(whole):
            chunk = _Chunk(stretch)
            if chunk.text or not self._parts:
                self._starts.append(start)
                self._offsets.append(length)
                self._parts.append(chunk)
                length += len(chunk.text)
        self.text = "".join(chunk.text for chunk in self._parts)

    def origin(self, at: int) -> int:
        """Where in the whole text a character stands."""
        part = bisect_right(self._offsets, at) - 1
        return self._starts[part] + self._parts[part].origin(at - self._offsets[part])

    def written(self, start: int, end: int) -> str:
        """A stretch as it was written, with all that stood between its signs."""
        if start >= end:
            return ""
        return self.whole[self.origin(start) : self.origin(end - 1) + 1]

    def word(self, start: int, end: int, *, is_open: bool) -> str:
        """A name or number as it was written, in one piece.

        `is_open`: nothing after it proves that it ends here. Then a blank ends it, and
        a line's end too, unless the line is as long as a terminal is wide.
        """
        written = self.written(start, end)
        if is_open:
            at, last = self.origin(start), self.origin(end - 1)
            is_wrapped = self._is_full(at) and not _NEW_LINE.match(self.whole, last + 1)
            written = _first(written, is_wrapped=is_wrapped)
        return re.sub(
            r"[^\w.:/@$…\[\]-]+", "", _PAINT.sub("", written).replace("\\", "")
        )

    def _is_full(self, at: int) -> bool:
        """Whether the line at a place is broken where a terminal ends."""
        start = self.whole.rfind("\n", 0, at) + 1
        end = self.whole.find("\n", at)
        line = self.whole[start:end].rstrip()
        return len(line) >= max(MIN_WIDTH, self._width - MAX_WIDTH_SLACK)

    @cached_property
    def _width(self) -> int:
        return max(len(line.rstrip()) for line in self.whole.split("\n"))

    def is_apart(self, start: int, end: int) -> bool:
        """Whether a stretch is no piece of longer words."""
        return self._is_edge(start) and self._is_edge(end)

    def _is_edge(self, at: int) -> bool:
        if not 0 < at < len(self.text):
            return True
        if not (self.text[at - 1].isalnum() and self.text[at].isalnum()):
            return True
        return self.origin(at) - self.origin(at - 1) > 1


def _first(written: str, *, is_wrapped: bool) -> str:
    """A word up to the blank that ends it; `is_wrapped`: a line's end does not."""
    pieces = re.split(r"(\s+)", written)
    kept = pieces[0]
    for blank, more in zip(pieces[1::2], pieces[2::2], strict=False):
        if "\n" not in blank or not is_wrapped:
            break
        kept += more
    return kept
