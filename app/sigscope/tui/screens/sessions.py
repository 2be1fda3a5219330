"""The first screen: recent and bundled sessions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.compose import compose
from textual.containers import Horizontal
from textual.geometry import Size
from textual.message import Message
from textual.screen import Screen

from sigscope.engine.engine import Engine
from sigscope.engine.sessions.library import Library, SessionCard
from sigscope.records import dataclass
from sigscope.search.text import Pattern
from sigscope.tui import figures
from sigscope.tui.debugger.screendesk import ScreenDesk
from sigscope.tui.finder import Finder
from sigscope.tui.itemlist import ItemList
from sigscope.tui.itemstack import Item
from sigscope.tui.notices import close_boxes
from sigscope.tui.panes.keyline import KeyLine
from sigscope.tui.panes.oneliners import HeaderLine
from sigscope.tui.panes.toosmall import TooSmall
from sigscope.tui.screens.shelf import Shelf
from sigscope.tui.screens.shelfkeeper import ShelfKeeper
from sigscope.tui.symbols import UNICODE, Symbols
from sigscope.tui.views.headline import Headline
from sigscope.tui.views.shelf import (
    RECENT,
    lay_card,
    lay_detail,
    lay_no_recent,
    lay_shelf,
    places_of,
)

TAGLINE = "a debugger for conversations with reasoning models"
LOW = 12
"""Lines of the story below which each one counts."""


class Detail(ItemList, can_focus=False):
    """What is known about the session under the cursor."""

    MARK = "none"


class SessionList(ItemList):
    """The shelves; the border says how many there are, and how a search stands."""

    NAME = "Sessions"
    EMPTY = "no sessions yet"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Open", id="sessions.open",
                tooltip="Open the session under the cursor"),
    ]  # fmt: skip
    HELP = (
        "Files opened lately, and sessions that come with sigscope; {sessions.open}"
        " opens one, {sessions.open-file} any recording by its path: a session file,"
        " HAR, VCR cassette, numbered requests and responses. An error's text that is"
        " pasted here is explained. Titles and tags go into session files of your own;"
        " recordings of other tools and bundled sessions are never written to."
    )

    _figures = ""

    def say(self, words: str) -> None:
        """Say these figures in the border."""
        self._figures = words
        self._tell()

    def tell_found(self, pattern: Pattern[str] | None, words: str) -> None:
        """Say how the search stands, too."""
        super().tell_found(pattern, words)
        self._tell()

    def _tell(self) -> None:
        said = (self.found, self._figures)
        self.border_subtitle = " · ".join(word for word in said if word)


_OF_ONES_OWN = frozenset({"sessions.rename", "sessions.tag", "sessions.remove"})
"""Commands that change the file under the cursor."""


class SessionsScreen(Screen[Any]):
    """Lists what is on the shelf; tells which session is to be opened."""

    CSS_PATH = "sessions.tcss"
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
        """Whether something else is shown first, and the list only if one goes back:
        there are no widgets then, and nothing is read."""
        self._symbols = symbols
        self.desk = ScreenDesk(self)
        self.shelf = Shelf(engine, library, self.desk)
        self.keeper = ShelfKeeper(self.shelf, self.desk, self.want, symbols)

    def compose(self) -> ComposeResult:
        """List and detail."""
        if not self._is_below:
            yield from self._lay_out()

    def _lay_out(self) -> ComposeResult:
        header = HeaderLine()
        header.symbols = self._symbols
        header.headline = Headline(title=TAGLINE, upstream="")
        yield header
        with Horizontal(id="shelf"):
            shelf = SessionList(id="list", classes="pane")
            shelf.border_title = "Sessions"
            yield shelf
            yield Detail(id="detail", classes="pane")
        yield Finder(id="ask")
        yield KeyLine()
        yield TooSmall()

    def on_mount(self) -> None:
        """Say that the shelves are read."""
        self.set_class(self._symbols.ascii, "-ascii")
        self.shelf.observe(self._shelf_changed)
        if not self._is_below:
            self.query_one(SessionList).show([], note="reading …")

    async def come_up(self) -> None:
        """What was shown first goes; from here on this is a screen like any other."""
        if self._is_below:
            self._is_below = False
            await self.mount_all(compose(self))
            self.query_one(SessionList).show([], note="reading …")
            self._tell_size(self.app.size)
            if self.is_current:
                self.query_one(SessionList).focus()
                self.call_after_refresh(self._reload_if_seen)

    def on_screen_resume(self) -> None:
        """Recent sessions may be others now."""
        if not self._is_below:
            self.call_after_refresh(self._reload_if_seen)

    def _reload_if_seen(self) -> None:
        if self.is_current:
            self.shelf.reload()

    def on_resize(self, event: events.Resize) -> None:
        """The detail stands beside the list, below it, or nowhere."""
        self._tell_size(event.size)

    def _tell_size(self, size: Size) -> None:
        self.set_class(size.width < 110, "-narrow")
        self.set_class(size.height < 22, "-low")
        if not self._is_below:
            self.query_one(TooSmall).judge(size)

    @property
    def idle_keys(self) -> frozenset[str]:
        """What could only say that this session comes with sigscope."""
        card = self.shelf.card
        is_bundled = card is not None and card.shelf == "bundled"
        return _OF_ONES_OWN if is_bundled else frozenset()

    # --- The list --------------------------------------------------------------------

    def action_reload(self) -> None:
        """Read the shelves again."""
        self.shelf.reload(is_asked=True)

    def _shelf_changed(self, what: str) -> None:
        self._fill()

    def _fill(self) -> None:
        items: list[Item] = []
        known = [self.shelf.known(path) for path in self.shelf.cards]
        if known and known[0][0].shelf != RECENT:
            items.append(_heading(RECENT, is_first=True))
            none = partial(lay_no_recent, self.desk.key("sessions.open-file"))
            items.append(Item("none", none, selectable=False))
        shelf = RECENT if items else ""
        places = places_of([card for card, _ in known])
        for card, dialect in known:
            if card.shelf != shelf:
                shelf = card.shelf
                items.append(_heading(shelf, is_first=not items))
            items.append(
                Item(card.path, partial(self._lay, card, dialect, places), height=2)
            )
        shelf_list = self.query_one(SessionList)
        shelf_list.show(items)
        failed = sum(1 for card, _ in known if card.failed)
        words = figures.count(len(known), "session")
        shelf_list.say(f"{words} · {failed} with failures")
        self._tell_detail()

    def _lay(
        self, card: SessionCard, dialect: str, places: Mapping[str, str], cells: int
    ) -> list[Any]:
        place = places.get(card.path, "")
        return lay_card(card, dialect, cells, self._symbols, place)

    @on(ItemList.Moved)
    def _moved(self, message: ItemList.Moved) -> None:
        message.stop()
        self._tell_detail()

    def _tell_detail(self) -> None:
        shelf, detail = self.shelf, self.query_one(Detail)
        shelf.path = str(self.query_one(SessionList).key)
        self.query_one(KeyLine).renew()
        if shelf.card is None:
            detail.show([], note="")
            return
        known, dialect = shelf.known(shelf.path)

        def lay(cells: int) -> list[Any]:
            is_low = detail.size.height < LOW
            return lay_detail(known, dialect, cells, self._symbols, is_low=is_low)

        detail.show([Item(known.path, lay)])
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

    # --- Opening, and putting in order -----------------------------------------------

    @on(ItemList.Chosen)
    def _chosen(self, message: ItemList.Chosen) -> None:
        message.stop()
        self.want(str(message.key))

    def want(self, path: str) -> None:
        """Open a file."""
        self.post_message(self.Wanted(path))

    def action_open_file(self) -> None:
        """Open any recording by its path."""
        self.desk.begin("ask", self.keeper.open_file)

    def action_new_session(self) -> None:
        """Begin a session: from a template, a profile, or pasted text."""
        self.desk.begin("ask", self.keeper.begin_session)

    def action_rename(self) -> None:
        """Give the session another title."""
        self.desk.begin("ask", self.keeper.rename)

    def action_tag(self) -> None:
        """Give the session other tags."""
        self.desk.begin("ask", self.keeper.tag)

    def action_remove(self) -> None:
        """Delete the session's file, or take it off the list; asks first."""
        self.desk.begin("ask", self.keeper.remove)

    @on(events.Paste)
    def _pasted(self, event: events.Paste) -> None:
        event.stop()
        self.desk.begin("ask", partial(self.keeper.take_pasted, event.text))

    async def action_quit(self) -> None:
        await self.app.run_action("app.quit")


def _heading(shelf: str, *, is_first: bool) -> Item:
    lay = partial(lay_shelf, shelf, first=is_first)  # one line or two
    return Item(f"shelf:{shelf}", lay, selectable=False)
