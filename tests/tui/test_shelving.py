"""The list of sessions: whose come first, and putting them in order."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from tests.tui.driving import EMPTY_LIST, Driver, opened
from textual.widgets import Input, TextArea

from sigscope.engine.engine import Engine
from sigscope.engine.sessions.library import Library
from sigscope.engine.settings.places import data_dir, shipped
from sigscope.tui.screens.choicedialog import ChoiceDialog
from sigscope.tui.screens.debugger import DebuggerScreen
from sigscope.tui.screens.lineinput import LineDialog
from sigscope.tui.screens.pastedialog import PasteDialog
from sigscope.tui.screens.question import Question
from sigscope.tui.screens.sessions import SessionList, SessionsScreen


def own(folder: Path, *names: str) -> list[Path]:
    """Sessions of the user's own, opened in this order."""
    source = shipped("sessions") / f"{EMPTY_LIST}.session.jsonl"
    made = []
    for name in names:
        path = folder / f"{name}.session.jsonl"
        shutil.copy(source, path)
        Engine().rename(path, title=f"The session {name}")
        Library().remember(path)
        made.append(path)
    return made


def shelf(driver: Driver) -> SessionList:
    assert isinstance(driver.app.screen, SessionsScreen), driver.text
    return driver.app.screen.query_one(SessionList)


async def listed(driver: Driver) -> SessionList:
    await driver.until(lambda: len(shelf(driver).items) > 15, "listed")
    return shelf(driver)


async def until_is(driver: Driver, kind: type) -> None:
    await driver.until(lambda: isinstance(driver.app.screen, kind), kind.__name__)
    await driver.pilot.pause()


async def test_the_users_own_sessions_come_first_the_latest_first(
    tmp_path: Path,
) -> None:
    first, second = own(tmp_path, "one", "two")
    async with opened(None) as driver:
        found = await listed(driver)
        keys = [str(item.key) for item in found.items]
        assert keys[:4] == ["shelf:recent", str(second), str(first), "shelf:bundled"]
        assert found.key == str(second)
        assert driver.find("Yours, the latest first").y < driver.find("Examples").y


async def test_who_has_none_is_told_how_to_get_some() -> None:
    async with opened(None) as driver:
        found = await listed(driver)
        assert "none yet: o opens a file" in driver.text
        assert "; paste a 400" in driver.text
        assert "copilot-missing-signature" in str(found.key)


async def test_a_recording_of_another_tool_says_how_many_steps_it_has(
    tmp_path: Path,
) -> None:
    document = Engine().open(shipped("sessions") / f"{EMPTY_LIST}.session.jsonl")
    path = tmp_path / "traffic.har"
    Engine().export(document, path, format="har")
    Library().remember(path)
    async with opened(None, size=(160, 44)) as driver:
        found = await listed(driver)

        def row() -> str:
            return found.text_of(found.items[found.stack.index_of(str(path))])

        await driver.until(lambda: "copilot-chat" in row())
        assert "2 steps" in row()
        assert "1 failed" in row()


async def test_a_session_is_renamed_and_tagged(tmp_path: Path) -> None:
    (path,) = own(tmp_path, "one")
    async with opened(None) as driver:
        await listed(driver)
        await driver.pilot.press("R")
        await until_is(driver, LineDialog)
        driver.app.screen.query_one(Input).value = "A better name"
        await driver.pilot.press("enter")
        await until_is(driver, SessionsScreen)
        await driver.until(lambda: "A better name" in driver.text)
        await driver.pilot.press("t")
        await until_is(driver, LineDialog)
        driver.app.screen.query_one(Input).value = "zed, #copilot"
        await driver.pilot.press("enter")
        await until_is(driver, SessionsScreen)
        await driver.until(lambda: "#zed #copilot" in driver.text)
    session = Engine().open(path).session
    assert (session.title, session.tags) == ("A better name", ("zed", "copilot"))


async def test_a_bundled_session_is_not_written_to_and_not_deleted() -> None:
    async with opened(None) as driver:
        await listed(driver)
        for key in ("R", "t", "D"):
            await driver.pilot.press(key)
            await driver.until(lambda: any("comes with" in t for t in driver.told))
            assert isinstance(driver.app.screen, SessionsScreen)


