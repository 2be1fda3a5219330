"""Texts without the elements of their lists, which other texts repeat.

A text that begins like an earlier one need not be there to be read: its skeleton is
that of the other one, as far as they agree, and what follows.

    {"model": "m", "messages": [‹2,000 messages›, {"role": "tool"}]}
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from sigscope.utf8 import to_bytes, to_text

_RUN = re.compile(r"[A-Za-z0-9+/=_-]{24,}")
"""What a signature is made of, as long as signatures are at least."""


class Repeated:
    """An element that texts have in common."""

    def __init__(self, text: str, value: Any) -> None:
        self.text = text
        """As it is spelled, from bracket to bracket."""
        self.value = value
        """What it means. Shared by all texts that hold it: do not change it."""
        self.after: Repeated | None = None
        """The element that followed it last time."""
        self.size = byte_size(text)

    @cached_property
    def runs(self) -> str:
        """What in it may be a signature or hold one; the rest left out."""
        return runs_of(self.text)

    @cached_property
    def longest_run(self) -> int:
        """Characters of the longest of these."""
        return longest_of(self.runs)


def byte_size(text: str) -> int:
    """Bytes that a text has in UTF-8."""
    return len(text) if text.isascii() else len(to_bytes(text))


def runs_of(text: str) -> str:
    """What in a text may be a signature or hold one, a line each."""
    return "\n".join(_RUN.findall(text))


def longest_of(runs: str) -> int:
    """Characters of the longest of these."""
    return max(map(len, runs.split("\n")))


def is_one_run(text: str) -> bool:
    """Whether a text is nothing but one of these."""
    return _RUN.fullmatch(text) is not None


class ArrayStretch:
    """The elements of an array that was read, up to its last one; at least one."""

    def __init__(
        self,
        elements: list[Repeated],
        values: list[Any],
        gaps: list[str],
        ends: list[int],
        text: str | None = None,
    ) -> None:
        self._text = text
        self.elements = elements
        self.values = values
        self.gaps = gaps
        """What stands before each: nothing, then commas."""
        self.ends = ends
        """Bytes from behind the opening bracket to the end of each."""

    @property
    def size(self) -> int:
        """Bytes of all of it."""
        return self.ends[-1]

    @property
    def text(self) -> str:
        """From behind the opening bracket. Dear: made when it is asked for."""
        if self._text is None:
            pairs = zip(self.gaps, self.elements, strict=True)
            parts = [part for gap, one in pairs for part in (gap, one.text)]
            self._text = "".join(parts)
        return self._text

    def drop_text(self) -> None:
        """Nobody will ask for the text soon."""
        self._text = None

    def start(self, size: int) -> list[Segment]:
        """Its first bytes."""
        whole = bisect_right(self.ends, size)
        left = size - (self.ends[whole - 1] if whole else 0)
        found: list[Segment] = []
        if whole:
            known = ArrayStretch(
                self.elements[:whole],
                self.values[:whole],
                self.gaps[:whole],
                self.ends[:whole],
            )
            found.append(known)
        if left:
            spelled = self.gaps[whole] + self.elements[whole].text
            found.append(to_bytes(spelled)[:left])
        return found


Segment = bytes | ArrayStretch
Marks = dict[int, ArrayStretch]
"""Stretches that are left out of a text, by where."""


class Skeleton:
    """A text: what stands around stretches, and these."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self._segments = segments

    @classmethod
    def of(
        cls, text: str, stretches: Sequence[tuple[int, int, ArrayStretch]]
    ) -> Skeleton:
        """`stretches`: each with where it starts in the text and ends, ascending."""
        segments: list[Segment] = []
        at = 0
        for start, end, stretch in stretches:
            segments += to_bytes(text[at:start]), stretch
            at = end
        return cls([*segments, to_bytes(text[at:])])

    def start(self, size: int) -> Skeleton:
        """Its first bytes. Raises ValueError where it is shorter."""
        found: list[Segment] = []
        for segment in self._segments:
            if isinstance(segment, ArrayStretch):
                length = segment.size
                found += [segment] if length <= size else segment.start(size)
            else:
                length = len(segment)
                found.append(segment[:size])
            size -= min(length, size)
            if not size:
                return Skeleton(found)
        raise ValueError

    def followed_by(self, rest: bytes) -> Skeleton:
        """With more bytes behind."""
        return Skeleton([*self._segments, rest])

    def condensed(self) -> tuple[str, Marks]:
        """The text without the stretches, and where each was."""
        pieces: list[str] = []
        marks: Marks = {}
        between: list[bytes] = []
        at = 0

        def tell() -> int:
            piece = to_text(b"".join(between))
            between.clear()
            pieces.append(piece)
            return len(piece)

        for segment in self._segments:
            if isinstance(segment, ArrayStretch):
                at += tell()
                marks[at] = segment
            else:
                between.append(segment)
        tell()
        return "".join(pieces), marks
