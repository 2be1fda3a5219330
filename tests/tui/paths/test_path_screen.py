"""The paths of signatures on screen."""

from __future__ import annotations

import functools
import re
from typing import Any

import pytest
from tests.tui.driving import MISSING, opened
from tests.tui.longstory import long_story
from tests.tui.stepthrough.harness import ROOT, Harness, text_of
from tests.unit.paths.test_pathmap import LS, copilot, two_hops, without

from sigscope.engine.engine import Engine
from sigscope.engine.sessions.document import Document
from sigscope.paths import PathMap, map_paths
from sigscope.tui.paths.pathview import PathView
from sigscope.tui.paths.screen import PathScreen
from sigscope.tui.screens.debugger import DebuggerScreen
from sigscope.tui.symbols import ASCII
from sigscope.tui.views.palette import Palette


def of(paths: PathMap, **more: Any) -> PathScreen:
    signatures = (lane.signature for path in paths.paths for lane in path.lanes)
    return PathScreen(paths, Palette.of(signatures), **more)


@functools.cache
def bundled(name: str) -> PathMap:
    document = Engine().open(str(ROOT / "sessions" / f"{name}.session.jsonl"))
    return map_paths(document.ledger, document.hops, document.hop_losses)


def row(screen: PathScreen, start: str) -> str:
    rows = text_of(screen.query_one(PathView)).splitlines()
    return next(each for each in rows if start in each)


