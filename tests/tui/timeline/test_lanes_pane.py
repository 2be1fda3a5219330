"""Pane 5 shows what the timeline screen shows, and what is selected."""

from __future__ import annotations

from dataclasses import replace

from tests.tui.driving import MISSING, Driver, opened
from tests.tui.longstory import long_story

from sigscope.tui.lines import plain
from sigscope.tui.timeline.rows import BAR, HEAD
from sigscope.tui.timeline.screen import TimelineScreen

LARGE = (160, 44)


def rows(driver: Driver) -> list[str]:
    pane = driver.screen.board.timeline
    return [plain(item.lines(pane.text_cells)[0]) for item in pane.items]


def foot(driver: Driver) -> str:
    pane = driver.screen.board.timeline
    return "\n".join(plain(row) for row in pane.footer(pane.text_cells))


async def to_timeline(driver: Driver) -> TimelineScreen:
    await driver.pilot.press("T")
    await driver.until(lambda: isinstance(driver.app.screen, TimelineScreen))
    screen = driver.app.screen
    assert isinstance(screen, TimelineScreen)
    await driver.until(lambda: screen.model.told)
    await driver.pilot.pause()
    return screen


async def test_both_have_the_same_lanes() -> None:
    async with opened(MISSING, size=LARGE) as driver:
        pane = driver.screen.board.timeline
        screen = await to_timeline(driver)
        told = [replace(lane, spent="") for lane in screen.lanes_list.lanes]
        assert list(pane._sight.lanes) == told
        assert pane._sheet.window == screen.lanes_list.sheet.window


async def test_the_axis_stands_right_below_the_lanes() -> None:
    async with opened(MISSING, size=LARGE) as driver:
        await driver.press("5", "z")
        lines = driver.text.splitlines()
        last = max(at for at, text in enumerate(lines) if "signature ev" in text)
        assert "0 s" in lines[last + 1]


async def test_the_fate_of_the_selected_signature_stands_beside_each_step() -> None:
    async with opened(MISSING, size=LARGE) as driver:
        names = [row[:HEAD] for row in rows(driver)]
        assert names == ["  1    ", "  2 ✗  ", "  3 ✓  ", "  4 ✓  "]


async def test_events_are_chosen_with_keys_and_every_pane_goes_there() -> None:
    async with opened(MISSING, size=LARGE) as driver:
        await driver.press("5", "g", "h", "l")
        screen = driver.screen
        assert screen.model.selection is not None
        assert screen.model.selection.place is not None
        assert screen.model.selection.place.event == 3
        # The third event brings the signature: its node is selected, and so is it.
        assert screen.model.selection.place.pointer.endswith("/reasoning_opaque")
        assert screen.board.signatures.key == screen.model.selection.signature
        assert "▲ 3" in foot(driver) or "3 ▲" in foot(driver)
        assert screen.board.timeline.has_focus


async def test_the_arrival_of_a_selected_signature_is_where_the_head_is() -> None:
    async with opened(MISSING, size=LARGE) as driver:
        await driver.press("2", "G", "5", "G")
        head = driver.screen.board.timeline._sheet.head
        assert head is not None
        assert head.key == ("step", 4)


async def test_a_click_on_a_mark_shows_its_event() -> None:
    async with opened(MISSING, size=LARGE) as driver:
        screen = driver.screen
        pane = screen.board.timeline
        lane = pane._sight.lanes[2]
        mark = next(m for m in lane.marks if m.kind == "signature")
        cell = pane._sheet.window.cell(mark.at, pane._sheet.bar_cells(pane.text_cells))
        # Border and padding, cursor and name stand before the bar.
        await driver.pilot.click(pane, offset=(2 + BAR + HEAD + cell, 1 + 2))
        await driver.rest()
        assert screen.model.selection is not None
        assert screen.model.selection.step == 3
        assert screen.model.selection.signature == mark.sha256
        assert screen.model.selection.place is not None
        assert screen.model.selection.place.event == mark.event


async def test_a_run_on_show_has_a_lane_below_its_step() -> None:
    async with opened(MISSING, size=LARGE) as driver:
        await driver.press("s")
        await driver.press("6", "G", "enter")
        assert driver.screen.model.selection is not None
        assert driver.screen.model.selection.run == 1
        await driver.until(lambda: any("└ #1" in row for row in rows(driver)))
        assert driver.screen.board.timeline.key == ("run", 1)


async def test_times_that_are_missing_are_said() -> None:
    async with opened(long_story(3, is_timed=False), size=LARGE) as driver:
        assert "no arrival times recorded" in driver.text
        assert "event" in foot(driver)
        assert " s " not in foot(driver)


async def test_what_the_timeline_was_left_at_is_selected() -> None:
    async with opened(MISSING, size=LARGE) as driver:
        await driver.press("1", "g")
        screen = await to_timeline(driver)
        await driver.pilot.press("n", "n")
        lane = screen.model.lane
        assert lane is not None
        event, followed = screen.model.event, screen.model.followed
        await driver.pilot.press("escape")
        await driver.until(lambda: driver.app.screen is not screen)
        await driver.rest()
        selection = driver.screen.model.selection
        assert selection is not None
        assert selection.place is not None
        assert (selection.step, selection.place.event) == (lane.step, event)
        assert selection.signature == followed


async def test_what_is_selected_is_what_the_timeline_begins_with() -> None:
    async with opened(MISSING, size=LARGE) as driver:
        await driver.press("2", "g", "1", "g")
        signature = (
            driver.screen.model.selection and driver.screen.model.selection.signature
        )
        screen = await to_timeline(driver)
        assert screen.model.followed == signature
        assert screen.model.event == 3
        await driver.pilot.press("o")
        assert screen.model.lane is not None
        assert screen.model.lane.step == 2
        assert "in step 2: dropped" in screen.model.words
        await driver.pilot.press("escape")
        await driver.until(lambda: driver.app.screen is not screen)


async def test_a_timeline_that_was_only_looked_at_changes_nothing() -> None:
    async with opened(MISSING, size=LARGE) as driver:
        before = driver.screen.model.selection
        screen = await to_timeline(driver)
        await driver.pilot.press("+", "0", "escape")
        await driver.until(lambda: driver.app.screen is not screen)
        assert driver.screen.model.selection == before
