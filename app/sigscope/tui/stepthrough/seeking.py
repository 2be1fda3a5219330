"""Searching the pane in focus: events, the event at hand, the message, the client."""

from __future__ import annotations

from asyncio import sleep
from bisect import bisect_left, bisect_right
from time import perf_counter
from typing import Any

from textual import on
from textual.timer import Timer
from textual.worker import Worker

from sigscope.tui.json.prompt import Prompt
from sigscope.tui.json.textsearch import (
    MOST_HITS,
    BadPattern,
    Hit,
    Query,
    make_query,
    search,
)
from sigscope.tui.lines import plain
from sigscope.tui.stepthrough.hits import Found, Order, in_events, in_message
from sigscope.tui.stepthrough.showing import CLIENT, EVENTS, MESSAGE, RAW, Showing

_SLICE = 0.006
"""Seconds of searching before the screen gets its turn."""
_REST = 0.1
"""Seconds after a step until what is found in the message is counted anew."""


class Seeking(Showing):
    """One search at a time, in one pane. Hits in the events stay; those in the message
    and in what the client keeps are looked up anew when these have changed."""

    current: Any = EVENTS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._query: Query | None = None
        self._scope = EVENTS
        self._hits: list[Found] = []
        self._orders: dict[str, int] = {}
        self._at = -1
        self._from: Order = (0, 0)
        self._went: Order | None = None
        self._share = 1.0
        self._jumps = False
        self._problem = ""
        self._worker: Worker[None] | None = None
        self._recounting: Timer | None = None

    # --- What is said ----------------------------------------------------------------

    @property
    def is_seeking(self) -> bool:
        """Whether something is searched for."""
        return self._query is not None or bool(self._problem)

    def found_in(self, number: int) -> str:
        """ "3/17", "0 found", "12 found, 40 %": how the search in a pane stands."""
        if number != self._scope or not self.is_seeking:
            return ""
        if self._problem:
            return self._problem
        count = f"{len(self._hits):,}{'+' if len(self._hits) >= MOST_HITS else ''}"
        if self._share < 1.0:
            return f"{count} found, {self._share:.0%}"
        return f"{count} found" if self._at < 0 else f"{self._at + 1:,}/{count}"

    # --- Searching -------------------------------------------------------------------

    def action_search(self) -> None:
        """Ask what to search the pane in focus for."""
        self.pause()
        if self.player is None:
            return
        if self.current != self._scope:
            self.end_search()
            self._scope = self.current
        self._from = self._here()
        text = self._query.text if self._query else ""
        self.query_one("#ask", Prompt).ask("search", text)

    @property
    def is_asking(self) -> bool:
        """Whether what is typed goes to the search line."""
        return self.query_one("#ask", Prompt).has_class("-open")

    @on(Prompt.Typed)
    def _typed(self, message: Prompt.Typed) -> None:
        message.stop()
        self.search(message.text, jump=False)

    @on(Prompt.Answered)
    def _answered(self, message: Prompt.Answered) -> None:
        message.stop()
        self.action_pane(self._scope)
        self.search(message.text or "", jump=True)

    def search(self, text: str, *, jump: bool) -> None:
        """Search; with `jump`, go to the first hit from where the search began."""
        if jump and self._query is not None and text == self._query.text:
            self._jumps = True
            if self._share == 1.0:
                self._jump()
            return
        self.end_search()
        if text in ("", "re:"):
            return
        try:
            self._query = make_query(text)
        except BadPattern as problem:
            self._problem = str(problem)
            self.recaption(self._scope)
            return
        self._jumps = jump
        self._light(self._query)
        if self._scope in (EVENTS, RAW):
            self._share = 0.0
            self._worker = self.run_worker(
                self._run(self._query), exclusive=True, group="search"
            )
        else:
            self._look_up()
            if jump:
                self._jump()
        self.recaption(self._scope)

    async def _run(self, query: Query) -> None:
        """Look through the events, and let the screen have its turn."""
        assert self.player is not None
        events = self.player.events
        began = told = perf_counter()
        for share, hits in in_events(events, query, each_node=self._scope == RAW):
            self._hits += hits
            self._share = min(share, 0.99)
            if len(self._hits) >= MOST_HITS:
                break
            now = perf_counter()
            if now - began > _SLICE:
                if now - told > _REST:
                    self.recaption(self._scope)
                    told = now
                await sleep(0)
                began = perf_counter()
        self._share = 1.0
        if self._jumps:
            self._jump()
        self.recaption(self._scope)

    def _look_up(self) -> None:
        """Find what there is in the message, or in what the client keeps, now."""
        query = self._query
        if query is None or self._scope in (EVENTS, RAW):
            return
        here = self._hits[self._at].order if self._at >= 0 else None
        if self._scope == MESSAGE:
            frame = self.frame
            fields = in_message(frame.body if frame else None, query)
            self._hits, self._orders = fields.hits, fields.orders
        else:
            self._hits = [
                Found(order=(row, 0))
                for row, spans in enumerate(self.client.lines)
                if query.on_screen.search(plain(spans))
            ]
        orders = [hit.order for hit in self._hits]
        self._at = orders.index(here) if here in orders else -1

    def show_event(self) -> None:
        """What is found in the message is another number soon."""
        super().show_event()
        searches_state = self._query is not None and self._scope in (MESSAGE, CLIENT)
        if searches_state and self._recounting is None:
            self._recounting = self.set_timer(_REST, self._recount)

    def _recount(self) -> None:
        self._recounting = None
        self._look_up()
        self.recaption(self._scope)

    def show_all(self) -> None:
        """Another response: what was found is not in it."""
        self.end_search()
        super().show_all()

    def end_search(self) -> bool:
        """Forget what was searched for. False if nothing was."""
        was_on = self.is_seeking
        if self._worker is not None:
            self._worker.cancel()
            self._worker = None
        self._query, self._problem, self._hits, self._at = None, "", [], -1
        self._share, self._went = 1.0, None
        if was_on:
            self._light(None)
            self.recaption(self._scope)
        return was_on

    def _light(self, query: Query | None) -> None:
        """Make what is found stand out, or no longer."""
        shown = query.on_screen if query else None
        lists = {
            EVENTS: (self.events_list,),
            MESSAGE: (self.message_list,),
            CLIENT: (self.client,),
        }
        for view in lists.get(self._scope, ()):
            view.query_shown = shown
            view.refresh()
        if self._scope in (EVENTS, RAW):
            self.raw.seek(query)

    # --- Going to a hit --------------------------------------------------------------

    def _here(self) -> Order:
        """Where the cursor is."""
        if self._scope == EVENTS:
            return self.event, 0
        if self._scope == RAW:
            return self.event, self.raw.cursor_offset
        if self._scope == CLIENT:
            return self.client.cursor, 0
        pointer, offset = self.message_list.here
        return self._orders.get(pointer or "", 0), offset if offset is not None else -1

    def seek_next(self, by: int) -> None:
        """To the next or previous hit, from where the cursor is."""
        self._look_up()
        if not self._hits:
            self.recaption(self._scope)
            return
        here = self._here()
        orders = [hit.order for hit in self._hits]
        if self._at >= 0 and here == self._went:
            at = self._at + by
        elif by > 0:
            at = bisect_right(orders, here)
        else:
            at = bisect_left(orders, here) - 1
        self._go(at % len(self._hits))

    def _jump(self) -> None:
        """To the first hit from where the search began; the first of all after the
        last."""
        self._jumps = False
        if self._hits:
            orders = [hit.order for hit in self._hits]
            self._go(bisect_left(orders, self._from) % len(self._hits))

    def _go(self, at: int) -> None:
        self._at, hit = at, self._hits[at]
        self.pause()
        if self._scope in (EVENTS, RAW):
            self.go_to(hit.event)
            self._show_in_raw(hit)
        elif self._scope == MESSAGE:
            self.message_list.reveal(hit.pointer, hit.offset)
        else:
            self.client.cursor = hit.order[0]
        self._went = self._here()
        self.recaption(self._scope)

    def _show_in_raw(self, hit: Found) -> None:
        """Unfold the event down to what was found in it."""
        source, query = self.raw.source, self._query
        if source is None or query is None:
            return
        offset = hit.offset
        if offset is None:
            steps = search(source, query)
            offset = next((h.offset for step in steps for h in step.hits), None)
        if offset is None:
            return
        node = source.node_at(offset)
        if self.raw.is_ready:
            self.raw.reveal_hit(Hit(node, offset))
        else:
            self.raw.go_to(source.pointer(node))