async def test_deleting_asks_first_and_enter_keeps_the_file(tmp_path: Path) -> None:
    first, second = own(tmp_path, "one", "two")
    async with opened(None) as driver:
        await listed(driver)
        await driver.pilot.press("D")
        await until_is(driver, Question)
        assert "The session two" in driver.text
        await driver.pilot.press("enter")
        await until_is(driver, SessionsScreen)
        assert second.exists()
        await driver.pilot.press("D")
        await until_is(driver, Question)
        await driver.pilot.press("right", "enter")
        await until_is(driver, SessionsScreen)
        await driver.until(lambda: "The session two" not in driver.text)
        assert second.exists(), "taken off the list, no more"
        await driver.pilot.press("delete")
        await until_is(driver, Question)
        await driver.pilot.press("left", "enter")
        await until_is(driver, SessionsScreen)
        await driver.until(lambda: not first.exists(), "deleted")
        await driver.until(lambda: "The session one" not in driver.text)


async def test_a_recording_of_another_tool_can_only_be_taken_off_the_list(
    tmp_path: Path,
) -> None:
    path = tmp_path / "traffic.har"
    path.write_text("{}")
    Library().remember(path)
    async with opened(None) as driver:
        await listed(driver)
        await driver.pilot.press("D")
        await until_is(driver, Question)
        assert "Delete the file" not in driver.text
        await driver.pilot.press("right", "enter")
        await until_is(driver, SessionsScreen)
        assert path.exists()
        await driver.until(lambda: "traffic.har" not in driver.text)


@pytest.mark.parametrize("origin", ["gemini", "profile openrouter"])
async def test_a_session_is_begun_from_a_template(origin: str) -> None:
    async with opened(None) as driver:
        await listed(driver)
        await driver.pilot.press("c")
        await until_is(driver, ChoiceDialog)
        driver.app.screen.query_one("ItemList").select(origin)  # type: ignore[attr-defined]
        await driver.pilot.press("enter")
        await until_is(driver, LineDialog)
        driver.app.screen.query_one(Input).value = "Say hello"
        await driver.pilot.press("enter")
        await until_is(driver, DebuggerScreen)
        await driver.rest()
        assert "Say hello" in driver.text
        await driver.press("s")
        assert driver.screen.model.runs[-1].status == 200
    (path,) = (data_dir() / "sessions").glob("*.session.jsonl")
    assert path.name == "say-hello.session.jsonl"


@pytest.mark.parametrize(
    "text",
    [
        "curl https://api.githubcopilot.com/chat/completions -H 'Authorization: Bearer"
        ' ghu_secretsecretsecretsecretsecretsecret\' -d \'{"model": "gemini-3-pro-previ'
        'ew", "messages": [{"role": "user", "content": "Pasted words"}]}\'',
        '{"model": "gemini-3-pro-preview", "contents": [{"role": "user", "parts":'
        ' [{"text": "Pasted words"}]}]}',
    ],
    ids=["curl", "body"],
)
async def test_a_session_is_begun_from_what_is_pasted(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    async with opened(None, size=(160, 44)) as driver:
        await listed(driver)
        await driver.pilot.press("c")
        await until_is(driver, ChoiceDialog)
        driver.app.screen.query_one("ItemList").select("paste")  # type: ignore[attr-defined]
        await driver.pilot.press("enter")
        await until_is(driver, PasteDialog)
        driver.app.screen.query_one(TextArea).text = "hello?"
        await driver.pilot.press("f2")
        await driver.until(lambda: "paste a curl command" in driver.text)
        field = driver.app.screen.query_one(TextArea)
        assert field.text == "hello?", "what was typed is still there"
        field.text = text
        await driver.pilot.press("f2")
        await until_is(driver, DebuggerScreen)
        await driver.rest()
        assert "Pasted words" in driver.text
    (path,) = (data_dir() / "sessions").glob("*.session.jsonl")
    assert "secretsecret" not in path.read_text()
    assert not list(temporary.iterdir()), "no copy of what was pasted is left"


async def test_a_search_in_the_list_says_what_it_found() -> None:
    async with opened(None) as driver:
        await listed(driver)
        await driver.press("slash")
        await driver.type("nowhere")
        assert "0 found" in driver.text
        await driver.pilot.press("escape", "slash")
        await driver.type("attempt")
        await driver.pilot.press("enter")
        await driver.until(lambda: "1/4" in driver.text)
