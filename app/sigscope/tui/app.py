"""The application: themes, keys that work everywhere, the first screen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from textual import work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.screen import Screen
from textual.theme import Theme

from sigscope.engine.document import Document
from sigscope.engine.engine import Engine
from sigscope.engine.library import Library
from sigscope.tui.commands import KeyCommands
from sigscope.tui.memory import Memory
from sigscope.tui.screens.debugger import DebuggerScreen
from sigscope.tui.screens.help import HelpScreen, sections_of
from sigscope.tui.screens.opening import OpeningScreen
from sigscope.tui.screens.sessions import SessionsScreen
from sigscope.tui.symbols import Symbols, choose_symbols
from sigscope.tui.themes import DEFAULT, fallbacks, load_themes


class SigscopeApp(App[int]):
    """sigscope on screen."""

    TITLE = "sigscope"
    COMMANDS: ClassVar[set[type[Provider] | Any]] = App.COMMANDS | {KeyCommands}
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "help", "Help", id="app.help",
                tooltip="What the pane in focus is for, and its keys"),
        Binding("ctrl+p", "command_palette", "Palette", False, priority=True,
                id="app.palette", tooltip="Every command"),
        Binding("colon", "command_palette", "Palette", False, id="app.palette-colon",
                tooltip="Every command"),
        Binding("ctrl+q", "quit", "Quit", False, priority=True, id="app.quit",
                tooltip="Quit sigscope"),
    ]  # fmt: skip

    def __init__(
        self,
        path: str | None = None,
        *,
        wanted: str | None = None,
        theme: str | None = None,
        engine: Engine | None = None,
        library: Library | None = None,
        memory: Memory | None = None,
        symbols: Symbols | None = None,
    ) -> None:
        self._problems: list[str] = []
        self._is_ready = False
        super().__init__()
        self.engine = engine or Engine()
        self.library = library or Library()
        self.memory = memory or Memory()
        self.symbols = symbols or choose_symbols()
        self._path = path
        self._wanted = wanted
        self._first_theme = theme
        themes, self._problems = load_themes()
        for found in themes:
            self.register_theme(found)

    # --- Themes ----------------------------------------------------------------------

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our variables, for a theme that does not set them."""
        return fallbacks(self.current_theme)

    def on_mount(self) -> None:
        """Put the theme on and show the first screen."""
        self.theme = self._theme_name()
        self._is_ready = True
        self.theme_changed_signal.subscribe(self, self._remember_theme)
        for problem in self._problems:
            self.notify(problem, title="Theme", severity="warning", markup=False)
        if self._path is not None:
            self.push_screen(SessionsScreen(self.engine, self.library, self.symbols))
            self.open(self._path, self._wanted, is_first=True)
        else:
            self.push_screen(SessionsScreen(self.engine, self.library, self.symbols))

    def _theme_name(self) -> str:
        for name in (self._first_theme, self.memory.theme):
            if name and name in self.available_themes:
                return name
            if name:
                self._problems.append(f"there is no theme {name!r}")
        return DEFAULT if DEFAULT in self.available_themes else "textual-dark"

    def _remember_theme(self, theme: Theme) -> None:
        self.memory.theme = theme.name

    # --- Screens ---------------------------------------------------------------------

    def on_sessions_screen_wanted(self, message: SessionsScreen.Wanted) -> None:
        """Open what was chosen in the list."""
        message.stop()
        self.open(message.path)

    @work(exclusive=True, group="open")
    async def open(
        self, path: str, wanted: str | None = None, *, is_first: bool = False
    ) -> None:
        """Read a file, then show it."""
        document = await self.push_screen_wait(
            OpeningScreen(self.engine, path, wanted, self.symbols)
        )
        if document is None:
            return
        self.library.remember(path)
        self.show_document(document, is_first=is_first)

    def show_document(self, document: Document, *, is_first: bool = False) -> None:
        """Open the debugger on a document."""
        self._leaves_for_good = is_first
        self.push_screen(DebuggerScreen(self.engine, document, symbols=self.symbols))
        for problem in document.session.problems[:3]:
            where = f"{problem.where}: " if problem.where else ""
            self.notify(
                f"{where}{problem.message}",
                title="Not everything could be read",
                severity="warning",
                markup=False,
                timeout=8,
            )

    _leaves_for_good = False
    """Whether leaving the debugger ends the program: it was opened by name."""

    def on_steering_left(self, message: DebuggerScreen.Left) -> None:
        """Back to the list, or out."""
        message.stop()
        if self._leaves_for_good:
            self.exit()
        elif isinstance(self.screen, DebuggerScreen):
            self.screen.dismiss(None)

    # --- Commands --------------------------------------------------------------------

    def action_help(self) -> None:
        """What the pane in focus is for, and its keys."""
        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(sections_of(self.screen)))

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """What has no key: themes, the terminal's own."""
        yield SystemCommand("Theme", "Choose the colours", self.search_themes)
        yield SystemCommand(
            "Save a picture", "Write the screen as SVG", self.deliver_screenshot
        )
        yield SystemCommand("Quit", "Leave sigscope", self.action_quit)
