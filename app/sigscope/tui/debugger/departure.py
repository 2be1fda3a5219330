"""Leaving a session: nothing that was made in it is lost without a question."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sigscope.engine.sessions.runkeeper import kept_path
from sigscope.tomlfile import shortened
from sigscope.tui.debugger.desk import Desk
from sigscope.tui.debugger.model import DebuggerModel


class Departure:
    """Knows what would be lost, and asks about it."""

    def __init__(self, model: DebuggerModel, desk: Desk) -> None:
        self._model = model
        self._desk = desk

    @property
    def kept_in(self) -> str:
        """The file that the runs of this visit went to, if it is not the session's own;
        else empty."""
        document, run = self._model.document, self._model.last_run
        path = kept_path(document.session)
        is_own = path == document.session.path
        has_run = run is not None and run.number not in document.unkept
        return "" if is_own or not has_run else shortened(Path(path))

    async def may_leave(self, write: Callable[[], object]) -> bool:
        """Whether the user agrees to lose the runs that no file could be written
        with; at once if there are none. `write`: has a session file written."""
        from sigscope.tui.screens.question import Question

        unkept = sorted(self._model.document.unkept)
        if not unkept:
            return True
        numbers = ", ".join(map(str, unkept))
        one = len(unkept) == 1
        answer = await self._desk.ask(
            Question(
                "Not in any file",
                f"{'Run' if one else 'Runs'} {numbers} could not be written down, and"
                f" {'is' if one else 'are'} gone when you leave. Written as a session"
                " file, the session has all of its runs.",
                [
                    ("stay", "Stay"),
                    ("write", "Write a session file …"),
                    ("lose", "Leave without"),
                ],
            )
        )
        if answer == "write":
            write()
        return answer == "lose"
