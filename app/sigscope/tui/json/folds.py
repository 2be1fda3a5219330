"""The rows of an outline, the one that is chosen, and what keys fold from there.

Plain Python: the tree and the differences have one each and paint it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from sigscope.tui.json import places
from sigscope.tui.json.outline import Growth, Level, Outline, Spot

MOST_UNFOLDED = 20_000
"""Rows after which unfolding everything stops."""

Worth = Callable[[Any], bool]


class OutlineFolds:
    """An outline and a row of it. Commands say whether other rows are unfolded now."""

    def __init__(self, outline: Outline, worth: Worth = lambda _: True) -> None:
        self.outline = outline
        self._worth = worth
        """What is unfolded along with what is around it."""
        self.row = 0
        self.is_cut = False
        """Whether the last command stopped before everything was unfolded."""

    @property
    def spot(self) -> Spot | None:
        """What is chosen; None where there is no such row."""
        return self.outline.spot(self.row) if self.row < len(self.outline) else None

    def put(self, spot: Spot) -> None:
        """Choose a row."""
        self.row = self.outline.row(spot)

    def obey(self, command: str) -> bool:
        """Do one of `COMMANDS`."""
        self.is_cut = False
        return COMMANDS[command](self)

    # --- One row ---------------------------------------------------------------------

    def unfold(self) -> bool:
        """Unfold, or go to the first child."""
        spot = self.spot
        if spot is None:
            return False
        if spot.is_open:
            self.row += 1
            return False
        return self.outline.unfold(spot) is not None

    def fold(self) -> bool:
        """Fold, or go to what is around."""
        spot = self.spot
        if spot is None or self.outline.fold(spot):
            return spot is not None
        return self.parent()

    def flip(self) -> bool:
        """Fold or unfold."""
        spot = self.spot
        if spot is None:
            return False
        return self.outline.fold(spot) or self.outline.unfold(spot) is not None

    def parent(self) -> bool:
        """Go to what is around."""
        above = self.spot.parent() if self.spot else None
        if above is not None:
            self.put(above)
        return False

    def sibling(self, by: int) -> bool:
        """Next or previous on the same level."""
        spot = self.spot
        if spot is not None and 0 <= spot.position + by < len(spot.level.members):
            self.put(Spot(spot.level, spot.position + by))
        return False

    # --- All below, a whole level ----------------------------------------------------

    def unfold_deep(self) -> bool:
        """Unfold everything below."""
        return self.spot is not None and self._unfold_deep(self.spot)

    def _unfold_deep(self, spot: Spot, levels: int | None = None) -> bool:
        limit = len(self.outline) + MOST_UNFOLDED
        if not self.outline.unfold_deep(spot, limit, self._worth, levels):
            self.is_cut = True
        return True

    def fold_deep(self) -> bool:
        """Fold, and forget what was unfolded inside."""
        spot = self.spot
        return spot is not None and self.outline.fold(spot, deep=True)

    def deeper(self, by: int) -> bool:
        """One level more below the row, or one less; on a value that has none, of what
        is around it."""
        spot, outline = self.spot, self.outline
        while spot is not None and not self._worth(spot.item):
            spot = spot.parent()
        if spot is None:
            return False
        whole, some = outline.levels_below(spot, self._worth)
        before = len(outline)
        if by > 0:
            for levels in range(whole + 1, some + 2):
                self._unfold_deep(spot, levels)
                if len(outline) != before:  # not only empty containers were left there
                    break
        elif some:
            outline.fold_to(spot, some - 1)
            self.put(spot)
        return len(outline) != before

    def unfold_level(self) -> bool:
        """Unfold every container on this level."""
        spot = self.spot
        if spot is None:
            return False
        for position in range(min(len(spot.level.members), MOST_UNFOLDED)):
            if len(self.outline) > MOST_UNFOLDED:
                break
            here = Spot(spot.level, position)
            if self._worth(here.item):
                self.outline.unfold(here)
        self.put(spot)
        return True

    def fold_level(self) -> bool:
        """Fold everything on this level."""
        spot = self.spot
        if spot is None:
            return False
        for position in list(spot.level.order()):
            self.outline.fold(Spot(spot.level, position))
        self.put(spot)
        return True

    # --- Other rows ------------------------------------------------------------------

    def around(self, change: Callable[[], object]) -> None:
        """Do something to the rows and stay on what is chosen, or nearest to it."""
        items = places.trail(self.spot) if self.spot else []
        change()
        place = places.follow(self.outline, items)
        self.row = self.outline.row(place) if place else 0

    def regrow(
        self, growth: Growth, position_of: Callable[[Level, Any], int | None]
    ) -> None:
        """Take other members everywhere; what is unfolded and chosen stays."""
        self.around(lambda: self.outline.regrow(growth, position_of))


COMMANDS: Final[Mapping[str, Callable[[OutlineFolds], bool]]] = {
    "unfold": OutlineFolds.unfold,
    "fold": OutlineFolds.fold,
    "flip": OutlineFolds.flip,
    "parent": OutlineFolds.parent,
    "next": lambda folds: folds.sibling(1),
    "previous": lambda folds: folds.sibling(-1),
    "unfold-deep": OutlineFolds.unfold_deep,
    "fold-deep": OutlineFolds.fold_deep,
    "deeper": lambda folds: folds.deeper(1),
    "shallower": lambda folds: folds.deeper(-1),
    "unfold-level": OutlineFolds.unfold_level,
    "fold-level": OutlineFolds.fold_level,
}
"""What keys say to `obey`."""
