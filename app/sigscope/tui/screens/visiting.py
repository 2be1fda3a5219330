"""From the debugger to stepping through a response and to the timeline, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType

from sigscope.tui.panes.timeline import TimelinePane
from sigscope.tui.place import Place
from sigscope.tui.screens.commands import Commands
from sigscope.tui.selection import Selection
from sigscope.tui.views.marks import place_received
from sigscope.tui.views.studied import Overview

if TYPE_CHECKING:  # a screen is imported when it is visited
    from sigscope.refusals import Refusal
    from sigscope.stepthrough import StreamBreakpoint
    from sigscope.tui.stepping.moving import Landing
    from sigscope.tui.timeline.records import Moment, Session
    from sigscope.tui.timeline.rows import Key


class Visiting(Commands):
    """Opens the two screens on what is selected, and takes what they bring back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("P", "step_through", "Step through", id="stepping.open",
                tooltip="Step through the response, event by event"),
        Binding("T", "timeline", "Timeline", id="timeline.show",
                tooltip="When everything arrived, and how reasoning changes"),
        Binding("I", "paths", "Paths", id="paths.show",
                tooltip="Where each signature came from, where it went, where it was"
                " lost"),
    ]  # fmt: skip

    _stops: frozenset[StreamBreakpoint] | None = None
    """Breakpoints as they were chosen last; None before that."""

    # --- Pane 5 ----------------------------------------------------------------------

    def choose_lane(self, key: Key) -> None:
        """Show the step of a lane; that of a run is on show already."""
        kind, number = key
        if kind == "step":
            self.choose_step_number(number)

    @on(TimelinePane.Pointed)
    def _pointed(self, message: TimelinePane.Pointed) -> None:
        message.stop()
        lane, event = message.lane, message.event
        here = [m.sha256 for m in lane.marks if m.sha256 and m.event == event]
        now = self.selection.signature if self.selection else None
        signature = here[0] if here and now not in here else now
        self._choose_event(lane.step, lane.run, event, signature)

    def _choose_event(
        self, step: int, run: int | None, event: int, sha256: str | None
    ) -> None:
        """Show an event; where a signature came in it, the node of that."""
        place = Place(side="event", event=event)
        for signature in self.overview.ledger.signatures if self.overview else ():
            for spot in signature.received if signature.sha256 == sha256 else ():
                if spot.step == step and spot.sighting.event == event:
                    place = place_received(spot.sighting)
        self.choose(Selection(step=step, run=run, place=place, signature=sha256))

    # --- Stepping through ------------------------------------------------------------

    @work(exclusive=True, group="visit")
    async def action_step_through(self) -> None:
        """Step through the response on show."""
        if self.overview is None or self.selection is None or self.shown is None:
            self.notify("the session is still being read", timeout=4)
            return
        place = self.selection.place
        event = place.event if place and place.side == "event" else None
        landing = await self._walk(self.overview, self.selection.run, event)
        self._land(landing)

    async def _walk(
        self, overview: Overview, run: int | None, event: int | None
    ) -> Landing | None:
        """Show the screen; `run`: the run on show, else its step among all steps."""
        from sigscope.refusals import read_refusal
        from sigscope.tui.stepping.moving import FIRST_STOPS, Walk
        from sigscope.tui.stepping.screen import StepScreen

        assert self.selection is not None
        step = self.selection.step
        readings = self.document.readings
        names: tuple[str, ...] = ()
        refusals = dict(overview.refusals)
        index = next((i for i, r in enumerate(readings) if r.number == step), 0)
        if run is not None:
            readings = (self.document.run_reading(self.document.run(run)),)
            names, index = (f"run {run} of step {step}",), 0
            refusal = read_refusal(readings[0])
            refusals = {step: refusal} if refusal else {}
        walk = Walk(
            title=self.document.session.title or "session",
            readings=readings,
            names=names,
            refusals=refusals,
            palette=overview.palette,
            stops=FIRST_STOPS if self._stops is None else self._stops,
        )
        screen = StepScreen(walk, index=index, event=event, symbols=self.symbols)
        return await self.app.push_screen_wait(screen)

    def _land(self, landing: Landing | None) -> None:
        """Go on where the user left."""
        if landing is None or self.selection is None:
            return
        self._stops = landing.stops
        if landing.step != self.selection.step:
            self.choose_step_number(landing.step)
        if landing.signature is not None:
            self.choose_sha256(landing.signature)
        elif landing.event:
            place = Place(side="event", event=landing.event, pointer=landing.pointer)
            self.choose_node(place)

    # --- The timeline ----------------------------------------------------------------

    @work(exclusive=True, group="visit")
    async def action_timeline(self) -> None:
        """Show when everything arrived; step through what is opened there."""
        from sigscope.tui.timeline.screen import TimelineScreen

        overview, selection = self.overview, self.selection
        if overview is None or selection is None:
            self.notify("the session is still being read", timeout=4)
            return
        place = selection.place
        event = place.event if place and place.side == "event" else None
        screen = TimelineScreen(
            self._session(overview),
            step=selection.step,
            run=selection.run,
            event=event,
            followed=selection.signature,
            symbols=self.symbols,
        )
        moment = await self.app.push_screen_wait(screen)
        if moment is not None:
            await self._open_moment(overview, moment)

    @work(exclusive=True, group="visit")
    async def action_paths(self) -> None:
        """Show where signatures went; go where the user wants to look."""
        from sigscope.paths import map_paths
        from sigscope.tui.paths.screen import PathScreen

        overview, selection = self.overview, self.selection
        if overview is None or selection is None:
            self.notify("the session is still being read", timeout=4)
            return
        document = self.document
        screen = PathScreen(
            map_paths(overview.ledger, document.hops, document.hop_losses),
            overview.palette,
            title=document.session.title or "session",
            step=selection.step,
            signature=selection.signature,
            symbols=self.symbols,
        )
        stop = await self.app.push_screen_wait(screen)
        if stop is not None:
            self.choose(stop.selection)

    def _session(self, overview: Overview) -> Session:
        from sigscope.refusals import read_refusal
        from sigscope.tui.timeline.records import Session

        runs = []
        for run in self.document.runs:
            reading = self.document.run_reading(run)
            refusal: Refusal | None = read_refusal(reading)
            runs.append((run.number, reading, refusal))
        return Session(
            title=self.document.session.title or "session",
            readings=self.document.readings,
            ledger=overview.ledger,
            refusals=overview.refusals,
            runs=runs,
            palette=overview.palette,
        )

    async def _open_moment(self, overview: Overview, moment: Moment) -> None:
        """Show what was opened in the timeline."""
        if moment.event:
            step, run, event = moment.step, moment.run, moment.event
            self._choose_event(step, run, event, moment.signature)
        else:
            self.choose_step_number(moment.step, moment.run)
        if moment.steps_through:
            landing = await self._walk(overview, moment.run, moment.event)
            self._land(landing)