async def test_the_line_breaks_where_the_signature_was_lost() -> None:
    screen = of(bundled("copilot-missing-signature"))
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        for size in ((80, 24), (120, 36), (160, 44)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            drawn = row(screen, "4fc87b").split()[-1]
            assert re.fullmatch("◆╌+✗─+✓─+✓", drawn), (size, drawn)
            assert drawn.count("╌") == 11, size
            text = text_of(screen.view)
            assert "step 2 · ✗ dropped · required" in text, size


@pytest.mark.parametrize(
    ("name", "idle"),
    [
        ("vscode-copilot-four-requests", {"paths.next-loss"}),
        ("copilot-missing-signature", set()),
    ],
)
async def test_the_next_loss_is_offered_where_there_is_one(
    name: str, idle: set[str]
) -> None:
    screen = of(bundled(name))
    async with Harness(screen).run_test(size=(120, 36)):
        assert screen.idle_keys == idle


async def test_enter_goes_to_what_is_under_the_cursor() -> None:
    app = Harness(screen := of(bundled("copilot-missing-signature")))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("h", "enter")
        await pilot.pause()
        assert app.answer is not None
        assert (app.answer.step, app.answer.is_arrival) == (1, True)
        assert app.answer.signature.startswith("4fc87b")
        assert app.answer.sighting is not None
    assert screen is not None


async def test_where_nothing_is_enter_says_so() -> None:
    screen = of(bundled("copilot-missing-signature"))
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        await pilot.press("j", "j", "h", "enter")
        await pilot.pause()
        assert screen.is_current
        top = screen.query_one("TopLine")
        assert "nothing of this signature" in top.render_line(0).text  # type: ignore[attr-defined]


async def test_one_signature_is_looked_at_alone_and_all_again() -> None:
    screen = of(bundled("zoo-litellm-message-echo"))
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        many = len(screen.view.grid.rows)
        await pilot.press("f")
        assert {
            lane.signature.id
            for path in screen.view.grid.paths.paths
            for lane in path.lanes
        } == {"1e97e0"}
        assert len(screen.view.grid.rows) < many
        await pilot.press("f")
        assert len(screen.view.grid.rows) == many


async def test_a_gateway_that_loses_it_stands_between_the_hops() -> None:
    screen = of(two_hops(up=without(copilot(LS), "reasoning_opaque")))
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        await pilot.press("j", "l")
        await pilot.pause()
        text = text_of(screen.view)
        assert "1›2" in text
        assert "client › gateway" in text
        assert "the gateway lost it" in text


async def test_in_ascii_nothing_else_is_drawn() -> None:
    screen = of(two_hops(), symbols=ASCII)
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert text_of(screen.view).isascii()


async def test_a_long_session_is_walked_to_its_end() -> None:
    document = Document(long_story(120, is_timed=False))
    screen = of(map_paths(document.ledger))
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        await pilot.press("G")
        await pilot.pause()
        assert "120" in text_of(screen.view).splitlines()[0]
        for _ in range(12):
            await pilot.press("ctrl+d")
        await pilot.pause()
        assert screen.view.lane is not None
        assert screen.view.lane.start == 119


async def test_without_signatures_it_says_so() -> None:
    screen = of(bundled("responses-gemini-on-copilot"))
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        await pilot.press("j", "l", "f", "n", "enter")
        await pilot.pause()
        assert "no signature in this session has a path" in text_of(screen.view)


async def test_the_debugger_opens_it_and_goes_where_one_points() -> None:
    async with opened(MISSING) as driver:
        await driver.press("I")
        await driver.until(lambda: isinstance(driver.app.screen, PathScreen))
        view = driver.app.screen.query_one(PathView)
        await driver.until(lambda: view.lane is not None)
        await driver.press("n", "g", "enter")
        await driver.until(lambda: isinstance(driver.app.screen, DebuggerScreen))
        await driver.rest()
        selection = driver.screen.model.selection
        assert selection is not None
        assert selection.step == 1
        assert selection.place is not None
        assert selection.place.side == "event"
        assert selection.signature is not None
        assert selection.signature.startswith("4fc87b")


async def test_the_columns_of_a_short_session_spread_over_the_room() -> None:
    screen = of(bundled("zoo-litellm-message-echo"))
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        narrow = screen.view.grid.column_cells
        await pilot.resize_terminal(160, 44)
        await pilot.pause()
        assert narrow < screen.view.grid.column_cells == 12
        await pilot.resize_terminal(60, 24)
        await pilot.pause()
        assert screen.view.grid.column_cells == 5


async def test_a_signature_is_searched_by_its_id_and_n_goes_on() -> None:
    screen = of(bundled("zoo-litellm-message-echo"))
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        await pilot.press("slash", *"edaef3", "enter")
        await pilot.pause()
        assert screen.view.lane is not None
        assert screen.view.lane.signature.id == "edaef3"
        assert "1/1" in str(screen.view.border_subtitle)
        await pilot.press("slash", *(["backspace"] * 6), *"1e97e0", "enter")
        await pilot.pause()
        rows = {screen.view.at_row}
        for _ in range(3):
            await pilot.press("n")
            rows.add(screen.view.at_row)
        assert len(rows) == 4, "one row for each place of it"
        await pilot.press("escape")
        assert screen.is_current
        assert "◆ received" in str(screen.view.border_subtitle)


async def test_the_legend_tells_the_marks_that_are_there_and_no_other() -> None:
    screen = of(bundled("copilot-missing-signature"))
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        told = str(screen.view.border_subtitle)
        assert told == "◆ received  ✓ exact  ✗ dropped"
    document = Document(long_story(12, drops={3}))
    screen = of(map_paths(document.ledger, document.hops, document.hop_losses))
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert screen.view.border_subtitle == "◆ received  ✓ exact  – not sent"


async def test_what_a_run_sent_is_drawn_in_the_place_of_its_step() -> None:
    async with opened(MISSING, size=(120, 36)) as driver:
        await driver.press("f", "f", "s", "6", "G", "enter", "I")
        await driver.until(lambda: isinstance(driver.app.screen, PathScreen))
        await driver.pilot.pause()
        screen = driver.app.screen
        assert isinstance(screen, PathScreen)
        assert "run 1 in place of step 2" in driver.text
        drawn = row(screen, "4fc87b").split()[-1]
        assert re.fullmatch("◆─+✓─+✓─+✓", drawn), drawn
        assert "then (as recorded)" in driver.text
        assert re.search(r"step +1 +2 +\(3\) +\(4\)", driver.text)
        await driver.pilot.press("l")
        assert "as recorded, not in this run" not in driver.text
        await driver.pilot.press("l")
        assert "step 3 as recorded, not in this run" in driver.text
        await driver.pilot.press("h", "enter")
        await driver.rest()
        assert driver.screen.model.selection is not None
        assert driver.screen.model.selection.run == 1


async def test_what_is_cut_beside_the_scroll_bar_says_so() -> None:
    async with opened("zoo-litellm-dummy", size=(80, 24)) as driver:
        await driver.press("I")
        line = next(x for x in driver.text.splitlines() if "a bypass was sent" in x)
        assert line.rstrip("│ ").endswith("…")
