"""A search in the view on show: one query, hits in their order."""

from __future__ import annotations

from asyncio import sleep
from bisect import bisect_left
from collections.abc import Callable, Coroutine, Iterator
from time import perf_counter
from typing import Any, Protocol

from textual.worker import Worker

from sigscope.search.text import MOST_HITS, BadPattern, Found, Query, make_query

_SLICE = 0.006
"""Seconds of searching before the screen gets its turn."""
_PATIENCE = 0.02
"""Seconds between two looks whether the document is read."""


class SearchedView(Protocol):
    @property
    def is_reading(self) -> bool: ...

    @property
    def searched_from(self) -> int:
        """Where the cursor is, in the order of the hits."""

    def hits(self, query: Query) -> Iterator[Found]:
        """Look for something, piece by piece."""

    def reveal_hit(self, hit: Any) -> None:
        """Move to something found."""


class TabSearch:
    """Runs one search at a time; knows its hits and which one the cursor is on."""

    def __init__(
        self,
        begin: Callable[[Coroutine[Any, Any, None]], Worker[None]],
        mark: Callable[[Query | None], None],
        tell: Callable[[], None],
    ) -> None:
        self._begin = begin
        """Runs a search beside the screen."""
        self._mark = mark
        """Makes what is searched for stand out, or nothing any more."""
        self._tell = tell
        """The search has come further."""
        self._view: SearchedView | None = None
        self._query: Query | None = None
        self._hits: list[tuple[int, Any]] = []
        self._at = -1
        self._share = 1.0
        self._is_cut = False
        self._jumps = False
        self._from = 0
        self._problem = ""
        self._worker: Worker[None] | None = None
        self._last_place = -1

    # --- What the pane says ----------------------------------------------------------

    @property
    def is_on(self) -> bool:
        """Whether something is being searched for."""
        return self._query is not None or bool(self._problem)

    @property
    def text(self) -> str:
        return self._query.text if self._query else ""

    @property
    def said(self) -> str:
        """ "3/17", "0 found", "12 found, 40 %"."""
        if self._problem:
            return self._problem
        if self._query is None:
            return ""
        count = f"{len(self._hits):,}{'+' if self._is_cut else ''}"
        if self._share < 1.0:
            return f"{count} found, {self._share:.0%}"
        if self._at < 0:
            return f"{count} found"
        return f"{self._at + 1:,}/{count}"

    # --- Searching -------------------------------------------------------------------

    def forget(self) -> None:
        """End the search."""
        if self._worker is not None:
            self._worker.cancel()
            self._worker = None
        was_on = self._query is not None
        self._query, self._hits, self._at, self._problem = None, [], -1, ""
        self._share = 1.0
        if was_on:
            self._mark(None)

    def begin(self, view: SearchedView, text: str, *, jump: bool) -> None:
        """Search a view; with `jump`, go to the first hit from the cursor on."""
        if jump and self._query is not None and text == self._query.text:
            self._jumps = True
            self._jump()
            self._tell()
            return
        self.forget()
        if text and text != "re:":
            try:
                self._query = make_query(text)
            except BadPattern as problem:
                self._problem = str(problem)
        if self._query is not None:
            self._view = view
            self._jumps, self._is_cut, self._share = jump, False, 0.0
            self._from = view.searched_from
            self._mark(self._query)
            self._worker = self._begin(self._run(view, self._query))
        self._tell()

    async def _run(self, view: SearchedView, query: Query) -> None:
        while view.is_reading:  # noqa: ASYNC110 - a thread reads
            await sleep(_PATIENCE)
        began = perf_counter()
        told = 0.0
        for share, hits in view.hits(query):
            self._hits += hits
            self._share = share
            if len(self._hits) >= MOST_HITS:
                self._is_cut = True
                break
            now = perf_counter()
            if now - began > _SLICE:
                if self._jumps and self._at < 0:
                    self._jump(wrap=False)
                if now - told > 0.1:
                    self._tell()
                    told = now
                await sleep(0)
                began = perf_counter()
        self._share = 1.0
        self._hits.sort(key=lambda hit: hit[0])
        if self._jumps and self._at < 0:
            self._jump()
        self._tell()

    # --- Moving ----------------------------------------------------------------------

    def _jump(self, *, wrap: bool = True) -> None:
        """To the first hit from where the search began."""
        at = bisect_left(self._hits, self._from, key=lambda hit: hit[0])
        if at < len(self._hits):
            self._go(at)
        elif wrap and self._hits:
            self._go(0)

    def step(self, by: int) -> None:
        """To the next or previous hit, from where the cursor is."""
        if not self._hits or self._view is None:
            return
        here = self._view.searched_from
        if self._at >= 0 and here in (self._last_place, self._hits[self._at][0]):
            self._go((self._at + by) % len(self._hits))
            return
        at = bisect_left(self._hits, here, key=lambda hit: hit[0])
        if by > 0:
            same = at < len(self._hits) and self._at == at
            self._go((at + same) % len(self._hits))
        else:
            self._go((at - 1) % len(self._hits))

    def _go(self, at: int) -> None:
        self._at = at
        if self._view is not None:
            self._view.reveal_hit(self._hits[at][1])
            self._last_place = self._view.searched_from
        self._tell()
