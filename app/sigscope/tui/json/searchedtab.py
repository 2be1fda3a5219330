"""A tab of the JSON pane, as something to search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sigscope.records import dataclass
from sigscope.search.text import Query
from sigscope.tui.json.rowview import RowView
from sigscope.tui.search import Order, SearchHit


@dataclass(frozen=True, slots=True, kw_only=True)
class TabHit(SearchHit):
    """A hit in a view."""

    what: Any
    """What the view goes to."""


class SearchedTab:
    """A view; what is found in it stays found."""

    is_lasting = True

    def __init__(
        self, view: RowView, tell: Callable[[Query | None, str], None]
    ) -> None:
        self._view = view
        self.tell_found = tell

    def find(self, query: Query) -> Iterator[tuple[float, list[TabHit]]]:
        """Piece by piece, as the view tells it."""
        for share, hits in self._view.hits(query):
            found = [TabHit(order=(order, 0), what=what) for order, what in hits]
            yield min(share, 0.99), found
        yield 1.0, []

    @property
    def here(self) -> Order:
        return self._view.searched_from, 0

    def go_to_hit(self, found: TabHit, query: Query) -> None:
        """Unfold what has to be unfolded, and move there."""
        self._view.reveal_hit(found.what)

    def focus(self) -> None:
        """Go on in the view."""
        self._view.focus()
