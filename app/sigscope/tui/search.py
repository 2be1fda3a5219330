"""A search: one query, its hits in their order, the hit one is at. No terminal.

What is searched (`Searched`) says what it holds, where one is in it, and goes where a
hit is. Lists of rows, the events of a stream and the message made of them are searched
by the same `Search`; `finder.Finder` is the line that asks for the text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from sigscope.search.text import MOST_HITS, Query

Order = tuple[int, int]
"""Where a hit stands among the others, and where the cursor does: the row, event or
field, and the place inside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    order: Order


F = TypeVar("F", bound=SearchHit)


class Searched(Protocol[F]):
    """What can be searched."""

    @property
    def is_lasting(self) -> bool:
        """Whether what was found stays found; else it is looked up at every step."""

    def find(self, query: Query) -> Iterator[tuple[float, Sequence[F]]]:
        """Shares done, and the hits of each, in their order."""

    @property
    def here(self) -> Order:
        """Where the cursor is."""

    def go_to_hit(self, found: F, query: Query) -> None:
        """Put the cursor on a hit."""

    def tell_found(self, query: Query | None, words: str) -> None:
        """Make what is searched for stand out, and say how the search stands."""

    def focus(self) -> object:
        """Back from the line of the question."""


class Search:
    """The search for one query in one place."""

    def __init__(self, target: Searched[Any], query: Query) -> None:
        self.target = target
        self.query = query
        self._found: list[SearchHit] = []
        self._at = -1
        self._share = 0.0
        self._from = target.here
        self._went: Order | None = None
        """Where the last step led."""
        self._jumps = False
        """Whether to go to the first hit as soon as all are known."""

    @property
    def words(self) -> str:
        """ "3/17", "0 found", "12 found, 40 %"."""
        count = f"{len(self._found):,}{'+' if len(self._found) >= MOST_HITS else ''}"
        if self._share < 1.0:
            return f"{count} found, {self._share:.0%}"
        return f"{count} found" if self._at < 0 else f"{self._at + 1:,}/{count}"

    def look(self) -> Iterator[None]:
        """Look for hits, a piece at a time; then go to the first if that is wanted.
        Does not yield where one piece is all."""
        self._found, self._share = [], 0.0
        for share, found in self.target.find(self.query):
            self._found += found
            self._share = min(share, 0.99)
            if share >= 1.0 or len(self._found) >= MOST_HITS:
                break
            yield
        self._share = 1.0
        if self._jumps:
            self.jump()
        else:
            self.tell()

    def jump(self) -> None:
        """Go to the first hit from where the search began, around the end; as soon as
        all are known."""
        self._jumps = self._share < 1.0
        if not self._jumps and self._found:
            self._go(bisect_left(self._orders, self._from))
        elif not self._jumps:
            self.tell()

    def step(self, by: int) -> None:
        """To the next (1) or previous (-1) hit from where the cursor is, around the
        end."""
        self._renew()
        here, orders = self.target.here, self._orders
        if not orders:
            self.tell()
        elif self._at >= 0 and here == self._went:
            self._go(self._at + by)
        elif by > 0:
            self._go(bisect_right(orders, here))
        else:
            self._go(bisect_left(orders, here) - 1)

    def recount(self) -> None:
        """What is searched is another one now."""
        self._renew()
        self.tell()

    def tell(self) -> None:
        """Say how it stands."""
        self.target.tell_found(self.query, self.words)

    def end(self) -> None:
        """Nothing stands out any more."""
        self.target.tell_found(None, "")

    def _renew(self) -> None:
        """Look anew for what does not last; the hit one is at stays it, if it is there
        still."""
        if self.target.is_lasting:
            return
        orders, at = self._orders, self._at
        here = orders[at] if 0 <= at < len(orders) else None
        pieces = self.target.find(self.query)
        self._found = [hit for _, hits in pieces for hit in hits]
        orders = self._orders
        self._at = orders.index(here) if here in orders else -1

    @property
    def _orders(self) -> list[Order]:
        return [hit.order for hit in self._found]

    def _go(self, at: int) -> None:
        self._at = at % len(self._found)
        self.target.go_to_hit(self._found[self._at], self.query)
        self._went = self.target.here
        self.tell()
