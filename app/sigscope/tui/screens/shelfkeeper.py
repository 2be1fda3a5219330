"""Putting the list of sessions in order: new ones, other titles and tags, away with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sigscope.engine.sessions.library import (
    SessionCard,
    can_delete,
    is_kept_here,
    read_tags,
)
from sigscope.errors import SigscopeError, UsageError
from sigscope.tui import figures
from sigscope.tui.debugger.desk import Desk
from sigscope.tui.itemstack import Item
from sigscope.tui.lines import Line, column, fit, line
from sigscope.tui.screens.shelf import Shelf
from sigscope.tui.symbols import UNICODE, Symbols

if TYPE_CHECKING:  # the rest is imported by the command that needs it
    from sigscope.engine.sessions.composition import RequestDraft

PASTE = "paste"
PROFILE = "profile "


class ShelfKeeper:
    """Changes what is on the shelves. Recordings of other tools and bundled sessions
    are never written to. Call its methods in a task."""

    def __init__(
        self,
        shelf: Shelf,
        desk: Desk,
        want: Callable[[str], object],
        symbols: Symbols = UNICODE,
    ) -> None:
        """`want`: opens a file."""
        self._shelf = shelf
        self._desk = desk
        self._want = want
        self._symbols = symbols

    def _fail(self, error: SigscopeError) -> None:
        self._desk.tell(str(error), severity="error", timeout=8)

    def _own_card(self, what: str) -> SessionCard | None:
        """The card under the cursor, if its file may be written to; else say why it
        may not."""
        card = self._shelf.card
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
        self._desk.tell(f"{what}: {why}", severity="warning", timeout=5)
        return None

    async def open_file(self) -> None:
        """Open any recording by its path."""
        from sigscope.tui.screens.pathdialog import expanded, path_dialog

        path = await self._desk.ask(path_dialog())
        if path:
            self._want(expanded(path))

    # --- Titles and tags -------------------------------------------------------------

    async def rename(self) -> None:
        """Give the session another title."""
        from sigscope.tui.screens.lineinput import LineDialog

        card = self._own_card("no other title")
        if card is None:
            return
        title = await self._desk.ask(
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

    async def tag(self) -> None:
        """Give the session other tags."""
        from sigscope.tui.screens.lineinput import LineDialog

        card = self._own_card("no tags")
        if card is None:
            return
        words = await self._desk.ask(
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
        engine, path = self._shelf.engine, Path(card.path)
        try:
            await asyncio.to_thread(engine.rename, path, title=title, tags=tags)
        except SigscopeError as error:
            self._fail(error)
        self._shelf.reload()

    # --- Away with -------------------------------------------------------------------

    async def remove(self) -> None:
        """Delete the session's file, or take it off the list; asks first."""
        from sigscope.tui.screens.question import Question

        card, library = self._shelf.card, self._shelf.library
        if card is None:
            return
        if card.shelf == "bundled":
            self._desk.tell("it comes with sigscope, and stays", timeout=4)
            return
        path = Path(card.path)
        answers = [("stay", "Keep it")]
        if not is_kept_here(path):
            answers.append(("forget", "Take it off the list"))
        if can_delete(path):
            answers.append(("delete", "Delete the file"))
        runs = f", with {figures.count(card.runs, 'run')}" if card.runs else ""
        words = f"{card.title}{runs}\n{card.path}"
        answer = await self._desk.ask(Question("Delete", words, answers))
        try:
            if answer == "forget":
                library.forget(path)
            elif answer == "delete":
                library.delete(path)
                self._desk.tell(f"{path.name} is deleted", timeout=4)
        except SigscopeError as error:
            self._fail(error)
        if answer in ("forget", "delete"):
            self._shelf.reload()

    # --- New ones --------------------------------------------------------------------

    async def begin_session(self) -> None:
        """Begin a session: from a template, a profile, or pasted text."""
        from sigscope.tui.screens.choicedialog import ChoiceDialog

        try:
            items = _origins()
        except SigscopeError as error:
            self._fail(error)
            return
        chosen = await self._desk.ask(
            ChoiceDialog("New session", items, symbols=self._symbols)
        )
        if chosen == PASTE:
            await self.begin_with("")
        elif chosen is not None:
            await self._begin_from(chosen)

    async def take_pasted(self, text: str) -> None:
        """Text pasted onto the list: a request begins a session, an error is
        explained."""
        from sigscope.engine.sessions.creation import has_request
        from sigscope.tui.screens.explanation import ExplanationDialog

        if has_request(text):
            await self.begin_with(text)
        elif text.strip():
            await self._desk.ask(ExplanationDialog(text))

    async def begin_with(self, text: str) -> None:
        """Begin a session with a pasted request; ask until it is one."""
        from sigscope.engine.sessions.creation import start_pasted
        from sigscope.tui.screens.pastedialog import PasteDialog

        problem = ""
        while True:
            answer = await self._desk.ask(PasteDialog(text, problem))
            if answer is None:
                return
            text = answer
            try:
                engine = self._shelf.engine
                path = await asyncio.to_thread(start_pasted, engine, text)
            except SigscopeError as error:
                problem = str(error)
            else:
                self._want(str(path))
                return

    async def _begin_from(self, chosen: str) -> None:
        """A template, or a profile."""
        from sigscope.engine.sessions.composition import SAY
        from sigscope.engine.sessions.creation import start
        from sigscope.tui.screens.lineinput import LineDialog

        say = await self._desk.ask(
            LineDialog(
                f"New session: {chosen}",
                "what the user says; the rest comes from the template",
                value=SAY,
                done="makes it; nothing is sent yet",
                problem_of=lambda text: "" if text else "say something",
            )
        )
        if not say:
            return
        try:
            draft = _draft(chosen, say)
            path = await asyncio.to_thread(start, self._shelf.engine, draft)
        except SigscopeError as error:
            self._fail(error)
        else:
            self._want(str(path))


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
        rows.append((f"{PROFILE}{profile.name}", profile.shown_url))
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
