"""Edits that are on, written to files a moment after each change.

Nobody is asked before a terminal is closed or a program is killed: what is on then has
to be on the disk already.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from threading import RLock
from typing import TYPE_CHECKING

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.drafts import Base, Edits
from sigscope.errors import SigscopeError
from sigscope.records import dataclass
from sigscope.tui.screens.debugger import DebuggerScreen
from sigscope.tui.unsent import Unsent

if TYPE_CHECKING:
    from sigscope.tui.app import SigscopeApp

EVERY = 0.25
"""Seconds between two looks at what is on: at most so long is a change in no file."""


@dataclass(frozen=True, slots=True)
class _State:
    """What is on in a session, and how often it was sent."""

    edits: tuple[tuple[Base, Edits], ...]
    runs: int


class LiveDrafts:
    """Looks at the sessions on the screens, and writes what has changed in a thread."""

    def __init__(self, app: SigscopeApp, unsent: Unsent) -> None:
        self._app = app
        self._unsent = unsent
        self._written: dict[str, _State] = {}
        """By id of the screen's document."""
        self._lock = RLock()
        self._is_writing = False
        self._is_over = False
        self._problem = ""
        app.set_interval(EVERY, self.look)

    def look(self) -> None:
        """Have what has changed written down."""
        if self._is_writing or self._is_over:
            return
        changed = list(self._changed())
        if changed:
            self._is_writing = True
            self._app.run_worker(
                partial(self._write_aside, changed), thread=True, group="drafts"
            )

    def write_now(self) -> str:
        """Write what has changed, here and now: the program ends. What is wrong, in
        words; else empty."""
        with self._lock:  # a thread that waits for it has older ones
            problem = self._write(list(self._changed()))
            self._is_over = True
        return problem

    def stop(self) -> None:
        """Write nothing more: the user has said what becomes of the edits."""
        with self._lock:
            self._is_over = True

    def _changed(self) -> Iterator[tuple[Document, _State]]:
        stack = self._app.screen_stack
        for place, screen in enumerate(stack):
            if not isinstance(screen, DebuggerScreen):
                continue
            model = screen.model
            edits = {b: h.edits for b, h in model.histories.items() if h.edits}
            for above in stack[place + 1 :]:  # edits that are on their way to us
                if model.base is not None and hasattr(above, "edits_carried"):
                    edits[model.base] = above.edits_carried
            state = _State(tuple(edits.items()), len(model.document.runs))
            before = self._written.get(_key(model.document))
            # Edits kept from last time may be undone before we have looked once: then
            # none are on, and their file has to go.
            has_been_edited = any(
                h.can_undo or h.can_redo for h in model.histories.values()
            )
            if state != before and (before is not None or edits or has_been_edited):
                yield model.document, state

    def _write_aside(self, changed: list[tuple[Document, _State]]) -> None:
        try:
            problem = self._write(changed)
        finally:
            self._is_writing = False
        if problem != self._problem:
            self._problem = problem
            if problem:
                self._app.call_later(self._tell, problem)

    def _tell(self, problem: str) -> None:
        self._app.notify(
            f"{problem}; edits that are not sent end with the program",
            title="Not kept",
            severity="warning",
            markup=False,
            timeout=10,
        )

    def _write(self, changed: list[tuple[Document, _State]]) -> str:
        """What is wrong, in words; else empty."""
        try:
            for document, state in changed:
                with self._lock:
                    if self._is_over:
                        break
                    self._unsent.note(document, dict(state.edits))
                    self._written[_key(document)] = state
        except SigscopeError as error:
            return str(error)
        return ""


def _key(document: Document) -> str:
    return f"{document.session.path}\n{document.session.id}"
