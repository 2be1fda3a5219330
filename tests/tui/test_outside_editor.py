"""The user's editor and moving by pointing, in the whole application."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.tui.driving import Driver, opened
from textual.drivers.headless_driver import HeadlessDriver

from sigscope.edits.records import Op
from sigscope.errors import UsageError
from sigscope.tui.editor import editor_command
from sigscope.tui.json.tree import JsonTree

Script = Callable[[str], Path]
"""Makes an editor of a line of shell; "$1" is the file."""


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """A terminal that can be handed over, and how often it was."""
    seen: list[str] = []
    monkeypatch.setattr(HeadlessDriver, "can_suspend", property(lambda self: True))
    for name in ("suspend_application_mode", "resume_application_mode"):

        def note(self: HeadlessDriver, name: str = name) -> None:
            seen.append(name.partition("_")[0])

        monkeypatch.setattr(HeadlessDriver, name, note)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return seen


@pytest.fixture
def editor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Script:
    def make(line: str) -> Path:
        path = tmp_path / "an editor"
        path.write_text(f'#!/bin/sh\nls -l "$1" > "$0.seen"\n{line}\n')
        path.chmod(0o700)
        monkeypatch.setenv("EDITOR", f"'{path}'")
        monkeypatch.delenv("VISUAL", raising=False)
        return path

    return make


def left(folder: Path) -> list[Path]:
    """Files that were made for an editor and are still there."""
    return sorted(folder.glob("sigscope-*"))


def text_of(path: str) -> str:
    """What the editor has written beside itself."""
    return Path(path).read_text()


async def at(driver: Driver, pointer: str) -> Any:
    """Put the cursor on a field of the request; its value."""
    await driver.press("4")
    assert driver.json.show_node("request", None, pointer)
    driver.json.focus()
    await driver.rest()
    tree: JsonTree = driver.json.request_tree
    leaf = tree.leaf()
    assert leaf is not None
    assert leaf.node is not None
    assert tree.model.source is not None
    return tree.model.source.value(leaf.node)


def sent(driver: Driver) -> Any:
    """The request with its edits."""
    screen = driver.screen
    assert screen.model.shown is not None
    step, run = screen.model.shown.step, screen.model.shown.run
    return json.loads(
        screen.model.document.edited(step, screen.model.edits, run).body.raw
    )


async def test_a_string_is_edited_as_plain_text(
    calls: list[str], editor: Script, tmp_path: Path
) -> None:
    script = editor('cat "$1" > "$0.got"; printf "two\\nlines\\n" > "$1"')
    async with opened() as driver:
        recorded = await at(driver, "/messages/0/content")
        await driver.press("e")
        assert calls == ["suspend", "resume"]
        assert text_of(f"{script}.got") == recorded + "\n"
        assert text_of(f"{script}.seen").startswith("-rw-------")
        assert sent(driver)["messages"][0]["content"] == "two\nlines"
        (edit,) = driver.screen.model.edits
        assert (edit.op, edit.pointer) == (Op.SET, "/messages/0/content")
        await driver.press("u")
        assert driver.screen.model.edits == ()
    assert left(tmp_path) == []


async def test_an_object_is_edited_as_json(calls: list[str], editor: Script) -> None:
    script = editor(
        'cat "$1" > "$0.got"; echo \'{"role": "user", "content": []}\' > "$1"'
    )
    async with opened() as driver:
        recorded = await at(driver, "/messages/1")
        await driver.press("e")
        got = text_of(f"{script}.got")
        assert got == json.dumps(recorded, indent=2, ensure_ascii=False) + "\n"
        assert sent(driver)["messages"][1] == {"role": "user", "content": []}


async def test_leaving_the_file_as_it_is_makes_no_edit(
    calls: list[str], editor: Script, tmp_path: Path
) -> None:
    editor("true")
    async with opened() as driver:
        await at(driver, "/messages/0")
        await driver.press("e")
        assert calls == ["suspend", "resume"]
        assert driver.screen.model.edits == ()
        assert any("nothing was changed" in told for told in driver.told)
    assert left(tmp_path) == []


async def test_broken_json_is_kept_and_gone_on_with(
    calls: list[str], editor: Script, tmp_path: Path
) -> None:
    editor('printf "{\\n  \\"role\\": }" > "$1"')
    async with opened() as driver:
        await at(driver, "/messages/0")
        await driver.press("e")
        (kept,) = left(tmp_path)
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert driver.screen.model.edits == ()
        (told,) = [told for told in driver.told if "Not JSON" in told]
        assert "line 2, column " in told
        assert str(kept) in told
        editor('sed -i "s/: }/: 1}/" "$1"')
        await driver.press("e")
        assert sent(driver)["messages"][0] == {"role": 1}
    assert left(tmp_path) == []


async def test_an_editor_that_fails_changes_nothing(
    calls: list[str], editor: Script, tmp_path: Path
) -> None:
    editor("exit 3")
    async with opened() as driver:
        await at(driver, "/messages/0")
        await driver.press("e")
        assert any("ended with status 3" in told for told in driver.told)
        assert left(tmp_path) == []
        editor('echo mine > "$1"; exit 1')
        await driver.press("e")
        (kept,) = left(tmp_path)
        assert any(str(kept) in told for told in driver.told)
        assert driver.screen.model.edits == ()


async def test_without_a_terminal_or_an_editor_that_is_said(
    monkeypatch: pytest.MonkeyPatch, editor: Script, tmp_path: Path
) -> None:
    """Like in a browser: the headless driver cannot be suspended either."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    editor("true")
    async with opened() as driver:
        await at(driver, "/messages/0")
        await driver.press("e")
        assert any("no terminal here" in told for told in driver.told)
        monkeypatch.delenv("EDITOR")
        await driver.press("e")
        assert any("export VISUAL or EDITOR" in told for told in driver.told)
    assert left(tmp_path) == []


