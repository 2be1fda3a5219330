"""Sets of which each is the one before and a little more, in the room of the last.

    one = PrefixSet[int]().followed_by([1, 2])
    two = one.followed_by([3])      # 1 2 3; `one` is 1 2 still

Purpose: in a chain of a thousand answers each leaves to the service what all before it
said. Costs what is added; where two go on otherwise from one, the second is a copy.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Generic, TypeVar, cast

Member = TypeVar("Member", bound=Hashable)


class PrefixSet(Collection[Member], Generic[Member]):
    """The first members of a list that is shared; in the order in which they came."""

    __slots__ = ("_at", "_size", "_whole")

    def __init__(self) -> None:
        self._whole: list[Member] = []
        self._at: dict[Member, int] = {}
        """Where each stands in it."""
        self._size = 0

    def followed_by(self, members: Iterable[Member]) -> PrefixSet[Member]:
        """This and more."""
        more = [one for one in dict.fromkeys(members) if one not in self]
        if not more:
            return self
        size, made = self._size + len(more), PrefixSet[Member]()
        if self._whole[self._size : size] == more:  # another said the same
            made._whole, made._at = self._whole, self._at
        elif len(self._whole) == self._size:
            made._whole, made._at = self._whole, self._at
            made._append(more)
        else:
            made._append([*self, *more])
        made._size = size
        return made

    def _append(self, members: Sequence[Member]) -> None:
        for at, member in enumerate(members, start=len(self._whole)):
            self._at[member] = at
        self._whole += members

    def begins_with(self, other: PrefixSet[Member]) -> bool:
        """Whether it is that one and more, or the same."""
        if other._whole is self._whole:
            return other._size <= self._size
        return len(other) <= len(self) and all(map(self.__contains__, other))

    def since(self, other: PrefixSet[Member]) -> Iterator[Member]:
        """What it has beyond one that it begins with."""
        if other._whole is self._whole:
            return islice(self._whole, other._size, self._size)
        return (one for one in self if one not in other)

    def __contains__(self, member: object) -> bool:
        found = cast(Mapping[object, int], self._at)
        return found.get(member, self._size) < self._size

    def __iter__(self) -> Iterator[Member]:
        return islice(self._whole, self._size)

    def __len__(self) -> int:
        return self._size

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PrefixSet):
            return NotImplemented
        return len(self) == len(other) and self.begins_with(other)

    def __hash__(self) -> int:
        return hash(frozenset(self))
