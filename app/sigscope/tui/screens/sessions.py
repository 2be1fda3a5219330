"""The first screen: bundled and recent sessions."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input, Static
from textual.worker import get_current_worker

from sigscope.engine.engine import Engine
from sigscope.engine.library import Card, Library
from sigscope.errors import SigscopeError
from sigscope.tui.itemlist import Item, ItemList
from sigscope.tui.json.prompt import Prompt
from sigscope.tui.panes.keyline import KeyLine
from sigscope.tui.panes.oneliners import HeaderLine
from sigscope.tui.screens.dialog import Dialog
from sigscope.tui.screens.searching import ListSearching
from sigscope.tui.symbols import UNICODE, Symbols
from sigscope.tui.views.headline import Headline
from sigscope.tui.views.shelf import lay_card, lay_detail, lay_shelf

TAGLINE = "a debugger for conversations with reasoning models"
TELL_EVERY = 0.25
"""Seconds between two reports of what was found; each one lays the list out anew."""
SMALL = 8_000_000
"""Bytes up to which a file is opened only to learn its dialect."""


class Detail(ItemList, can_focus=False):
    """What is known about the session under the cursor."""

    MARK = "none"


class SessionList(ItemList):
    """The shelves."""

    NAME = "Sessions"
    EMPTY = "no sessions yet; o opens a file"
    HELP = (
        "Sessions that come with sigscope, and files opened lately. Enter opens one; o"
        " opens any recording by its path: a session file, HAR, VCR cassette, numbered"
        " requests and responses."
    )


class SessionsScreen(ListSearching):
    """Lists sessions; tells which one is to be opened."""

    CSS_PATH = "sessions.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", id="sessions.open",
                tooltip="Open the session under the cursor"),
        Binding("o", "open_file", "Open file", id="sessions.open-file",
                tooltip="Open any recording by its path"),
        Binding("r", "reload", "Reload", id="sessions.reload",
                tooltip="Read the list again"),
        Binding("slash", "search", "Search", id="sessions.search",
                tooltip="Search the list"),
        Binding("n", "search_next(1)", "Next", False, id="sessions.search-next",
                tooltip="Next hit"),
        Binding("N", "search_next(-1)", "Previous", False,
                id="sessions.search-previous", tooltip="Previous hit"),
        Binding("escape", "end_search", "Clear search", False,
                id="sessions.search-end", tooltip="Forget what was searched for"),
        Binding("q", "quit", "Quit", id="sessions.quit", tooltip="Quit sigscope"),
    ]  # fmt: skip

    @dataclass
    class Wanted(Message):
        """A file is to be opened."""

        path: str

    @dataclass
    class Listed(Message):
        """The shelves have been read."""

        cards: list[Card]

    @dataclass
    class DialectsFound(Message):
        """What some sessions speak, by path."""

        dialects: dict[str, str]

    def __init__(
        self,
        engine: Engine,
        library: Library,
        symbols: Symbols = UNICODE,
        *,
        is_below: bool = False,
    ) -> None:
        super().__init__()
        self._is_below = is_below
        """Whether something else is shown first, and the list only if one goes back."""
        self._engine = engine
        self._library = library
        self._symbols = symbols
        self._cards: dict[str, Card] = {}
        self._dialects: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        """List and detail."""
        yield HeaderLine()
        with Horizontal(id="shelf"):
            shelf = SessionList(id="list", classes="pane")
            shelf.border_title = "Sessions"
            yield shelf
            yield Detail(id="detail", classes="pane")
        yield Prompt(id="ask")
        yield KeyLine()

    def on_mount(self) -> None:
        """Read the shelves."""
        self.set_class(self._symbols.ascii, "-ascii")
        header = self.query_one(HeaderLine)
        header.symbols = self._symbols
        header.headline = Headline(title=TAGLINE, upstream="")
        self.query_one(SessionList).show([], note="reading …")

    def on_screen_resume(self) -> None:
        """Recent sessions may be others now. Nothing is read while something else is
        on show."""
        if self._is_below:
            self._is_below = False
        else:
            self.call_after_refresh(self._reload_if_seen)

    def _reload_if_seen(self) -> None:
        if self.is_current:
            self.action_reload()

    def on_resize(self, event: events.Resize) -> None:
        """The detail stands beside the list, below it, or nowhere."""
        self.set_class(event.size.width < 100, "-narrow")
        self.set_class(event.size.height < 22, "-low")

    # --- The list --------------------------------------------------------------------

    @work(thread=True, exclusive=True, group="shelf")
    def action_reload(self) -> None:
        """Read the shelves, then look what each session speaks."""
        is_cancelled = partial(getattr, get_current_worker(), "is_cancelled")
        cards = self._library.cards()
        if is_cancelled():
            return
        self.post_message(self.Listed(cards))
        found: dict[str, str] = {}
        told = time.monotonic()
        for card in cards:
            if is_cancelled():
                return
            if card.path not in self._dialects and not card.problem:
                found[card.path] = self._dialect_of(card)
            if found and time.monotonic() - told > TELL_EVERY:
                self.post_message(self.DialectsFound(found))
                found, told = {}, time.monotonic()
        if found:
            self.post_message(self.DialectsFound(found))

    def _dialect_of(self, card: Card) -> str:
        path = Path(card.path)
        try:
            if not path.is_file() or path.stat().st_size > SMALL:
                return ""
            readings = self._engine.open(path).readings
        except (SigscopeError, OSError, RecursionError):
            return ""
        names = dict.fromkeys(r.dialect.name for r in readings if r.dialect)
        return ", ".join(names)

    @on(Listed)
    def _listed(self, message: Listed) -> None:
        message.stop()
        self._cards = {card.path: card for card in message.cards}
        self._fill()

    @on(DialectsFound)
    def _dialects_found(self, message: DialectsFound) -> None:
        message.stop()
        self._dialects.update(message.dialects)
        self._fill()

    def _fill(self) -> None:
        items: list[Item] = []
        shelf = ""
        for card in self._cards.values():
            if card.shelf != shelf:
                shelf = card.shelf
                head = partial(lay_shelf, shelf, first=not items)  # one line or two
                items.append(Item(f"shelf:{shelf}", head, selectable=False))
            dialect = self._dialects.get(card.path, "")
            items.append(Item(card.path, partial(self._lay, card, dialect), height=2))
        shelf_list = self.query_one(SessionList)
        shelf_list.show(items)
        failed = sum(1 for card in self._cards.values() if card.failed)
        words = f"{len(self._cards)} sessions"
        shelf_list.border_subtitle = f"{words} · {failed} with failures"
        self._tell_detail()

    def _lay(self, card: Card, dialect: str, cells: int) -> list[Any]:
        return lay_card(card, dialect, cells, self._symbols)

    @on(ItemList.Moved)
    def _moved(self, message: ItemList.Moved) -> None:
        message.stop()
        self._tell_detail()

    def _tell_detail(self) -> None:
        card = self._cards.get(str(self.query_one(SessionList).key))
        detail = self.query_one(Detail)
        if card is None:
            detail.show([], note="")
            return

        def lay(cells: int) -> list[Any]:
            return lay_detail(card, self._dialects, cells, self._symbols)

        detail.show([Item(card.path, lay)])
        detail.border_title = "Story"

    def searched_list(self) -> ItemList:
        """The shelves."""
        return self.query_one(SessionList)

    def action_end_search(self) -> None:
        """Forget what was searched for."""
        self.end_search()

    # --- Opening ---------------------------------------------------------------------

    @on(ItemList.Chosen)
    def _chosen(self, message: ItemList.Chosen) -> None:
        message.stop()
        self.post_message(self.Wanted(str(message.key)))

    def action_open(self) -> None:
        """Open the session under the cursor."""
        key = self.query_one(SessionList).key
        if key is not None:
            self.post_message(self.Wanted(str(key)))

    @work(exclusive=True, group="ask")
    async def action_open_file(self) -> None:
        """Open any recording by its path."""
        path = await self.app.push_screen_wait(PathDialog())
        if path:
            self.post_message(self.Wanted(path))

    async def action_quit(self) -> None:
        """Quit sigscope."""
        await self.app.run_action("app.quit")


class PathDialog(Dialog[str]):
    """Ask for a path."""

    def compose(self) -> ComposeResult:
        """One field."""
        with Vertical(classes="box") as box:
            box.border_title = "Open a recording"
            box.border_subtitle = "enter opens · esc closes"
            yield Static(
                "session file, HAR, VCR cassette, N-req.json / N-res.json, a folder",
                classes="label",
            )
            yield Input(placeholder="path", id="path")
            yield Static("", classes="problem", markup=False)

    @on(Input.Submitted)
    def _take(self, event: Input.Submitted) -> None:
        event.stop()
        text = event.value.strip()
        path = Path(text).expanduser()
        if text and path.exists():
            self.dismiss(str(path))
            return
        problem = self.query_one(".problem", Static)
        problem.update(f"{text or 'nothing'}: there is no such file")
        problem.add_class("-shown")
