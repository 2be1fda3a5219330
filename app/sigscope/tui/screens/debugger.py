"""The debugger: six panes that show one thing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from textual import events, getters, on
from textual.app import ComposeResult, SystemCommand
from textual.binding import BindingType
from textual.message import Message
from textual.reactive import Reactive, var
from textual.screen import Screen
from textual.widget import Widget

from sigscope.engine.engine import Engine
from sigscope.engine.sessions.document import Document
from sigscope.records import dataclass
from sigscope.tui.compositor import SparingCompositor
from sigscope.tui.debugger.anomalytour import AnomalyTour
from sigscope.tui.debugger.departure import Departure
from sigscope.tui.debugger.edits import Editor
from sigscope.tui.debugger.follower import Follower
from sigscope.tui.debugger.headlines import (
    apt_keys,
    headline_of,
    idle_keys,
    overview_offer,
    refused_of_model,
    status_of,
)
from sigscope.tui.debugger.jsonlink import JsonLink
from sigscope.tui.debugger.layout import DiffDetour, PaneLayout
from sigscope.tui.debugger.model import DebuggerModel, Rows
from sigscope.tui.debugger.paneboard import PANES, PaneBoard
from sigscope.tui.debugger.router import PaneRouter
from sigscope.tui.debugger.screendesk import ScreenDesk
from sigscope.tui.debugger.sends import Sender
from sigscope.tui.debugger.sessionreader import SessionReader
from sigscope.tui.debugger.sidetrips import SideTrips
from sigscope.tui.finder import Finder
from sigscope.tui.itemlist import ItemList
from sigscope.tui.notices import close_boxes
from sigscope.tui.panes.keyline import KeyLine
from sigscope.tui.panes.oneliners import (
    HeaderLine,
    RefusalLine,
    StatusLine,
    TabLine,
)
from sigscope.tui.panes.toosmall import TooSmall
from sigscope.tui.screens import arrangement
from sigscope.tui.screens.debuggerkeys import KEYS
from sigscope.tui.symbols import UNICODE, Symbols

LOOK_EVERY = 0.5
"""Seconds between two looks at the file."""
IN_HEADER = ("shown", "edits", "forecast", "upstream", "runs")
"""Fields of the model that the header depends on."""


class DebuggerScreen(Screen[Any]):
    """Composes the panes around one model; keys and messages go to its parts."""

    CSS_PATH = "debugger.tcss"
    HELP = "One selection is shared: what you choose anywhere, every pane shows."

    UPSTREAM: ClassVar[str] = "upstream"
    """What the header calls where requests are sent."""

    BINDINGS: ClassVar[list[BindingType]] = KEYS

    finder = getters.query_one(Finder)

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
    """The two panes that look different are painted, not the whole screen."""
    symbols: var[Symbols] = var(UNICODE, init=False)

    @dataclass
    class Left(Message):
        """The user leaves, and was asked what had to be asked."""

        is_out: bool
        """Whether they want out of the program, if there was no list before."""

    @dataclass
    class Wanted(Message):
        """A session that was made here is to be opened."""

        path: str

    def __init__(
        self,
        engine: Engine,
        document: Document,
        *,
        symbols: Symbols = UNICODE,
        rows: Rows = tuple,
    ) -> None:
        """`rows`: what is made of the rows of steps before they are shown."""
        super().__init__()
        self._compositor = SparingCompositor()
        self.set_reactive(DebuggerScreen.symbols, symbols)
        desk = self.desk = ScreenDesk(self)
        model = self.model = DebuggerModel(engine, document, desk, rows=rows)
        self.panes = PaneLayout(self, PANES, lambda: len(model.facts))
        self.diff = DiffDetour(self.panes)
        self.reader = SessionReader(model, desk)
        self.editor = Editor(model, desk)
        self.sender = Sender(model, desk)
        self.follower = Follower(model, desk)
        self.json_link = JsonLink(model, desk)
        self.board = PaneBoard(
            model,
            desk,
            PaneRouter(model, self.editor, self.panes.go_to),
            self.json_link,
            self.diff,
            symbols=symbols,
            placed=self.tell_status,
        )
        self.tour = AnomalyTour(model, desk)
        self.trips = SideTrips(model, desk, symbols, self.tour)
        self.departure = Departure(model, desk)

    def compose(self) -> ComposeResult:
        """Every pane is there; which are on show is a matter of size."""
        here = DebuggerScreen
        self.set_class(self.symbols.ascii, "-ascii")
        self.panes.dress()
        yield HeaderLine().data_bind(here.symbols)
        yield TabLine().data_bind(here.symbols)
        yield RefusalLine().data_bind(here.symbols)
        yield self.board
        yield Finder(id="ask")
        yield StatusLine().data_bind(here.symbols)
        yield KeyLine()
        yield TooSmall()

    def on_mount(self) -> None:
        """Begin at the pane that says most, and read."""
        self.title = self.model.document.session.title
        self.model.observe(self._model_changed)
        self.panes.observe(self._pane_changed)
        self.model.begin()
        self.call_after_refresh(self.reader.study)  # the steps are painted before
        if self.reader.watch():
            self.set_interval(LOOK_EVERY, self.reader.look)
        self.panes.go_to_first()
        self.tell_header()
        self.tell_status()

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        """What was mounted just now has its styles."""
        event.refresh_styles = self._has_been_seen
        self._has_been_seen = True

    _has_been_seen = False

    # --- What the model tells --------------------------------------------------------

    def _model_changed(self, what: str) -> None:
        if what == "facts":
            self.query_one(TabLine).offer = overview_offer(self.model)
            self.panes.follow_lanes()
        self.board.take(what)
        if what in IN_HEADER:
            self.tell_header()
        self.tell_status()

    def tell_header(self) -> None:
        """Say what the header says."""
        self.query_one(KeyLine).renew()  # other keys may be of use now
        self.query_one(HeaderLine).headline = headline_of(self.model, self.UPSTREAM)
        self.query_one(RefusalLine).refused = refused_of_model(self.model)

    def tell_status(self) -> None:
        """Say what the status line says."""
        selection = self.model.selection
        place = selection.place if selection else None
        if self.diff.is_worked_in(self.board.json):
            place = self.json_link.in_diff
        self.query_one(StatusLine).status = status_of(self.model, place)

    @property
    def documents(self) -> tuple[Document, ...]:
        """The one that it is open on."""
        return (self.model.document,)

    @property
    def idle_keys(self) -> frozenset[str]:
        """Keys with nothing to do: they stay out of the lowest line."""
        return idle_keys(self.model)

    @property
    def apt_keys(self) -> tuple[str, ...]:
        """Keys that the step on show asks for."""
        return apt_keys(self.model)

    # --- What lines tell -------------------------------------------------------------

    @on(TabLine.Hit)
    @on(HeaderLine.Hit)
    def _line_hit(self, message: TabLine.Hit) -> None:
        message.stop()
        goals: dict[str, Callable[[], object]] = {
            "upstream": self.action_choose_upstream,
            "compare": self.action_compare,
            "fix": self.action_fix,
            "app.palette": self.app.action_command_palette,
            "overview": self.action_overview,
        }
        kind, _, rest = message.target.partition(":")
        if kind == "pane":
            self.panes.go_to(int(rest))
        elif kind in goals:
            goals[kind]()

    # --- Panes -----------------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        """Another size may want another arrangement."""
        self.panes.arrange()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Another pane may be worked in. Each widget tells this by itself: one that has
        lost the focus again may do so last."""
        if event.widget is self.focused:
            self.panes.take_focus(event.widget)

    def _pane_changed(self, what: str) -> None:
        self.tell_status()

    def action_pane(self, number: int) -> None:
        self.panes.go_to(number)

    def action_next_pane(self, by: int) -> None:
        """Go to the next or previous pane."""
        self.panes.go_on(by)

    def action_zoom(self) -> None:
        """Give the pane in focus the whole screen, or back."""
        self.panes.zoomed = not self.panes.zoomed

    def action_search(self) -> None:
        """Search the pane worked in, where it is a list."""
        pane = self.panes.widget(self.panes.current)
        self.finder.ask_in(pane if isinstance(pane, ItemList) else None)

    def action_search_next(self, by: int) -> None:
        """To the next or previous hit."""
        self.finder.step(by)

    # --- Moving ----------------------------------------------------------------------

    def action_step(self, by: int) -> None:
        """Previous or next step: the list moves at once, the other panes follow."""
        before = self.board.steps.cursor
        self.board.steps.action_move(by)
        if self.board.steps.cursor == before:
            which = "first" if by < 0 else "last"
            some = f"this is the {which} step"
            self.notify(some if self.model.facts else "there is no step yet", timeout=2)

    def action_event(self, by: int) -> None:
        """Previous or next event of the stream."""
        shown = self.model.shown
        if shown is None:
            return
        if not shown.reading.events:
            self.notify("this answer was not streamed: there are no events", timeout=4)
            return
        self.panes.go_to(arrangement.JSON)
        self.board.json.action_event(by)

    def action_follow(self, by: int) -> None:
        """Along the selected signature."""
        self.follower.follow(by, self.symbols)

    # --- Edits -----------------------------------------------------------------------

    def action_fix(self) -> None:
        """Go to the next fix that is off, and switch it on."""
        self.editor.apply_next_fix(self.board.findings.finding_in_focus)

    def action_take_fix_back(self) -> None:
        """Switch the fix of the finding in focus off, or the last one."""
        self.editor.take_fix_back(self.board.findings.finding_in_focus)

    def action_all_fixes(self) -> None:
        """Switch on the fix of every finding of this step."""
        self.editor.switch_all_fixes()

    def action_as_recorded(self) -> None:
        """Switch all edits off."""
        self.editor.switch_off()

    def action_undo(self) -> None:
        """Take the last change of the edits back."""
        self.editor.undo()

    def action_redo(self) -> None:
        """Make the last undone change again."""
        self.editor.redo()

    def action_ready_made(self) -> None:
        """Try a known mistake or cure of this dialect."""
        self.desk.begin("ask", lambda: self.editor.try_ready_made(self.symbols))

    # --- Sending ---------------------------------------------------------------------

    def action_send(self) -> None:
        """Send the request on show, with its edits, to the chosen upstream."""
        self.sender.send()

    def action_choose_upstream(self) -> None:
        """Choose where requests go: the simulator, or a live API."""
        self.desk.begin("ask", self.sender.choose_upstream)

    def action_bisect(self) -> None:
        """Look for the smallest set of edits that matters."""
        self.desk.begin("ask", lambda: self.trips.bisect(self.sender))

    def action_matrix(self) -> None:
        """Show all combinations of edits."""
        self.desk.begin("visit", lambda: self.trips.show_matrix(self.sender))

    def action_confirm(self) -> None:
        """Go on for some turns with the edits as a rule of conduct."""
        self.desk.begin("ask", lambda: self._open_made(self.trips.confirm))

    def action_fork(self) -> None:
        """Go on from the step under a policy, as a session of its own."""
        self.desk.begin("ask", lambda: self._open_made(self.trips.fork))

    async def _open_made(
        self, make: Callable[[Sender], Awaitable[Path | None]]
    ) -> None:
        path = await make(self.sender)
        if path is not None:
            self.post_message(self.Wanted(str(path)))

    # --- Other screens ---------------------------------------------------------------

    def action_compare(self) -> None:
        """Compare the request on show with another one."""
        self.desk.begin("ask", self.trips.compare)

    def action_step_through(self) -> None:
        """Step through the response on show."""
        self.desk.begin("visit", self.trips.step_through)

    def action_timeline(self) -> None:
        """Show when everything arrived."""
        self.desk.begin("visit", self.trips.show_timeline)

    def action_fading(self) -> None:
        """Show from where on readable reasoning fades."""
        self.trips.show_fading()

    def own_commands(self) -> Iterable[SystemCommand]:
        """What has no key."""
        yield SystemCommand(
            "Fading",
            "Show the turn from which readable reasoning fades, and why",
            self.action_fading,
        )

    def action_overview(self) -> None:
        """Show all steps at a glance."""
        self.desk.begin("visit", self.trips.show_overview)

    def action_anomaly(self, by: int) -> None:
        """To the next anomaly of the session, or the one before."""
        step = self.tour.go(by)
        if step is not None:  # the list moves at once, the other panes follow
            self.board.steps.select(step)

    def action_paths(self) -> None:
        """Show where signatures went."""
        self.desk.begin("visit", self.trips.show_paths)

    def action_hops(self) -> None:
        """Show what a gateway changed."""
        self.desk.begin("visit", self.trips.show_hops)

    def action_search_bodies(self) -> None:
        """Search all requests and answers."""
        to_json = partial(self.panes.go_to, arrangement.JSON)
        self.desk.begin("visit", lambda: self.trips.search_bodies(to_json))

    def action_export(self, for_sharing: bool = False) -> None:
        """Write a file to show to others."""
        self.desk.begin("ask", lambda: self.trips.export(for_sharing=for_sharing))

    def action_dialect(self) -> None:
        """Say what the step on show speaks."""
        self.desk.begin("ask", lambda: self.trips.choose_dialect(self.reader))

    def on_key(self, event: events.Key) -> None:
        """Both keys that copy, for other panes: what the JSON pane has selected."""
        if self.board.json.takes_copy_key(event.key):
            event.stop()
            event.prevent_default()

    def action_copy_chord(self) -> None:
        self.board.json.action_copy_chord()

    def action_diff(self) -> None:
        """Show what differs; on a run in the list, what it changed."""
        pane, shown = self.board.findings, self.model.shown
        key = pane.key
        if pane.has_focus and key and key[0] == "run" and shown is not None:
            self.model.choose_step(shown.step, key[1])
        self.diff.open(self.board.json)

    # --- Leaving ---------------------------------------------------------------------

    def action_back(self) -> None:
        """One level back: cancel what is under way, end a search, close the Diff tab,
        unzoom, from a run to its step, or to the list."""
        selection = self.model.selection
        if self.model.under_way is not None:
            self.sender.cancel()
        elif close_boxes(self.app) or self.finder.end() or self._fold_back():
            return
        elif selection is not None and selection.run is not None:
            self.model.choose_step(selection.step)
        else:
            self.leave(is_out=False)

    def _fold_back(self) -> bool:
        return self.diff.close(self.board.json) or self.panes.unzoom()

    def action_leave(self) -> None:
        """Back to the list, or out of the program where there was none before."""
        if self.sender.is_free():
            self.leave(is_out=True)

    def leave(self, *, is_out: bool) -> None:
        """Ask about what would be lost; then tell."""

        async def ask() -> None:
            if await self.may_leave():
                self.post_message(self.Left(is_out))

        self.desk.begin("leave", ask)

    async def may_leave(self) -> bool:
        """Whether nothing is lost, or the user agrees to it. Call it in a task."""
        return await self.departure.may_leave(self.action_export)
