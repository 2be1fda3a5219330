"""The overview on screen."""

from __future__ import annotations

import functools
from dataclasses import replace

import pytest
from tests.overviews import BROKEN, REFUSED, SIDE, UNKNOWN, document, troubled
from tests.tui.driving import MISSING, Driver, opened
from tests.tui.longstory import long_story
from tests.tui.stepthrough.harness import Harness, text_of
from textual.geometry import Region

from sigscope.engine.sessions.document import Document
from sigscope.overview import find_anomalies, survey
from sigscope.rules.findings import Finding
from sigscope.tui.lines import plain
from sigscope.tui.overview.screen import OverviewScreen
from sigscope.tui.overview.stripgrid import NAME, StripGrid
from sigscope.tui.screens.debugger import DebuggerScreen
from sigscope.tui.stepthrough.screen import StepScreen
from sigscope.tui.symbols import ASCII, UNICODE, Symbols
from sigscope.tui.timeline.screen import TimelineScreen
from sigscope.tui.timeline.topline import TimelineTopLine

TROUBLE = {5: REFUSED, 9: BROKEN, 20: UNKNOWN, 21: UNKNOWN, 30: SIDE}


@functools.cache
def whole() -> Document:
    """Read once: no screen changes it."""
    return document(40, TROUBLE)


def of(
    found: Document, *, is_checked: bool = True, symbols: Symbols = UNICODE
) -> OverviewScreen:
    findings = found.findings if is_checked else ()
    strip = survey(
        found.readings, found.ledger, found.refusals, findings, is_checked=is_checked
    )
    anomalies = find_anomalies(strip, found.ledger, found.refusals, findings)

    def findings_of(step: int) -> tuple[Finding, ...]:
        return tuple(each for each in findings if each.step == step)

    return OverviewScreen(strip, anomalies, found.ledger, findings_of, symbols=symbols)


def row(screen: OverviewScreen, name: str) -> str:
    rows = text_of(screen.view).splitlines()
    return next(each for each in rows if name in each)


def said(screen: OverviewScreen, name: str) -> str:
    return screen.query_one(f"#{name}").render_line(0).text.strip()  # type: ignore[attr-defined]


