"""The rows of a tree of which only the unfolded part exists.

A level is the children of one unfolded item. Levels know how many rows stand below
each unfolded child, so that the row at any height is found by bisection on the way
down: a flat array of 200,000 elements costs no more than one of 20. Members may be any
sequence, computed or virtual; they are never copied or walked through.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sigscope.records import dataclass

Item = Any
"""Whatever the members are. Compared by identity or equality, never looked into."""


@dataclass(frozen=True, slots=True)
class Growth:
    """What is found below an item."""

    members: Sequence[Item]
    context: Any
    """What the owner needs to draw and unfold the members."""


class Level:
    """The children of one unfolded item, and which of them are unfolded."""

    __slots__ = (
        "_heads",
        "_order",
        "at",
        "below",
        "context",
        "depth",
        "folded",
        "members",
        "open",
        "parent",
    )

    def __init__(self, growth: Growth, parent: Level | None, at: int) -> None:
        self.members = growth.members
        self.context = growth.context
        self.parent = parent
        self.at = at
        """Position of the item they belong to among its parent's members."""
        self.depth: int = parent.depth + 1 if parent else 0
        self.open: dict[int, Level] = {}
        """Levels of unfolded members, by position."""
        self.folded: dict[int, Level] = {}
        """Levels of members folded again; kept, so that unfolding restores them."""
        self.below = 0
        """Rows below the members, all levels together."""
        self._order: list[int] = []
        self._heads: list[int] | None = None

    @property
    def size(self) -> int:
        """Rows of this level and all below it."""
        return len(self.members) + self.below

    @property
    def holder(self) -> Item:
        """The item whose children these are; None for the outermost level."""
        return self.parent.members[self.at] if self.parent else None

    def order(self) -> list[int]:
        """Positions of unfolded members, ascending."""
        return self._order

    def heads(self) -> list[int]:
        """For each unfolded member, in order, its row counted from this level's
        first."""
        if self._heads is None:
            self._heads, rows = [], 0
            for position in self._order:
                self._heads.append(position + rows)
                rows += self.open[position].size
        return self._heads

    def row_of(self, position: int) -> int:
        """The row of a member, counted from this level's first."""
        index = bisect_left(self._order, position)
        if index == 0:
            return position
        head, before = self.heads()[index - 1], self._order[index - 1]
        return head + self.open[before].size + position - before

    def attach(self, position: int, level: Level) -> None:
        """Unfold a member."""
        self.folded.pop(position, None)
        self.open[position] = level
        insort(self._order, position)
        self._grow(level.size)

    def detach(self, position: int) -> Level:
        """Fold a member."""
        level = self.open.pop(position)
        self._order.remove(position)
        self._grow(-level.size)
        return level

    def _grow(self, rows: int) -> None:
        here = self
        while True:
            here.below += rows
            here._heads = None
            above = here.parent
            # A level that is folded away counts nowhere.
            if above is None or above.open.get(here.at) is not here:
                return
            here = above


@dataclass(frozen=True, slots=True)
class Spot:
    """A row: one member of one level."""

    level: Level
    position: int

    @property
    def item(self) -> Item:
        return self.level.members[self.position]

    @property
    def depth(self) -> int:
        """0 for the outermost."""
        return self.level.depth

    @property
    def is_open(self) -> bool:
        """Whether it is unfolded."""
        return self.position in self.level.open

    def parent(self) -> Spot | None:
        """The row it stands below; None for the outermost."""
        above = self.level.parent
        return Spot(above, self.level.at) if above else None


Grow = Callable[[Item, Level], Growth | None]
"""What stands below a member of a level; None for what cannot be unfolded."""


DEEPEST = 500
"""Levels that are unfolded at once: ten times as deep as bodies of real services, and
some milliseconds. 30,000, which 60 kB of brackets have, took minutes."""


