"""The first screen: recent and bundled sessions."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from textual import events, getters, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Static
from textual.worker import get_current_worker

from sigscope.engine.engine import Engine
from sigscope.engine.sessions.library import Library, SessionCard
from sigscope.errors import SigscopeError
from sigscope.tui import figures
from sigscope.tui.finder import Finder
from sigscope.tui.itemlist import Item, ItemList
from sigscope.tui.notices import close_boxes
from sigscope.tui.panes.keyline import KeyLine
from sigscope.tui.panes.oneliners import HeaderLine
from sigscope.tui.screens.arrangement import Mode, mode_for, too_small
from sigscope.tui.screens.shelfkeeper import Shelving
from sigscope.tui.symbols import UNICODE, Symbols
from sigscope.tui.views.headline import Headline
from sigscope.tui.views.shelf import (
    RECENT,
    lay_card,
    lay_detail,
    lay_no_recent,
    lay_shelf,
)

TAGLINE = "a debugger for conversations with reasoning models"
LOW = 12
"""Lines of the story below which each one counts."""
TELL_EVERY = 0.25
"""Seconds between two reports of what was found; each one lays the list out anew."""
SMALL = 8_000_000
"""Bytes up to which a file is opened only to learn its dialect."""


class Detail(ItemList, can_focus=False):
    """What is known about the session under the cursor."""

    MARK = "none"


class SessionList(ItemList):
    """The shelves; the border says how many there are, and how a search stands."""

    NAME = "Sessions"
    EMPTY = "no sessions yet; o opens a file"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Open", id="sessions.open",
                tooltip="Open the session under the cursor"),
    ]  # fmt: skip
    HELP = (
        "Files opened lately, and sessions that come with sigscope. Enter opens one; o"
        " opens any recording by its path: a session file, HAR, VCR cassette, numbered"
        " requests and responses. Titles and tags go into session files of your own;"
        " recordings of other tools and bundled sessions are never written to."
    )

    _figures = ""

    def say(self, words: str) -> None:
        """Say these figures in the border."""
        self._figures = words
        self._tell()

    def tell_found(self, pattern: re.Pattern[str] | None, words: str) -> None:
        """Say how the search stands, too."""
        super().tell_found(pattern, words)
        self._tell()

    def _tell(self) -> None:
        said = (self.found, self._figures)
        self.border_subtitle = " · ".join(word for word in said if word)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What one learns of a session by opening it."""

    dialects: str = ""
    """Names, with commas between; empty where none was recognised."""
    steps: int | None = None
    """None: it was not opened, being large or broken."""
    failed: int = 0
    stamp: int = 0
    """When the file was changed last; it is opened again when it is another."""


