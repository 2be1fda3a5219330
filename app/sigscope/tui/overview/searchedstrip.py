"""The steps of an overview, as something to search."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sigscope.search.text import Query
from sigscope.tui.overview.model import OverviewModel
from sigscope.tui.search import Order, SearchHit


class SearchedStrip:
    """Steps by what the lowest lines say of them."""

    is_lasting = False

    def __init__(
        self,
        model: OverviewModel,
        words_of: Callable[[int], str],
        tell: Callable[[str], None],
        focus: Callable[[], object],
    ) -> None:
        """`words_of`: what is said of a step, by its place; `tell`: how the search
        stands."""
        self._model = model
        self._words_of = words_of
        self._tell = tell
        self.focus = focus

    def find(self, query: Query) -> Iterator[tuple[float, list[SearchHit]]]:
        """All at once: of 1,000 steps it takes some milliseconds."""
        places = range(len(self._model.strip))
        found = (at for at in places if query.on_screen.search(self._words_of(at)))
        yield 1.0, [SearchHit(order=(at, 0)) for at in found]

    @property
    def here(self) -> Order:
        return self._model.at, 0

    def go_to_hit(self, found: SearchHit, query: Query) -> None:
        """Put the cursor on the step."""
        self._model.go_to(self._model.strip.states[found.order[0]].step)

    def tell_found(self, query: Query | None, words: str) -> None:
        """Say it in the first line."""
        self._tell(words)
