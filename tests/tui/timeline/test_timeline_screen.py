"""The reasoning timeline on screen."""

from __future__ import annotations

from typing import Any

import pytest
from tests.patience import until
from tests.tui.stepthrough.harness import ROOT, Harness, text_of

from sigscope.engine.engine import Engine
from sigscope.timeline.lanes import lane_of
from sigscope.tui.lines import plain
from sigscope.tui.symbols import ASCII
from sigscope.tui.timeline.records import TimelineSubject
from sigscope.tui.timeline.screen import TimelineScreen
from sigscope.tui.views.palette import Palette


def session(name: str, **more: Any) -> TimelineSubject:
    document = Engine().open(str(ROOT / "sessions" / f"{name}.session.jsonl"))
    return TimelineSubject(
        title=name,
        readings=document.readings,
        ledger=document.ledger,
        refusals=document.refusals,
        palette=Palette.of(document.ledger.signatures),
        **more,
    )


def timeline(name: str = "vscode-copilot-four-requests", **more: Any) -> TimelineScreen:
    return TimelineScreen(session(name), **more)


async def read(screen: TimelineScreen, pilot: Any) -> None:
    await until(lambda: screen.model.told, "read")
    await pilot.pause()


def top(screen: TimelineScreen) -> str:
    return plain(screen.query_one("TimelineTopLine").spans(screen.size.width))  # type: ignore[attr-defined]


async def test_fading_is_seen_in_the_lanes_and_in_the_turns() -> None:
    screen = timeline("zoo-litellm-dummy")
    async with Harness(screen).run_test(size=(160, 44)) as pilot:
        await read(screen, pilot)
        lanes = text_of(screen.lanes_list).splitlines()
        thoughts = [row.count("▒") for row in lanes[:16]]
        texts = [row.count("█") for row in lanes[:16]]
        assert thoughts[0] > 10 > thoughts[-1]
        assert texts[-1] > 10 > texts[0]
        assert all("◆" in row for row in lanes[:16])
        turns = text_of(screen.turns_list)
        assert "reasoning 584 → 0" in turns
        assert "answers 40 → 1,769" in turns
        assert "○○○○○○○○" in turns
        assert "bypasses in 8" in turns


async def test_threads_have_lanes_of_their_own() -> None:
    screen = timeline()
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await read(screen, pilot)
        shown = text_of(screen.lanes_list)
        assert "thread 1 · steps 1–2, 4" in shown
        assert "side request" in shown
        await pilot.press("t")
        assert "side request" not in text_of(screen.lanes_list)
        assert [x.step for x in screen.lanes_list.lanes] == [1, 2, 3, 4]


async def test_the_lane_under_the_cursor_tells_its_times() -> None:
    screen = timeline("copilot-missing-signature", step=3)
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await read(screen, pilot)
        shown = text_of(screen.lanes_list)
        assert "step 3 · first signature 1.7 s ◆ 482771 · " in shown
        assert "first token 0.9 s" in shown, "what no mark of the picture tells"
        await pilot.press("k")
        shown = text_of(screen.lanes_list)
        assert "400: rejected before the first event" in shown


async def test_the_play_head_goes_by_event_and_by_signature() -> None:
    screen = timeline(step=1)
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await read(screen, pilot)
        await pilot.press("]", "l")
        assert screen.model.event == 3
        await pilot.press("h")
        assert screen.model.event == 2
        await pilot.press("n")
        assert screen.model.lane is not None
        assert (screen.model.lane.step, screen.model.event) == (1, 4)
        await pilot.press("n")
        assert (screen.model.lane.step, screen.model.event) == (2, 4)
        await pilot.press("n")
        assert (screen.model.lane.step, screen.model.event) == (4, 5)
        await pilot.press("N")
        assert (screen.model.lane.step, screen.model.event) == (2, 4)
        assert "step 2, event 4 of 5" in top(screen)


async def test_zoom_and_pan_keep_the_play_head_in_sight() -> None:
    screen = timeline(step=1)
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await read(screen, pilot)
        await pilot.press("+", "+", "+")
        assert screen.model.window.factor == pytest.approx(8)
        assert "×8" in top(screen)
        assert (
            screen.model.window.start <= screen.model.moment <= screen.model.window.end
        )
        before = screen.model.window.start
        await pilot.press("L")
        assert screen.model.window.start > before
        await pilot.press("]")
        assert (
            screen.model.window.start <= screen.model.moment <= screen.model.window.end
        )
        await pilot.press("0")
        assert screen.model.window.is_whole


async def test_on_the_clock_of_the_session_lanes_follow_one_another() -> None:
    screen = timeline()
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await read(screen, pilot)
        alone = screen.model.window.total
        await pilot.press("a")
        assert screen.model.window.total > 2 * alone
        assert "session clock" in top(screen)
        await pilot.press("a")
        assert screen.model.window.total == alone


async def test_enter_opens_the_answer_at_the_play_head() -> None:
    screen = timeline(step=2)
    app = Harness(screen)
    async with app.run_test(size=(120, 36)) as pilot:
        await read(screen, pilot)
        await pilot.press("]", "]", "enter")
        await pilot.pause()
        moment = app.answer
        assert (moment.step, moment.event, moment.steps_through) == (2, 3, True)


