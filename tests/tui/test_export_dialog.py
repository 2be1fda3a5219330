"""The export dialog: every format is offered, written and told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.tui.driving import MISSING, opened
from tests.tui.stillness import workers_ended
from textual.widgets import Button, Checkbox, Input, RadioButton, Static

from sigscope.engine.engine import Engine
from sigscope.engine.export.exports import FORMATS
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.engine.settings.places import shipped
from sigscope.tui.app import SigscopeApp
from sigscope.tui.hint import TITLE
from sigscope.tui.screens.exportdialog import ExportDialog

EXAMPLE = "zed-copilot-attempt-1.session.jsonl"


def document() -> Document:
    return Document(open_file(shipped("sessions") / EXAMPLE))


async def test_every_format_is_written_and_told(tmp_path: Path) -> None:
    app = SigscopeApp()
    async with app.run_test(size=(80, 24)) as pilot:
        for form in FORMATS:
            told: list[str | None] = []
            path = tmp_path / f"of-{form.name}"
            dialog = ExportDialog(Engine(), document(), step=2, run=None)
            app.push_screen(dialog, told.append)
            await pilot.pause()
            dialog.query_one(f"#{form.name}", RadioButton).value = True
            await pilot.pause()
            suggested = dialog.query_one("#path", Input).value
            assert suggested.endswith(form.suffix), form.name
            dialog.query_one("#path", Input).value = str(path)
            button = dialog.query_one("#write", Button)
            assert button.region.bottom <= 24, form.name
            button.press()
            await pilot.pause()
            await workers_ended(app)
            await pilot.pause()
            assert told, form.name
            assert told[0] is not None, form.name
            assert told[0].startswith(f"{path}: ")
            assert path.stat().st_size > 0, form.name


async def test_the_first_advice_hides_no_button() -> None:
    async with opened(MISSING, size=(80, 24), notifications=True) as driver:
        await driver.until(lambda: any(TITLE in words for words in driver.told))
        await driver.press("x")
        assert not any(TITLE in words for words in driver.told)
        assert "Write" in driver.text


async def test_the_file_that_is_exported_is_not_suggested_for_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(shipped("sessions") / EXAMPLE, "mine.session.jsonl")
    mine = Document(open_file(tmp_path / "mine.session.jsonl"))
    app = SigscopeApp()
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = ExportDialog(Engine(), mine, step=2, run=None)
        app.push_screen(dialog)
        await pilot.pause()
        suggested = dialog.query_one("#path", Input).value
        assert suggested == "mine-copy.session.jsonl"


async def test_an_existing_file_needs_the_box_ticked(tmp_path: Path) -> None:
    path = tmp_path / "give --force"
    path.write_text("mine")
    app = SigscopeApp()
    async with app.run_test(size=(120, 36)) as pilot:
        dialog = ExportDialog(Engine(), document(), step=2, run=None)
        app.push_screen(dialog)
        await pilot.pause()
        dialog.query_one("#path", Input).value = str(path)
        for ticked, kept in ((False, True), (True, False)):
            dialog.query_one("#force", Checkbox).value = ticked
            dialog.query_one("#write", Button).press()
            await pilot.pause()
            await workers_ended(app)
            await pilot.pause()
            assert (path.read_text() == "mine") is kept
            if kept:
                (said,) = dialog.query(Static).filter(".problem")
                assert str(said.content) == (
                    f"{path} exists already; tick the box above to replace it"
                )


async def test_a_second_press_while_it_is_written_writes_nothing_more(
    tmp_path: Path,
) -> None:
    path = tmp_path / "out"
    app = SigscopeApp()
    async with app.run_test(size=(120, 36)) as pilot:
        told: list[str | None] = []
        dialog = ExportDialog(Engine(), document(), step=2, run=None)
        app.push_screen(dialog, told.append)
        await pilot.pause()
        dialog.query_one("#path", Input).value = str(path)
        dialog._begin()
        dialog._begin()
        await workers_ended(app)
        await pilot.pause()
        assert [words is not None and str(path) in words for words in told] == [True]


async def test_signatures_and_words_are_left_out_where_ticked(tmp_path: Path) -> None:
    path = tmp_path / "out.md"
    source = document()
    (signature,) = source.ledger.signatures
    app = SigscopeApp()
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = ExportDialog(Engine(), source, step=2, run=None)
        app.push_screen(dialog)
        await pilot.pause()
        dialog.query_one("#session", RadioButton).value = True
        dialog.query_one("#path", Input).value = str(path)
        for name in ("#masked", "#content"):
            dialog.query_one(name, Checkbox).value = True
        dialog.query_one("#write", Button).press()
        await pilot.pause()
        await workers_ended(app)
    told = path.read_text()
    assert signature.value[:24] not in told
    assert "What files are in this directory" not in told
