"""Files that are links in a circle, or in a folder that was closed to us since: the
list is there, and what is open can be exported and left."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.permissions import permissions_apply
from tests.tui.driving import MISSING, opened

from sigscope.engine.sessions.library import Library
from sigscope.engine.settings.places import shipped
from sigscope.tui.screens.exportdialog import ExportDialog
from sigscope.tui.screens.sessions import SessionsScreen


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "folder" / "a.session.jsonl"
    path.parent.mkdir()
    path.write_bytes((shipped("sessions") / f"{MISSING}.session.jsonl").read_bytes())
    return path


def lead_in_a_circle(path: Path) -> None:
    path.unlink()
    os.symlink(path, path)


async def test_a_session_that_became_a_circle_of_links(session: Path) -> None:
    async with opened(session) as driver:
        await driver.press("f")
        lead_in_a_circle(session)
        await driver.pilot.press("x")
        await driver.until(lambda: isinstance(driver.app.screen, ExportDialog))
        await driver.pilot.press("escape")
        for _ in range(3):  # the first may close what is told of the file
            if not isinstance(driver.app.screen, SessionsScreen):
                await driver.press("escape")
        assert isinstance(driver.app.screen, SessionsScreen)


async def test_recent_files_in_a_folder_that_is_closed(session: Path) -> None:
    Library().remember(session)
    with permissions_apply():
        session.parent.chmod(0)
        try:
            async with opened(None) as driver:
                await driver.reads("Examples")
        finally:
            session.parent.chmod(0o700)
