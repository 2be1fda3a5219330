"""When the bytes of a body arrived."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A run of response bytes that arrived together."""

    end: int
    """Offset one past its last byte, in the body as recorded (codings still on)."""
    at_ms: float
    """Milliseconds after the first request byte left."""


class Arrivals:
    """Answers when the byte before an offset came. A look-up costs log(chunks)."""

    __slots__ = ("_ends", "_times")

    def __init__(self, chunks: Iterable[Chunk] = ()) -> None:
        self._ends: list[int] = []
        self._times: list[float] = []
        for chunk in chunks:
            self.add(chunk.end, chunk.at_ms)

    def add(self, end: int, at_ms: float) -> None:
        """Tell that the bytes up to `end` were there at `at_ms`; ends ascend."""
        self._ends.append(end)
        self._times.append(at_ms)

    def at(self, end: int) -> float | None:
        """When the last byte of a span ending at `end` came; None if not recorded."""
        chunk = bisect_left(self._ends, end)
        return self._times[chunk] if chunk < len(self._times) else None
