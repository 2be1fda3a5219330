"""What can be searched while stepping: events, the event at hand, message, client.

Hits in the events last; those in the message, and in what the client keeps, are looked
up anew when these have changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sigscope.search.text import Hit, Query, search
from sigscope.tui.json.rowview import RowView
from sigscope.tui.json.tree import JsonTree
from sigscope.tui.lines import plain
from sigscope.tui.search import Order, SearchHit
from sigscope.tui.stepthrough.hits import StreamHit, in_events, in_message
from sigscope.tui.stepthrough.lists import ClientList, MessageList
from sigscope.tui.stepthrough.model import StepModel
from sigscope.wire.events import Event

Say = Callable[[str], object]
Pieces = Iterator[tuple[float, Sequence[StreamHit]]]


class SearchedPane:
    """A pane of rows; a place of its own for each."""

    is_lasting = False

    def __init__(self, view: RowView, say: Say) -> None:
        """`say`: puts how the search stands into the border."""
        self.view = view
        self._say = say

    @property
    def here(self) -> Order:
        return self.view.cursor, 0

    def tell_found(self, query: Query | None, words: str) -> None:
        """Make what is searched for stand out, and say how the search stands."""
        self.view.query_shown = query.on_screen if query else None
        self.view.refresh()
        self._say(words)

    def focus(self) -> None:
        """Go on in the pane."""
        self.view.focus()


class SearchedEvents(SearchedPane):
    """All events: one hit for each that holds the text; in the pane of the raw event
    one for each field that does."""

    is_lasting = True

    def __init__(
        self, model: StepModel, view: RowView, raw: JsonTree, say: Say
    ) -> None:
        super().__init__(view, say)
        self._model = model
        self._raw = raw
        self._each_field = view is raw

    def find(self, query: Query) -> Pieces:
        """A piece for some events."""
        player = self._model.player
        events = player.events if player else ()
        whole = self._model.whole_body
        if whole and self._each_field:
            events = (Event(number=0, start=0, end=len(whole), data=whole),)
        return in_events(events, query, each_node=self._each_field)

    @property
    def here(self) -> Order:
        return self._model.event, self._raw.searched_from if self._each_field else 0

    def tell_found(self, query: Query | None, words: str) -> None:
        super().tell_found(None if self._each_field else query, words)
        self._raw.seek(query)

    def go_to_hit(self, found: StreamHit, query: Query) -> None:
        """To the event, unfolded down to the field, or to the first in it."""
        self._model.stand_at(found.event)
        source, offset = self._raw.model.source, found.offset
        if source is None:
            return
        if offset is None:
            pieces = search(source, query)
            offset = next((hit.offset for piece in pieces for hit in piece.hits), None)
        if offset is None:
            return
        node = source.node_at(offset)
        if self._raw.model.is_ready:
            self._raw.reveal_hit(Hit(node, offset))
        else:
            self._raw.go_to(source.pointer(node))


class SearchedMessage(SearchedPane):
    """The message at this event, what is folded in it too."""

    view: MessageList

    def __init__(self, model: StepModel, view: MessageList, say: Say) -> None:
        super().__init__(view, say)
        self._model = model
        self._orders: dict[str, int] = {}

    def find(self, query: Query) -> Pieces:
        """All at once."""
        frame = self._model.frame
        fields = in_message(frame.body if frame else None, query)
        self._orders = fields.orders
        yield 1.0, fields.hits

    @property
    def here(self) -> Order:
        pointer, offset = self.view.model.here
        return self._orders.get(pointer or "", 0), offset if offset is not None else -1

    def go_to_hit(self, found: StreamHit, query: Query) -> None:
        """Unfold down to the field, or to the character of its text."""
        self._model.pause()
        self.view.reveal(found.pointer, found.offset)


class SearchedClient(SearchedPane):
    """What a mainstream client has kept."""

    view: ClientList

    def find(self, query: Query) -> Iterator[tuple[float, Sequence[SearchHit]]]:
        """All at once: it is a screenful."""
        find = query.on_screen.search
        rows = enumerate(self.view.listed.lines)
        yield (
            1.0,
            [SearchHit(order=(at, 0)) for at, spans in rows if find(plain(spans))],
        )

    def go_to_hit(self, found: SearchHit, query: Query) -> None:
        """To the line."""
        self.view.cursor = found.order[0]
