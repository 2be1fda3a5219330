"""From what panes tell to what is selected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sigscope.rules.findings import Finding
from sigscope.tui.debugger.edits import Editor
from sigscope.tui.debugger.model import DebuggerModel
from sigscope.tui.itemlist import ItemList
from sigscope.tui.panes.chat import ChatPane
from sigscope.tui.panes.findings import FindingsPane
from sigscope.tui.panes.signatures import SignaturesPane
from sigscope.tui.panes.steps import StepsPane
from sigscope.tui.panes.timeline import TimelinePane
from sigscope.tui.place import NodePlace
from sigscope.tui.screens.arrangement import CHAT, JSON

FOLDS = ("thought", "result", "text", "call")
"""Kinds of blocks that enter folds, or unfolds."""


class PaneRouter:
    """Selects what a pane's cursor moved to; goes where a row that is opened leads."""

    def __init__(
        self, model: DebuggerModel, editor: Editor, go_to: Callable[[int], object]
    ) -> None:
        """`go_to`: goes to the pane of a number."""
        self._model = model
        self._editor = editor
        self._go_to = go_to

    def take(self, pane: ItemList, key: Any, *, is_opened: bool = False) -> None:
        """The cursor of a pane has moved to something, or it was opened."""
        model = self._model
        if isinstance(pane, StepsPane):
            model.choose_step(int(key))
            if is_opened:
                self._go_to(CHAT)
        elif isinstance(pane, TimelinePane):
            kind, number = key
            if kind == "step":  # that of a run is on show already
                model.choose_step(number)
            if is_opened:
                self._go_to(JSON)
        elif isinstance(pane, SignaturesPane):
            model.choose_sha256(str(key))
            if is_opened:
                self._go_to(JSON)
        elif isinstance(pane, ChatPane):
            self._take_block(pane, key, is_opened=is_opened)
        elif isinstance(pane, FindingsPane):
            self._take_finding(key, is_opened=is_opened)

    def _take_block(self, pane: ChatPane, key: Any, *, is_opened: bool) -> None:
        block = pane.block(key)
        if block is None:
            return
        if block.run is not None:
            if is_opened and self._model.shown is not None:
                self._model.choose_step(self._model.shown.step, block.run)
            return
        if block.finding is not None:
            self._model.choose_finding(block.finding)
        else:
            self._model.choose_node(block.place)
        if is_opened and block.kind in FOLDS:
            pane.action_fold()
        elif is_opened:
            self._go_to(JSON)

    def _take_finding(self, key: tuple[str, Any], *, is_opened: bool) -> None:
        kind, what = key
        model = self._model
        if kind == "finding":
            model.choose_finding(what)
            if is_opened:
                self._go_to(JSON)
        elif kind in ("run", "made") and is_opened and model.shown is not None:
            model.choose_step(model.shown.step, what)
        elif kind == "step" and is_opened:
            model.choose_step(what)

    def follow_target(self, target: str, key: Any = None) -> None:
        """A click on something inside the row of a key."""
        kind, _, rest = target.partition(":")
        if kind == "signature":
            self._model.choose_sha256(rest)
        elif kind == "step":
            self._model.choose_step(int(rest))
        elif kind == "event":
            self._model.choose_node(NodePlace(side="event", event=int(rest)))
            self._go_to(JSON)
        elif kind == "fix" and isinstance(key, tuple) and key[0] == "finding":
            self._editor.switch_fix(key[1])

    def follow_mark(self, target: object) -> None:
        """A mark in the JSON pane was chosen: a finding, or what a click leads to."""
        if isinstance(target, Finding):
            self._model.choose_finding(target)
        elif isinstance(target, str):
            self.follow_target(target)

    def point(self, message: TimelinePane.Pointed) -> None:
        """An event of a lane was chosen; with it the signature that came in it."""
        lane, event = message.lane, message.event
        selection = self._model.selection
        here = [m.sha256 for m in lane.marks if m.sha256 and m.event == event]
        now = selection.signature if selection else None
        signature = here[0] if here and now not in here else now
        self._model.choose_event(lane.step, lane.run, event, signature)
