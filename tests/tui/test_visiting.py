"""From the debugger to stepping through and to the timeline, and back."""

from __future__ import annotations

import pytest
from tests.patience import until
from tests.tui.story import story_document
from textual.events import Idle
from textual.pilot import Pilot

from sigscope.tui.app import SigscopeApp
from sigscope.tui.place import NodePlace
from sigscope.tui.screens.debugger import DebuggerScreen
from sigscope.tui.stepthrough.screen import StepScreen
from sigscope.tui.timeline.screen import TimelineScreen

SIZE = (140, 40)


pytestmark = pytest.mark.usefixtures("advised")


async def debugger(app: SigscopeApp, pilot: Pilot[int]) -> DebuggerScreen:
    """The debugger with the story read."""
    app.visits.show(story_document())
    await came(pilot, DebuggerScreen)
    screen = app.screen
    assert isinstance(screen, DebuggerScreen)
    await until(lambda: screen.model.shown, "the story is read")
    await pilot.pause()
    return screen


async def came(pilot: Pilot[int], kind: type) -> None:
    """Wait for a screen."""
    await until(lambda: isinstance(pilot.app.screen, kind), kind.__name__)
    await pilot.pause()


async def test_stepping_begins_at_the_step_on_show_and_ends_at_its_event() -> None:
    app = SigscopeApp()
    async with app.run_test(size=SIZE) as pilot:
        home = await debugger(app, pilot)
        home.model.choose_step(1)
        await pilot.press("P")
        await came(pilot, StepScreen)
        screen = app.screen
        assert isinstance(screen, StepScreen)
        assert screen.model.reading.number == 1
        await pilot.press("n")
        stop = screen.model.event
        assert screen.model.player is not None
        assert screen.model.player.happenings[stop - 1].arrivals
        await pilot.press("escape")
        await came(pilot, DebuggerScreen)
        assert home.model.selection is not None
        assert home.model.selection.place == NodePlace(
            side="event",
            event=stop,
            pointer="/choices/0/delta/reasoning_opaque",
        )
        assert home.model.selection.signature is not None


async def test_stepping_goes_on_at_the_event_that_is_selected() -> None:
    app = SigscopeApp()
    async with app.run_test(size=SIZE) as pilot:
        home = await debugger(app, pilot)
        home.model.choose_step(3)
        home.model.choose_node(NodePlace(side="event", event=4))
        await pilot.press("P")
        await came(pilot, StepScreen)
        assert app.screen.model.event == 4  # type: ignore[attr-defined]


async def test_the_step_that_was_left_at_is_selected() -> None:
    app = SigscopeApp()
    async with app.run_test(size=SIZE) as pilot:
        home = await debugger(app, pilot)
        home.model.choose_step(1)
        await pilot.press("P")
        await came(pilot, StepScreen)
        await pilot.press("}", "}", "]", "q")
        await came(pilot, DebuggerScreen)
        assert home.model.selection is not None
        assert home.model.selection.step == 3
        assert home.model.selection.place is not None
        assert home.model.selection.place.event == 2


async def test_breakpoints_are_kept_for_the_next_visit() -> None:
    app = SigscopeApp()
    async with app.run_test(size=SIZE) as pilot:
        home = await debugger(app, pilot)
        home.model.choose_step(1)
        await pilot.press("P")
        await came(pilot, StepScreen)
        await pilot.press("3", "B")
        chosen = app.screen.model.stops  # type: ignore[attr-defined]
        assert len(chosen) == 3
        await pilot.press("escape")
        await came(pilot, DebuggerScreen)
        await pilot.press("P")
        await came(pilot, StepScreen)
        assert app.screen.model.stops == chosen  # type: ignore[attr-defined]


async def test_the_timeline_opens_an_answer_to_step_through() -> None:
    app = SigscopeApp()
    async with app.run_test(size=SIZE) as pilot:
        home = await debugger(app, pilot)
        home.model.choose_step(1)
        await pilot.press("T")
        await came(pilot, TimelineScreen)
        screen = app.screen
        await until(lambda: screen.model.told)  # type: ignore[attr-defined]
        await pilot.pause()
        await pilot.press("j", "j", "]", "enter")
        await came(pilot, StepScreen)
        step = app.screen
        assert isinstance(step, StepScreen)
        assert (step.model.reading.number, step.model.event) == (3, 2)
        await pilot.press("escape")
        await came(pilot, DebuggerScreen)
        assert home.model.selection is not None
        assert home.model.selection.step == 3


async def test_leaving_the_timeline_changes_nothing() -> None:
    app = SigscopeApp()
    async with app.run_test(size=SIZE) as pilot:
        home = await debugger(app, pilot)
        before = home.model.selection
        await pilot.press("T")
        await came(pilot, TimelineScreen)
        await pilot.press("escape")
        await came(pilot, DebuggerScreen)
        assert home.model.selection == before


async def test_what_changes_in_a_screen_behind_paints_nothing_in_front() -> None:
    app = SigscopeApp()
    async with app.run_test(size=SIZE) as pilot:
        home = await debugger(app, pilot)
        await pilot.press("P")
        await came(pilot, StepScreen)
        painted: list[object] = []
        app.screen.refresh = lambda *regions, **_: painted.append(regions)  # type: ignore[assignment, method-assign]
        home.refresh()
        home.post_message(Idle())
        await pilot.pause(0.1)
        assert painted == []


async def test_the_screen_behind_has_the_new_size_when_it_comes_back() -> None:
    app = SigscopeApp()
    async with app.run_test(size=SIZE) as pilot:
        home = await debugger(app, pilot)
        await pilot.press("P")
        await came(pilot, StepScreen)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        await pilot.press("escape")
        await came(pilot, DebuggerScreen)
        await pilot.pause()
        shown = [p for p in (home.board.chat, home.board.json) if p.display]
        assert len(shown) <= 1
        assert home.size == (80, 24)
        assert all(pane.size.width <= 80 for pane in shown)