async def test_a_turn_opens_its_first_step() -> None:
    screen = timeline("zoo-litellm-dummy", view="turns")
    app = Harness(screen)
    async with app.run_test(size=(80, 24)) as pilot:
        await read(screen, pilot)
        await pilot.press("j", "j", "enter")
        await pilot.pause()
        assert (app.answer.step, app.answer.steps_through) == (5, False)


async def test_per_step_every_step_has_a_row() -> None:
    screen = timeline("zoo-litellm-dummy", view="turns")
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        await read(screen, pilot)
        assert len(screen.turns_list.rows) == 8
        await pilot.press("s")
        assert len(screen.turns_list.rows) == 16
        await pilot.press("j", "v")
        assert screen.model.lane is not None
        assert screen.model.lane.step == 2
        assert screen.lanes_list.has_focus


async def test_on_a_low_screen_one_view_is_shown_and_tab_brings_the_other() -> None:
    screen = timeline()
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        await read(screen, pilot)
        assert not screen.turns_list.display or screen.turns_list.has_class("-away")
        await pilot.press("tab")
        assert screen.turns_list.has_focus
        assert screen.lanes_list.has_class("-away")


async def test_runs_are_lanes_below_their_step() -> None:
    found = session("copilot-missing-signature")
    more = TimelineSubject(
        title="x",
        readings=found.readings,
        ledger=found.ledger,
        refusals=found.refusals,
        runs=[(1, found.readings[2], None)],
    )
    screen = TimelineScreen(more)
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await read(screen, pilot)
        assert "└ #1" in text_of(screen.lanes_list)
        await pilot.press("r")
        assert "└ #1" not in text_of(screen.lanes_list)


async def test_what_cannot_be_done_is_said() -> None:
    screen = timeline("copilot-missing-signature")
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await read(screen, pilot)
        await pilot.press("r")
        assert "there are no runs" in top(screen)
        await pilot.press("t")
        assert "one thread only" in top(screen)


async def test_a_click_on_a_bar_puts_the_play_head_there() -> None:
    screen = timeline(step=1)
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await read(screen, pilot)
        row = 1 + [item.key for item in screen.lanes_list.items].index(("step", 2))
        lane = next(x for x in screen.lanes_list.lanes if x.step == 2)
        mark = next(m for m in lane.marks if m.kind == "signature")
        listed = screen.lanes_list
        bar = listed.sheet.bar_cells(listed.text_cells)
        cell = screen.model.window.cell(mark.at, bar)
        # Border and padding, cursor and name of the lane stand before the bar.
        await pilot.click(screen.lanes_list, offset=(2 + 2 + 7 + cell, row))
        await pilot.pause()
        assert screen.model.lane is not None
        assert (screen.model.lane.step, screen.model.event) == (2, 4)


async def test_in_ascii_nothing_else_is_drawn() -> None:
    screen = timeline("zoo-litellm-dummy", symbols=ASCII)
    async with Harness(screen).run_test(size=(160, 44)) as pilot:
        await read(screen, pilot)
        text = text_of(screen.lanes_list) + text_of(screen.turns_list)
        assert {char for char in text if ord(char) > 126} <= {"·", "…", "–"}


def test_a_lane_of_ten_thousand_events_has_a_few_spans() -> None:
    from tests.unit.stepthrough import streams as s

    events = [s.delta(content="x")] * 10_000
    lane = lane_of(s.reading(s.sse(*events), times=[float(n) for n in range(10_000)]))
    assert len(lane.spans) <= 2


async def test_all_turns_are_on_show_where_half_of_the_screen_is_enough() -> None:
    screen = timeline("zoo-litellm-dummy")
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await read(screen, pilot)
        assert "15–16" in text_of(screen.turns_list)
        assert "bars in characters, below in tokens" in text_of(screen.turns_list)


async def test_on_a_very_small_screen_it_says_so_and_comes_back() -> None:
    screen = timeline()
    async with Harness(screen).run_test(size=(30, 8)) as pilot:
        await read(screen, pilot)
        assert screen.has_class("-tiny")
        assert not screen.lanes_list.display
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert not screen.has_class("-tiny")
        assert "signature" in text_of(screen.lanes_list)


async def test_token_counts_are_plotted_below_the_words() -> None:
    screen = timeline("zoo-litellm-dummy", view="turns")
    async with Harness(screen).run_test(size=(160, 44)) as pilot:
        await read(screen, pilot)
        assert "completion tokens" in text_of(screen.turns_list)
        keys = [item.key for item in screen.turns_list.items if item.selectable]
        assert ("tokens", 15) in keys
        await pilot.press("G", "enter")
        await pilot.pause()
        assert screen.app.answer.step == 15  # type: ignore[attr-defined]


async def test_keys_of_the_lanes_are_not_offered_in_the_turns() -> None:
    screen = timeline(view="turns")
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        await read(screen, pilot)
        shown = {x.binding.action for x in screen.active_bindings.values()}
        assert "zoom(2.0)" not in shown
        assert "by_step" in shown
        await pilot.press("tab")
        shown = {x.binding.action for x in screen.active_bindings.values()}
        assert "zoom(2.0)" in shown


async def test_the_lane_under_the_cursor_can_fill_the_axis() -> None:
    screen = timeline(step=3)
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await read(screen, pilot)
        assert screen.model.lane is not None
        await pilot.press("f")
        assert screen.model.window.length == pytest.approx(screen.model.lane.end)
