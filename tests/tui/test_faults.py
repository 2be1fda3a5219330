"""A fault of ours is told and written down; the screens go on, and edits stay."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest
from tests.tui.driving import EMPTY_LIST, Driver, opened
from tests.tui.faultlog import taken_fault
from textual.widgets import Static

from sigscope import extensions
from sigscope.cli.main import run
from sigscope.engine.engine import Engine
from sigscope.engine.faultlog import FaultLog
from sigscope.engine.sessions.drafts import Drafts
from sigscope.engine.settings.places import shipped
from sigscope.errors import InputError
from sigscope.extensions import Extension
from sigscope.tui import faults
from sigscope.tui.debugger import model as debugger
from sigscope.tui.debugger import sessionreader
from sigscope.tui.itemlist import ItemList
from sigscope.tui.lines import plain
from sigscope.tui.matrix import model as matrix
from sigscope.tui.screens import compare
from sigscope.tui.screens import debugger as screens

SENT = "3e1f7a52-90cb-4d6e-8a47-5b2c1d0e9f38"


def broken(*_: Any, **__: Any) -> NoReturn:
    raise LookupError("nobody thought of this")


async def told(driver: Driver) -> str:
    """The fault that is told, once it is."""

    def boxes() -> list[str]:
        return [each for each in driver.told if each.startswith(faults.TITLE)]

    await driver.until(boxes, "a fault is told")
    return boxes()[0]


async def expect_alive(driver: Driver, doing: str) -> None:
    """It is told and written; keys are answered, and the edit is still on."""
    words = await told(driver)
    assert doing in words
    assert "LookupError: nobody thought of this (test_faults.py:" in words
    assert str(FaultLog().path) in words
    text = taken_fault()
    assert "in broken" in text
    assert "nobody thought of this" in text
    assert driver.app.is_running
    assert driver.app._exception is None
    driver.app.notices.close_boxes()


async def test_a_thread_of_a_desk_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened() as driver:
        await driver.press("f")
        edits = driver.screen.model.edits
        monkeypatch.setattr(debugger, "foretell", broken)
        await driver.press("u", "ctrl+r")
        await expect_alive(driver, "Asking the simulator failed")
        assert driver.screen.model.edits == edits
        assert "asking for it failed" in driver.text


async def test_it_says_no_key_of_the_file_that_is_open(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Which looks like an id: only the header that it came in tells. Nor does what an
    extension failed with."""
    path = tmp_path / "foreign.har"
    bundled = str(shipped("sessions") / f"{EMPTY_LIST}.session.jsonl")
    assert run(["export", bundled, "--to", "har", "--out", str(path)]) == 0
    told_of = json.loads(path.read_text())
    for entry in told_of["log"]["entries"]:
        entry["request"]["headers"].append({"name": "X-Api-Key", "value": SENT})
    path.write_text(json.dumps(told_of))

    def quoting(*_: Any, **__: Any) -> NoReturn:
        raise LookupError(f"nobody thought of this: {SENT}")

    broken = Extension(group="rules", name="acme", value="acme:R", distribution="a-1")
    async with opened(path, notifications=True) as driver:
        monkeypatch.setattr(sessionreader, "study", quoting)
        driver.screen.reader.study()
        words = await told(driver)
        monkeypatch.setitem(extensions._faults, broken, f"ValueError: no {SENT}")
        driver.app.look_at_extensions()
        await driver.until(lambda: "left out" in driver.told[-1], "it is told")
        words += "".join(driver.told) + driver.text
        assert "nobody thought of this: ****" in words
        assert "ValueError: no ****" in words
        assert SENT[:8] not in words + taken_fault()
        await driver.press("escape", "escape")
        await driver.until(lambda: not driver.app.sent_with(), "it is closed")
        await driver.press("question_mark")
        await driver.rest()
        listed = driver.app.screen.query_one(ItemList)
        lines = [line for each in listed.items for line in each.lines(400)]
        assert "ValueError: no ****" in " ".join(map(plain, lines))


async def test_the_study_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said that not all was read; keys still move."""
    async with opened() as driver:
        monkeypatch.setattr(sessionreader, "study", broken)
        driver.screen.reader.study()
        await expect_alive(driver, "Reading the session to its end failed")
        await driver.until(lambda: driver.screen.model.problem)


async def test_what_came_of_a_thread_cannot_be_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with opened() as driver:
        desk = driver.screen.desk
        desk.aside("spending", lambda: 1, broken)
        await expect_alive(driver, "What failed (spending)")
        desk.later(broken)
        await expect_alive(driver, "What failed (screen)")


async def test_a_task_of_a_desk_fails() -> None:
    async def fail() -> None:
        await asyncio.sleep(0)
        broken()

    async with opened() as driver:
        driver.screen.desk.begin("visit", fail)
        await expect_alive(driver, "What failed (visit)")


async def test_a_thread_of_a_screen_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its screen says that there is nothing, in place of waiting for ever."""
    async with opened("copilot-missing-signature") as driver:
        monkeypatch.setattr(compare, "compare_picks", broken)
        await driver.pilot.press("D", "enter")
        await driver.pilot.pause()
        if not isinstance(driver.app.screen, compare.CompareScreen):
            raise AssertionError(driver.text)
        await driver.pilot.press("enter")
        await expect_alive(driver, "What failed (compare)")
        await driver.reads("they could not be compared")


async def test_the_command_of_a_key_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened() as driver:
        await driver.press("f")
        monkeypatch.setattr(screens.DebuggerScreen, "action_send", broken)
        await driver.press("s")
        await expect_alive(driver, "the command send")
        await driver.press("u")
        assert driver.screen.model.edits == ()


