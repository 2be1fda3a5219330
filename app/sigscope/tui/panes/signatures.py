"""Pane 2: the ledger, one card per signature."""

from __future__ import annotations

from functools import partial
from typing import Any

from textual import events
from textual.reactive import var

from sigscope.ledger.opaque_fields import OpaqueField
from sigscope.ledger.unjudged import NOT_JUDGED
from sigscope.tui.itemstack import Item
from sigscope.tui.lines import Line
from sigscope.tui.panes.pane import Pane
from sigscope.tui.selection import Selection
from sigscope.tui.symbols import Symbols
from sigscope.tui.views.carditems import CardItems
from sigscope.tui.views.outcome import SentOutcome
from sigscope.tui.views.shownsession import Overview, Shown
from sigscope.tui.views.signatures import (
    cards_of,
    fields_title,
    lay_field,
)


class SignaturesPane(Pane):
    """Shows the ledger of `overview`; keys are SHA-256 of signatures."""

    NUMBER = 2
    NAME = "Signatures"
    MARK = "bar"
    EMPTY = "no signature was received or sent"
    HELP = (
        "Every opaque piece of reasoning state: its id (the start of its SHA-256), the"
        " step and event that brought it, its length and carrier, and what each later"
        " request did with it. Only what the service insists on counts as lost; the"
        " card under the cursor says why. Enter shows where it stands. Below stand"
        " opaque fields of steps whose dialect is not known, followed by name and"
        " shape; nothing is said of whether they were lost."
    )

    overview: var[Overview | None] = var(None, init=False)
    shown: var[Shown | None] = var(None, init=False)
    selection: var[Selection | None] = var(None, init=False)
    outcome: var[SentOutcome | None] = var(None, init=False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.cards = CardItems()
        self._run: int | None = None
        """The run that the cards speak of."""

    def watch_overview(self) -> None:
        self.cards.forget()
        self.rebuild()

    def watch_symbols(self, symbols: Symbols) -> None:
        """Draw with other glyphs."""
        self.cards.forget()
        super().watch_symbols(symbols)

    def watch_shown(self) -> None:
        """A run adds what became of each signature in it."""
        self._take_sent()

    def watch_outcome(self) -> None:
        """What was sent is known, or other edits are on."""
        self._take_sent()

    def _take_sent(self) -> None:
        if self._run is None and (self._sent is None or self._sent.run is None):
            self._mark_step()
        else:
            self.rebuild()

    @property
    def _sent(self) -> Shown | None:
        return self.outcome.sent if self.outcome else self.shown

    def watch_selection(self, old: Selection | None, new: Selection | None) -> None:
        """The card of the selected signature opens."""
        if (old and old.signature) != (new and new.signature):
            self.rebuild()
        elif (old and old.step) != (new and new.step):
            self._mark_step()

    def _mark_step(self) -> None:
        """Cards underline the step on show; they stay as tall as they are."""
        self.cards.step = self.selection.step if self.selection else 0
        for item in self.items:
            item.forget()
        self._tell_figures()
        self.refresh()

    def rebuild(self) -> None:
        overview, selection = self.overview, self.selection
        if overview is None:
            self.show([], note="following signatures …")
            return
        sent = self._sent
        self._run = sent.run if sent else None
        cards = cards_of(
            overview.ledger,
            run=self._run,
            run_ledger=sent.ledger if sent else None,
        )
        chosen = selection.signature if selection else None
        self.cards.step = selection.step if selection else 0
        self.cards.symbols, self.cards.palette = self.symbols, overview.palette
        items = self.cards.items(cards, chosen, self._run)
        items += [
            Item(f"field {place}", partial(self._lay_field, field), selectable=False)
            for place, field in enumerate(overview.opaque)
        ]
        self.show(items, note=self.EMPTY if overview.has_judged else NOT_JUDGED)
        if chosen is not None:
            self.select(chosen)
        self._tell_figures()

    def on_resize(self, event: events.Resize) -> None:
        """Other figures may fit into the border."""
        super().on_resize(event)
        self._tell_figures()

    def _tell_figures(self) -> None:
        if self.overview is not None:
            room = self.outer_size.width - 6
            self.say(fields_title(self.overview, room, self.outcome))

    def _lay_field(self, field: OpaqueField, cells: int) -> list[Line]:
        return lay_field(field, cells, self.symbols)
