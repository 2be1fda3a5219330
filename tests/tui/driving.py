"""Driving the whole application: open, press, wait until nothing moves, read."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from io import StringIO
from pathlib import Path
from typing import Any, cast

from rich.console import Console
from tests.patience import PATIENCE
from tests.tui.stillness import stillness
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.widget import Widget

from sigscope.engine.sessions.document import Document
from sigscope.engine.settings.places import shipped
from sigscope.session import Session
from sigscope.tui.app import SigscopeApp
from sigscope.tui.itemlist import ItemList
from sigscope.tui.json import JsonPane
from sigscope.tui.screens.debugger import DebuggerScreen
from sigscope.tui.screens.openingscreen import OpeningScreen

EMPTY_LIST = "zed-copilot-content-empty-list"
"""One fault, one finding, one fix."""
MISSING = "copilot-missing-signature"
"""Two faults, both of which have to be mended."""


class Driver:
    """A running application, as its user sees it."""

    def __init__(self, app: SigscopeApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    # --- Waiting ---------------------------------------------------------------------

    async def until(self, is_so: Callable[[], object], what: str = "") -> None:
        """Wait until something is so."""
        limit = time.monotonic() + PATIENCE
        while time.monotonic() < limit:
            if is_so():
                return
            await asyncio.sleep(0.01)
            await stillness(self.app)
        raise AssertionError(f"never happened: {what or is_so}\n{self.text}")

    async def reads(self, text: str) -> None:
        """Wait until a text stands on the screen, however its lines break."""

        def stands() -> bool:
            return text in " ".join(self.text.replace("│", " ").split())

        await self.until(stands, repr(text))

    def _is_at_rest(self) -> bool:
        screen = self.app.screen
        if isinstance(screen, OpeningScreen):
            return screen._is_failed
        if not isinstance(screen, DebuggerScreen):
            return True
        if screen.model.overview is None:
            return False
        if not screen.model.document.steps:
            return True
        shown, selection = screen.model.shown, screen.model.selection
        if shown is None or selection is None or screen.model.under_way is not None:
            return False
        if (shown.step, shown.run) != (selection.step, selection.run):
            return False
        if screen.model.run_here is not None and screen.model.outcome is None:
            return False
        forecast = screen.model.forecast
        return forecast is not None and forecast.edits == screen.model.edits

    async def rest(self) -> None:
        """Wait until all is read, shown and foretold."""
        await stillness(self.app)
        await self.until(self._is_at_rest, "at rest")
        await stillness(self.app)

    async def press(self, *keys: str) -> None:
        """Press keys, each after what the one before did is done."""
        for key in keys:
            await self.pilot.press(key)
            await self.rest()

    async def resize(self, size: tuple[int, int]) -> None:
        """Give the terminal another size."""
        await self.pilot.resize_terminal(*size)
        await self.rest()

    async def type(self, text: str) -> None:
        """Type into a field."""
        names = {
            " ": "space",
            "/": "slash",
            ".": "full_stop",
            "-": "minus",
            ":": "colon",
        }
        await self.pilot.press(*(names.get(char, char) for char in text))
        await self.pilot.pause()

    # --- Reading ---------------------------------------------------------------------

    @property
    def screen(self) -> DebuggerScreen:
        """The debugger."""
        assert isinstance(self.app.screen, DebuggerScreen), self.app.screen
        return self.app.screen

    @property
    def json(self) -> JsonPane:
        """Pane 4."""
        return self.screen.board.json

    @property
    def pointer(self) -> str:
        """Where the cursor of the request's tree is."""
        leaf = self.json.request_tree.leaf()
        return leaf.pointer if leaf else "(nowhere)"

    @property
    def text(self) -> str:
        """The whole screen as text."""
        return screen_text(self.app)

    @property
    def status_line(self) -> str:
        """The line above the keys."""
        return self.text.splitlines()[-2]

    @property
    def header(self) -> str:
        """The first line."""
        return self.text.splitlines()[0]

    @property
    def told(self) -> list[str]:
        """What is said in passing, on the line of the keys and in boxes."""
        return [f"{n.title}: {n.message}" for n in self.app.notices.told]

    def find(self, text: str, *, after: str = "") -> Offset:
        """Where a text stands on the screen."""
        seen = not after
        for y, row in enumerate(self.text.splitlines()):
            seen = seen or after in row
            if seen and text in row:
                return Offset(row.index(text), y)
        raise AssertionError(f"{text!r} is not on the screen:\n{self.text}")

    async def click(self, text: str, *, after: str = "", times: int = 1) -> None:
        """Click on a text."""
        at = self.find(text, after=after)
        await self.pilot.click(offset=(at.x, at.y), times=times)
        await self.rest()


def screen_text(app: SigscopeApp) -> str:
    """What a terminal would show, without colours."""
    width, height = app.size
    console = Console(
        width=width,
        height=height,
        file=StringIO(),
        force_terminal=True,
        color_system="truecolor",
        record=True,
        legacy_windows=False,
        safe_box=False,
    )
    behind = app._background_screens
    console.print(app.screen._compositor.render_update(True, screen_stack=behind))
    rows = console.export_text(styles=False).splitlines()
    return "\n".join(row.rstrip() for row in rows[:height])


@asynccontextmanager
async def opened(
    what: str | Path | Session | None = EMPTY_LIST,
    *,
    size: tuple[int, int] = (120, 36),
    notifications: bool = False,
    **options: Any,
) -> AsyncIterator[Driver]:
    """The application with a bundled session, a file or a session open; with None, on
    the list of sessions. `notifications`: with the boxes they stand in."""
    path = None
    if isinstance(what, Path):
        path = str(what)
    elif isinstance(what, str):
        path = str(shipped("sessions") / f"{what}.session.jsonl")
    app = SigscopeApp(path, **options)
    async with app.run_test(size=size, notifications=notifications) as pilot:
        driver = Driver(app, cast(Pilot[int], pilot))
        if path is not None:
            await driver.until(
                lambda: type(app.screen).__name__ not in ("Screen", "SessionsScreen"),
                "something is opened",
            )
        if isinstance(what, Session):
            app.visits.show(Document(what))
            await driver.until(lambda: isinstance(app.screen, DebuggerScreen))
        await driver.rest()
        yield driver


def lists(driver: Driver) -> dict[str, ItemList]:
    """The panes that are lists, by name."""
    screen = driver.screen
    panes = (
        screen.board.steps,
        screen.board.signatures,
        screen.board.chat,
        screen.board.timeline,
        screen.board.findings,
    )
    return {type(pane).__name__: pane for pane in panes}


def is_on_show(widget: Widget) -> bool:
    """Whether a widget takes part of the screen."""
    return bool(widget.is_on_screen and widget.size.area)
