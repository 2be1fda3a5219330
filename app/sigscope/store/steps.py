"""The steps of a file, each made a record when it is first looked at."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from typing import overload

from sigscope.session import Step


class LazySteps(Sequence[Step]):
    """Steps in order of their numbers. Looking at one twice gives the same record."""

    __slots__ = ("_made", "_makers", "_numbers")

    def __init__(self) -> None:
        self._numbers: list[int] = []
        self._makers: dict[int, Callable[[], Step]] = {}
        self._made: dict[int, Step] = {}

    def add(self, number: int, make: Callable[[], Step]) -> None:
        """Add a step whose number is not there yet."""
        if self._numbers and number < self._numbers[-1]:
            insort(self._numbers, number)
        else:
            self._numbers.append(number)
        self._makers[number] = make

    def clear(self) -> None:
        """Let go of all of them."""
        self._numbers.clear()
        self._makers.clear()
        self._made.clear()

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Step]: ...
    def __getitem__(self, index: int | slice) -> Step | Sequence[Step]:
        if isinstance(index, slice):
            return [self._get(number) for number in self._numbers[index]]
        return self._get(self._numbers[index])

    def _get(self, number: int) -> Step:
        step = self._made.get(number)
        if step is None:
            step = self._made[number] = self._makers.pop(number)()
        return step

    def __repr__(self) -> str:
        return f"LazySteps({len(self)} steps)"
