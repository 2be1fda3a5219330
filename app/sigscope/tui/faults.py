"""What becomes of a fault in sigscope itself while screens are open.

Whatever failed was not done, and nothing else ends for it: it is told, and written
where a report can find it. Only where there is no screen yet, or one fault brings the
next, does the program end; edits that were not sent are kept then, as at a signal.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from textual.app import App

from sigscope.engine.faultlog import FaultLog, fault_words
from sigscope.errors import InputError
from sigscope.tui.lines import cut
from sigscope.tui.shown import one_line

TITLE = "A fault in sigscope; please report it"
SECONDS = 15.0
STORM = 150
"""Faults within these seconds with which the program ends after all."""
STORM_SECONDS = 2.0
_LONG = 300
"""Cells of what an exception says: it may quote a body."""
_DOING = {
    "study": "Reading the session to its end",
    "watch": "Following the file",
    "read in full": "Reading the file in full",
    "look at a step": "Showing the step",
    "outcome": "Showing what came of it",
    "foretell": "Asking the simulator",
    "offer rows": "Looking for edits to offer",
    "bodies": "The search",
    "drafts": "Keeping edits that were not sent",
    "shelf": "Reading the list of sessions",
    "open": "Opening the file",
    "load": "Reading the response",
    "late": "Looking round after the start",
}
"""By group of a worker; the others are called as the group is."""


class Faults:
    """Those of one application."""

    def __init__(
        self,
        app: App[Any],
        log: FaultLog | None = None,
        known: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        """`known`: the keys that an exception may quote, whatever they look like."""
        self._app = app
        self._known = known
        self._log = log or FaultLog()
        self._told: dict[str, float] = {}
        """Words, and when they were told."""
        self._taken: deque[float] = deque(maxlen=STORM)
        """When the last ones were taken."""

    @property
    def is_storm(self) -> bool:
        """Whether they come faster than a key that is held down: one brings the next,
        and nothing else would be done."""
        taken = self._taken
        return len(taken) == STORM and taken[-1] - taken[0] < STORM_SECONDS

    def take(self, error: BaseException, group: str) -> None:
        """Tell of it, and go on. Not again while it is to be read."""
        title, words = self._words(error, group)
        now = monotonic()
        self._taken.append(now)
        if now - self._told.get(words, -SECONDS) < SECONDS:
            return
        self._told[words] = now
        self._app.notify(
            words, title=title, severity="error", markup=False, timeout=SECONDS
        )

    def _words(self, error: BaseException, group: str) -> tuple[str, str]:
        if isinstance(error, InputError):  # a file is not what it was: no fault of ours
            return "Not done", str(error)
        title = "Out of memory" if isinstance(error, MemoryError) else TITLE
        return title, f"{self._said(error, group)}\n{self._where(error, group)}"

    def last_words(self, error: BaseException, unkept: str) -> str:
        """What is said when the program ends for it; `unkept`: why edits could not be
        kept, or empty."""
        kept = "Edits that were not sent are kept: open the session again."
        if unkept:
            kept = f"Edits that were not sent are lost: {one_line(unkept)}"
        where = self._where(error, "the screens")
        return f"{TITLE}: {self._short(error)}\n{kept}\n{where}"

    def _said(self, error: BaseException, group: str) -> str:
        doing = _DOING.get(group) or f"What failed ({group})"
        words = f"{doing} failed" if group in _DOING else doing
        return (
            f"{words}: {self._short(error)}.\nIt was not done; nothing recorded has"
            " changed, and edits stay on."
        )

    def _where(self, error: BaseException, group: str) -> str:
        if self._log.write(error, group, self._keys()):
            return f"For the report: {self._log.path}"
        return f"It could not be written to {self._log.path}"

    def _short(self, error: BaseException) -> str:
        return cut(one_line(self.said(error), _LONG * 2), _LONG)

    def said(self, error: BaseException) -> str:
        """What it says, without keys."""
        return fault_words(error, self._keys())

    def _keys(self) -> Sequence[str]:
        try:
            return self._known()
        except Exception:  # noqa: BLE001 - no memory, say; the fault is told all the same
            return ()


def take_fault(app: App[Any], error: BaseException, group: str) -> None:
    """Tell of it where the application can; else raise it again."""
    faults = getattr(app, "faults", None)
    if not isinstance(faults, Faults):
        raise error
    faults.take(error, group)


def said_of(app: App[Any], error: BaseException) -> str:
    """What an error says, without keys."""
    faults = getattr(app, "faults", None)
    return faults.said(error) if isinstance(faults, Faults) else fault_words(error)
