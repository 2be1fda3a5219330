"""The part of a time axis that is in sight, on cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sigscope.records import dataclass

STEPS = (
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000,
    60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000,
    86_400_000,
)  # fmt: skip
"""Milliseconds (or events) between two ticks: round numbers only."""
LEAST = 10.0
"""Milliseconds (or events) below which nothing is zoomed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """From where to where, out of how much. All in one unit: milliseconds or events."""

    total: float
    """Length of the whole axis."""
    start: float = 0.0
    span: float = 0.0
    """How much is in sight; 0 or more than there is means all."""

    @property
    def length(self) -> float:
        """How much is in sight."""
        return self.span if 0 < self.span < self.total else self.total

    @property
    def end(self) -> float:
        """Where the sight ends."""
        return self.start + self.length

    @property
    def is_whole(self) -> bool:
        """Whether all is in sight."""
        return self.length >= self.total

    @property
    def factor(self) -> float:
        """How many times the whole is magnified."""
        return self.total / self.length if self.length else 1.0

    def zoom(self, factor: float, at: float | None = None) -> Window:
        """Magnify; the moment `at` stays where it is, the middle without it."""
        middle = self.start + self.length / 2
        pinned = middle if at is None else min(max(at, self.start), self.end)
        span = max(min(LEAST, self.total), self.length / factor)
        if span >= self.total:
            return Window(total=self.total)
        share = (pinned - self.start) / self.length if self.length else 0.0
        return replace(self, start=pinned - share * span, span=span)._within()

    def pan(self, share: float) -> Window:
        """Move by so much of what is in sight."""
        return replace(self, start=self.start + share * self.length)._within()

    def reveal(self, moment: float) -> Window:
        """Move as little as needed to have a moment in sight, a margin kept."""
        if self.is_whole:
            return self
        margin = self.length * 0.1
        if moment < self.start + margin:
            return replace(self, start=moment - margin)._within()
        if moment > self.end - margin:
            return replace(self, start=moment + margin - self.length)._within()
        return self

    def _within(self) -> Window:
        if self.is_whole:
            return Window(total=self.total)
        start = min(max(0.0, self.start), self.total - self.length)
        return replace(self, start=start)

    def cell(self, moment: float, cells: int) -> int:
        """The cell of a moment; below 0 or from `cells` on where it is out of sight."""
        if self.length <= 0:
            return 0
        place = (moment - self.start) / self.length * (cells - 1)
        return int(place) if place >= 0 else -1

    def moment(self, cell: int, cells: int) -> float:
        return self.start + cell / max(1, cells - 1) * self.length

    def ticks(self, most: int) -> Iterator[float]:
        """Round moments in sight, at most so many."""
        if self.length <= 0:
            return
        step = self.step(most)
        value = -(-self.start // step) * step
        while value <= self.end:
            yield value
            value += step

    def step(self, most: int) -> float:
        """The distance between two ticks."""
        wanted = self.length / max(1, most)
        found = next((step for step in STEPS if step >= wanted), None)
        return float(found) if found else STEPS[-1] * -(-wanted // STEPS[-1])
