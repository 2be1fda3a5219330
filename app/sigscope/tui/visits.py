"""Sessions that were opened: their screens, and the edits that were not sent.

The list of sessions needs none of this; it is imported when the first one is opened.
"""

from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING

from sigscope.engine.sessions.document import Document
from sigscope.engine.settings.settings import Settings
from sigscope.tui import figures
from sigscope.tui.debugger.model import SETTLED
from sigscope.tui.debugger.upstream import ChosenUpstream
from sigscope.tui.livedrafts import LiveDrafts
from sigscope.tui.screens.debugger import DebuggerScreen
from sigscope.tui.screens.question import Question
from sigscope.tui.unsent import Unsent, say

if TYPE_CHECKING:
    from sigscope.engine.recording.host import Host
    from sigscope.tui.app import SigscopeApp

KEPT_SECONDS = 2.0
"""For how long at most a session is studied before keys typed earlier count."""
SOON = 0.1
"""Seconds in which a file is read before one would miss a sign of it."""
LINES_ASKED = 6
"""Sessions that a question names one by one."""


class Visits:
    """Opens sessions on an application's screens, and takes leave of them."""

    def __init__(self, app: SigscopeApp) -> None:
        self._app = app
        self._unsent = Unsent()
        self._live = LiveDrafts(app, self._unsent)
        self._first: DebuggerScreen | None = None
        """The debugger that was opened by name: leaving it ends the program."""

    # --- Opening ---------------------------------------------------------------------

    async def open(self, path: str, wanted: str | None, *, is_first: bool) -> None:
        """Read a file, then show it. Call it in a worker."""
        app = self._app
        document = None if wanted else app.engine.maybe_open_small(path)
        if document is None:
            document = await self._read(path, wanted, is_first=is_first)
        if document is None:
            await app.bring_list()
            app.release_keys(are_meant=False)
            return
        app.library.remember(path)
        self.show(document, is_first=is_first)

    async def _read(
        self, path: str, wanted: str | None, *, is_first: bool
    ) -> Document | None:
        """With a screen that says so; when the program starts only if it takes long."""
        from sigscope.tui.screens.openingscreen import OpeningScreen, read_aside

        app = self._app
        reading = asyncio.create_task(read_aside(app.engine, path, wanted))
        if is_first:
            await asyncio.wait({reading}, timeout=SOON)
            if reading.done() and reading.exception() is None:
                return reading.result()
        return await app.push_screen_wait(
            OpeningScreen(app.engine, path, wanted, app.symbols, reading=reading)
        )

    def show(self, document: Document, *, is_first: bool = False) -> None:
        """Open the debugger on a document."""
        app = self._app
        app.take_advice_away()
        screen = DebuggerScreen(app.engine, document, symbols=app.symbols)
        if is_first:
            self._first = screen
        screen.model.upstream = upstream_of(app.settings)
        histories, kept = self._unsent.recall(document)
        screen.model.histories = histories
        app.push_screen(screen)
        if is_first:
            self._release_keys(screen)
        if kept:
            app.notify(
                f"{say(kept)}; {screen.desk.key('undo')} goes back",
                title="On again, as you left them",
                timeout=8,
            )
        for problem in document.session.problems[:3]:
            where = f"{problem.where}: " if problem.where else ""
            app.notify(
                f"{where}{problem.message}",
                title="Not everything could be read",
                severity="warning",
                markup=False,
                timeout=8,
            )

    def _release_keys(self, screen: DebuggerScreen) -> None:
        """Give the screen what was typed before it stood, once it knows what it shows:
        `f` has a fix to apply then. Of a long session that takes too long."""
        app, model = self._app, screen.model

        def look(what: str) -> None:
            overview = model.overview
            if what == "problem" or (
                what == SETTLED and overview is not None and overview.is_checked
            ):
                app.call_later(app.release_keys)

        model.observe(look)
        app.set_timer(KEPT_SECONDS, app.release_keys)

    def show_recording(self, host: Host) -> None:
        """Open the debugger on what is being recorded."""
        from sigscope.tui.screens.recording import RecordingScreen

        app = self._app
        document = app.engine.open(str(host.recording.path))
        screen = RecordingScreen(host, app.engine, document, symbols=app.symbols)
        self._first = screen
        screen.model.upstream = upstream_of(app.settings)
        app.push_screen(screen)

    # --- Leaving ---------------------------------------------------------------------

    def leave(self, *, is_out: bool) -> bool:
        """Back from the debugger to the list; True if the program is to end instead."""
        app = self._app
        screen = app.screen
        if is_out and screen is self._first:
            return True
        if isinstance(screen, DebuggerScreen):
            count = self._unsent.hold(screen.model.document, screen.model.histories)
            screen.dismiss(None)
            gc.unfreeze()  # what was known of the session is garbage now, all of it
            if screen.departure.kept_in:
                app.notify(f"runs are kept in {screen.departure.kept_in}", timeout=6)
            if count:
                words = f"{figures.count(count, 'edit')} not sent yet"
                app.notify(
                    f"{words}; open the session again to go on with them", timeout=5
                )
        return False

    async def may_quit(self) -> bool:
        """Whether the program may end; asks, if something would be lost. Call it in a
        worker."""
        from sigscope.tui.screens.compare import CompareScreen

        stack = self._app.screen_stack
        for screen in stack:
            if isinstance(screen, DebuggerScreen):
                if not await screen.may_leave():
                    return False
                for above in stack:
                    if isinstance(above, CompareScreen):
                        screen.model.take_edits(above.edits, "edits chosen in Compare")
                self._unsent.hold(screen.model.document, screen.model.histories)
        lines = self._unsent.lines()
        if lines and not await self._may_lose(lines):
            return False
        self._live.stop()
        if not lines:
            self._unsent.drop()  # what was kept before was sent or undone
        return True

    def end(self) -> str:
        """The program is told to end, and nobody can be asked: keep what is on. Why
        that cannot be, in words; else empty."""
        return self._live.write_now()

    def close(self) -> None:
        """The program ends; what is kept is free for the next one."""
        self._live.stop()
        self._unsent.close()

    async def _may_lose(self, lines: list[str]) -> bool:
        """Whether the user quits, with these edits not sent."""
        shown = "\n".join(lines[:LINES_ASKED])
        more = len(lines) - LINES_ASKED
        if more > 0:
            shown += f"\nand of {figures.count(more, 'session')} more"
        answers = [
            ("stay", "Stay"),
            ("keep", "Keep them and quit"),
            ("lose", "Quit without them"),
        ]
        question = Question("Edits that were not sent", shown, answers)
        answer = await self._app.push_screen_wait(question)
        if answer == "keep":
            problems = self._unsent.keep()
            if problems:
                words = "\n".join(problems[:LINES_ASKED])
                left = Question(
                    "Not all can be kept",
                    words,
                    [("stay", "Stay"), ("lose", "Quit all the same")],
                )
                return await self._app.push_screen_wait(left) == "lose"
        elif answer == "lose":
            self._live.stop()
            self._unsent.drop()
        return answer in ("keep", "lose")


def upstream_of(settings: Settings) -> ChosenUpstream:
    """Where requests go at first."""
    return ChosenUpstream(
        url=settings.text("send.to"),
        key_env=settings.key_env or "",
        is_lenient=settings.text("send.enforce") == "lenient",
        timeout=settings.number("send.timeout"),
        retries=settings.count("send.retries"),
    )
