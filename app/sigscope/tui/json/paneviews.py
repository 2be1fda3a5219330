"""The views of the pane: which one is on show, what is in it, what the border says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self, get_args

from textual import events
from textual.app import ComposeResult
from textual.reactive import reactive, var
from textual.timer import Timer
from textual.widget import Widget

from sigscope.edits.records import Edit
from sigscope.tui.json.contents import Filling
from sigscope.tui.json.diffview import DiffView
from sigscope.tui.json.events import EventsView
from sigscope.tui.json.prompt import Prompt
from sigscope.tui.json.raw import RawView
from sigscope.tui.json.rowview import RowView
from sigscope.tui.json.subject import Mark, Subject
from sigscope.tui.json.tabsearch import Seeking
from sigscope.tui.json.titles import subtitle, tab_title
from sigscope.tui.json.tree import JsonTree
from sigscope.tui.symbols import UNICODE, Symbols

Tab = Literal["request", "response", "events", "raw", "diff"]
TABS: tuple[Tab, ...] = get_args(Tab)


REST = 0.06
"""Seconds after a move until the border follows; a few frames."""


class PaneViews(Widget):
    """Five tabs, one on show; only that one is kept up to date."""

    DEFAULT_CSS = """
    PaneViews {
        layout: vertical;
        border: round $panel;
        border-title-align: left;
        border-subtitle-align: right;
        padding: 0 0 0 1;
        & > .view { height: 1fr; width: 100%; }
        &:focus-within { border: round $primary; }
    }
    """

    subject: var[Subject | None] = var(None)
    """What to show; set by the screen."""
    edits: var[tuple[Edit, ...]] = var(())
    """Edits that are on for the request of `subject.base`; owned by the screen."""
    symbols: reactive[Symbols] = reactive(UNICODE)
    number: var[str] = var("4")
    """The pane's number, before the tabs in its title; may be empty."""
    tab: var[Tab] = var[Tab]("request")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._stale: set[Tab] = set(TABS)
        self._is_built = False
        """Whether the views can be asked for."""
        self.filling = Filling(self)
        self.seeking = Seeking(self)
        self._titles = ("", "")
        self._retitling: Timer | None = None

    def compose(self) -> ComposeResult:
        """One view for each tab; only one is displayed."""
        yield JsonTree(id="request", classes="view").data_bind(PaneViews.symbols)
        yield JsonTree(id="response", classes="view").data_bind(PaneViews.symbols)
        yield EventsView(id="events", classes="view").data_bind(PaneViews.symbols)
        yield RawView(id="raw", classes="view").data_bind(PaneViews.symbols)
        yield DiffView(id="diff", classes="view").data_bind(PaneViews.symbols)
        yield Prompt()

    def on_mount(self) -> None:
        """Show the first tab."""
        self._is_built = True
        self._show_tab()

    # --- Views -----------------------------------------------------------------------

    @property
    def request_tree(self) -> JsonTree:
        return self.query_one("#request", JsonTree)

    @property
    def response_tree(self) -> JsonTree:
        return self.query_one("#response", JsonTree)

    @property
    def events_view(self) -> EventsView:
        return self.query_one(EventsView)

    @property
    def raw_view(self) -> RawView:
        """The bytes."""
        return self.query_one(RawView)

    @property
    def diff_view(self) -> DiffView:
        return self.query_one(DiffView)

    @property
    def view(self) -> RowView:
        """The list of rows that keys go to."""
        if self.tab == "events":
            view = self.events_view
            return view.event_tree if view.event_tree.has_focus else view.list
        return self.query_one(f"#{self.tab}", RowView)

    @property
    def shown_tree(self) -> JsonTree | None:
        """The tree on show; None in Raw and Diff."""
        if self.tab == "events":
            return self.events_view.event_tree
        view = self.view
        return view if isinstance(view, JsonTree) else None

    def focus(self, scroll_visible: bool = True) -> Self:
        """The view on show takes the focus."""
        self.view.focus(scroll_visible)
        return self

    # --- Tabs ------------------------------------------------------------------------

    def show_tab(self, name: Tab) -> None:
        """Show another tab."""
        self.tab = name

    def watch_tab(self, old: Tab, new: Tab) -> None:
        """Show it, and tell."""
        if not self._is_built or old == new:
            return
        had_focus = self.has_focus_within
        self._show_tab()
        if new == "raw":
            self.filling.look_up_in_raw(old)
            self.retitle()
        if had_focus:
            self.focus()
        self.tab_shown(new)

    def tab_shown(self, tab: Tab) -> None:
        """Another tab is on show."""

    def _show_tab(self) -> None:
        for name in TABS:
            self.query_one(f"#{name}").display = name == self.tab
        self.seeking.forget()
        self.fill()
        self.retitle()

    def watch_subject(self, old: Subject | None, new: Subject | None) -> None:
        """Everything is another; only the tab on show is filled now."""
        if old is None or new is None or old.reading is not new.reading:
            self.filling.wanted_mode = None
            self.filling.offered = None
            self.seeking.forget()
        self.refill(*TABS)

    def watch_edits(self) -> None:
        """Check boxes, previews and differences follow."""
        self.refill("request", "raw", "diff")

    def watch_number(self) -> None:
        """It stands in the title."""
        self.retitle()

    def watch_symbols(self) -> None:
        """The title has glyphs too."""
        self.retitle()

    def fill(self) -> None:
        """Bring the tab on show up to date."""
        if self._is_built and self.tab in self._stale:
            self._stale.discard(self.tab)
            self.filling.fill(self.tab)

    def refill(self, *tabs: Tab) -> None:
        """These tabs show something else now."""
        self._stale |= set(tabs)
        self.fill()
        self.retitle()

    # --- Titles ----------------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        """Titles are shortened to what fits."""
        self.retitle()

    def retitle(self) -> None:
        """Say anew what the border says."""
        if not self._is_built:
            return
        room = max(8, self.size.width - 4)
        title = tab_title(
            self.number, TABS, self.tab, room, ascii_only=self.symbols.ascii
        )
        below = subtitle(self.seeking.said, self._said(), room, self.symbols)
        if (title, below) != self._titles:
            self._titles = (title, below)
            self.border_title, self.border_subtitle = title, below

    def retitle_soon(self) -> None:
        """Say anew what the border says, once the cursor rests: drawing the border
        paints the whole pane, and would cost each key half a frame."""
        if self._retitling is None:
            self._retitling = self.set_timer(REST, self._retitle_now)

    def _retitle_now(self) -> None:
        self._retitling = None
        self.retitle()

    def _said(self) -> str:
        """What the lower border says: where the cursor is, figures."""
        words: list[str] = []
        if self.tab == "raw":
            words = self.filling.raw_words()
        elif self.tab == "diff":
            words = self.filling.diff_words()
        elif self.tab == "request" and (doing := self.doing()):
            words = [doing]
        else:
            if self.tab == "events" and self.events_view.number and self.subject:
                total = len(self.subject.reading.events)
                words.append(f"{self.events_view.number:,} of {total:,}")
            leaf = self.shown_tree.leaf() if self.shown_tree else None
            if leaf is not None:
                inside = f" {self.symbols.folded} {leaf.inner}" if leaf.inner else ""
                words.append(leaf.pointer + inside)
        return f" {self.symbols.dot} ".join(filter(None, words))

    def doing(self) -> str:
        """What the user is in the middle of with the request; empty for nothing."""
        return ""

    def carried_marks(self) -> Mapping[str, tuple[Mark, ...]]:
        """Badges in the request for what the user is in the middle of."""
        return {}

    def sought(self) -> None:
        """The search has come further."""
        self.retitle()
