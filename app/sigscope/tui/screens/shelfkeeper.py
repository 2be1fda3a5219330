"""Putting the list of sessions in order: new ones, other titles and tags, away with."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, on, work
from textual.binding import Binding, BindingType
from textual.screen import Screen

from sigscope.engine.engine import Engine
from sigscope.engine.sessions.library import (
    Library,
    SessionCard,
    can_delete,
    is_kept_here,
    read_tags,
)
from sigscope.errors import SigscopeError, UsageError
from sigscope.tui import figures
from sigscope.tui.itemlist import Item
from sigscope.tui.lines import Line, column, fit, line
from sigscope.tui.symbols import UNICODE, Symbols

if TYPE_CHECKING:  # the rest is imported by the command that needs it
    from sigscope.engine.sessions.composition import RequestDraft

PASTE = "paste"
PROFILE = "profile "


class Shelving(Screen[Any]):
    """Changes what is on the shelves. Recordings of other tools and bundled sessions
    are never written to."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "open_file", "Open file", id="sessions.open-file",
                tooltip="Open any recording by its path"),
        Binding("c", "new_session", "New", id="sessions.new",
                tooltip="Begin a session: from a template, a profile, or pasted text"),
        Binding("R", "rename", "Rename", id="sessions.rename",
                tooltip="Give the session another title"),
        Binding("t", "tag", "Tags", id="sessions.tag",
                tooltip="Give the session other tags"),
        Binding("D,delete", "remove", "Delete", id="sessions.remove",
                tooltip="Delete the session's file, or take it off the list"),
    ]  # fmt: skip

    _engine: Engine
    _library: Library
    _symbols: Symbols = UNICODE

    @property
    def card(self) -> SessionCard | None:
        """The session under the cursor."""
        return None

    def action_reload(self) -> object:
        """Read the shelves again."""
        return None

    def want(self, path: str) -> None:
        """Open a file."""

    def _own_card(self, what: str) -> SessionCard | None:
        """The card under the cursor, if its file may be written to; else say why it
        may not."""
        card = self.card
        if card is None:
            return None
        if can_delete(Path(card.path)) and not card.problem:
            return card
        if card.shelf == "bundled":
            why = "it comes with sigscope; export it as a session to have your own"
        elif card.problem:
            why = "it cannot be opened"
        else:
            why = "it is the recording of another tool; export it as a session first"
        self.notify(f"{what}: {why}", markup=False, severity="warning", timeout=5)
        return None

    @work(exclusive=True, group="ask")
    async def action_open_file(self) -> None:
        """Open any recording by its path."""
        from sigscope.tui.screens.pathdialog import PathDialog, expanded

        path = await self.app.push_screen_wait(PathDialog())
        if path:
            self.want(expanded(path))

    # --- Titles and tags -------------------------------------------------------------

    @work(exclusive=True, group="ask")
    async def action_rename(self) -> None:
        """Give the session another title."""
        from sigscope.tui.screens.lineinput import LineDialog

        card = self._own_card("no other title")
        if card is None:
            return
        title = await self.app.push_screen_wait(
            LineDialog(
                "Rename",
                f"title of {card.name}",
                value=card.title,
                done="renames",
                problem_of=lambda text: "" if text else "a title has some letters",
            )
        )
        if title and title != card.title:
            await self._change(card, title=title)

    @work(exclusive=True, group="ask")
    async def action_tag(self) -> None:
        """Give the session other tags."""
        from sigscope.tui.screens.lineinput import LineDialog

        card = self._own_card("no tags")
        if card is None:
            return
        words = await self.app.push_screen_wait(
            LineDialog(
                "Tags",
                f"tags of {card.title}, with blanks between",
                value=" ".join(card.tags),
                hint="zed copilot",
                problem_of=_problem_of_tags,
            )
        )
        if words is not None and read_tags(words) != card.tags:
            await self._change(card, tags=read_tags(words))

    async def _change(
        self,
        card: SessionCard,
        *,
        title: str | None = None,
        tags: tuple[str, ...] | None = None,
    ) -> None:
        rename = partial(self._engine.rename, Path(card.path), title=title, tags=tags)
        try:
            await asyncio.to_thread(rename)
        except SigscopeError as error:
            self.notify(str(error), severity="error", markup=False, timeout=8)
        self.action_reload()

    # --- Away with -------------------------------------------------------------------

    @work(exclusive=True, group="ask")
    async def action_remove(self) -> None:
        """Delete the session's file, or take it off the list; asks first."""
        from sigscope.tui.screens.question import Question

        card = self.card
        if card is None:
            return
        if card.shelf == "bundled":
            self.notify("it comes with sigscope, and stays", timeout=4)
            return
        path = Path(card.path)
        answers = [("stay", "Keep it")]
        if not is_kept_here(path):
            answers.append(("forget", "Take it off the list"))
        if can_delete(path):
            answers.append(("delete", "Delete the file"))
        runs = f", with {figures.count(card.runs, 'run')}" if card.runs else ""
        words = f"{card.title}{runs}\n{card.path}"
        answer = await self.app.push_screen_wait(Question("Delete", words, answers))
        try:
            if answer == "forget":
                self._library.forget(path)
            elif answer == "delete":
                self._library.delete(path)
                self.notify(f"{path.name} is deleted", markup=False, timeout=4)
        except SigscopeError as error:
            self.notify(str(error), severity="error", markup=False, timeout=8)
        if answer in ("forget", "delete"):
            self.action_reload()

    # --- New ones --------------------------------------------------------------------

    @work(exclusive=True, group="ask")
    async def action_new_session(self) -> None:
        """Begin a session: from a template, a profile, or pasted text."""
        from sigscope.tui.screens.choicedialog import ChoiceDialog

        try:
            items = _origins()
        except SigscopeError as error:
            self.notify(str(error), severity="error", markup=False, timeout=8)
            return
        chosen = await self.app.push_screen_wait(
            ChoiceDialog("New session", items, symbols=self._symbols)
        )
        if chosen == PASTE:
            path = await self._paste()
        elif chosen is not None:
            path = await self._from_template(chosen)
        else:
            return
        if path is not None:
            self.want(str(path))

    @on(events.Paste)
    def _pasted(self, event: events.Paste) -> None:
        """Text pasted onto the list: a request begins a session, an error is
        explained."""
        from sigscope.engine.sessions.creation import has_request
        from sigscope.tui.screens.explanation import ExplanationDialog

        event.stop()
        if has_request(event.text):
            self._begin_with(event.text)
        elif event.text.strip():
            self.app.push_screen(ExplanationDialog(event.text))

    @work(exclusive=True, group="ask")
    async def _begin_with(self, text: str) -> None:
        path = await self._paste(text)
        if path is not None:
            self.want(str(path))

    async def _paste(self, text: str = "") -> Path | None:
        from sigscope.engine.sessions.creation import start_pasted
        from sigscope.tui.screens.pastedialog import PasteDialog

        problem = ""
        while True:
            dialog = PasteDialog(text, problem)
            answer = await self.app.push_screen_wait(dialog)
            if answer is None:
                return None
            text = answer
            try:
                return await asyncio.to_thread(start_pasted, self._engine, text)
            except SigscopeError as error:
                problem = str(error)

    async def _from_template(self, chosen: str) -> Path | None:
        from sigscope.engine.sessions.composition import SAY
        from sigscope.engine.sessions.creation import start
        from sigscope.tui.screens.lineinput import LineDialog

        say = await self.app.push_screen_wait(
            LineDialog(
                f"New session: {chosen}",
                "what the user says; the rest comes from the template",
                value=SAY,
                done="makes it; nothing is sent yet",
                problem_of=lambda text: "" if text else "say something",
            )
        )
        if not say:
            return None
        try:
            draft = _draft(chosen, say)
            return await asyncio.to_thread(start, self._engine, draft)
        except SigscopeError as error:
            self.notify(str(error), severity="error", markup=False, timeout=8)
            return None


