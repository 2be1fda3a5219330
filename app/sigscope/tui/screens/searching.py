"""Searching a list: one query, its hits in their order, the hit under the cursor."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from textual import on
from textual.screen import Screen

from sigscope.tui.itemlist import ItemList
from sigscope.tui.json.prompt import Prompt
from sigscope.tui.json.searching import BadPattern, Query, make_query


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


class ListSearching(Screen[Any]):
    """A screen whose lists can be searched. It has a `Prompt` with the id "ask"."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.list_search: ListSearch | None = None
        self._asked: ItemList | None = None

    def searched_list(self) -> ItemList | None:
        """The list that a search would be in."""
        focused = self.focused
        return focused if isinstance(focused, ItemList) else None

    def action_search(self) -> None:
        """Ask what to search the list in focus for."""
        listed = self.searched_list()
        if listed is None:
            self.notify("nothing here can be searched", timeout=3)
            return
        self._asked = listed
        last = self.list_search
        text = last.query.text if last is not None and last.list is listed else ""
        self.query_one("#ask", Prompt).ask("search", text)

    def action_search_next(self, by: int) -> None:
        """To the next or previous hit."""
        if self.list_search is None:
            self.notify("nothing is searched for; / asks", timeout=3)
        else:
            self.list_search.step(by)

    def end_search(self) -> bool:
        """Forget what was searched for. False if nothing was."""
        search, self.list_search = self.list_search, None
        if search is None:
            return False
        search.end()
        return True

    def _search(self, text: str, *, jump: bool) -> None:
        listed = self._asked
        self.end_search()
        if listed is None or text in ("", "re:"):
            return
        try:
            query = make_query(text)
        except BadPattern as problem:
            listed.tell_found(None, str(problem))
            return
        self.list_search = ListSearch(listed, query)
        if jump:
            self.list_search.step(0)
        else:
            self.list_search.preview()

    @on(Prompt.Typed)
    def _prompt_typed(self, message: Prompt.Typed) -> None:
        message.stop()
        self._search(message.text, jump=False)

    @on(Prompt.Answered)
    def _prompt_answered(self, message: Prompt.Answered) -> None:
        message.stop()
        if self._asked is not None:
            self._asked.focus()
        self._search(message.text or "", jump=True)
