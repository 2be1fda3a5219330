"""The application: themes, keys that work everywhere, the first screen."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, ClassVar

from textual import work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.screen import Screen
from textual.theme import Theme

from sigscope.engine.carriers import own_carriers
from sigscope.engine.configuring import USER_FILE, load_settings
from sigscope.engine.document import Document
from sigscope.engine.engine import Engine
from sigscope.engine.hosting import Host
from sigscope.engine.library import Library
from sigscope.engine.settings import Settings, Source
from sigscope.tui import figures, hint, unsent
from sigscope.tui.asciifilter import AsciiFilter, key_in_ascii
from sigscope.tui.commands import KeyCommands
from sigscope.tui.keymap import KeyMap, load_keys
from sigscope.tui.keynames import NONE
from sigscope.tui.memory import Memory
from sigscope.tui.screens.asking import Question
from sigscope.tui.screens.compare import CompareScreen
from sigscope.tui.screens.debugger import DebuggerScreen
from sigscope.tui.screens.help import HelpScreen, sections_of
from sigscope.tui.screens.leaving import Leaving
from sigscope.tui.screens.opening import OpeningScreen
from sigscope.tui.screens.recording import RecordingScreen
from sigscope.tui.screens.sessions import SessionsScreen
from sigscope.tui.screens.themes import ThemeDialog
from sigscope.tui.screens.upstream import Upstream
from sigscope.tui.symbols import ASCII, UNICODE, Symbols
from sigscope.tui.telling import Telling
from sigscope.tui.themes import DEFAULT, WITHOUT_COLOUR, fallbacks
from sigscope.tui.themeshelf import ThemeShelf

LOOK_SECONDS = 1.0
"""How often the user's theme files are looked at."""
LINES_ASKED = 6
"""Sessions that a question names one by one."""