def _draft(chosen: str, say: str) -> RequestDraft:
    from sigscope.engine.sessions.composition import RequestDraft
    from sigscope.engine.settings.profiles import load_profiles

    if chosen.startswith(PROFILE):
        profile = load_profiles()[chosen.removeprefix(PROFILE)]
        return RequestDraft(profile=profile, say=say)
    return RequestDraft(dialect=chosen, say=say)


def _origins() -> list[Item]:
    """What a session can be begun from. Raises InputError for broken profiles."""
    from sigscope.converse.speeches.registry import names
    from sigscope.engine.settings.profiles import load_profiles

    rows = [(name, "template of a first request") for name in names()]
    for profile in load_profiles().values():
        rows.append((f"{PROFILE}{profile.name}", profile.url))
    rows.append((PASTE, "a curl command, HTTP text, a HAR file, or a request body"))
    size = max(len(name) for name, _ in rows)

    def lay(name: str, words: str, cells: int) -> list[Line]:
        head = column(name, size, "bold")
        return [fit((head, *line("  ", (words, "dim"))), cells)]

    return [Item(name, partial(lay, name, words)) for name, words in rows]


def _problem_of_tags(words: str) -> str:
    try:
        read_tags(words)
    except UsageError as error:
        return str(error)
    return ""
