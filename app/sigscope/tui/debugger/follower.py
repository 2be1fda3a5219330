"""Following one signature through all steps, with one key."""

from __future__ import annotations

from sigscope.tui.debugger.desk import Desk
from sigscope.tui.debugger.model import DebuggerModel
from sigscope.tui.symbols import Symbols
from sigscope.tui.trail import followed, next_stop, path_of, stop_selected


class Follower:
    """Walks the path of the selected signature."""

    def __init__(self, model: DebuggerModel, desk: Desk) -> None:
        self._model = model
        self._desk = desk

    def follow(self, by: int, symbols: Symbols) -> None:
        """To the next or previous place of the selected signature, around the end."""
        overview, now = self._model.overview, self._model.selection
        if overview is None or now is None:
            self._desk.tell("the session is still being read", timeout=3)
            return
        signature = followed(now, overview.ledger)
        if signature is None:
            self._desk.tell("no signature here; choose one in pane 2, then follow it")
            return
        path = path_of(signature, self._message_at)
        at = next_stop(path, now, by)
        self._model.choose(stop_selected(path[at], signature))
        title = f"{symbols.signature} {signature.id}  {at + 1}/{len(path)}"
        self._desk.tell(path[at].words, title=title, timeout=3)

    def _message_at(self, step: int, index: int) -> str:
        messages = self._model.document.reading(step).conversation.messages
        return messages[index].pointer if 0 <= index < len(messages) else ""