async def test_an_editor_that_is_not_there_is_said(
    calls: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "no-such-editor-here -w")
    async with opened() as driver:
        await at(driver, "/messages/0")
        await driver.press("e")
        assert calls == ["suspend", "resume"]
        assert any(
            "no-such-editor-here did not start (No such file" in told
            for told in driver.told
        )
    assert left(tmp_path) == []


def test_visual_comes_first_and_may_have_arguments() -> None:
    assert editor_command({"VISUAL": "code -w", "EDITOR": "vi"}) == ["code", "-w"]
    assert editor_command({"VISUAL": " ", "EDITOR": "vi"}) == ["vi"]
    with pytest.raises(UsageError, match="EDITOR cannot be read"):
        editor_command({"EDITOR": "vi 'x"})


# --- Moving ---------------------------------------------------------------------------


async def test_a_message_is_moved_by_pointing() -> None:
    async with opened() as driver:
        await at(driver, "/messages/0")
        before = sent(driver)["messages"]
        await driver.press("m")
        await at(driver, "/messages/2")
        await driver.press("c")
        await driver.reads("move before /messages/2")
        await driver.press("enter")
        (edit,) = driver.screen.model.edits
        assert (edit.op, edit.source, edit.pointer) == (
            Op.MOVE,
            "/messages/0",
            "/messages/2",
        )
        assert sent(driver)["messages"][:2] == [before[1], before[0]]
        await driver.press("u")
        assert driver.screen.model.edits == ()


async def test_what_takes_it_in_follows_the_folds() -> None:
    async with opened(size=(160, 44)) as driver:
        model = await at(driver, "/model")
        await driver.press("M")
        await at(driver, "/messages/2")
        await driver.press("c")
        await driver.until(lambda: "copy before /messages/2" in driver.text)
        await driver.press("l")
        await driver.until(lambda: "copy as /messages/2/model" in driver.text)
        await driver.press("enter")
        assert sent(driver)["messages"][2]["model"] == model
        assert sent(driver)["model"] == model
        assert driver.json.carried is None


async def test_escape_forgets_the_mark_and_enter_folds_again() -> None:
    async with opened() as driver:
        await at(driver, "/messages/1")
        await driver.press("m")
        tree = driver.json.request_tree
        assert driver.json.carried is not None
        await driver.press("escape")
        assert driver.json.carried is None
        assert "esc forgets" not in driver.text
        rows = tree.row_count
        await driver.press("enter")
        assert tree.row_count != rows
        assert driver.screen.model.edits == ()


async def test_an_element_is_given_a_name() -> None:
    async with opened() as driver:
        first = await at(driver, "/messages/0")
        await driver.press("m")
        await at(driver, "/model")
        await driver.pilot.press("enter")
        await driver.type("first")
        await driver.press("enter")
        assert sent(driver)["first"] == first


async def test_a_mark_does_not_outlive_its_request() -> None:
    async with opened() as driver:
        await at(driver, "/model")
        await driver.press("m")
        await driver.press("left_curly_bracket")
        assert driver.json.carried is None