class SigscopeApp(Telling):
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
        settings: Settings | None = None,
        keys: KeyMap | None = None,
        host: Host | None = None,
    ) -> None:
        """`host`: a recording that runs, to be shown instead of a file."""
        self._is_without_colour = bool(os.environ.get("NO_COLOR"))
        # With the terminal's own colours Textual takes colours away altogether; else
        # it would turn them into greys, which are colours too.
        super().__init__(ansi_color=True if self._is_without_colour else None)
        self.settings = settings or load_settings()
        self.keys = keys or load_keys()
        self.engine = engine or Engine()
        self.library = library or Library()
        self.memory = memory or Memory()
        is_ascii = self.settings.switch("ascii")
        self.symbols = symbols or (ASCII if is_ascii else UNICODE)
        if self.symbols.ascii:
            self._filters.append(AsciiFilter())
        self._path = path
        self._host = host
        self._wanted = wanted
        self._first_theme = theme
        self.unsent = unsent.Unsent()
        self._shelf = ThemeShelf()
        for found in self._shelf.themes.values():
            self.register_theme(found)
        self.set_keymap(self.keys.overlay)

    def on_mount(self) -> None:
        """Put the theme on and show the first screen."""
        self.theme = self._theme_name()
        self._tell(self._shelf.problems, "Theme")
        self._tell(self.settings.problems, "Settings")
        self._tell(self.keys.problems, "Keys")
        self._tell(own_carriers().problems, "Carriers")
        self.set_interval(LOOK_SECONDS, self.look_at_themes)
        below = self._path is not None or self._host is not None
        self.push_screen(
            SessionsScreen(self.engine, self.library, self.symbols, is_below=below)
        )
        if self._path is not None:
            self.open(self._path, self._wanted, is_first=True)
        elif self._host is not None:
            self.show_recording(self._host)
        self._give_hint()

    def _tell(self, problems: Iterable[str], title: str) -> None:
        for problem in problems:
            self.notify(
                problem, title=title, severity="warning", markup=False, timeout=12
            )

    def _give_hint(self) -> None:
        """Once and never again; a start that ends before it was read counts too."""
        if not self.settings.switch("hint") or self.memory.has_hinted:
            return
        self.memory.has_hinted = True
        self._has_hint = self._path is None
        lines = hint.hint_lines(self.keys, in_session=self._path is not None)
        self.notify(
            "\n".join(lines), title=hint.TITLE, timeout=hint.SECONDS, markup=False
        )

    # --- Themes ----------------------------------------------------------------------

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our variables, for a theme that does not set them."""
        return fallbacks(self.current_theme)

    def _theme_name(self) -> str:
        if self._is_without_colour and WITHOUT_COLOUR in self._shelf.themes:
            return WITHOUT_COLOUR
        wanted = (self._first_theme, self.settings.text("theme"), self.memory.theme)
        for name in filter(None, wanted):
            if name in self.available_themes:
                return name
            self._tell([f"there is no theme {name!r}; the palette lists them"], "Theme")
        return DEFAULT if DEFAULT in self.available_themes else "textual-dark"

    def search_themes(self) -> None:
        """Choose the colours, seeing them."""
        self._choose_theme()

    @work(exclusive=True, group="theme")
    async def _choose_theme(self) -> None:
        dialog = ThemeDialog(*self._listed_themes())
        chosen = await self.push_screen_wait(dialog)
        if chosen is None:
            return
        self.memory.theme = chosen
        source = self.settings.winner("theme").source
        if source is not Source.DEFAULT and self.settings.text("theme") != chosen:
            where = self.settings.winner("theme").where
            self.notify(
                f"{where} sets another one for the next start; to keep {chosen},"
                f" write it there or in {USER_FILE}",
                title="For this time",
                markup=False,
                timeout=8,
            )

    def _listed_themes(self) -> tuple[list[Theme], str, frozenset[str]]:
        own = frozenset(self._shelf.own)
        themes = sorted(self._shelf.themes.values(), key=lambda t: t.name in own)
        return themes, self.theme, own

    def look_at_themes(self) -> None:
        """Put a theme file on again that was saved just now."""
        changed = self._shelf.look_again()
        if changed is None:
            return
        for theme in changed:
            self.register_theme(theme)
        if any(theme.name == self.theme for theme in changed):
            self.mutate_reactive(SigscopeApp.theme)
        self._tell(self._shelf.problems, "Theme")
        if isinstance(self.screen, ThemeDialog):
            self.screen.list_again(self._listed_themes()[0])

    def get_key_display(self, binding: Binding) -> str:
        """A key as it is shown; nothing for a command without one."""
        if binding.key == NONE:
            return ""
        shown = super().get_key_display(binding)
        return key_in_ascii(shown) if self.symbols.ascii else shown

    # --- Screens ---------------------------------------------------------------------

    @property
    def _background_screens(self) -> list[Screen[Any]]:
        """What can be seen through the screen on top. Textual takes the one below it
        for visible though the one on top is opaque: whatever changed there would paint
        all of the screen on top, at every key."""
        if self._screen_stack and self._screen_stack[-1].styles.background.a == 1:
            return []
        return super()._background_screens

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
        screen = DebuggerScreen(self.engine, document, symbols=self.symbols)
        upstream = upstream_of(self.settings)
        screen.set_reactive(DebuggerScreen.upstream, upstream)
        if self._has_hint:
            self._has_hint = False
            self.close_boxes()  # who opens something has read it
        histories, kept = self.unsent.recall(document)
        screen.take_histories(histories)
        self.push_screen(screen)
        if kept:
            self.notify(
                f"{unsent.say(kept)}; undo takes them back",
                title="On again, as you left them",
                timeout=8,
            )
        for problem in document.session.problems[:3]:
            where = f"{problem.where}: " if problem.where else ""
            self.notify(
                f"{where}{problem.message}",
                title="Not everything could be read",
                severity="warning",
                markup=False,
                timeout=8,
            )

    _has_hint = False
    """Whether the first advice is on show, over the list of sessions."""

    def show_recording(self, host: Host) -> None:
        """Open the debugger on what is being recorded."""
        self._leaves_for_good = True
        document = self.engine.open(str(host.recording.path))
        screen = RecordingScreen(host, self.engine, document, symbols=self.symbols)
        screen.set_reactive(DebuggerScreen.upstream, upstream_of(self.settings))
        self.push_screen(screen)

    _leaves_for_good = False
    """Whether leaving the debugger ends the program: it was opened by name."""

    def on_leaving_left(self, message: Leaving.Left) -> None:
        """Back to the list, or out."""
        message.stop()
        if message.is_out and self._leaves_for_good:
            self._quit()
        elif isinstance(self.screen, DebuggerScreen):
            screen = self.screen
            count = self.unsent.hold(screen.document, screen.histories)
            screen.dismiss(None)
            if screen.kept_in:
                self.notify(f"runs are kept in {screen.kept_in}", timeout=6)
            if count:
                words = f"{figures.count(count, 'edit')} not sent yet"
                self.notify(
                    f"{words}; open the session again to go on with them", timeout=5
                )

    # --- Quitting --------------------------------------------------------------------

    async def action_quit(self) -> None:
        """Quit sigscope; ask, if something would be lost."""
        self._quit()

    @work(exclusive=True, group="quit")
    async def _quit(self) -> None:
        if any(isinstance(screen, Question) for screen in self.screen_stack):
            return  # which is asked already
        for screen in self.screen_stack:
            if isinstance(screen, DebuggerScreen):
                if not await screen.may_leave():
                    return
                for above in self.screen_stack:
                    if isinstance(above, CompareScreen):
                        screen.take_edits(above.edits, "compared")
                self.unsent.hold(screen.document, screen.histories)
        lines = self.unsent.lines()
        if not lines:
            self.unsent.keep()  # nothing: what was kept before was sent or undone
        elif not await self._may_quit(lines):
            return
        self.exit()

    async def _may_quit(self, lines: list[str]) -> bool:
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
        answer = await self.push_screen_wait(question)
        if answer == "keep":
            problems = self.unsent.keep()
            if problems:
                words = "\n".join(problems[:LINES_ASKED])
                left = Question(
                    "Not all can be kept",
                    words,
                    [("stay", "Stay"), ("lose", "Quit all the same")],
                )
                return await self.push_screen_wait(left) == "lose"
        elif answer == "lose":
            self.unsent.drop()
        return answer in ("keep", "lose")

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


def upstream_of(settings: Settings) -> Upstream:
    """Where requests go at first."""
    return Upstream(
        url=settings.text("send.to"),
        key_env=settings.key_env or "",
        is_lenient=settings.text("send.enforce") == "lenient",
        timeout=settings.number("send.timeout"),
        retries=settings.count("send.retries"),
    )
