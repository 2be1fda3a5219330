"""A search: one query, its hits in their order, the hit one is at. No terminal.

What is searched (`Searched`) says what it holds, where one is in it, and goes where a
hit is. Lists of rows, documents, the events of a stream and the message made of them
are searched by the same `Search`. `SearchSlot` holds the one that is on and runs it
while the screen has its turns; `finder.Finder` is the line that asks for the text.
"""

from __future__ import annotations

from asyncio import sleep
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Coroutine, Iterator, Sequence
from functools import partial
from operator import attrgetter
from time import perf_counter
from typing import Any, Protocol, TypeVar

from sigscope.records import dataclass
from sigscope.search.text import MOST_HITS, BadPattern, Query, make_query

_SLICE = 0.006
"""Seconds of searching before the screen gets its turn."""
_TELL_EVERY = 0.1
"""Seconds between two reports of how far it is."""
_PATIENCE = 0.02
"""Seconds between two looks whether what is searched has been read."""
_ORDER = attrgetter("order")

GIVEN_UP = "then given up: the pattern takes too long"

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
        """Shares done, and the hits of each: in their order, but for the last."""

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
        """Whether to go to the first hit as soon as it is known."""

    @property
    def words(self) -> str:
        """ "3/17", "0 found", "12 found, 40 %"."""
        count = f"{len(self._found):,}{'+' if len(self._found) >= MOST_HITS else ''}"
        if self.query.is_given_up:
            return f"{count} found, {GIVEN_UP}"
        if self._share < 1.0:
            return f"{count} found, {self._share:.0%}"
        return f"{count} found" if self._at < 0 else f"{self._at + 1:,}/{count}"

    @property
    def is_vain(self) -> bool:
        """Whether all was looked at, and nothing is there."""
        return not self._found and self._share >= 1.0

    def look(self) -> Iterator[None]:
        """Look for hits, a piece at a time; go to the first if that is wanted, as soon
        as it is known. Does not yield where one piece is all."""
        self._found, self._share = [], 0.0
        for share, found in self.target.find(self.query):
            self._found += found
            self._share = min(share, 0.99)
            if share >= 1.0 or len(self._found) >= MOST_HITS:
                break
            if self._jumps and found:
                self.jump()
            yield
        self._share = 1.0
        at = self._found[self._at] if self._at >= 0 else None
        self._found.sort(key=_ORDER)
        if at is not None:
            self._at = self._found.index(at)
        if self._jumps:
            self.jump()
        else:
            self.tell()

    def jump(self) -> None:
        """Go to the first hit from where the search began, around the end; as soon as
        it is known."""
        at = bisect_left(self._found, self._from, key=_ORDER)
        self._jumps = at == len(self._found) and self._share < 1.0
        if not self._jumps and self._found:
            self._go(at)
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


Look = Callable[[], Coroutine[None, None, None]]
"""Looks on, while the screen has its turns."""


class SearchSlot:
    """The search that is on, if one is; or why it could not be."""

    def __init__(
        self,
        run: Callable[[Look], object],
        cancel: Callable[[], object],
        is_reading: Callable[[], bool] = lambda: False,
    ) -> None:
        """`run`, `cancel`: what takes several pieces is looked for beside the screen;
        `is_reading`: whether what is searched is not all there yet."""
        self.search: Search | None = None
        self.problem = ""
        """What is wrong with the pattern; empty for nothing."""
        self._target: Searched[Any] | None = None
        """What was searched last."""
        self._run = run
        self._cancel = cancel
        self._is_reading = is_reading

    @property
    def is_on(self) -> bool:
        """Whether something is searched for, or could not be."""
        return self.search is not None or bool(self.problem)

    @property
    def text(self) -> str:
        """What is searched for; empty for nothing."""
        return self.search.query.text if self.search is not None else ""

    def begin(self, target: Searched[Any], text: str, *, jump: bool) -> None:
        """Search for something; with `jump`, go to the first hit from the cursor on.
        An empty text ends the search."""
        if jump and text and self.search is not None and text == self.text:
            self.search.jump()
            return
        self.end()
        self._target = target
        if text in ("", "re:"):
            return
        try:
            query = make_query(text)
        except BadPattern as problem:
            self.problem = str(problem)
            target.tell_found(None, self.problem)
            return
        self.search = Search(target, query)
        if jump:
            self.search.jump()
        self._look(self.search)

    def _look(self, search: Search) -> None:
        """What takes one piece is found at once, the rest while the screen has its
        turns."""
        pieces = search.look()
        if not self._is_reading() and next(pieces, pieces) is pieces:
            return
        search.tell()
        self._run(partial(self._look_on, search, pieces))

    async def _look_on(self, search: Search, pieces: Iterator[None]) -> None:
        while self._is_reading():  # noqa: ASYNC110 - a thread reads
            await sleep(_PATIENCE)
        began = told = perf_counter()
        for _ in pieces:
            now = perf_counter()
            if now - began > _SLICE:
                if now - told > _TELL_EVERY:
                    search.tell()
                    told = now
                await sleep(0)
                began = perf_counter()

    def step(self, by: int) -> None:
        """To the next or previous hit."""
        if self.search is not None:
            self.search.step(by)

    def recount(self) -> None:
        """What is searched has changed, perhaps."""
        if self.search is not None and not self.search.target.is_lasting:
            self.search.recount()

    def end(self) -> bool:
        """Forget what was searched for. False if nothing was."""
        was_on, self.search, self.problem = self.is_on, None, ""
        if was_on and self._target is not None:
            self._cancel()
            self._target.tell_found(None, "")
        return was_on
