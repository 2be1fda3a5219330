"""Leaving a session and the program: nothing is lost without a question."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from tests.tui.driving import EMPTY_LIST, MISSING, Driver, opened
from textual.widgets import Button

from sigscope.engine.settings.places import data_dir, shipped, state_dir
from sigscope.tui import livedrafts
from sigscope.tui.screens.compare import CompareScreen
from sigscope.tui.screens.debugger import DebuggerScreen
from sigscope.tui.screens.exportdialog import ExportDialog
from sigscope.tui.screens.question import Question
from sigscope.tui.screens.sessions import SessionsScreen


def path_of(name: str) -> str:
    return str(shipped("sessions") / f"{name}.session.jsonl")


async def back(driver: Driver) -> None:
    await driver.until(lambda: isinstance(driver.app.screen, SessionsScreen), "list")


async def again(driver: Driver, name: str) -> None:
    driver.app.open(path_of(name))
    await driver.until(lambda: isinstance(driver.app.screen, DebuggerScreen), "open")
    await driver.rest()


async def asked(driver: Driver) -> Question:
    await driver.until(lambda: isinstance(driver.app.screen, Question), "a question")
    assert isinstance(driver.app.screen, Question)
    return driver.app.screen


async def test_unsent_edits_are_on_again_when_the_session_is_opened_again() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("f")
        edits = driver.screen.model.edits
        assert edits
        await driver.pilot.press("escape")
        await back(driver)
        assert any("1 edit not sent yet" in told for told in driver.told)
        await again(driver, MISSING)
        assert driver.screen.model.edits == ()
        await driver.pilot.press("escape")
        await back(driver)
        await again(driver, EMPTY_LIST)
        assert driver.screen.model.edits == edits
        await driver.press("u")
        assert driver.screen.model.edits == (), "with their history"


@pytest.mark.parametrize("keys", [("ctrl+q",), ("q",), ("escape", "q")])
async def test_the_program_is_not_left_with_unsent_edits_unless_one_says_so(
    keys: tuple[str, ...],
) -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("f")
        for key in keys:
            await driver.pilot.press(key)
            await driver.pilot.pause(0.05)
        question = await asked(driver)
        assert "1 edit of step 2" in driver.text
        assert question.focused is question.query(Button).first()
        await driver.pilot.press("ctrl+q")
        await driver.pilot.pause(0.05)
        assert not driver.app._exit, "the same key again is no answer"
        await driver.pilot.press("enter")
        await driver.until(lambda: not isinstance(driver.app.screen, Question))
        assert not driver.app._exit, "to stay is what enter says"


async def test_edits_kept_at_the_end_are_on_at_the_next_start_and_then_forgotten() -> (
    None
):
    async with opened(EMPTY_LIST) as driver:
        await driver.press("f")
        edits = driver.screen.model.edits
        await driver.pilot.press("ctrl+q")
        await asked(driver)
        await driver.pilot.press("right", "enter")
        await driver.until(lambda: driver.app._exit, "quit")
    async with opened(EMPTY_LIST) as driver:
        assert driver.screen.model.edits == edits
        assert any("1 edit of step 2" in told for told in driver.told)
        await driver.press("s")
        assert driver.screen.model.runs[-1].edits == edits
        await driver.pilot.press("ctrl+q")
        await driver.until(lambda: driver.app._exit, "nothing to ask: they were sent")
    assert not list((state_dir() / "drafts").glob("*"))
    async with opened(EMPTY_LIST) as driver:
        assert driver.screen.model.edits == ()


async def test_kept_edits_that_are_undone_at_once_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("f")
        await driver.pilot.press("ctrl+q")
        await asked(driver)
        await driver.pilot.press("right", "enter")
        await driver.until(lambda: driver.app._exit, "quit")
    assert list((state_dir() / "drafts").glob("*.json"))
    monkeypatch.setattr(livedrafts, "EVERY", 1.5)  # undone before it looks
    async with opened(EMPTY_LIST) as driver:
        await driver.pilot.press("u")
        await driver.until(
            lambda: not list((state_dir() / "drafts").glob("*.json")), "forgotten"
        )


async def test_edits_can_be_left_behind() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("f")
        await driver.pilot.press("ctrl+q")
        await asked(driver)
        await driver.pilot.press("left", "enter")
        await driver.until(lambda: driver.app._exit, "quit")
    async with opened(EMPTY_LIST) as driver:
        assert driver.screen.model.edits == ()


async def test_ctrl_c_says_which_key_quits() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("ctrl+c")
        assert "ctrl+q quits" in driver.text


async def test_nothing_is_asked_where_nothing_would_be_lost() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("f", "u")
        await driver.pilot.press("ctrl+q")
        await driver.until(lambda: driver.app._exit, "quit")


async def test_a_run_that_is_in_no_file_is_not_left_without_a_question(
    tmp_path: Path,
) -> None:
    async with opened(EMPTY_LIST) as driver:
        data_dir().parent.mkdir(parents=True, exist_ok=True)
        data_dir().write_text("a file where the folder should be")
        await driver.press("s")
        assert len(driver.screen.model.runs) == 1
        assert any("Run 1 is in no file" in told for told in driver.told)
        await driver.press("escape")
        assert not driver.told, "read, and away"
        await driver.pilot.press("escape")
        await asked(driver)
        assert "Run 1 could not be written down" in driver.text
        await driver.pilot.press("enter")
        await driver.until(lambda: isinstance(driver.app.screen, DebuggerScreen))
        await driver.pilot.press("ctrl+q")
        await asked(driver)
        await driver.pilot.press("right", "enter")
        await driver.until(lambda: isinstance(driver.app.screen, ExportDialog))
        out = tmp_path / "mine.session.jsonl"
        driver.app.screen.query_one("#path").value = str(out)  # type: ignore[attr-defined]
        await driver.pilot.press("enter")
        await driver.until(lambda: isinstance(driver.app.screen, DebuggerScreen))
        assert '"type":"run"' in out.read_text().replace(" ", "")
        await driver.pilot.press("escape")
        await back(driver)


async def test_runs_of_a_recording_that_is_not_ones_own_are_told_where_they_are() -> (
    None
):
    async with opened(EMPTY_LIST, size=(200, 40)) as driver:
        await driver.press("s")
        await driver.pilot.press("escape")
        await back(driver)
        (path,) = (data_dir() / "sessions").glob("*.session.jsonl")
        assert any("runs are kept in" in told for told in driver.told)
        assert any(path.name in told for told in driver.told)
        await driver.until(lambda: "1 run " in driver.text)
        row = driver.text.splitlines()[driver.find("1 run ").y]
        assert row.split()[1] == "copilot-chat"


async def test_edits_made_in_the_compare_screen_are_asked_about_too() -> None:
    async with opened("zed-copilot-attempt-1") as driver:
        await driver.press("D")
        await driver.until(lambda: isinstance(driver.app.screen, CompareScreen))
        await driver.pilot.press("a")
        screen = driver.app.screen
        assert isinstance(screen, CompareScreen)
        await driver.until(lambda: screen.edits, "edits")
        await driver.pilot.press("ctrl+q")
        await asked(driver)
        assert "of step" in driver.text
        await driver.pilot.press("enter")
        await driver.until(lambda: driver.app.screen is screen, "still there")


async def test_what_was_known_of_a_session_is_looked_through_for_garbage_again() -> (
    None
):
    """What is spared while it is on show (see the session's reader) is garbage now."""
    async with opened(EMPTY_LIST) as driver:
        gc.freeze()
        assert gc.get_freeze_count()
        await driver.pilot.press("escape")
        await back(driver)
        assert gc.get_freeze_count() == 0
