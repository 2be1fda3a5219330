"""The line that asks what is searched for, and goes from hit to hit.

A screen has a `Finder`, and tells it what is meant: a list, or whatever else can be
searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from textual import on
from textual.widget import Widget
from textual.widgets import Label
from textual.worker import WorkType

from sigscope.search.text import Query
from sigscope.tui.itemlist import ItemList
from sigscope.tui.json.prompt import Prompt
from sigscope.tui.keymap import key_on
from sigscope.tui.search import Order, Search, Searched, SearchHit, SearchSlot
from sigscope.tui.shown import one_line


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

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._slot = SearchSlot(
            self._look_beside,
            lambda: self.workers.cancel_group(self, "search"),
        )
        self._asked: Searched[SearchHit] | None = None
        """What the question is about."""

    @property
    def search(self) -> Search | None:
        """What is searched for now; None for nothing."""
        return self._slot.search

    def _look_beside(self, look: WorkType[None]) -> None:
        self.run_worker(look, exclusive=True, group="search")

    def lay_out(self) -> Iterable[Widget]:
        """What is typed, and what is wrong with it; a border may be too short."""
        yield from super().lay_out()
        yield Label("", id="problem", markup=False)

    @property
    def is_asking(self) -> bool:
        """Whether what is typed goes to the line."""
        return self.has_class("-open")

    @property
    def is_on(self) -> bool:
        """Whether something is searched for, or could not be."""
        return self._slot.is_on

    def ask_in(self, wanted: ItemList | Searched[SearchHit] | None) -> None:
        """Ask what to search for; None: there is nothing that can be searched."""
        if wanted is None:
            self.notify("nothing here can be searched", timeout=3)
            return
        target = SearchedList(wanted) if isinstance(wanted, ItemList) else wanted
        if self._asked != target:
            self.end()
        self._asked = target
        self.ask("search", self._slot.text)

    def step(self, by: int) -> None:
        """To the next or previous hit."""
        key = key_on(self.screen, "search")
        if self.search is None:
            self.notify(f"nothing is searched for; {key} asks", timeout=3)
            return
        self.search.step(by)
        if self.search.is_vain:
            words = f"{self._slot.text} is not found here; {key} asks anew"
            self.notify(one_line(words), timeout=3, markup=False)

    def recount(self) -> None:
        """What is searched has changed, perhaps."""
        self._slot.recount()

    def end(self) -> bool:
        """Forget what was searched for. False if nothing was."""
        was_on = self._slot.end()
        self._say_problem()
        return was_on

    def _say_problem(self) -> None:
        for label in self.query_children("#problem").results(Label):
            label.update(self._slot.problem)

    def _find(self, text: str, *, jump: bool) -> None:
        if self._asked is not None:
            self._slot.begin(self._asked, text, jump=jump)
            self._say_problem()

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