async def test_a_file_cannot_be_read_for_a_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The list stays."""
    async with opened(None) as driver:
        monkeypatch.setattr(Engine, "open", broken)
        monkeypatch.setattr(Engine, "maybe_open_small", lambda *_: None)
        await driver.pilot.press("enter")
        await expect_alive(driver, "Opening the file failed")
        await driver.reads("cannot be opened")
        await driver.pilot.press("escape")
        await driver.reads("Sessions")


async def test_a_search_and_a_matrix_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither seems to be under way for ever."""
    async with opened() as driver:
        monkeypatch.setattr(matrix, "plan_matrix", broken)
        await driver.pilot.press("E")
        await expect_alive(driver, "What failed (matrix)")
        assert "asking" not in driver.text


async def test_a_fault_that_comes_again_is_told_once() -> None:
    async with opened() as driver:
        for _ in range(3):
            try:
                broken()
            except LookupError as error:
                driver.app.faults.take(error, "watch")
        await told(driver)
        assert len([t for t in driver.told if t.startswith(faults.TITLE)]) == 1
        assert taken_fault().count("in test_a_fault") == 1


async def test_a_file_that_was_cut_meanwhile_is_no_fault_of_ours() -> None:
    def read() -> NoReturn:
        raise InputError("the file was cut short while it was open", path="a")

    async with opened() as driver:
        driver.screen.desk.aside("fading", read, broken)
        words = "Not done: a: the file was cut short while it was open"
        await driver.until(lambda: words in driver.told)
    assert not FaultLog().path.exists()


LATER: dict[str, Callable[[Driver], object]] = {
    "later": lambda driver: driver.screen.call_later(broken),
    "next": lambda driver: driver.screen.call_next(broken),
    "refresh": lambda driver: driver.screen.call_after_refresh(broken),
    "timer": lambda driver: driver.screen.set_timer(0.001, broken),
    "application": lambda driver: driver.app.call_later(broken),
    "textual": lambda driver: driver.screen.query(Static).first().call_later(broken),
}


@pytest.mark.parametrize("begin", LATER.values(), ids=LATER)
async def test_what_is_to_be_done_later_fails(
    begin: Callable[[Driver], object],
) -> None:
    async with opened() as driver:
        await driver.press("f")
        begin(driver)
        await expect_alive(driver, "What failed (")
        assert driver.screen.model.edits
        await driver.press("u")
        assert driver.screen.model.edits == ()


async def test_a_handler_and_a_watcher_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next message is taken by the same widget."""
    async with opened("copilot-missing-signature") as driver:
        await driver.press("1")
        steps, now = driver.screen.board.steps, driver.screen.model.selection
        with monkeypatch.context() as patch:
            patch.setattr(type(steps), "watch_cursor", broken)
            await driver.pilot.press("g")
            await expect_alive(driver, "What failed (")
        with monkeypatch.context() as patch:
            patch.setattr(driver.screen.board.router, "take", broken)
            await driver.pilot.press("down", "up")
            await expect_alive(driver, "PaneBoard.on_item_list_moved")
        await driver.press("down", "g")
        assert driver.screen.model.selection != now


async def test_a_key_that_fails_holds_back_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with opened("copilot-missing-signature") as driver:
        await driver.press("4")
        with monkeypatch.context() as patch:
            patch.setattr(type(driver.json.request_tree), "_on_key", broken, False)
            await driver.pilot.press("down")
            await expect_alive(driver, "on_key")
        with monkeypatch.context() as patch:
            patch.setattr(type(driver.app), "_check_bindings", broken)
            await driver.pilot.press("down")
            await expect_alive(driver, "SigscopeApp.on_key")
        await driver.press("1")
        assert driver.screen.board.steps.has_focus


async def test_what_cannot_be_painted_is_left_empty(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with opened(size=(160, 44)) as driver:
        monkeypatch.setattr(type(driver.screen.board.chat), "render_line", broken)
        driver.screen.refresh(layout=True)
        await driver.pilot.pause()
        assert "6 Findings" in driver.text
        await expect_alive(driver, "painting ChatPane")
        assert "3 Chat" not in driver.text


async def test_edits_are_kept_where_one_fault_brings_the_next(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Then the program ends, with a few words and no values of variables."""
    sessions = []

    async def break_it() -> None:
        async with opened() as driver:
            await driver.press("f")
            sessions.append(driver.screen.model.document.session)
            for _ in range(faults.STORM + 1):
                driver.screen.call_later(broken)
            await driver.until(lambda: driver.app._exception)

    with pytest.raises(LookupError):
        await break_it()
    words = capsys.readouterr().err
    assert "nobody thought of this" in words
    assert "Edits that were not sent are kept" in words
    assert "╭" not in words
    assert Drafts().kept(sessions[0])
    assert "in broken" in taken_fault()


class Notified:
    """An application, as far as a fault needs one."""

    def __init__(self) -> None:
        self.words = ""

    def notify(self, words: str, **_: Any) -> None:
        self.words = words


def test_it_is_told_where_no_memory_is_left_to_look_for_keys(tmp_path: Path) -> None:
    def known() -> NoReturn:
        raise MemoryError

    app: Any = Notified()
    log = FaultLog(tmp_path / "faults.log")
    faults.Faults(app, log, known).take(MemoryError(), "open")
    assert "there is not enough memory" in app.words
    assert str(log.path) in app.words
