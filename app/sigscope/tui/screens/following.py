"""Following one signature through all steps, with one key."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from sigscope.tui.following import followed, next_stop, path_of, stop_selected
from sigscope.tui.screens.comparing import Comparing


class Following(Comparing):
    """Walks the path of the selected signature."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o,ctrl+f", "follow(1)", "Follow", False, id="follow.next",
                tooltip="Follow the signature to the next place where it was sent or"
                " lost"),
        Binding("O", "follow(-1)", "Follow back", False, id="follow.previous",
                tooltip="Follow the signature back to where it came from"),
    ]  # fmt: skip

    def action_follow(self, by: int) -> None:
        """To the next or previous place of the selected signature, around the end."""
        overview, now = self.overview, self.selection
        if overview is None or now is None:
            self.notify("the session is still being read", timeout=3)
            return
        signature = followed(now, overview.ledger)
        if signature is None:
            words = "no signature here; choose one in pane 2, then follow it"
            self.notify(words, timeout=4)
            return
        path = path_of(signature, self._message_at)
        at = next_stop(path, now, by)
        self.choose(stop_selected(path[at], signature))
        self.notify(
            path[at].words,
            title=f"{self.symbols.signature} {signature.id}  {at + 1}/{len(path)}",
            markup=False,
            timeout=3,
        )

    def _message_at(self, step: int, index: int) -> str:
        messages = self.document.reading(step).conversation.messages
        return messages[index].pointer if 0 <= index < len(messages) else ""
