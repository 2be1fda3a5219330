"""Dialogs: export, where to send, help, the palette."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.tui.driving import EMPTY_LIST, Driver, opened
from textual.widgets import Checkbox, Input, OptionList, RadioButton

from sigscope.engine.engine import Engine
from sigscope.engine.export.exports import FORMATS
from sigscope.tui.keymap import KeyMap
from sigscope.tui.screens.debugger import DebuggerScreen
from sigscope.tui.screens.exportdialog import ExportDialog
from sigscope.tui.screens.lineinput import LineDialog
from sigscope.tui.screens.question import Question
from sigscope.tui.screens.upstream import UpstreamDialog, url_problem


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)


def put(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


async def closed(driver: Driver) -> None:
    await driver.until(lambda: isinstance(driver.app.screen, DebuggerScreen))
    await driver.rest()


async def test_a_session_is_exported_and_opens_again(tmp_path: Path) -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("f", "s", "x")
        assert isinstance(driver.app.screen, ExportDialog)
        await driver.press("enter")
        await closed(driver)
        written = Path(f"{EMPTY_LIST}.session.jsonl")
        assert any(f"{written}: " in told and "removed" in told for told in driver.told)
    again = Engine().open(written)
    assert len(again.steps) == 2
    assert [run.status for run in again.runs] == [200]


async def test_an_export_never_overwrites_unless_it_is_told_to() -> None:
    target = Path(f"{EMPTY_LIST}.md")
    put(target, "mine")
    async with opened(EMPTY_LIST, size=(80, 24)) as driver:
        await driver.press("x", "j", "enter")
        await driver.until(lambda: "exist" in driver.text)
        assert read(target) == "mine"
        driver.app.screen.query_one("#force", Checkbox).value = True
        await driver.press("enter")
        await closed(driver)
    assert read(target) != "mine"


async def test_every_format_can_be_chosen_and_names_its_file() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("x")
        dialog = driver.app.screen
        names = []
        for form in FORMATS:
            on = [b.id for b in dialog.query(RadioButton) if b.value]
            assert on == [form.name]
            value = dialog.query_one("#path", Input).value
            assert value.endswith(form.suffix)
            names.append(value)
            await driver.press("down")
        assert len(set(names)) == len(FORMATS)
        assert any("step-2" in name for name in names)


async def test_a_file_that_cannot_be_written_is_said_in_the_dialog() -> None:
    put(Path("taken"), "a file")
    async with opened(EMPTY_LIST) as driver:
        await driver.press("x")
        field = driver.app.screen.query_one("#path", Input)
        field.value = "taken/out.session.jsonl"
        field.focus()
        await driver.press("enter")
        await driver.until(lambda: "cannot be made" in driver.text)
        assert isinstance(driver.app.screen, ExportDialog)
        await driver.press("escape")
        assert isinstance(driver.app.screen, DebuggerScreen)


async def test_where_to_send_is_chosen_and_stands_in_the_header() -> None:
    async with opened(EMPTY_LIST, size=(160, 44)) as driver:
        await driver.press("S")
        assert isinstance(driver.app.screen, UpstreamDialog)
        field = driver.app.screen.query_one("#url", Input)
        field.focus()
        await driver.type("gopher")
        await driver.press("enter")
        assert "a URL starts with http:// or https://" in driver.text
        field.value = "https://api.example.com"
        await driver.press("enter")
        await closed(driver)
        assert driver.screen.model.upstream.url == "https://api.example.com"
        assert "upstream api.example.com" in driver.header
        await driver.click("api.example.com")
        assert isinstance(driver.app.screen, UpstreamDialog)
        await driver.press("up", "enter")
        await closed(driver)
        assert driver.screen.model.upstream.is_lenient
        assert not driver.screen.model.upstream.is_live


async def test_a_key_that_is_not_set_is_said_before_anything_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    async with opened(EMPTY_LIST) as driver:
        await driver.press("S")
        driver.app.screen.query_one("#url", Input).value = "https://api.example.com"
        field = driver.app.screen.query_one("#key", Input)
        field.value = "NO_SUCH_KEY"
        field.focus()
        await driver.press("enter")
        assert "the environment variable NO_SUCH_KEY is not set" in driver.text


@pytest.mark.parametrize(
    ("url", "is_fine"),
    [
        ("https://api.example.com", True),
        ("http://127.0.0.1:8901/v1/chat/completions", True),
        ("api.example.com", False),
        ("https://", False),
        ("https://h:99999/", False),
        ("http://[::1", False),
        ("ftp://host/", False),
    ],
)
def test_a_url_without_scheme_or_host_is_refused(url: str, is_fine: bool) -> None:
    assert (url_problem(url) == "") is is_fine


async def test_help_tells_about_the_pane_in_focus_and_its_keys() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.press("6", "question_mark")
        assert "6 Findings" in driver.text
        assert "What the rules say about this step" in driver.text
        await driver.press("escape", "4", "f1")
        assert "a check box stands before each" in driver.text
        await driver.press("G")
        await driver.press("q")
        assert isinstance(driver.app.screen, DebuggerScreen)


async def test_the_palette_lists_what_has_a_key_with_the_key() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.pilot.press("ctrl+p")
        await driver.until(lambda: "Undo the last edit" in driver.text)
        rows = driver.text.splitlines()
        below = next(i for i, row in enumerate(rows) if "Undo the last edit" in row)
        assert re.search(r"\bUndo  u\b", rows[below - 1])
        await driver.type("next fix that")
        await driver.until(lambda: "Undo the last edit" not in driver.text)
        await driver.pilot.press("down", "enter")
        await driver.until(lambda: isinstance(driver.app.screen, DebuggerScreen))
        await driver.until(lambda: driver.screen.model.edits)
        await driver.rest()
        assert "predicted 200 with 1 edit" in driver.header


async def test_a_colon_opens_the_palette_too() -> None:
    async with opened(EMPTY_LIST) as driver:
        await driver.pilot.press("colon")
        await driver.until(lambda: "Undo the last edit" in driver.text)


async def test_two_commands_without_a_key_are_both_in_the_palette() -> None:
    keys = KeyMap(changed={"zoom": (), "undo": ()})
    async with opened(EMPTY_LIST, keys=keys, size=(120, 70)) as driver:
        await driver.pilot.press("ctrl+p")
        await driver.until(lambda: "Undo the last edit" in driver.text)
        listed = driver.app.screen.query_one(OptionList).options
        titles = [str(option.prompt).split()[0] for option in listed]
        assert {"Zoom", "Undo", "Dialect"} <= set(titles)


async def test_without_colours_buttons_and_fields_have_a_shape(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(EMPTY_LIST) as driver:
        await driver.press("x")
        assert "| Cancel |" in driver.text
        assert f"| {EMPTY_LIST}.session.jsonl" in driver.text


async def test_while_a_dialog_is_open_the_keys_behind_it_are_not_offered() -> None:
    async with opened(EMPTY_LIST) as driver:
        assert "D Compare" in driver.text.splitlines()[-1]
        await driver.press("x")
        assert "D Compare" not in driver.text
        await driver.press("escape")
        await driver.rest()
        assert "D Compare" in driver.text.splitlines()[-1]


# --- What recordings and files are called -----------------------------------------

HOSTILE = "[red]x[/x] [@click=app.quit]q[/] \x1b[31m\u202e"
SEEN = r"[red]x[/x] [@click=app.quit]q[/] \x1b[31m\u202e"


async def test_dialogs_show_what_a_name_holds_and_obey_none_of_it() -> None:
    async with opened(None) as driver:
        app = driver.app
        await app.push_screen(Question(HOSTILE, HOSTILE, [("yes", HOSTILE)]))
        await driver.until(lambda: isinstance(app.screen, Question))
        assert driver.text.count(SEEN) == 3
        await driver.pilot.press("escape")
        answers: list[str | None] = []
        for typed, wanted in ((), HOSTILE), (("end", "x"), SEEN + "x"):
            dialog = LineDialog(HOSTILE, HOSTILE, value=HOSTILE)
            await app.push_screen(dialog, answers.append)
            await driver.until(lambda: isinstance(app.screen, LineDialog))
            assert driver.text.count(SEEN) == 3
            await driver.pilot.press(*typed, "enter")
            await driver.until(lambda: not isinstance(app.screen, LineDialog))
            assert answers.pop() == wanted
        app.notify(HOSTILE, title=HOSTILE)
        await driver.until(lambda: driver.text.count(SEEN) == 2)
