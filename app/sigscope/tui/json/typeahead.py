"""Keys that are pressed while a document is being read: kept, and pressed again."""

from __future__ import annotations

from asyncio import sleep
from collections.abc import Callable

from textual import events
from textual.timer import Timer
from textual.widget import Widget

from sigscope.tui.json.rowview import RowView

LOOK = 0.03
"""Seconds between two looks whether the document is read."""
MOST = 200
"""Keys kept; nobody types more ahead."""
TURNS = 40
"""Turns of the event loop a key takes at most, from the application to the view in
focus, back, and to its command."""

_MOVES = frozenset({
    "list.down", "list.up", "list.half-down", "list.half-up", "list.page-down",
    "list.page-up",
})  # fmt: skip
"""What can be done as soon as there are rows."""
_OF_A_FIELD = frozenset({
    "json.next", "json.previous", "json.edit", "json.editor", "json.move",
    "json.copy-to", "json.put", "json.author", "json.copy", "json.next-event",
    "json.previous-event",
})  # fmt: skip
"""Commands of the pane that mean a field or an event."""
_TYPED = frozenset({"json.search", "json.path"})
"""After these comes text."""
_CHORD = "json.copy"
"""After this comes one key more."""


class TypeAhead:
    """Lets nobody wait for a large body, and forgets nothing that was typed.

    What needs no rows (other tabs, other panes, help) happens at once.
    """

    def __init__(
        self,
        pane: Widget,
        view: Callable[[], RowView],
        is_reading: Callable[[], bool],
    ) -> None:
        self._pane = pane
        """Whose keys they are."""
        self._view = view
        """The list of rows in it that keys go to."""
        self._is_reading = is_reading
        """Whether what it shows is still being read."""
        self._keys: list[events.Key] = []
        self._is_typing = False
        """Whether what comes belongs to a command that waits: a text that is searched
        for, the second key of a chord."""
        self._pressed: events.Key | None = None
        """The one that is pressed again just now."""
        self._timer: Timer | None = None

    def has_to_wait(self, event: events.Key) -> bool:
        """Keep a key if it has to wait, or stands behind one that waits."""
        if event is self._pressed:
            return False
        is_awaited = self._is_reading()
        if not self._keys and not is_awaited:
            return False
        is_behind = self._is_typing or not is_awaited
        if not is_behind and not self._waits(event.key):
            return False
        event.stop()
        event.prevent_default()
        if len(self._keys) < MOST:
            self._keys.append(event)
        if self._timer is None:
            self._timer = self._pane.set_interval(LOOK, self._look)
        return True

    def _waits(self, key: str) -> bool:
        """Whether a key means something that is not there yet."""
        active = self._pane.screen.active_bindings.get(key)
        if active is None:
            return False
        name, view = active.binding.id or "", self._view()
        if name in _TYPED:
            self._is_typing = bool(self._keys)
            return self._is_typing
        if name == _CHORD:
            self._is_typing = True
        if name in _MOVES and not self._keys and view.row_count:
            return False
        return active.node is view or name in _OF_A_FIELD

    def _look(self) -> None:
        if not self._pane.has_focus_within:
            self._forget()
        elif not self._is_reading() and self._timer is not None:
            self._timer.stop()
            again = self._press_again()
            self._pane.run_worker(again, exclusive=True, group="keys")

    async def _press_again(self) -> None:
        """One after the other, each when the one before has done its work."""
        app = self._pane.app
        while self._keys and self._pane.has_focus_within:
            key = self._keys[0]
            self._pressed = events.Key(key.key, key.character)
            self._pressed.set_sender(app)  # its own children do not tell a sender
            app.post_message(self._pressed)
            for _ in range(TURNS):
                await sleep(0)
            del self._keys[:1]
        self._forget()

    def _forget(self) -> None:
        self._keys, self._is_typing, self._pressed = [], False, None
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
