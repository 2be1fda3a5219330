"""The cards of a ledger as items of a list, each made and laid out once. Pure.

A session may have thousands, of which a few are seen; the run on show, the step and
the card that is open change with every key.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from sigscope.tui.itemstack import Item
from sigscope.tui.lines import Line
from sigscope.tui.symbols import UNICODE, Symbols
from sigscope.tui.views.palette import Palette
from sigscope.tui.views.signatures import SignatureCard, lay_card, run_lines


class CardItems:
    """Makes the items; keys are SHA-256 of signatures."""

    step = 0
    """The step on show, which cards underline; 0: none."""
    symbols: Symbols = UNICODE
    """Whoever sets others, or another palette, says `forget`."""

    def __init__(self) -> None:
        self.palette = Palette()
        self._laid: dict[tuple[object, ...], list[Line]] = {}
        self._made: dict[tuple[int, bool, int | None], tuple[SignatureCard, Item]] = {}
        """By place in the ledger, which may have one value twice: closed and open,
        without a run and with the last that was on show."""

    def forget(self) -> None:
        """The cards are others, or look different."""
        self._laid.clear()
        self._made.clear()

    def items(
        self, cards: Iterable[SignatureCard], chosen: str | None, run: int | None
    ) -> list[Item]:
        """An item for each; that of the chosen signature is open. `run`: the one on
        show, of which the cards speak."""
        for key in [key for key in self._made if key[2] not in (None, run)]:
            del self._made[key]
        return [
            self._item(place, card, is_open=card.signature.sha256 == chosen)
            for place, card in enumerate(cards)
        ]

    def _item(self, place: int, card: SignatureCard, *, is_open: bool) -> Item:
        key = place, is_open, card.run
        known = self._made.get(key)
        if known is not None and known[0] == card:
            known[1].forget()
            return known[1]
        item = Item(card.signature.sha256, partial(self._lay, place, card, is_open))
        if card.here is not None:
            without = SignatureCard(signature=card.signature)
            bare = self._item(place, without, is_open=is_open)
            item.measure = partial(self._measure, card, bare)
        self._made[key] = card, item
        return item

    def _measure(self, card: SignatureCard, bare: Item, cells: int) -> int:
        """Of a thousand cards with a run few are seen, and all need their height."""
        assert card.here is not None
        assert card.run is not None
        below = run_lines(card.here, card.run, cells, self.symbols)
        return bare.height_at(cells) + len(below)

    def _lay(
        self, place: int, card: SignatureCard, is_open: bool, cells: int
    ) -> list[Line]:
        here = self.step if card.signature.fate_in(self.step) else 0
        key = (place, card.run, card.here, here, is_open, cells)
        if key not in self._laid:
            self._laid[key] = lay_card(
                card,
                cells,
                self.symbols,
                self.palette,
                step=here,
                is_open=is_open,
            )
        return self._laid[key]
