"""Stepping through a response: event, raw JSON, message, client, time."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.reactive import var
from textual.widget import Widget
from textual.widgets import Static

from sigscope.tui.json.events import EventHead
from sigscope.tui.json.prompt import Prompt
from sigscope.tui.panes.keyline import KeyLine
from sigscope.tui.panes.oneliners import OneLine, TabLine
from sigscope.tui.stepthrough.around import FootLine, HeadLine, RawTree
from sigscope.tui.stepthrough.assembled import main_change
from sigscope.tui.stepthrough.lists import ClientList, MessageList, StepEvents
from sigscope.tui.stepthrough.ruler import Ruler
from sigscope.tui.stepthrough.seeking import Seeking
from sigscope.tui.stepthrough.showing import CLIENT, EVENTS, MESSAGE, NAMES, RAW
from sigscope.tui.stepthrough.stops import StopsDialog
from sigscope.tui.stepthrough.walk import Landing, Walk
from sigscope.tui.symbols import UNICODE, Symbols

TWO_FROM, THREE_FROM = 100, 140
"""Cells of width from which there are so many columns; below there are tabs."""
TALL = 28
"""Lines from which a column has two panes."""
LEAST = (44, 12)


class StepScreen(Seeking):
    """Lays the panes out, leaves, chooses breakpoints; the floors below do the rest."""

    CSS_PATH = "screen.tcss"
    HELP = (
        "Step through a response: what each event brought, and what the message was"
        " after it. Any field can be asked which event wrote it."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left_square_bracket", "event(-1)", "Event", id="stepping.event-before",
                tooltip="Previous event"),
        Binding("right_square_bracket", "event(1)", "Event", id="stepping.event-next",
                tooltip="Next event"),
        Binding("space,p", "play", "Play", id="stepping.play", priority=True,
                tooltip="Play at the recorded pace, or pause"),
        Binding("n", "next(1)", "Next stop", id="stepping.next-stop",
                tooltip="Go on to the next breakpoint; while searching, to the next"
                " hit"),
        Binding("N", "next(-1)", "Stop before", False, id="stepping.stop-before",
                tooltip="Go back to the breakpoint before; while searching, to the hit"
                " before"),
        Binding("slash", "search", "Search", id="stepping.search",
                tooltip="Search the pane in focus, what is folded too; re: for a"
                " pattern"),
        Binding("b", "breakpoints", "Breakpoints", id="stepping.breakpoints",
                tooltip="Choose where to stop"),
        Binding("minus", "faster(-1)", "Slower", False, id="stepping.slower",
                tooltip="Half as fast"),
        Binding("plus", "faster(1)", "Faster", False, id="stepping.faster",
                tooltip="Twice as fast"),
        Binding("asterisk", "speed(10.0)", "×10", False, id="stepping.ten",
                tooltip="Ten times as fast"),
        Binding("equals_sign", "speed(1.0)", "Recorded pace", False,
                id="stepping.recorded", tooltip="As fast as it was recorded"),
        Binding("less_than_sign", "first", "First", False, id="stepping.first",
                tooltip="Before the first event"),
        Binding("greater_than_sign", "last", "Last", False, id="stepping.last",
                tooltip="The last event"),
        Binding("left_curly_bracket", "step(-1)", "Step", False,
                id="stepping.step-before", tooltip="Previous step"),
        Binding("right_curly_bracket", "step(1)", "Step", False,
                id="stepping.step-next", tooltip="Next step"),
        Binding("z", "zoom", "Zoom", False, id="stepping.zoom",
                tooltip="Give the pane in focus the whole width, or back"),
        Binding("tab", "next_pane(1)", "Next pane", False, id="stepping.pane-next",
                tooltip="Next pane"),
        Binding("shift+tab", "next_pane(-1)", "Previous pane", False,
                id="stepping.pane-before", tooltip="Previous pane"),
        *(
            Binding(str(number), f"pane({number})", name, False,
                    id=f"stepping.pane-{number}", tooltip=f"Go to {name}")
            for number, name in NAMES.items()
        ),
        Binding("escape", "back", "Back", id="stepping.back",
                tooltip="Pause, end the search, unzoom, or back to the debugger at this"
                " event"),
        Binding("q", "leave", "Back", False, id="stepping.leave",
                tooltip="Back to the debugger at this event"),
    ]  # fmt: skip

    symbols: var[Symbols] = var(UNICODE, init=False)
    current: var[int] = var(EVENTS, init=False)
    """The pane that has, or had last, the focus."""
    zoomed: var[bool] = var(False, init=False)

    def __init__(
        self, walk: Walk, *, symbols: Symbols = UNICODE, **kwargs: Any
    ) -> None:
        super().__init__(walk, **kwargs)
        self.set_reactive(StepScreen.symbols, symbols)
        self._visible: frozenset[int] = frozenset()
        self._last: Widget | None = None

    # --- Panes -----------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Every pane is there; which are on show is a matter of width."""
        here = StepScreen
        yield HeadLine().data_bind(here.symbols)
        yield TabLine().data_bind(here.symbols)
        with Horizontal(id="body"):
            with Container(id="left"):
                with Vertical(id="events", classes="pane"):
                    yield EventHead().data_bind(here.symbols)
                    yield StepEvents().data_bind(here.symbols)
                with Vertical(id="raw", classes="pane"):
                    yield RawTree().data_bind(here.symbols)
            with Vertical(id="right"):
                with Vertical(id="message", classes="pane"):
                    yield MessageList().data_bind(here.symbols)
                with Vertical(id="client", classes="pane"):
                    yield ClientList().data_bind(here.symbols)
        yield Ruler(classes="pane").data_bind(here.symbols)
        yield Prompt(id="ask")
        yield FootLine().data_bind(here.symbols)
        yield KeyLine()
        yield Static("", id="small")

    def on_mount(self) -> None:
        self.set_class(self.symbols.ascii, "-ascii")
        for number, name in NAMES.items():
            self.box(number).border_title = f"{number} {name}"
        self.events_list = self.query_one(StepEvents)
        self.raw = self.query_one(RawTree)
        self.message_list = self.query_one(MessageList)
        self.client = self.query_one(ClientList)
        self.ruler = self.query_one(Ruler)
        self.ruler.border_title = "Reasoning timeline"
        palette = self.walk.palette
        self.message_list.palette = palette
        self.client.palette = palette
        self.ruler.palette = palette
        self.begin()
        # Where one pane is all there is room for, the message tells most.
        has_one = self.app.size.width < TWO_FROM
        self.action_pane(MESSAGE if has_one else EVENTS)

    def inner(self, number: int) -> Widget:
        """What takes the focus in a pane."""
        return {
            EVENTS: self.events_list,
            RAW: self.raw,
            MESSAGE: self.message_list,
            CLIENT: self.client,
        }[number]

    # --- Layout ----------------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        """Another width may want other panes."""
        self.rearrange()

    def watch_zoomed(self) -> None:
        """One pane takes it all, or no longer."""
        self.rearrange()

    def watch_current(self) -> None:
        """A pane that is not on show has to be."""
        self.rearrange()

    def rearrange(self) -> None:
        """Show the panes that fit."""
        width, height = self.size
        tiny = width < LEAST[0] or height < LEAST[1]
        self.set_class(tiny, "-tiny")
        if tiny:
            least = f"{LEAST[0]}×{LEAST[1]}"
            words = f"sigscope needs {least} cells; there are {width}×{height}"
            self.query_one("#small", Static).update(words)
        visible = visible_panes(width, height, self.current, zoomed=self.zoomed)
        self.set_class(width >= THREE_FROM, "-three")
        self.set_class(len(visible) == 1, "-single")
        self.set_class(height < TALL, "-low")
        for side, panes in (("#left", {EVENTS, RAW}), ("#right", {MESSAGE, CLIENT})):
            self.query_one(side).set_class(not visible & panes, "-away")
        for number in NAMES:
            self.box(number).set_class(number not in visible, "-away")
        self._visible = visible
        self._tell_tabs()

    def _tell_tabs(self) -> None:
        tabs = self.query_one(TabLine)
        tabs.set_class(len(self._visible) == len(NAMES), "-away")
        tabs.tabs = tuple(
            (number, name, number in self._visible, number == self.current)
            for number, name in NAMES.items()
        )

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The pane in focus is the current one."""
        for number in NAMES:
            if self.inner(number) is event.widget:
                self.current = number
        self.call_after_refresh(self._foot)

    def action_pane(self, number: int) -> None:
        """Go to a pane."""
        self.current = number
        self.inner(number).focus()

    def action_next_pane(self, by: int) -> None:
        """Next or previous pane."""
        self.action_pane((self.current - 1 + by) % len(NAMES) + 1)

    def action_zoom(self) -> None:
        """Give the pane in focus the whole width, or back."""
        self.zoomed = not self.zoomed

    @on(OneLine.Hit)
    def _tab_hit(self, message: OneLine.Hit) -> None:
        message.stop()
        if message.target.startswith("pane:"):
            self.action_pane(int(message.target.removeprefix("pane:")))

    # --- Keys ------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What is typed into the search line is no command."""
        return not (action == "play" and self.is_mounted and self.is_asking)

    def action_next(self, way: Literal[1, -1]) -> None:
        """To the next hit of a search; without one to the next breakpoint."""
        if self.is_seeking:
            self.seek_next(way)
        else:
            self.action_stop(way)

    # --- Breakpoints -----------------------------------------------------------------

    def watch_stops(self) -> None:
        """Where they lie."""
        self.mark_stops()

    def mark_stops(self) -> None:
        player = self.player
        watched = frozenset(b.what for b in self.stops if b.kind == "pointer")
        self.message_list.watch_for(watched)
        met: list[int] = []
        at = 0
        while player is not None and len(met) < 500:
            stop = player.find_next(at, self.stops)
            if stop is None:
                break
            at = stop.event
            met.append(at)
        self.ruler.mark(tuple(met))
        noun = "breakpoint" if len(self.stops) == 1 else "breakpoints"
        words = f"{len(self.stops)} {noun}" if self.stops else "no breakpoints"
        if self.stops and met:
            words += f", met at {len(met):,} event{'' if len(met) == 1 else 's'}"
        self.ruler.border_subtitle = words

    @work(exclusive=True, group="ask")
    async def action_breakpoints(self) -> None:
        """Choose where to stop."""
        if self.player is None:
            return
        self.pause()
        pointer = self.message_list.pointer or ""
        dialog = StopsDialog(self.player, self.stops, pointer, self.symbols)
        chosen = await self.app.push_screen_wait(dialog)
        if chosen is not None:
            self.keep_stops(chosen)

    # --- Leaving ---------------------------------------------------------------------

    def action_back(self) -> None:
        """Pause, unzoom, or go."""
        if self.is_playing:
            self.pause()
        elif self.end_search():
            return
        elif self.zoomed:
            self.zoomed = False
        else:
            self.action_leave()

    def action_leave(self) -> None:
        """Back, at this event."""
        self.pause()
        frame = self.frame
        change = main_change(frame) if frame else None
        self.dismiss(
            Landing(
                index=self.index,
                step=self.reading.number,
                event=self.event,
                pointer=change.source if change else "",
                stops=self.stops,
                signature=self.followed,
            )
        )


def visible_panes(
    width: int, height: int, current: int, *, zoomed: bool
) -> frozenset[int]:
    """Which panes are on show."""
    if zoomed or width < TWO_FROM:
        return frozenset({current})
    if height >= TALL:
        return frozenset(NAMES)
    right = CLIENT if current == CLIENT else MESSAGE
    if width >= THREE_FROM:
        return frozenset({EVENTS, RAW, right})
    return frozenset({RAW if current == RAW else EVENTS, right})
