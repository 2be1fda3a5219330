"""The tree of a JSON document, with a check box for each field where it can be
switched, badges, and folds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from sigscope.jsontext import Node
from sigscope.tui.json import toggles
from sigscope.tui.json.documentview import DocumentView
from sigscope.tui.json.outline import Spot
from sigscope.tui.json.overlay import Offer
from sigscope.tui.json.rows import CHECK, FOLD
from sigscope.tui.json.subject import Mark
from sigscope.tui.json.toggles import Refused, Toggled
from sigscope.tui.json.twigs import Envelope, Within

MOST_UNFOLDED = 20_000
"""Rows after which unfolding everything stops."""


class JsonTree(DocumentView):
    """One document."""

    NAME = "in the tree"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "switch", "Toggle", id="json.toggle",
                tooltip="Switch the field under the cursor off, or on"),
        Binding("l,right", "unfold", "Unfold", False, id="json.unfold",
                tooltip="Unfold, or go to the first child"),
        Binding("h,left", "fold", "Fold", False, id="json.fold",
                tooltip="Fold, or go to what is around"),
        Binding("H", "parent", "Parent", False, id="json.parent",
                tooltip="Go to what is around"),
        Binding("enter", "flip", "Fold or unfold", False, id="json.flip",
                tooltip="Fold or unfold"),
        Binding("J,shift+down", "sibling(1)", "Next sibling", False,
                id="json.next-sibling", tooltip="Next on the same level"),
        Binding("K,shift+up", "sibling(-1)", "Previous sibling", False,
                id="json.previous-sibling", tooltip="Previous on the same level"),
        Binding("o", "unfold_deep", "Unfold all below", False, id="json.unfold-deep",
                tooltip="Unfold everything below"),
        Binding("c", "fold_deep", "Fold all below", False, id="json.fold-deep",
                tooltip="Fold, and everything below too"),
        Binding("right_parenthesis", "deeper(1)", "One level deeper", False,
                id="json.deeper", tooltip="Unfold one level more of what is below"),
        Binding("left_parenthesis", "deeper(-1)", "One level less", False,
                id="json.shallower", tooltip="Fold the innermost level below"),
        Binding("O", "unfold_level", "Unfold the level", False,
                id="json.unfold-level", tooltip="Unfold everything on this level"),
        Binding("C", "fold_level", "Fold the level", False, id="json.fold-level",
                tooltip="Fold everything on this level"),
    ]  # fmt: skip

    @dataclass
    class Moved(Message):
        """The user moved the cursor to another row."""

        tree: JsonTree

        @property
        def control(self) -> JsonTree:
            return self.tree

    @dataclass
    class Switched(Message):
        """The user toggled a field."""

        tree: JsonTree
        toggled: Toggled

        @property
        def control(self) -> JsonTree:
            return self.tree

    @dataclass
    class MarkHit(Message):
        """The user clicked a badge."""

        tree: JsonTree
        mark: Mark

        @property
        def control(self) -> JsonTree:
            return self.tree

    @dataclass
    class Reshaped(Message):
        """Other rows than before are unfolded."""

        tree: JsonTree

        @property
        def control(self) -> JsonTree:
            return self.tree

    @dataclass
    class Ready(Message):
        """The document is read; every node can be asked for at once."""

        tree: JsonTree

        @property
        def control(self) -> JsonTree:
            return self.tree

    # --- Telling ---------------------------------------------------------------------

    def moved(self) -> None:
        """Tell the pane."""
        self.post_message(self.Moved(self))

    def refresh_rows(self) -> None:
        """Tell the pane too: what is unfolded takes in what is put there."""
        super().refresh_rows()
        self.post_message(self.Reshaped(self))

    def became_ready(self) -> None:
        """Tell the pane."""
        self.post_message(self.Ready(self))

    # --- Actions ---------------------------------------------------------------------

    def action_unfold(self) -> None:
        """Unfold, or go to the first child."""
        spot = self.spot
        if spot is None or self._outline is None:
            return
        if spot.is_open:
            self.put_cursor(self.cursor + 1)
        elif self._outline.unfold(spot) is not None:
            self.refresh_rows()

    def action_fold(self) -> None:
        """Fold, or go to what is around."""
        spot = self.spot
        if spot is None or self._outline is None:
            return
        if self._outline.fold(spot):
            self.refresh_rows()
        else:
            self.action_parent()

    def action_parent(self) -> None:
        """Go to what is around."""
        above = self.spot.parent() if self.spot else None
        if above is not None and self._outline is not None:
            self.put_cursor(self._outline.row(above))

    def action_flip(self) -> None:
        """Fold or unfold."""
        spot = self.spot
        if spot is None or self._outline is None:
            return
        if not self._outline.fold(spot):
            self._outline.unfold(spot)
        self.refresh_rows()

    def action_sibling(self, by: int) -> None:
        """Next or previous on the same level."""
        spot = self.spot
        if spot is None or self._outline is None:
            return
        position = spot.position + by
        if 0 <= position < len(spot.level.members):
            self.put_cursor(self._outline.row(Spot(spot.level, position)))

    def action_unfold_deep(self) -> None:
        """Unfold everything below."""
        if self.spot is not None:
            self._unfold_deep(self.spot)

    def _unfold_deep(self, spot: Spot, levels: int | None = None) -> None:
        if self._outline is None:
            return
        limit = len(self._outline) + MOST_UNFOLDED
        if not self._outline.unfold_deep(spot, limit, _is_worth_unfolding, levels):
            self.app.notify(
                f"unfolded only the first {MOST_UNFOLDED:,} rows", timeout=4
            )
        self.refresh_rows()

    def action_fold_deep(self) -> None:
        """Fold, and forget what was unfolded inside."""
        spot = self.spot
        if spot is not None and self._outline is not None:
            self._outline.fold(spot, deep=True)
            self.refresh_rows()

    def action_deeper(self, by: int) -> None:
        """One level more below the cursor, or one less; on a value that has none, of
        what is around it."""
        spot, outline = self.spot, self._outline
        while spot is not None and not _is_worth_unfolding(spot.item):
            spot = spot.parent()
        if spot is None or outline is None:
            return
        whole, some = outline.levels_below(spot, _is_worth_unfolding)
        if by > 0:
            before = len(outline)
            for levels in range(whole + 1, some + 2):
                self._unfold_deep(spot, levels)
                if len(outline) != before:  # not only empty containers were left there
                    break
        elif some:
            outline.fold_to(spot, some - 1)
            self.put_spot(spot)
            self.refresh_rows()

    def action_unfold_level(self) -> None:
        """Unfold every container on this level."""
        spot = self.spot
        if spot is None or self._outline is None:
            return
        for position in range(min(len(spot.level.members), MOST_UNFOLDED)):
            if len(self._outline) > MOST_UNFOLDED:
                break
            here = Spot(spot.level, position)
            if _is_worth_unfolding(here.item):
                self._outline.unfold(here)
        self.put_spot(spot)

    def action_fold_level(self) -> None:
        """Fold everything on this level."""
        spot = self.spot
        if spot is None or self._outline is None:
            return
        for position in list(spot.level.order()):
            self._outline.fold(Spot(spot.level, position))
        self.put_spot(spot)

    def action_switch(self) -> None:
        """Switch the field under the cursor."""
        spot = self.spot
        if spot is None:
            return
        outcome = self._toggled(spot)
        if isinstance(outcome, Refused):
            self.app.notify(outcome.reason, severity="warning", timeout=4)
            return
        if outcome.parked is not None and outcome.parked not in self._parked:
            self._parked.append(outcome.parked)
        self.post_message(self.Switched(self, outcome))

    def _toggled(self, spot: Spot) -> Toggled | Refused:
        overlay = self._overlay
        if not self._can_switch:
            return Refused("this cannot be switched; edits are made to the request")
        if overlay is None:
            return Refused("the body is still being read")
        item, ground = spot.item, spot.level.context
        if isinstance(item, Envelope):
            return toggles.toggle_envelope(overlay, item.edit)
        if isinstance(item, Offer):
            return toggles.toggle_offer(overlay, item)
        if isinstance(item, Node) and ground.source is self._source:
            return toggles.toggle_node(overlay, item)
        above = spot.parent()
        if above is None:
            return Refused("there is nothing to switch here")
        return Refused("this is part of a string; toggle the string itself")

    def hit(self, row: int, target: Any, chain: int) -> None:
        """A click on the marker folds, on the check box toggles, a double click on a
        row folds too."""
        if target == FOLD:
            self.action_flip()
        elif target == CHECK:
            self.action_switch()
        elif isinstance(target, Mark):
            self.post_message(self.MarkHit(self, target))
        elif chain == 2:
            self.action_flip()


def _is_worth_unfolding(item: Any) -> bool:
    """Containers; strings are unfolded one by one."""
    if isinstance(item, Within):
        return False
    return isinstance(item, Node) and item.is_container
