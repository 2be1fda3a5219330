"""Stretches of certain characters in a text, found without looking at each of them.

A pattern like `[A-Za-z0-9+/]{20,}` is tried at every byte, and again at every byte of a
word that is too short: 20 ns a byte. Here each byte becomes one of two first, and what
is looked for is a text, which takes 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_BLOCK = 256 * 1024
"""Bytes that are looked at together: they stay in the processor's cache."""
_IN, _OUT = b"a", b" "


class Alphabet:
    """Some of the 256 bytes."""

    def __init__(self, letters: bytes) -> None:
        self._table = bytes(
            (_IN if byte in letters else _OUT)[0] for byte in range(256)
        )
        self._other = re.compile(rb"[^%b]" % re.escape(letters))

    def end_of(self, data: bytes, place: int, high: int) -> int:
        """Where the stretch ends that goes on at a place: there, if none does."""
        other = self._other.search(data, place, high)
        return other.start() if other else high

    def begin_of(self, data: bytes, place: int, low: int) -> int:
        """Where the stretch begins that ends at a place: there, if none does."""
        while place > low:
            before = data[max(low, place - _BLOCK) : place].translate(self._table)
            rest = len(before.rstrip(_IN))
            place -= len(before) - rest
            if rest:
                return place
        return low

    def stretches(
        self, data: bytes, least: int, low: int = 0, high: int | None = None
    ) -> Iterator[tuple[int, int]]:
        """Where at least so many bytes of it follow each other, as far as they do."""
        high = len(data) if high is None else min(high, len(data))
        wanted = _IN * least
        while high - low >= least:
            plain = data[low : min(high, low + _BLOCK)].translate(self._table)
            is_last = low + len(plain) == high
            place = plain.find(wanted)
            while place >= 0:
                end = plain.find(_OUT, place + least)
                if end < 0:
                    break
                yield low + place, low + end
                place = plain.find(wanted, end)
            if is_last:
                if place >= 0:
                    yield low + place, high
                return
            # What the block ends with may go on in the next one.
            whole = len(plain.rstrip(_IN))
            if not whole:
                other = self._other.search(data, low + len(plain), high)
                end = other.start() if other else high
                yield low, end
                low = end
            else:
                low += whole