class SessionsScreen(Shelving):
    """Lists sessions; tells which one is to be opened."""

    CSS_PATH = "sessions.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
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

    finder = getters.query_one(Finder)

    @dataclass
    class Wanted(Message):
        """A file is to be opened."""

        path: str

    @dataclass
    class Listed(Message):
        """The shelves have been read."""

        cards: list[SessionCard]

    @dataclass
    class LookedInto(Message):
        """What was seen in some sessions, by path."""

        seen: dict[str, Seen]

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
        self._cards: dict[str, SessionCard] = {}
        self._seen: dict[str, Seen] = {}

    def compose(self) -> ComposeResult:
        """List and detail."""
        yield HeaderLine()
        with Horizontal(id="shelf"):
            shelf = SessionList(id="list", classes="pane")
            shelf.border_title = "Sessions"
            yield shelf
            yield Detail(id="detail", classes="pane")
        yield Finder(id="ask")
        yield KeyLine()
        yield Static("", id="small")

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
        is_tiny = mode_for(*event.size) is Mode.TINY
        self.set_class(is_tiny, "-tiny")
        if is_tiny:
            self.query_one("#small", Static).update(too_small(*event.size))

    # --- The list --------------------------------------------------------------------

    @work(thread=True, exclusive=True, group="shelf")
    def action_reload(self) -> None:
        """Read the shelves, then look what each session speaks."""
        is_cancelled = partial(getattr, get_current_worker(), "is_cancelled")
        cards = self._library.cards()
        if is_cancelled():
            return
        self.post_message(self.Listed(cards))
        found: dict[str, Seen] = {}
        told = time.monotonic()
        for card in cards:
            if is_cancelled():
                return
            stamp = _stamp(card.path)
            known = self._seen.get(card.path)
            if not card.problem and (known is None or known.stamp != stamp):
                found[card.path] = self._look_into(card, stamp)
            if found and time.monotonic() - told > TELL_EVERY:
                self.post_message(self.LookedInto(found))
                found, told = {}, time.monotonic()
        if found:
            self.post_message(self.LookedInto(found))

    def _look_into(self, card: SessionCard, stamp: int) -> Seen:
        path = Path(card.path)
        try:
            if not path.is_file() or path.stat().st_size > SMALL:
                return Seen(stamp=stamp)
            readings = self._engine.open(path).readings
        except (SigscopeError, OSError, RecursionError):
            return Seen(stamp=stamp)
        names = dict.fromkeys(r.dialect.name for r in readings if r.dialect)
        return Seen(
            dialects=", ".join(names),
            steps=len(readings),
            failed=sum(1 for r in readings if r.status and r.status >= 400),
            stamp=stamp,
        )

    @on(Listed)
    def _listed(self, message: Listed) -> None:
        message.stop()
        self._cards = {card.path: card for card in message.cards}
        self._fill()

    @on(LookedInto)
    def _looked_into(self, message: LookedInto) -> None:
        message.stop()
        self._seen.update(message.seen)
        self._fill()

    def _known(self, path: str) -> tuple[SessionCard, str]:
        """A card with what was seen in its file, and the dialects."""
        card, seen = self._cards[path], self._seen.get(path, Seen())
        if seen.steps is not None and not card.steps:
            card = replace(card, steps=seen.steps, failed=seen.failed)
        return card, seen.dialects

    def _fill(self) -> None:
        items: list[Item] = []
        known = [self._known(path) for path in self._cards]
        if known and known[0][0].shelf != RECENT:
            items.append(_heading(RECENT, is_first=True))
            items.append(Item("none", lay_no_recent, selectable=False))
        shelf = RECENT if items else ""
        for card, dialect in known:
            if card.shelf != shelf:
                shelf = card.shelf
                items.append(_heading(shelf, is_first=not items))
            items.append(Item(card.path, partial(self._lay, card, dialect), height=2))
        shelf_list = self.query_one(SessionList)
        shelf_list.show(items)
        failed = sum(1 for card, _ in known if card.failed)
        words = figures.count(len(known), "session")
        shelf_list.say(f"{words} · {failed} with failures")
        self._tell_detail()

    def _lay(self, card: SessionCard, dialect: str, cells: int) -> list[Any]:
        return lay_card(card, dialect, cells, self._symbols)

    @on(ItemList.Moved)
    def _moved(self, message: ItemList.Moved) -> None:
        message.stop()
        self._tell_detail()

    @property
    def card(self) -> SessionCard | None:
        """The session under the cursor."""
        path = str(self.query_one(SessionList).key)
        return self._known(path)[0] if path in self._cards else None

    def _tell_detail(self) -> None:
        card = self.card
        detail = self.query_one(Detail)
        if card is None:
            detail.show([], note="")
            return
        known, dialect = self._known(card.path)

        def lay(cells: int) -> list[Any]:
            is_low = detail.size.height < LOW
            return lay_detail(known, dialect, cells, self._symbols, is_low=is_low)

        detail.show([Item(card.path, lay)])
        detail.border_title = "Story"

    def action_search(self) -> None:
        self.finder.ask_in(self.query_one(SessionList))

    def action_search_next(self, by: int) -> None:
        """To the next or previous hit."""
        self.finder.step(by)

    def action_end_search(self) -> None:
        """Close what is said in boxes, or forget what was searched for."""
        if not close_boxes(self.app):
            self.finder.end()

    # --- Opening ---------------------------------------------------------------------

    @on(ItemList.Chosen)
    def _chosen(self, message: ItemList.Chosen) -> None:
        message.stop()
        self.want(str(message.key))

    def want(self, path: str) -> None:
        """Open a file."""
        self.post_message(self.Wanted(path))

    async def action_quit(self) -> None:
        await self.app.run_action("app.quit")


def _heading(shelf: str, *, is_first: bool) -> Item:
    lay = partial(lay_shelf, shelf, first=is_first)  # one line or two
    return Item(f"shelf:{shelf}", lay, selectable=False)


def _stamp(path: str) -> int:
    try:
        return Path(path).stat().st_mtime_ns
    except OSError:
        return 0