class Outline:
    """A tree as rows. Rows count from 0."""

    def __init__(self, growth: Growth, grow: Grow) -> None:
        self.top = Level(growth, None, 0)
        self._grow = grow

    def __len__(self) -> int:
        return self.top.size

    def spot(self, row: int) -> Spot:
        """What stands in a row. IndexError outside."""
        if not 0 <= row < self.top.size:
            raise IndexError(row)
        level = self.top
        while True:
            heads = level.heads()
            index = bisect_right(heads, row) - 1
            if index < 0:
                return Spot(level, row)
            position = level.order()[index]
            inside = row - heads[index]
            if inside == 0:
                return Spot(level, position)
            below = level.open[position]
            if inside > below.size:
                return Spot(level, position + inside - below.size)
            level, row = below, inside - 1

    def window(self, start: int, stop: int) -> Iterator[Spot]:
        """The rows from `start` up to `stop`."""
        for row in range(max(0, start), min(stop, len(self))):
            yield self.spot(row)

    def row(self, spot: Spot) -> int:
        """The row in which a spot stands."""
        level, row = spot.level, spot.level.row_of(spot.position)
        while level.parent is not None:
            row += level.parent.row_of(level.at) + 1
            level = level.parent
        return row

    # --- Folding ---------------------------------------------------------------------

    def unfold(self, spot: Spot) -> Level | None:
        """Show what stands below; None if nothing can."""
        level = self.below(spot)
        if level is not None and not spot.is_open:
            spot.level.attach(spot.position, level)
        return level

    def below(self, spot: Spot) -> Level | None:
        """What stands below, to be attached if it is not yet; None if nothing can."""
        here = spot.level
        level = here.open.get(spot.position) or here.folded.get(spot.position)
        if level is not None:
            return level
        growth = self._grow(spot.item, here)
        return None if growth is None else Level(growth, here, spot.position)

    def fold(self, spot: Spot, *, deep: bool = False) -> bool:
        """Hide what stands below; with `deep` forget what was unfolded there."""
        if deep:
            spot.level.folded.pop(spot.position, None)
        if not spot.is_open:
            return False
        level = spot.level.detach(spot.position)
        if not deep:
            spot.level.folded[spot.position] = level
        return True

    def unfold_deep(
        self,
        spot: Spot,
        most_rows: int,
        worth: Callable[[Item], bool] = lambda _: True,
        levels: int | None = None,
    ) -> bool:
        """Unfold everything `worth` it below a spot, outer levels first, up to so
        many levels and (roughly) rows; never more than DEEPEST levels, as each costs
        its depth. False if that was not all."""
        queue = [(spot, 0)]
        while queue:
            if queue[0][1] >= DEEPEST:
                return False
            following: list[tuple[Spot, int]] = []
            for here, depth in queue:
                if len(self) > most_rows:
                    return False
                level = self.unfold(here)
                if level is None or (levels is not None and depth + 1 >= levels):
                    continue
                room = most_rows - len(self)
                if len(level.members) > max(room, 0) and len(level.members) > 1000:
                    return False
                following += [
                    (Spot(level, position), depth + 1)
                    for position in range(len(level.members))
                    if worth(level.members[position])
                ]
            queue = following
        return True

    def levels_below(
        self, spot: Spot, worth: Callable[[Item], bool] = lambda _: True
    ) -> tuple[int, int]:
        """How many levels below a spot are unfolded: wholly (for what is `worth` it),
        and in some place. Looks at unfolded levels only."""
        whole: int | None = None
        depth, queue = 0, [spot]
        while queue:
            opened = [here for here in queue if here.is_open]
            if whole is None and len(opened) < len(queue):
                whole = depth
            if not opened:
                return whole or 0, depth
            depth += 1
            levels = [here.level.open[here.position] for here in opened]
            queue = [
                Spot(level, position)
                for level in levels
                for position in range(len(level.members))
                if worth(level.members[position])
            ]
        return depth, depth

    def fold_to(self, spot: Spot, levels: int) -> None:
        """Fold what is unfolded so many levels below a spot."""
        queue = [spot]
        for _ in range(levels):
            opened = [here.level.open[here.position] for here in queue if here.is_open]
            queue = [Spot(level, at) for level in opened for at in level.order()]
        for here in queue:
            self.fold(here)

    def reveal(self, level: Level) -> None:
        """Unfold every level around one that was folded away."""
        while level.parent is not None:
            above = level.parent
            if above.open.get(level.at) is not level:
                above.folded.pop(level.at, None)
                above.attach(level.at, level)
            level = above

    def regrow(
        self, growth: Growth, position_of: Callable[[Level, Item], int | None]
    ) -> None:
        """Take new members everywhere, keep what is unfolded.

        `position_of` finds an item that was unfolded in the new level; None if it is
        gone. Inner levels are unfolded before what is around them: each costs its
        depth only where it counts already.
        """
        old, self.top = self.top, Level(growth, None, 0)
        queue, made = [(old, self.top)], []
        while queue:
            before, after = queue.pop()
            for position in list(before.order()):
                place = position_of(after, before.members[position])
                if place is None:
                    continue
                level = self.below(Spot(after, place))
                if level is not None:
                    made.append((after, place, level))
                    queue.append((before.open[position], level))
        for after, place, level in reversed(made):
            after.attach(place, level)
