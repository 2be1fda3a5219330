"""The line that asks what is searched for, and goes from hit to hit.

A screen has a `Finder`, and tells it what is meant: a list, or whatever else can be
searched.
"""

from __future__ import annotations

from asyncio import sleep
from collections.abc import Iterator

from textual import on
from textual.app import ComposeResult
from textual.widgets import Label

from sigscope.search.text import BadPattern, Query, make_query
from sigscope.tui.itemlist import ItemList
from sigscope.tui.json.prompt import Prompt
from sigscope.tui.search import Order, Search, Searched, SearchHit


class SearchedList:
    """A list of items, as something to search."""

    is_lasting = False

    def __init__(self, listed: ItemList) -> None:
        self.list = listed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SearchedList) and other.list is self.list

    def __hash__(self) -> int:
        return hash(self.list)

    def find(self, query: Query) -> Iterator[tuple[float, list[SearchHit]]]:
        """All at once: a list is no longer than what was laid out."""
        find, listed = query.on_screen.search, self.list
        yield (
            1.0,
            [
                SearchHit(order=(index, 0))
                for index, item in enumerate(listed.items)
                if item.selectable and find(listed.text_of(item))
            ],
        )

    @property
    def here(self) -> Order:
        return self.list.cursor, 0

    def go_to_hit(self, found: SearchHit, query: Query) -> None:
        """Move the cursor, as the user would."""
        self.list.go_to(self.list.items[found.order[0]].key, query.on_screen)

    def tell_found(self, query: Query | None, words: str) -> None:
        """Say it in the border."""
        self.list.tell_found(query.on_screen if query else None, words)

    def focus(self) -> None:
        """Go on in the list."""
        self.list.focus()


class Finder(Prompt):
    """Asks what something is searched for, and goes from hit to hit."""

    DEFAULT_CSS = """
    Finder > #problem { color: $error; padding: 0 0 0 1; }
    """

    search: Search | None = None
    """What is searched for now; None for nothing."""
    _asked: Searched[SearchHit] | None = None
    """What the question is about."""
    _has_problem = False
    """Whether a pattern was none, and that is said."""

    def compose(self) -> ComposeResult:
        """What is typed, and what is wrong with it; a border may be too short."""
        yield from super().compose()
        yield Label("", id="problem", markup=False)

    @property
    def is_asking(self) -> bool:
        """Whether what is typed goes to the line."""
        return self.has_class("-open")

    @property
    def is_on(self) -> bool:
        """Whether something is searched for, or could not be."""
        return self.search is not None or self._has_problem

    def ask_in(self, wanted: ItemList | Searched[SearchHit] | None) -> None:
        """Ask what to search for; None: there is nothing that can be searched."""
        if wanted is None:
            self.notify("nothing here can be searched", timeout=3)
            return
        target = SearchedList(wanted) if isinstance(wanted, ItemList) else wanted
        if self._asked != target:
            self.end()
        self._asked = target
        last = self.search
        self.ask("search", last.query.text if last is not None else "")

    def step(self, by: int) -> None:
        """To the next or previous hit."""
        if self.search is None:
            self.notify("nothing is searched for; / asks", timeout=3)
        else:
            self.search.step(by)

    def recount(self) -> None:
        """What is searched has changed, perhaps."""
        if self.search is not None and not self.search.target.is_lasting:
            self.search.recount()

    def end(self) -> bool:
        """Forget what was searched for. False if nothing was."""
        was_on, self._has_problem, self.search = self.is_on, False, None
        self.workers.cancel_group(self, "search")
        self._say_problem("")
        if was_on and self._asked is not None:
            self._asked.tell_found(None, "")
        return was_on

    def _say_problem(self, words: str) -> None:
        self.query_one("#problem", Label).update(words)

    def _find(self, text: str, *, jump: bool) -> None:
        target, last = self._asked, self.search
        if jump and last is not None and last.query.text == text:
            last.jump()
            return
        self.end()
        if target is None or text in ("", "re:"):
            return
        try:
            query = make_query(text)
        except BadPattern as problem:
            self._has_problem = True
            self._say_problem(str(problem))
            target.tell_found(None, str(problem))
            return
        self.search = Search(target, query)
        if jump:
            self.search.jump()
        self._look(self.search)

    def _look(self, search: Search) -> None:
        """What takes one piece is found at once, the rest while the screen has its
        turns."""
        pieces = search.look()
        if next(pieces, pieces) is pieces:
            return

        async def look_on() -> None:
            told = search.words
            for _ in pieces:
                if search.words != told:
                    told = search.words
                    search.tell()
                await sleep(0)

        search.tell()
        self.run_worker(look_on(), exclusive=True, group="search")

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
