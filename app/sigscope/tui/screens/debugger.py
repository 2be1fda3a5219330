"""The debugger: six panes that show one thing."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.reactive import var
from textual.widget import Widget
from textual.widgets import Static

from sigscope.runs import Run
from sigscope.tui.finder import Finder
from sigscope.tui.itemlist import ItemList
from sigscope.tui.json import JsonPane
from sigscope.tui.json.paneviews import Tab
from sigscope.tui.keynames import no_key
from sigscope.tui.panes.chat import ChatPane
from sigscope.tui.panes.findings import FindingsPane
from sigscope.tui.panes.keyline import KeyLine
from sigscope.tui.panes.oneliners import HeaderLine, StatusLine, TabLine
from sigscope.tui.panes.signatures import SignaturesPane
from sigscope.tui.panes.steps import StepsPane
from sigscope.tui.panes.timeline import TimelinePane
from sigscope.tui.screens import arranging
from sigscope.tui.screens.arranging import Arrangement, Mode, arrange
from sigscope.tui.screens.leaving import Leaving
from sigscope.tui.screens.visiting import Visiting
from sigscope.tui.screens.watching import Watching
from sigscope.tui.symbols import UNICODE, Symbols
from sigscope.tui.telling import close_boxes


class _Former(NamedTuple):
    """What was worked in before."""

    pane: int
    tab: Tab
    zoomed: bool


class DebuggerScreen(Visiting, Watching, Leaving):
    """Lays the panes out, moves the focus; the floors below do the rest."""

    CSS_PATH = "debugger.tcss"
    HELP = "One selection is shared: what you choose anywhere, every pane shows."

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "send", "Send", id="send",
                tooltip="Send the request on show, with its edits"),
        Binding("f", "fix", "Apply fix", id="fix",
                tooltip="Switch the fix of the selected finding on or off"),
        Binding("u", "undo", "Undo", id="undo", tooltip="Undo the last edit"),
        Binding("d", "diff", "Diff", id="diff",
                tooltip="What differs: edits against the request, a run against its"
                " parent"),
        Binding("left_curly_bracket", "step(-1)", "Step", id="step.previous",
                tooltip="Previous step"),
        Binding("right_curly_bracket", "step(1)", "Step", id="step.next",
                tooltip="Next step"),
        Binding("x", "export", "Export", id="export",
                tooltip="Write a session file, report, curl or HAR"),
        Binding("slash", "search", "Search", id="search",
                tooltip="Search the pane in focus"),
        Binding("n", "search_next(1)", "Next", False, id="search.next",
                tooltip="Next hit"),
        Binding("N", "search_next(-1)", "Previous", False, id="search.previous",
                tooltip="Previous hit"),
        Binding("S", "choose_upstream", "Send to", False, id="send.upstream",
                tooltip="Choose where requests go: the simulator or a live API"),
        Binding("F", "all_fixes", "All fixes", False, id="fix.all",
                tooltip="Switch on every fix this step is offered"),
        Binding("t", "ready_made", "Try", False, id="edits.ready",
                tooltip="Try a known mistake or cure of this dialect"),
        Binding(no_key("dialect"), "dialect", "Dialect", False, id="dialect",
                tooltip="Say which API (dialect) this step or its endpoint speaks"),
        Binding("ctrl+r", "redo", "Redo", False, id="redo",
                tooltip="Redo what was undone"),
        Binding("R", "as_recorded", "As recorded", False, id="edits.off",
                tooltip="Switch all edits off"),
        Binding("left_square_bracket", "event(-1)", "Event", False,
                id="event.previous", tooltip="Previous event of the stream"),
        Binding("right_square_bracket", "event(1)", "Event", False,
                id="event.next", tooltip="Next event of the stream"),
        Binding("z", "zoom", "Zoom", False, id="zoom",
                tooltip="Give the pane in focus the whole screen, or back"),
        Binding("tab", "next_pane(1)", "Next pane", False, id="pane.next",
                tooltip="Next pane"),
        Binding("shift+tab", "next_pane(-1)", "Previous pane", False,
                id="pane.previous", tooltip="Previous pane"),
        *(
            Binding(str(number), f"pane({number})", name, False,
                    id=f"pane.{number}", tooltip=f"Go to {name}")
            for number, name in arranging.NAMES.items()
        ),
        Binding("escape", "back", "Back", False, id="back",
                tooltip="One level back: cancel, end the search, close the Diff,"
                " unzoom, from a run to its step, to the list of sessions"),
        Binding("q", "leave", "Quit", False, id="leave",
                tooltip="Back to where you came from"),
    ]  # fmt: skip

    steps_pane = getters.query_one(StepsPane)
    signatures_pane = getters.query_one(SignaturesPane)
    chat_pane = getters.query_one(ChatPane)
    json_pane = getters.query_one(JsonPane)
    timeline_pane = getters.query_one(TimelinePane)
    findings_pane = getters.query_one(FindingsPane)
    finder = getters.query_one(Finder)

    current: var[int] = var(arranging.STEPS, init=False)
    """The pane that has, or had last, the focus."""
    zoomed: var[bool] = var(False, init=False)
    symbols: var[Symbols] = var(UNICODE, init=False)

    def __init__(self, *args: Any, symbols: Symbols = UNICODE, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.set_reactive(DebuggerScreen.symbols, symbols)
        self._recent: list[int] = [arranging.CHAT, arranging.FINDINGS]
        self._arrangement: Arrangement | None = None
        self._tab: Tab = "request"
        """The tab of the JSON pane, as it told."""
        self._before_diff: _Former | None = None
        """What was worked in when the Diff tab was opened; None while it is not."""

    def compose(self) -> ComposeResult:
        """Every pane is there; which are on show is a matter of size."""
        here = DebuggerScreen
        yield HeaderLine().data_bind(here.symbols)
        yield TabLine().data_bind(here.symbols)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield StepsPane(classes="pane").data_bind(
                    here.symbols, here.facts, here.overview, here.selection
                )
                yield SignaturesPane(classes="pane").data_bind(
                    here.symbols, here.overview, here.shown, here.selection
                )
            yield ChatPane(classes="pane").data_bind(
                here.symbols, here.overview, here.shown, here.selection
            )
            yield JsonPane(classes="pane").data_bind(here.symbols, here.edits)
        with Vertical(id="lower"):
            yield TimelinePane(classes="pane").data_bind(
                here.symbols, here.facts, here.overview, here.shown, here.selection
            )
            yield FindingsPane(classes="pane").data_bind(
                here.symbols,
                here.overview,
                here.shown,
                here.selection,
                here.edits,
                here.runs,
            )
        yield Finder(id="ask")
        yield StatusLine().data_bind(here.symbols)
        yield KeyLine()
        yield Static("", id="small")

    def on_mount(self) -> None:
        self.set_class(self.symbols.ascii, "-ascii")
        self.title = self.document.session.title
        self.runs = tuple(self.document.runs)
        self.begin_study()
        has_one = arranging.mode_for(*self.app.size) is Mode.ONE
        self.action_pane(arranging.CHAT if has_one else arranging.STEPS)
        self.tell_header()
        self.tell_status()

    # --- Layout ----------------------------------------------------------------------

    def pane_widget(self, number: int) -> Widget:
        return {
            arranging.STEPS: self.steps_pane,
            arranging.SIGNATURES: self.signatures_pane,
            arranging.CHAT: self.chat_pane,
            arranging.JSON: self.json_pane,
            arranging.TIMELINE: self.timeline_pane,
            arranging.FINDINGS: self.findings_pane,
        }[number]

    def on_resize(self, event: events.Resize) -> None:
        """Another size may want another arrangement."""
        self.rearrange()

    def watch_zoomed(self) -> None:
        """One pane takes it all, or no longer."""
        self.rearrange()

    def watch_current(self, old: int, new: int) -> None:
        """Another pane is worked in."""
        if arranging.JSON in (old, new):
            self.tell_status()
        for number in (old, new):
            if number in self._recent:
                self._recent.remove(number)
            self._recent.insert(0, number)
        self.rearrange()

    def rearrange(self) -> None:
        """Show the panes that fit."""
        width, height = self.size
        self.query_one("#small", Static).update(arranging.too_small(width, height))
        found = arrange(width, height, self.current, self._recent, zoomed=self.zoomed)
        looks = {f"-{mode}": mode is found.mode for mode in Mode}
        looks["-single"] = len(found.visible) == 1
        looks["-wide"], looks["-short"] = width >= 116, height < 40
        other = [
            name for name, wanted in looks.items() if self.has_class(name) != wanted
        ]
        if other:  # at one go: every call works out the styles of all there is
            self.toggle_class(*other)
        if found != self._arrangement:
            self._arrangement = found
            self._apply(found)
        steps = len(self.facts)
        self.timeline_pane.styles.height = (
            None if len(found.visible) < 3 else max(5, min(steps + 3, height // 5))
        )
        self._tell_tabs()

    def _apply(self, found: Arrangement) -> None:
        visible = found.visible
        for number in arranging.PANES:
            self.pane_widget(number).display = number in visible
        left = visible & {arranging.STEPS, arranging.SIGNATURES}
        lower = visible & {arranging.TIMELINE, arranging.FINDINGS}
        self.query_one("#left").display = bool(left)
        self.query_one("#lower").display = bool(lower)
        self.query_one("#body").display = bool(visible - lower)
        self.query_one(TabLine).display = found.has_tabs

    def _tell_tabs(self) -> None:
        found = self._arrangement
        visible = found.visible if found else frozenset()
        self.query_one(TabLine).tabs = tuple(
            (number, name, number in visible, number == self.current)
            for number, name in arranging.NAMES.items()
        )

    # --- Focus -----------------------------------------------------------------------

    def action_pane(self, number: int) -> None:
        """Go to a pane."""
        self.current = number
        self.pane_widget(number).focus()

    def action_next_pane(self, by: int) -> None:
        """Go to the next or previous pane."""
        self.action_pane((self.current - 1 + by) % len(arranging.PANES) + 1)

    def action_zoom(self) -> None:
        """Give the pane in focus the whole screen, or back."""
        self.zoomed = not self.zoomed

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Remember which pane is worked in, also when it was clicked."""
        for number in arranging.PANES:
            pane = self.pane_widget(number)
            if pane is event.widget or pane in event.widget.ancestors:
                self.current = number

    @on(TabLine.Hit)
    @on(HeaderLine.Hit)
    def _line_hit(self, message: TabLine.Hit) -> None:
        message.stop()
        kind, _, rest = message.target.partition(":")
        if kind == "pane":
            self.action_pane(int(rest))
        elif kind == "upstream":
            self.action_choose_upstream()

    def action_search(self) -> None:
        """Search the pane worked in, where it is a list."""
        pane = self.pane_widget(self.current)
        self.finder.ask_in(pane if isinstance(pane, ItemList) else None)

    def action_search_next(self, by: int) -> None:
        """To the next or previous hit."""
        self.finder.step(by)

    # --- Leaving ---------------------------------------------------------------------

    def action_back(self) -> None:
        """One level back: cancel what is under way, end a search, close the Diff tab,
        unzoom, from a run to its step, or to the list."""
        if self.under_way is not None:
            self.action_cancel_send()
        elif close_boxes(self.app) or self.finder.end() or self._close_diff():
            return
        elif self.zoomed:
            self.zoomed = False
        elif self.selection is not None and self.selection.run is not None:
            self.choose_step_number(self.selection.step)
        else:
            self.leave(is_out=False)

    # --- The Diff tab, and back ------------------------------------------------------

    @property
    def is_diff_worked_in(self) -> bool:
        """Whether the cursor that counts is that of the Diff tab."""
        return self.current == arranging.JSON and self.json_pane.tab == "diff"

    def open_diff(self) -> None:
        """Show the Diff tab; esc goes back to what is worked in now."""
        if not self.is_diff_worked_in:
            self._before_diff = _Former(self.current, self.json_pane.tab, self.zoomed)
        super().open_diff()

    @on(JsonPane.TabShown)
    def _tab_shown(self, message: JsonPane.TabShown) -> None:
        message.stop()
        before, self._tab = self._tab, message.name
        if message.name != "diff":
            self._before_diff = None
        elif self._before_diff is None:
            self._before_diff = _Former(arranging.JSON, before, self.zoomed)
        self.tell_status()

    def _close_diff(self) -> bool:
        """Back to where the Diff tab was opened from; False where it is not worked in,
        or was zoomed since: then that goes first."""
        former = self._before_diff
        if former is None or not self.is_diff_worked_in:
            return False
        if self.zoomed and not former.zoomed:
            return False
        self._before_diff = None
        tab: Tab = "request" if former.tab == "diff" else former.tab
        self.json_pane.show_tab(tab)
        self.action_pane(former.pane)
        return True

    def ran(self, run: Run) -> None:
        """Show the new run in its list."""
        super().ran(run)
        if self.findings_pane.has_focus:
            self.findings_pane.reveal(("run", run.number))
        else:
            self.findings_pane.select(("run", run.number))
