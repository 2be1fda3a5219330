"""The search of the pane: one query, the tab on show, hits in their order."""

from __future__ import annotations

from asyncio import sleep
from bisect import bisect_left
from time import perf_counter
from typing import TYPE_CHECKING, Any

from textual.worker import Worker

from sigscope.tui.json.overlay import Offer
from sigscope.tui.json.textsearch import (
    MOST_HITS,
    PIECE,
    BadPattern,
    Hit,
    Query,
    make_query,
    search,
)
from sigscope.tui.json.tree import JsonTree
from sigscope.wire.events import Event

if TYPE_CHECKING:
    from sigscope.tui.json.paneviews import PaneViews

_SLICE = 0.006
"""Seconds of searching before the screen gets its turn."""


_PATIENCE = 0.02
"""Seconds between two looks whether the document is read."""


class Seeking:
    """Runs one search at a time; knows its hits and which one the cursor is on."""

    def __init__(self, pane: PaneViews) -> None:
        self._pane = pane
        self._query: Query | None = None
        self._hits: list[tuple[int, Any]] = []
        """Ascending: an order, and what to show there."""
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
            self._mark_found()

    def begin(self, text: str, *, jump: bool) -> None:
        """Search; with `jump`, go to the first hit from the cursor on."""
        if jump and self._query is not None and text == self._query.text:
            self._jumps = True
            self._jump()
            self._pane.sought()
            return
        self.forget()
        if text and text != "re:":
            try:
                self._query = make_query(text)
            except BadPattern as problem:
                self._problem = str(problem)
        if self._query is not None:
            self._jumps, self._is_cut, self._share = jump, False, 0.0
            self._from = self._here()
            self._mark_found()
            self._worker = self._pane.run_worker(
                self._run(self._query), exclusive=True, group="search"
            )
        self._pane.sought()

    async def _run(self, query: Query) -> None:
        tree = self._pane.shown_tree
        while tree is not None and not tree.is_ready:  # noqa: ASYNC110 - a thread reads
            await sleep(_PATIENCE)
        began = perf_counter()
        told = 0.0
        for share, hits in self._pieces(query):
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
                    self._pane.sought()
                    told = now
                await sleep(0)
                began = perf_counter()
        self._share = 1.0
        self._hits.sort(key=lambda hit: hit[0])
        if self._jumps and self._at < 0:
            self._jump()
        self._pane.sought()

    def _pieces(self, query: Query) -> Any:
        """Shares done and hits found, for the tab on show."""
        if self._pane.tab == "events":
            return self._in_events(query)
        if self._pane.tab == "raw":
            return self._in_bytes(query, self._pane.raw_view.data)
        if self._pane.tab == "diff":
            return self._in_rows(query)
        tree = self._pane.shown_tree
        return self._in_tree(query, tree) if tree else iter(())

    def _in_tree(self, query: Query, tree: JsonTree) -> Any:
        source = tree.source
        if source is None:
            return
        for progress in search(source, query):
            yield progress.share * 0.99, [(hit.offset, hit) for hit in progress.hits]
        if tree.overlay is not None:
            for container in tree.overlay.containers():
                for _, offer in tree.overlay.added(container):
                    said = f'"{offer.key or ""}": {offer.text} {offer.note}'
                    if query.on_screen.search(said):
                        yield 1.0, [(container.end, (container, offer))]

    def _in_events(self, query: Query) -> Any:
        rows = self._pane.events_view.list.rows
        for number, row in enumerate(rows):
            item = row.item
            if isinstance(item, Event):
                found = query.in_bytes.search(item.data) is not None
            else:
                found = query.on_screen.search(row.preview) is not None
            if found or number % 64 == 0:
                yield number / len(rows), [(number, number)] if found else []

    @staticmethod
    def _in_bytes(query: Query, data: bytes) -> Any:
        for start in range(0, max(1, len(data)), PIECE):
            stop = min(start + PIECE, len(data))
            reach = min(stop + 4096, len(data))
            starts = [
                match.start()
                for match in query.in_bytes.finditer(data, start, reach)
                if match.start() < stop and match.end() > match.start()
            ]
            yield stop / max(1, len(data)), [(at, at) for at in starts]

    def _in_rows(self, query: Query) -> Any:
        view = self._pane.diff_view
        for row in range(view.row_count):
            text = "".join(span.text for span in view.row_line(row))
            if query.on_screen.search(text):
                yield row / view.row_count, [(row, row)]

    # --- Moving ----------------------------------------------------------------------

    def _here(self) -> int:
        """Where the cursor is, in the order of the hits."""
        pane = self._pane
        if pane.tab == "raw":
            return pane.raw_view.offset_under_cursor or 0
        if pane.tab == "events":
            return pane.events_view.list.cursor
        if pane.tab == "diff":
            return pane.diff_view.cursor
        return pane.shown_tree.cursor_offset if pane.shown_tree else 0

    def _jump(self, *, wrap: bool = True) -> None:
        """To the first hit from where the search began."""
        at = bisect_left(self._hits, self._from, key=lambda hit: hit[0])
        if at < len(self._hits):
            self._go(at)
        elif wrap and self._hits:
            self._go(0)

    def step(self, by: int) -> None:
        """To the next or previous hit, from where the cursor is."""
        if not self._hits:
            return
        here = self._here()
        if self._at >= 0 and self._hits[self._at][0] == self._order_of(here):
            self._go((self._at + by) % len(self._hits))
            return
        at = bisect_left(self._hits, here, key=lambda hit: hit[0])
        if by > 0:
            same = at < len(self._hits) and self._at == at
            self._go((at + same) % len(self._hits))
        else:
            self._go((at - 1) % len(self._hits))

    def _order_of(self, here: int) -> int:
        """The order of the hit at hand, if the cursor has not left it."""
        order, what = self._hits[self._at]
        if isinstance(what, Hit):
            return order if what.node.begin == here else here
        if isinstance(what, tuple):
            return order if self._last_place == here else here
        return order if self._last_place == here else here

    def _go(self, at: int) -> None:
        self._at = at
        _, what = self._hits[at]
        pane = self._pane
        if isinstance(what, Hit) and pane.shown_tree is not None:
            pane.shown_tree.reveal_hit(what)
        elif isinstance(what, tuple) and pane.shown_tree is not None:
            container, offer = what
            assert isinstance(offer, Offer)
            spot = pane.shown_tree.reveal_offer(container, offer)
            if spot is not None:
                pane.shown_tree.put_spot(spot)
        elif pane.tab == "raw":
            pane.raw_view.go_to(what)
        elif pane.tab == "events":
            pane.events_view.list.put_cursor(what)
        else:
            pane.diff_view.put_cursor(what)
        self._last_place = self._here()
        pane.sought()

    def _mark_found(self) -> None:
        """Make what is found stand out, or no longer."""
        shown = self._query.on_screen if self._query else None
        pane = self._pane
        views = (pane.raw_view, pane.diff_view, pane.events_view.list)
        for view in views:
            view.query_shown = shown
            view.refresh()
        for tree in (
            pane.request_tree,
            pane.response_tree,
            pane.events_view.event_tree,
        ):
            tree.seek(self._query)
