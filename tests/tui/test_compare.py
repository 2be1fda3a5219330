"""The compare screen: columns, differences, masks, edits, and what to compare with."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from tests.patience import PATIENCE
from tests.tui.json.harness import screen_of
from tests.tui.story import story, story_document
from textual.pilot import Pilot

from sigscope.edits.apply import apply
from sigscope.edits.records import Edit, Op
from sigscope.engine.engine import Engine
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.library import Library, SessionCard
from sigscope.exchange import Exchange
from sigscope.session import Step
from sigscope.store import save_session
from sigscope.tui.app import SigscopeApp
from sigscope.tui.panes.comparison import ComparisonList
from sigscope.tui.picks import Pick
from sigscope.tui.screens.choicedialog import ChoiceDialog
from sigscope.tui.screens.compare import CompareScreen
from sigscope.tui.screens.debugger import DebuggerScreen
from sigscope.tui.screens.lineinput import LineDialog

WIDE, SMALL = (130, 40), (80, 24)


pytestmark = pytest.mark.usefixtures("advised")


class Bare(Library):
    """No shelf to read behind the screen under test."""

    def cards(self) -> list[SessionCard]:
        return []


class Driver:
    def __init__(self, app: SigscopeApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot
        self.answers: list[tuple[Edit, ...] | None] = []

    async def until(self, is_so: Callable[[], object]) -> None:
        limit = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < limit, "\n".join(self.lines)
            await self.pilot.pause(0.01)
        await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await self.pilot.pause()

    @property
    def lines(self) -> list[str]:
        return screen_of(self.app)  # type: ignore[arg-type]

    @property
    def screen(self) -> CompareScreen:
        assert isinstance(self.app.screen, CompareScreen), self.app.screen
        return self.app.screen

    @property
    def here(self) -> tuple[str, str]:
        row = self.screen.rows.row_here
        assert row is not None
        return row.left_place, row.right_place

    def row(self, text: str) -> str:
        (found,) = [line for line in self.lines if text in line]
        return found

    async def compared(self) -> None:
        await self.until(
            lambda: (
                isinstance(self.app.screen, CompareScreen)
                and self.app.screen.query(ComparisonList)
                and self.screen.rows.comparison is not None
            )
        )


@asynccontextmanager
async def comparing(
    left: int = 2,
    right: int | None = 3,
    *,
    document: Document | None = None,
    edits: tuple[Edit, ...] = (),
    size: tuple[int, int] = WIDE,
) -> AsyncIterator[Driver]:
    document = document or story_document()
    app = SigscopeApp(engine=Engine(), library=Bare())
    async with app.run_test(size=size, notifications=True) as pilot:
        driver = Driver(app, pilot)
        other = None if right is None else Pick(document=document, step=right)
        mine = Pick(document=document, step=left)
        screen = CompareScreen(app.engine, mine, other, edits=edits)
        app.push_screen(screen, driver.answers.append)
        if right is not None:
            await driver.compared()
        else:
            await driver.until(lambda: isinstance(app.screen, ChoiceDialog))
        yield driver


# --- What is shown --------------------------------------------------------------------


async def test_both_requests_stand_side_by_side() -> None:
    async with comparing() as driver:
        assert driver.lines[0].endswith("2 differences")
        left, right = (
            " · ".join(words)
            for words in (
                ("step 2", "400", "copilot-chat"),
                ("step 3", "200", "copilot-chat"),
            )
        )
        assert driver.lines[1].split() == [*left.split(), *right.split()]
        content = driver.row("null")
        assert "[]" in content.split("≠")[0]
        assert "null" in content.split("≠")[1]
        opaque = driver.row("reasoning_opaque")
        assert opaque.index("–") < opaque.index(">") < opaque.index("◆")


async def test_below_100_columns_one_side_stands_below_the_other() -> None:
    async with comparing(size=SMALL) as driver:
        signs = [
            (line[2], word)
            for line in driver.lines
            for word in ("[]", "null")
            if word in line.split()
        ]
        assert signs == [("<", "[]"), (">", "null")]
        assert max(map(len, driver.lines)) <= SMALL[0]


async def test_a_resize_keeps_the_cursor_on_its_row() -> None:
    async with comparing() as driver:
        await driver.press("n")
        here = driver.here
        await driver.pilot.resize_terminal(*SMALL)
        await driver.pilot.pause()
        assert driver.here == here
        await driver.pilot.resize_terminal(*WIDE)
        await driver.pilot.pause()
        assert driver.here == here
        assert "≠" in "".join(driver.lines)


async def test_nothing_differs_is_said() -> None:
    async with comparing(right=2) as driver:
        assert driver.lines[0].endswith("nothing differs")
        await driver.press("n")
        assert [n.message for n in driver.app.notices.told] == ["nothing differs"]


async def test_requests_that_differ_in_a_header_alone_do_differ() -> None:
    session = story()
    second = session.steps[1]
    request = second.exchange.request
    assert request is not None
    headers = (*request.headers, ("OpenAI-Beta", "x"))
    exchange = replace(second.exchange, request=replace(request, headers=headers))
    other = replace(session.steps[2], exchange=exchange)
    document = Document(replace(session, steps=(*session.steps[:2], other)))
    async with comparing(document=document) as driver:
        assert driver.lines[0].endswith("openai-beta differs")
        await driver.press("n")
        (told,) = [n.message for n in driver.app.notices.told]
        assert told == "nothing differs in the bodies"


async def test_a_step_without_a_request_is_said() -> None:
    session = story()
    session.steps = (*session.steps, Step(number=6, id="s6", exchange=Exchange()))
    document = Document(session)
    async with comparing(right=5, document=document) as driver:
        await driver.press("right_curly_bracket")
        await driver.until(lambda: "step 6 has no request" in "".join(driver.lines))


# --- Moving ---------------------------------------------------------------------------


async def test_n_goes_through_the_differences_and_around() -> None:
    async with comparing() as driver:
        found = [driver.here[0]]
        for _ in range(2):
            await driver.press("n")
            found.append(driver.here[0])
        assert found == [
            "/messages/2/content",
            "/messages/2/reasoning_opaque",
            "/messages/2/content",
        ]
        await driver.press("N")
        assert driver.here[0] == "/messages/2/reasoning_opaque"
        assert "difference 2 of 2" in driver.lines[-2]


async def test_n_goes_on_from_wherever_the_cursor_is() -> None:
    async with comparing() as driver:
        await driver.press("n", "g", "n")
        assert driver.here[0] == "/messages/2/content"
        await driver.press("G", "n")
        assert driver.here[0] == "/messages/2/content"
        await driver.press("G", "N")
        assert driver.here[0] == "/messages/2/reasoning_opaque"


async def test_a_difference_inside_of_something_folded_is_unfolded() -> None:
    async with comparing() as driver:
        await driver.press("h", "h")
        assert not any("null" in line for line in driver.lines)
        await driver.press("n")
        assert driver.here[0] == "/messages/2/content"
        assert driver.row("null")


async def test_what_is_the_same_is_left_out_until_asked_for() -> None:
    async with comparing() as driver:
        assert any("2 the same" in line for line in driver.lines)
        before = len(driver.screen.rows.items)
        await driver.press("v")
        assert len(driver.screen.rows.items) > before
        assert not any("the same" in line for line in driver.lines)
        await driver.press("v")
        assert len(driver.screen.rows.items) == before


async def test_a_long_text_is_unfolded_line_beside_line() -> None:
    session = story()
    step = session.steps[2]
    request = step.exchange.request
    assert request is not None
    body = request.body.raw.replace(b"* hot linking", b"* cold linking")
    changed = replace(
        step.exchange, request=replace(request, body=type(request.body)(body))
    )
    session.steps = (*session.steps[:2], replace(step, exchange=changed))
    async with comparing(document=Document(session)) as driver:
        await driver.press("N")
        assert driver.here[0] == "/messages/3/content"
        await driver.press("l")
        row = next(line for line in driver.lines if " * cold linking" in line)
        assert row.index("* hot linking") < row.index("≠") < row.index("* cold linking")


async def test_search_finds_rows_and_escape_gives_n_back_to_differences() -> None:
    async with comparing() as driver:
        await driver.press("slash", *"tool", "enter")
        await driver.press("n")
        assert "search" in driver.lines[-2]
        await driver.press("escape", "n")
        assert driver.here[0].startswith("/messages/2/")
        assert "difference" in driver.lines[-2]


# --- Masks ----------------------------------------------------------------------------


async def test_m_masks_text_and_ids_then_signatures_then_nothing() -> None:
    async with comparing(left=2, right=4) as driver:
        await driver.press("m")
        await driver.until(lambda: "text, ids masked" in driver.lines[0])
        await driver.until(lambda: any("‹text›" in line for line in driver.lines))
        await driver.press("m")
        await driver.until(lambda: "text, ids, signatures masked" in driver.lines[0])
        await driver.press("m")
        await driver.until(lambda: "masked" not in driver.lines[0])


async def test_what_was_compared_before_another_was_chosen_is_not_shown() -> None:
    async with comparing(left=2, right=3) as driver:
        screen, before = driver.screen, driver.screen.rows.comparison
        assert before is not None
        old = (screen._right, frozenset(screen.masks))
        await driver.press("m")
        await driver.until(lambda: any("‹text›" in line for line in driver.lines))
        screen.post_message(CompareScreen.Compared(before, old))  # type: ignore[arg-type]
        screen.post_message(CompareScreen.Failed("it cannot be", old))  # type: ignore[arg-type]
        await driver.press("n")
        assert screen.rows.comparison is not before
        assert any("‹text›" in line for line in driver.lines)
        assert not any("it cannot be" in line for line in driver.lines)


async def test_the_cursor_stays_when_masks_change() -> None:
    async with comparing() as driver:
        await driver.press("n")
        here = driver.here
        await driver.press("m")
        await driver.until(lambda: driver.screen.rows.comparison.masks)  # type: ignore[union-attr]
        assert driver.here == here


# --- Edits ----------------------------------------------------------------------------


async def test_differences_become_edits_and_stop_being_some() -> None:
    async with comparing() as driver:
        await driver.press("space")
        assert "✓" in driver.row("null")
        assert "1 edit on" in driver.lines[0]
        await driver.press("n", "space")
        assert "2 edits on" in driver.lines[0]
        await driver.press("space")
        assert "1 edit on" in driver.lines[0]
        await driver.press("escape")
        ((edit,),) = [answer for answer in driver.answers if answer]
        assert (edit.op, edit.pointer, edit.value) == (
            Op.SET,
            "/messages/2/content",
            "null",
        )
        assert edit.label == "content as in step 3"


async def test_all_differences_as_edits_make_the_requests_equal() -> None:
    document = story_document()
    async with comparing(document=document) as driver:
        await driver.press("a", "escape")
        (edits,) = driver.answers
        body = apply(edits or (), document.reading(2).request_body.data)
        assert json.loads(body) == document.reading(3).request_json


async def test_an_edit_of_the_same_place_makes_way() -> None:
    other = Edit(op=Op.SET, pointer="/messages/2/content", value='""')
    elsewhere = Edit(op=Op.DROP, pointer="/stream")
    async with comparing(edits=(other, elsewhere)) as driver:
        await driver.press("space", "escape")
        (edits,) = driver.answers
        assert [edit.value for edit in edits or ()] == [None, "null"]


async def test_leaving_without_a_change_changes_nothing() -> None:
    edit = Edit(op=Op.DROP, pointer="/stream")
    async with comparing(edits=(edit,)) as driver:
        await driver.press("space", "space", "escape")
        assert driver.answers == [None]


# --- What to compare with -------------------------------------------------------------


async def test_without_a_partner_one_is_asked_for() -> None:
    async with comparing(right=None) as driver:
        assert driver.row("step 1")
        assert not any(" step 2 " in line for line in driver.lines[2:])
        await driver.press("down", "enter")
        await driver.compared()
        assert "step 3" in driver.lines[1]


async def test_choosing_nothing_at_first_goes_back() -> None:
    async with comparing(right=None) as driver:
        await driver.press("escape")
        await driver.until(lambda: driver.answers == [None])


async def test_another_session_is_chosen_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "other.session.jsonl"
    save_session(story(), str(path))
    async with comparing() as driver:
        await driver.press("c")
        await driver.until(lambda: isinstance(driver.app.screen, ChoiceDialog))
        await driver.press("G", "enter")
        await driver.until(lambda: any("a file …" in line for line in driver.lines))
        await driver.press("enter")
        await driver.until(lambda: isinstance(driver.app.screen, LineDialog))
        driver.app.screen.query_one("#path").value = str(path)  # type: ignore[attr-defined]
        await driver.press("enter")
        await driver.until(lambda: any("step 4" in line for line in driver.lines))
        await driver.press("g", "enter")
        await driver.until(lambda: "of other" in driver.lines[1])
        assert "step 1 of other" in driver.lines[1]


async def test_braces_go_through_the_steps_on_the_right() -> None:
    async with comparing() as driver:
        await driver.press("right_curly_bracket")
        await driver.until(lambda: "step 4" in driver.lines[1])
        await driver.press("left_curly_bracket", "left_curly_bracket")
        await driver.until(lambda: driver.lines[1].count("step 2 · ") == 2)


# --- From the debugger ----------------------------------------------------------------


async def test_the_debugger_takes_the_edits_and_can_undo_them() -> None:
    app = SigscopeApp(engine=Engine(), library=Bare())
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        driver = Driver(app, pilot)
        app.visits.show(story_document())
        await pilot.pause()
        debugger = app.screen
        assert isinstance(debugger, DebuggerScreen)
        await driver.until(lambda: debugger.model.shown is not None)
        assert debugger.model.shown is not None
        assert debugger.model.shown.step == 2
        await driver.press("D")
        await driver.compared()
        assert "step 3" in driver.lines[1]  # the nearest that was accepted
        await driver.press("space", "escape")
        await driver.until(lambda: debugger.model.edits)
        assert debugger.model.edits[0].pointer == "/messages/2/content"
        await driver.press("u")
        assert debugger.model.edits == ()


async def test_on_a_very_small_screen_it_says_so_and_comes_back() -> None:
    async with comparing(size=(30, 8)) as driver:
        assert driver.screen.has_class("-tiny")
        assert any("too small" in row for row in driver.lines)
        await driver.pilot.resize_terminal(*SMALL)
        await driver.pilot.pause()
        assert not driver.screen.has_class("-tiny")
        assert any("differences" in row for row in driver.lines)
