"""Keys one after the other: none is on its way before the last one was dealt with.

A key goes to the widget in focus and from there up to the app, one message after the
other. What is typed fast would be handed to the widget that was in focus when it came:
of `/` and a text, the first letters would be commands of the pane, and `s` sends.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import monotonic

from textual.events import Key
from textual.message_pump import MessagePump
from textual.widgets import Input

from sigscope.tui.keptkeys import AT_ONCE

PATIENCE = 5.0
"""Seconds that a key may be on its way; then the next ones do not wait for it."""


class KeyQueue:
    """Holds back what is typed while a key is on its way."""

    def __init__(
        self, give: Callable[[Key], object], now: Callable[[], float] = monotonic
    ) -> None:
        """`give`: takes a key as if it were typed now."""
        self._waiting: deque[Key] = deque()
        self._under_way: Key | None = None
        self._since = 0.0
        self._give = give
        self._now = now

    def holds(self, key: Key) -> bool:
        """Whether a key has to wait; if not, it is the one on its way."""
        if key.key in AT_ONCE or key is self._under_way:
            return False
        if self._under_way is None:
            self._send_off(key)
            return False
        self._waiting.append(Key(key.key, key.character))
        if self._now() - self._since > PATIENCE:
            self._give_next()
        return True

    def follow(self, key: Key, node: MessagePump | None, end: MessagePump) -> None:
        """After the key, from `node` up to `end`, or to where it is stopped. From a
        line that is typed into once more: what its answer told on the way, such as
        where the focus goes, was told before the second climb began."""

        def arrived() -> None:
            self.arrived(key, end)

        def dealt_with() -> None:
            self._climb(key, node, end, arrived, is_led=False)

        is_line = isinstance(node, Input)
        self._climb(key, node, end, dealt_with if is_line else arrived, is_led=True)

    def _climb(
        self,
        key: Key,
        node: MessagePump | None,
        end: MessagePump,
        done: Callable[[], None],
        *,
        is_led: bool,
    ) -> None:
        """Wait for each from `node` up to `end`; `is_led`: no further than the key."""

        def after() -> None:
            if node is end or (is_led and key._stop_propagation):
                done()
            else:
                self._climb(key, node and node._parent, end, done, is_led=is_led)

        if node is None or not node.call_later(after):
            done()

    def arrived(self, key: Key, end: MessagePump) -> None:
        """It was dealt with; the next goes when what it has set going in `end` is done,
        such as a change of focus."""
        if self._under_way is key:
            self._since = self._now()
            end.call_later(self._after, key)

    def _after(self, key: Key) -> None:
        if self._under_way is key:
            self._under_way = None
            if self._waiting:
                self._give_next()

    def _give_next(self) -> None:
        key = self._waiting.popleft()
        self._send_off(key)
        self._give(key)

    def _send_off(self, key: Key) -> None:
        self._under_way, self._since = key, self._now()
