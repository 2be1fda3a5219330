"""How the screens say something in passing.

What is short goes on the line of the keys, for no figure that one waits for stands
there; what is long, or an error, stands in a box at the top right until it was read.
"""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.notifications import Notification, Notifications, SeverityLevel
from textual.timer import Timer

from sigscope.tui.lines import Line, line, width
from sigscope.tui.panes.keyline import KeyLine
from sigscope.tui.shown import one_line

SHORT_SECONDS = 6.0
"""What is to be read for longer than this stands in a box."""
USUAL_SECONDS = 4.0
_INKS = {"information": "good", "warning": "warn", "error": "bad"}


class Telling(App[int]):
    """An application that says short things on one line, on whatever screen."""

    said: Line = ()
    """What is said on the line of the keys; empty for nothing."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lines = Notifications()
        self._until: Timer | None = None

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Say something: without a `timeout` for a few seconds."""
        seconds = USUAL_SECONDS if timeout is None else timeout
        ink = _INKS[severity]
        head = f"{one_line(title)}: " if title else ""
        words = line((head, f"{ink} bold"), (one_line(message, 600), "bold"))
        is_short = severity != "error" and seconds <= SHORT_SECONDS
        is_narrow = "\n" not in message and width(words) <= self.size.width - 2
        if is_short and is_narrow:
            self._say(words, seconds)
            self._lines.add(Notification(message, title, severity, seconds))
        else:
            super().notify(
                message, title=title, severity=severity, timeout=seconds, markup=markup
            )

    def _say(self, words: Line, seconds: float) -> None:
        self.hush()
        self.said = words
        self._until = self.set_timer(seconds, self.hush)
        self._refresh_lines()

    def hush(self) -> None:
        """The keys again, in place of what was said."""
        if self._until is not None:
            self._until.stop()
        self.said, self._until = (), None
        self._refresh_lines()

    def _refresh_lines(self) -> None:
        for screen in self.screen_stack:
            for keys in screen.query(KeyLine):
                keys.refresh()

    def close_boxes(self) -> bool:
        """Take away what stands in boxes. False if no complaint was among it: good
        news needs no answer."""
        found = any(note.severity != "information" for note in self._notifications)
        self.clear_notifications()
        return found

    @property
    def told(self) -> list[Notification]:
        """What is on show, on the line and in boxes."""
        return [*self._lines, *self._notifications]


def close_boxes(app: App[Any]) -> bool:
    """Take away what stands in boxes; False if no complaint was among it."""
    return isinstance(app, Telling) and app.close_boxes()