async def test_every_step_is_in_sight_with_its_marks() -> None:
    screen = of(whole())
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        for size in ((80, 24), (120, 36), (160, 44)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            wide = screen.model.width
            strip, failures = row(screen, "thread 1"), row(screen, "failures")
            assert strip[12] == "◆", size
            assert failures[12 + 4 * wide] == "✗", size
            assert failures[12 + 8 * wide] == "⊗", size
            assert "? not judged" in text_of(screen.view), size
            assert "✗ refused  ⊗ stream error" in text_of(screen.view), size


def test_where_there_is_room_every_column_has_its_number() -> None:
    for steps in (8, 40):
        grid = StripGrid(model=of(document(steps, {})).model, symbols=UNICODE)
        grid.model.fit(160 - NAME)
        numbers = plain(grid.ruler(160)).split()[1:]
        assert (numbers == [str(n + 1) for n in range(steps)]) is (steps == 8)


def test_that_there_is_no_anomaly_is_said_whole_where_there_is_room() -> None:
    grid = StripGrid(model=of(document(1, {})).model, symbols=UNICODE)
    rows = [plain(each) for each in grid.anomalies(4, 60)]
    assert rows[0].strip() == "0 anomalies"
    assert " ".join(rows).endswith("nothing left unjudged")
    assert len(grid.anomalies(2, 60)) == 2
    assert all(len(each) <= 60 for each in rows)


async def test_zoomed_out_a_cell_hides_nothing_and_says_how_much_it_holds() -> None:
    screen = of(document(300, {100: REFUSED, 200: UNKNOWN}))
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "5 steps a cell" in said(screen, "top")
        assert row(screen, "failures").count("✗") == 1
        assert row(screen, "thread 3").count("?") == 1
        await pilot.press("plus")
        assert "2 steps a cell" in said(screen, "top")
        await pilot.press("plus", "plus")
        assert "a cell" not in said(screen, "top")
        await pilot.press("0")
        assert "5 steps a cell" in said(screen, "top")


async def test_the_lowest_lines_tell_step_fate_and_finding() -> None:
    async with opened(MISSING, size=(120, 36)) as driver:
        await _overview(driver)
        screen = driver.app.screen
        assert isinstance(screen, OverviewScreen)
        here = said(screen, "here")
        assert here.startswith("step 2 of 4 · 400 refused · ✗ dropped, required 4fc87b")
        assert said(screen, "found").startswith("✗ CPC-1 (and 1 more): ")
        await driver.press("right_curly_bracket")
        assert said(screen, "here").startswith("step 3 of 4 · 200 · ✓ as issued 4fc87b")
        assert said(screen, "found") == "no finding"


async def test_where_there_is_room_each_anomaly_is_told_whole() -> None:
    async with opened("zoo-litellm-message-echo", size=(100, 16)) as driver:
        await _overview(driver)
        for size, is_whole in (((100, 16), False), ((100, 30), True)):
            await driver.resize(size)
            listed = text_of(driver.app.screen.view).partition("anomalies")[2]
            said = " ".join(listed.replace("▌", " ").split())
            ends = said.count("the proxy signs the call with a bypass of its own")
            assert (ends == 4) is is_whole, size
            assert ("…" in said) is not is_whole, size


def test_the_next_anomaly_is_offered_where_there_is_one_or_may_be() -> None:
    assert of(document(8, {})).idle_keys == {"overview.anomaly"}
    assert not of(document(8, {}), is_checked=False).idle_keys
    assert not of(whole()).idle_keys


async def test_before_the_rules_have_run_nothing_is_cleared() -> None:
    screen = of(document(8, {}), is_checked=False)
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "0 anomalies, or more" in said(screen, "top")
        assert "not known yet" in said(screen, "found")
        await pilot.press("exclamation_mark")
        assert "no anomaly known: the rules have not run yet" in said(screen, "top")


async def test_a_step_that_is_not_judged_says_so() -> None:
    screen = of(document(8, {3: UNKNOWN}))
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        await pilot.press("exclamation_mark")
        assert "1 of 1: not judged in step 3" in said(screen, "top")
        assert "? not judged" in said(screen, "here")
        assert "nothing is said of this step" in said(screen, "found")


async def test_in_ascii_nothing_else_is_drawn_and_no_two_shades_look_alike() -> None:
    screen = of(whole(), symbols=ASCII)
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        drawn = text_of(screen.view)
        drawn = (
            drawn.replace("…", "~").replace("“", '"').replace("”", '"')
        )  # its filter
        assert drawn.isascii()


@pytest.mark.parametrize("symbols", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_a_glyph_alone_tells_what_colour_tells(symbols: Symbols) -> None:
    """Without colour: what is lost and required is one glyph; all else has its own,
    but for signatures that were changed, which nobody asks for either way."""
    from sigscope.overview import SHADES

    screen = of(document(3, {}))
    grid = StripGrid(model=screen.model, symbols=symbols)
    glyphs: dict[str, set[str]] = {}
    for shade in SHADES:
        glyph, ink, _ = grid.shade(shade)
        glyphs.setdefault(glyph, set()).add(ink)
    assert {glyph: inks for glyph, inks in glyphs.items() if len(inks) > 1} == {}
    assert glyphs[symbols.dropped] == {"bad bold"}


async def test_enter_goes_to_the_step_and_escape_stays() -> None:
    app = Harness(of(whole()))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("exclamation_mark", "enter")
        await pilot.pause()
        assert app.answer == 5
    app = Harness(of(whole()))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("exclamation_mark", "escape")
        await pilot.pause()
        assert app.answer is None


async def test_a_click_goes_to_the_cell_and_to_the_anomaly() -> None:
    screen = of(whole())
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        rows = text_of(screen.view).splitlines()
        y = next(at for at, each in enumerate(rows) if "thread 1" in each)
        await pilot.click(screen.view, offset=(14 + 6, y + 1))
        assert screen.model.state is not None
        assert screen.model.state.step == 7
        y = next(at for at, each in enumerate(rows) if " 9  REF-4" in each)
        await pilot.click(screen.view, offset=(8, y + 1))
        assert screen.model.state.step == 9


async def test_many_lanes_are_scrolled_to() -> None:
    found = document(60, dict.fromkeys(range(3, 45, 6), SIDE))
    screen = of(found)
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for _ in range(len(screen.model.strip.lanes)):
            await pilot.press("j")
            assert "▌" in text_of(screen.view)


async def test_it_is_offered_first_for_a_long_session_and_for_no_other() -> None:
    async with opened(long_story(70, is_timed=False), size=(80, 24)) as driver:
        for size in ((80, 24), (120, 36)):
            await driver.resize(size)
            for pane in "136":
                await driver.press(pane)
                assert "Z Overview" in driver.text.splitlines()[-1], (size, pane)
        await driver.resize((80, 24))
        tabs = driver.text.splitlines()[1]
        assert tabs.split("│")[0].strip() == "Z Overview", "the first of the tabs"
        for name in ("Steps", "Signatures", "Chat", "JSON", "Timeline", "Findings"):
            assert name in tabs, "no name is cut"
        await driver.click("Z Overview")
        await driver.until(lambda: isinstance(driver.app.screen, OverviewScreen))
    async with opened(long_story(9, is_timed=False), size=(80, 24)) as driver:
        for size in ((80, 24), (120, 36)):
            await driver.resize(size)
            assert "Overview" not in driver.text, size


async def _overview(driver: Driver) -> None:
    await driver.press("Z")
    await driver.until(lambda: isinstance(driver.app.screen, OverviewScreen))
    await driver.pilot.pause()


async def test_the_debugger_goes_where_one_pointed() -> None:
    async with opened(troubled(70, {44: REFUSED}), size=(100, 30)) as driver:
        await driver.press("1", "g")
        await _overview(driver)
        await driver.press("exclamation_mark", "enter")
        await driver.until(lambda: isinstance(driver.app.screen, DebuggerScreen))
        await driver.rest()
        selection = driver.screen.model.selection
        assert selection is not None
        assert selection.step == 44
        assert selection.finding is not None


async def test_it_follows_a_session_that_grows() -> None:
    session = troubled(12, {9: REFUSED})
    begun = replace(session, steps=session.steps[:6])
    async with opened(begun, size=(100, 30)) as driver:
        await _overview(driver)
        screen = driver.app.screen
        assert isinstance(screen, OverviewScreen)
        assert len(screen.model.strip) == 6
        debugger = driver.app.screen_stack[-2]
        assert isinstance(debugger, DebuggerScreen)
        model = debugger.model
        grown = model.document.grown(session.steps[6:], (), ())
        debugger.reader.read_again(grown)
        await driver.until(lambda: len(screen.model.strip) == 12)
        await driver.until(lambda: screen.model.anomalies.listed)
        await driver.press("escape")
        await driver.until(lambda: isinstance(driver.app.screen, DebuggerScreen))
        assert len(model._observers) == 2


# --- Anomaly to anomaly, elsewhere ----------------------------------------------------


async def test_the_debugger_goes_from_anomaly_to_anomaly_and_back() -> None:
    async with opened(troubled(40, TROUBLE), size=(100, 30)) as driver:
        await driver.press("1", "g")
        seen = []
        for _ in range(3):
            await driver.press("exclamation_mark")
            assert driver.screen.model.selection is not None
            seen.append(driver.screen.model.selection.step)
        assert seen[:2] == [5, 6] or seen[0] == 5
        assert any("1 of " in told for told in driver.told)
        await driver.press("g", "at")
        assert any("from the end: " in told for told in driver.told)


async def test_in_the_step_through_it_goes_to_the_answer_of_the_next_one() -> None:
    async with opened(troubled(40, TROUBLE), size=(100, 30)) as driver:
        await driver.press("1", "g", "P")
        await driver.until(lambda: isinstance(driver.app.screen, StepScreen))
        screen = driver.app.screen
        assert isinstance(screen, StepScreen)
        await driver.press("exclamation_mark")
        assert screen.model.reading.number == 5
        assert "1 of " in screen.model.told
        assert "REF-3 in step 5" in screen.model.told
        await driver.press("at")
        assert screen.model.told.startswith("from the end: ")


async def test_in_the_timeline_it_goes_to_the_lane_of_the_next_one() -> None:
    async with opened(troubled(40, TROUBLE), size=(100, 30)) as driver:
        await driver.press("1", "g", "T")
        await driver.until(lambda: isinstance(driver.app.screen, TimelineScreen))
        screen = driver.app.screen
        assert isinstance(screen, TimelineScreen)
        await driver.until(lambda: screen.model.lane is not None)
        await driver.press("exclamation_mark")
        assert screen.model.lane is not None
        assert screen.model.lane.step == 5
        assert "REF-3 in step 5" in screen.query_one(TimelineTopLine).top.told
        await driver.press("v", "exclamation_mark")
        assert screen.model.lane is not None
        assert screen.model.lane.step > 5


async def test_runs_are_marks_below_their_steps_and_a_step_is_found_by_its_rule() -> (
    None
):
    async with opened(MISSING, size=(80, 24)) as driver:
        await driver.press("s")
        await driver.press("f", "f", "s", "1", "g")
        await driver.pilot.press("Z")
        await driver.until(lambda: isinstance(driver.app.screen, OverviewScreen))
        await driver.pilot.pause()
        screen = driver.app.screen
        assert isinstance(screen, OverviewScreen)
        for size in ((120, 36), (80, 24)):
            await driver.pilot.resize_terminal(*size)
            await driver.pilot.pause()
            (runs,) = [
                row for row in driver.text.splitlines() if row.startswith("│   runs")
            ]
            assert runs.strip("│ ").split() == ["runs", "✓"], size
        await driver.pilot.press("slash")
        await driver.type("cpc-2")
        await driver.pilot.press("enter")
        await driver.until(lambda: "1/1" in driver.text)
        assert screen.model.state is not None
        assert screen.model.state.step == 2
        assert "run 2: 200" in driver.text
        await driver.pilot.press("escape")
        await driver.pilot.pause()
        assert driver.app.screen is screen
        assert "1/1" not in driver.text
        await driver.pilot.press("escape")
        await driver.until(lambda: driver.app.screen is driver.screen)


async def test_a_key_paints_the_lines_it_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = of(whole())
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        before, rows = text_of(screen.view).splitlines(), set[int]()
        mark = screen.view._set_dirty

        def note(*regions: Region) -> None:
            for region in regions or (screen.view.size.region,):
                rows.update(region.line_range)
            mark(*regions)

        monkeypatch.setattr(screen.view, "_set_dirty", note)
        await pilot.press("l")
        await pilot.pause()
        after = text_of(screen.view).splitlines()
        assert {y for y, line in enumerate(before) if line != after[y]} <= rows
        assert 0 < len(rows) < len(after) // 3
