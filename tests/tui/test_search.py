"""One search for lists, events and messages, without a terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any

from sigscope.search.text import Query, make_query
from sigscope.tui.search import Order, Search, SearchHit, SearchSlot


class Shelf:
    """Words in a row, with a cursor; told in as many pieces as wanted."""

    def __init__(self, *words: str, piece: int = 0, is_lasting: bool = False) -> None:
        self.words = list(words)
        self.cursor = 0
        self.said = ""
        self.is_lasting = is_lasting
        self._piece = piece

    def find(self, query: Query) -> Iterator[tuple[float, Sequence[SearchHit]]]:
        size = self._piece or len(self.words)
        for start in range(0, len(self.words), size):
            here = range(start, min(start + size, len(self.words)))
            hits = [n for n in here if query.on_screen.search(self.words[n])]
            share = 1.0 if not self._piece else start / len(self.words)
            yield share, [SearchHit(order=(n, 0)) for n in hits]

    @property
    def here(self) -> Order:
        return self.cursor, 0

    def go_to_hit(self, found: SearchHit, query: Query) -> None:
        self.cursor = found.order[0]

    def tell_found(self, query: Query | None, words: str) -> None:
        self.said = words

    def focus(self) -> None: ...


def search_in(shelf: Shelf, text: str) -> Search:
    search = Search(shelf, make_query(text))
    for _ in search.look():
        pass
    return search


def test_the_cursor_stays_until_enter_and_goes_round_then() -> None:
    shelf = Shelf("hay", "needle", "hay", "needle")
    shelf.cursor = 2
    search = search_in(shelf, "needle")
    assert (shelf.cursor, shelf.said) == (2, "2 found")
    search.jump()
    assert (shelf.cursor, shelf.said) == (3, "2/2")
    search.step(1)
    assert (shelf.cursor, shelf.said) == (1, "1/2")
    search.step(-1)
    assert (shelf.cursor, shelf.said) == (3, "2/2")


def test_the_next_hit_counts_from_where_the_cursor_was_moved_to() -> None:
    shelf = Shelf("needle", "hay", "needle", "hay", "needle")
    search = search_in(shelf, "needle")
    search.jump()
    shelf.cursor = 3
    search.step(1)
    assert shelf.said == "3/3"
    shelf.cursor = 3
    search.step(-1)
    assert shelf.said == "2/3"


def test_what_has_changed_is_looked_up_anew() -> None:
    shelf = Shelf("needle", "hay")
    search = search_in(shelf, "needle")
    search.jump()
    shelf.words.append("needle")
    search.recount()
    assert shelf.said == "1/2"
    search.step(1)
    assert (shelf.cursor, shelf.said) == (2, "2/2")
    shelf.words[:] = ["hay"]
    search.step(1)
    assert (shelf.cursor, shelf.said) == (2, "0 found")


def test_what_lasts_is_looked_for_once() -> None:
    shelf = Shelf("needle", "hay", is_lasting=True)
    search = search_in(shelf, "needle")
    shelf.words.clear()
    search.step(1)
    assert shelf.said == "1/1"


def test_a_long_look_says_how_far_it_is_and_goes_to_what_is_known() -> None:
    shelf = Shelf("hay", "needle", "hay", "needle", "hay", piece=1, is_lasting=True)
    shelf.cursor = 2
    search = Search(shelf, make_query("needle"))
    pieces = search.look()
    next(pieces)
    next(pieces)
    assert search.words == "1 found, 20%"
    search.jump()
    assert shelf.cursor == 2, "the hit to go to is not known yet"
    next(pieces)
    next(pieces)
    assert shelf.cursor == 3, "it is, before all was looked through"
    for _ in pieces:
        pass
    assert (shelf.cursor, search.words) == (3, "2/2")


def test_a_hit_that_comes_out_of_order_is_put_in_its_place() -> None:
    class Strewn(Shelf):
        def find(self, query: Query) -> Iterator[tuple[float, Sequence[SearchHit]]]:
            yield 0.5, [SearchHit(order=(3, 0))]
            yield 1.0, [SearchHit(order=(1, 0))]

    shelf = Strewn("hay", "needle", "hay", "needle", is_lasting=True)
    shelf.cursor = 2
    search = Search(shelf, make_query("needle"))
    search.jump()
    for _ in search.look():
        pass
    assert (shelf.cursor, search.words) == (3, "2/2")
    search.step(-1)
    assert (shelf.cursor, search.words) == (1, "1/2")


class Bench:
    """Runs what a slot wants to have run, when a test says so."""

    def __init__(self) -> None:
        self.is_reading = False
        self.waiting: list[Callable[[], Coroutine[Any, Any, None]]] = []
        self.slot = SearchSlot(
            self.waiting.append, self.waiting.clear, lambda: self.is_reading
        )


def test_what_takes_one_piece_is_found_at_once_and_an_empty_text_ends_it() -> None:
    bench, shelf = Bench(), Shelf("hay", "needle")
    bench.slot.begin(shelf, "needle", jump=True)
    assert not bench.waiting
    assert (shelf.cursor, shelf.said, bench.slot.text) == (1, "1/1", "needle")
    bench.slot.begin(shelf, "", jump=False)
    assert (shelf.said, bench.slot.is_on) == ("", False)
    assert not bench.slot.end()


def test_what_is_still_being_read_is_searched_when_it_is_all_there() -> None:
    bench, shelf = Bench(), Shelf("hay", "needle")
    bench.is_reading = True
    bench.slot.begin(shelf, "needle", jump=True)
    assert (shelf.cursor, shelf.said) == (0, "0 found, 0%")
    (look,) = bench.waiting
    bench.is_reading = False
    asyncio.run(look())
    assert (shelf.cursor, shelf.said) == (1, "1/1")


def test_a_pattern_that_is_none_is_said_and_can_be_left() -> None:
    bench, shelf = Bench(), Shelf("hay")
    bench.slot.begin(shelf, "re:(", jump=False)
    assert "is no regular expression" in shelf.said
    assert bench.slot.is_on
    assert bench.slot.end()
    assert shelf.said == ""


def test_nothing_found_is_said() -> None:
    shelf = Shelf("hay")
    search = search_in(shelf, "needle")
    search.jump()
    assert shelf.said == "0 found"
