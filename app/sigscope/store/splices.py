"""Splices: a body told as ranges of earlier bodies, and what is new in it.

Agents send the whole history with every step, so a session's bodies repeat one another
almost wholly, and the events of a stream repeat their envelope. All bodies of a file,
laid end to end in file order, make up its *body space*; a body that begins at `at` may
copy any range before the byte it is at. That is LZ77 with the file as its window, and
like there the copies are told as triples:

    [skip, back, length, skip, back, length, ...]

take `skip` bytes of the rest, then copy `length` bytes from `back` bytes before this
place in the body space; what is left of the rest follows the last copy. A copy never
overlaps its own result and never spans two bodies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Splice:
    rest: bytes
    """What is new. Valid UTF-8 if the body is: cuts fall between characters."""
    copies: tuple[int, ...]
    """Triples of skip, back, length."""
    needs: tuple[int, ...]
    """Where the bodies begin that are copied from, ascending; never this one."""


def assemble(
    rest: bytes,
    copies: Sequence[int],
    at: int,
    read: Callable[[int, int], bytes | memoryview],
) -> bytes:
    """Put a body together. `read(start, length)` gives bytes of the space before `at`.

    Raises `ValueError` where the copies make no sense.
    """
    if len(copies) % 3:
        raise ValueError("copies do not come in threes")
    pieces: list[bytes | memoryview] = []
    out: bytearray | None = None
    """The pieces put together, from the first copy on that is taken of them."""
    size = taken = 0
    triples = iter(copies)
    for skip, back, length in zip(triples, triples, triples, strict=True):
        if skip < 0 or length < 0 or taken + skip > len(rest):
            raise ValueError("a copy begins behind the end of the new text")
        fresh = rest[taken : taken + skip]
        taken += skip
        size += skip
        own = size - back
        if back < 0 or own + length > size or (own < 0 < own + length):
            raise ValueError("a copy reaches past the place it is copied to")
        if own >= 0 and out is None:
            out = bytearray().join(pieces)
        if out is None:
            pieces += fresh, read(at + own, length)
        else:
            out += fresh
            out += out[own : own + length] if own >= 0 else read(at + own, length)
        size += length
    if out is None:
        return b"".join((*pieces, rest[taken:]))
    out += rest[taken:]
    return bytes(out)


def sources(copies: Sequence[int], at: int) -> Iterator[int]:
    """Yield where each copy that leaves the body begins in the body space."""
    size = 0
    triples = iter(copies)
    for skip, back, length in zip(triples, triples, triples, strict=False):
        size += skip
        if back > size:
            yield at + size - back
        size += length
