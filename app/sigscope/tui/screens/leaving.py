"""Leaving a session: nothing that was made in it is lost without a question."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from textual import work
from textual.message import Message

from sigscope.engine.sessions.runkeeper import kept_path
from sigscope.engine.settings.tomlfile import shortened
from sigscope.runs import Run
from sigscope.tui.screens.asking import Question
from sigscope.tui.screens.sending import Sending


class Leaving(Sending):
    """Goes back to the list, or out of the program."""

    @dataclass
    class Left(Message):
        """The user leaves, and was asked what had to be asked."""

        is_out: bool
        """Whether they want out of the program, if there was no list before."""

    _has_run = False

    @property
    def kept_in(self) -> str:
        """The file that the runs of this visit went to, if it is not the session's own;
        else empty."""
        path = kept_path(self.document.session)
        is_own = path == self.document.session.path
        return "" if is_own or not self._has_run else shortened(Path(path))

    def ran(self, run: Run) -> None:
        """A run has been made."""
        super().ran(run)
        self._has_run = run.number not in self.document.unkept

    def action_leave(self) -> None:
        """Back to the list, or out of the program where there was none before."""
        if self.under_way is not None:
            self.notify("a request is under way; esc cancels it", timeout=4)
            return
        self.leave(is_out=True)

    @work(exclusive=True, group="leave")
    async def leave(self, *, is_out: bool) -> None:
        """Ask about what would be lost; then tell."""
        if await self.may_leave():
            self.post_message(self.Left(is_out))

    async def may_leave(self) -> bool:
        """Whether the user agrees to lose the runs that no file could be written
        with; at once if there are none."""
        unkept = sorted(self.document.unkept)
        if not unkept:
            return True
        numbers = ", ".join(map(str, unkept))
        one = len(unkept) == 1
        answer = await self.app.push_screen_wait(
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
            await self.run_action("export")
        return answer == "lose"
