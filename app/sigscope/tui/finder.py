"""Searching a list: one query, its hits in their order, the hit under the cursor.

A screen with lists has a `Finder`, and tells it which list is meant.
"""

from __future__ import annotations

from collections.abc import Hashable

from textual import on

from sigscope.tui.itemlist import ItemList
from sigscope.tui.json.prompt import Prompt
from sigscope.tui.json.textsearch import BadPattern, Query, make_query


class ListSearch:
    """The search in one list. Hits are looked up anew at every step, for the list may
    have changed since."""

    def __init__(self, listed: ItemList, query: Query) -> None:
        self.list = listed
        self.query = query
        self._from = listed.cursor

    def _hits(self) -> list[int]:
        find = self.query.on_screen.search
        return [
            index
            for index, item in enumerate(self.list.items)
            if item.selectable and find(self.list.text_of(item))
        ]

    def preview(self) -> None:
        """Say how many there are; the cursor stays."""
        self.list.tell_found(self.query.on_screen, f"{len(self._hits()):,} found")

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) hit; to the first from where the search
        began (0)."""
        hits = self._hits()
        if not hits:
            self.list.tell_found(self.query.on_screen, "0 found")
            return
        at = self.list.cursor if by else self._from
        if by < 0:
            index = max((hit for hit in hits if hit < at), default=hits[-1])
        else:
            ahead = (hit for hit in hits if hit > at or (not by and hit == at))
            index = min(ahead, default=hits[0])
        key: Hashable = self.list.items[index].key
        words = f"{hits.index(index) + 1:,}/{len(hits):,}"
        self.list.go_to(key, self.query.on_screen)
        self.list.tell_found(self.query.on_screen, words)

    def end(self) -> None:
        """Nothing stands out any more."""
        self.list.tell_found(None, "")


class Finder(Prompt):
    """Asks what a list is searched for, and goes from hit to hit."""

    search: ListSearch | None = None
    """What is searched for now; None for nothing."""
    _asked: ItemList | None = None
    """The list that the question is about."""

    def ask_in(self, listed: ItemList | None) -> None:
        """Ask what to search a list for; None: there is none to be searched."""
        if listed is None:
            self.notify("nothing here can be searched", timeout=3)
            return
        self._asked = listed
        last = self.search
        text = last.query.text if last is not None and last.list is listed else ""
        self.ask("search", text)

    def step(self, by: int) -> None:
        """To the next or previous hit."""
        if self.search is None:
            self.notify("nothing is searched for; / asks", timeout=3)
        else:
            self.search.step(by)

    def end(self) -> bool:
        """Forget what was searched for. False if nothing was."""
        search, self.search = self.search, None
        if search is None:
            return False
        search.end()
        return True

    def _find(self, text: str, *, jump: bool) -> None:
        listed = self._asked
        self.end()
        if listed is None or text in ("", "re:"):
            return
        try:
            query = make_query(text)
        except BadPattern as problem:
            listed.tell_found(None, str(problem))
            return
        self.search = ListSearch(listed, query)
        if jump:
            self.search.step(0)
        else:
            self.search.preview()

    @on(Prompt.Typed)
    def _text_typed(self, message: Prompt.Typed) -> None:
        message.stop()
        self._find(message.text, jump=False)

    @on(Prompt.Answered)
    def _text_answered(self, message: Prompt.Answered) -> None:
        message.stop()
        if self._asked is not None:
            self._asked.focus()
        self._find(message.text or "", jump=True)
