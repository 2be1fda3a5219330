"""What is typed while the program starts is not lost, and goes where it was meant."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.tui.driving import EMPTY_LIST, Driver
from textual.events import Key
from textual.widgets import Input

from sigscope.engine.settings.places import shipped
from sigscope.tui import app as app_module
from sigscope.tui import visits
from sigscope.tui.app import SigscopeApp
from sigscope.tui.keptkeys import MOST, KeptKeys
from sigscope.tui.screens.debugger import DebuggerScreen


class Hasty(SigscopeApp):
    """Its user types before anything is on show."""

    CSS_PATH = Path(app_module.__file__).parent / "app.tcss"
    typed: Sequence[str] = ()

    def on_mount(self) -> None:
        for key in self.typed:
            self.post_message(Key(key, key if len(key) == 1 else None))


def hasty(path: Path | None, *typed: str) -> Hasty:
    app = Hasty(str(path) if path else None)
    app.typed = typed
    return app


async def test_a_fix_asked_for_before_the_screen_stood_is_applied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(visits, "KEPT_SECONDS", 600.0)  # on a busy machine as well
    app = hasty(shipped("sessions") / f"{EMPTY_LIST}.session.jsonl", "4", "f")
    async with app.run_test(size=(120, 36)) as pilot:
        driver = Driver(app, pilot)
        await driver.until(lambda: isinstance(app.screen, DebuggerScreen))
        await driver.until(lambda: driver.screen.model.edits, "the fix is on")
        assert driver.screen.panes.current == 4


async def test_keys_after_the_start_go_their_way(tmp_path: Path) -> None:
    app = hasty(shipped("sessions") / f"{EMPTY_LIST}.session.jsonl", "2")
    async with app.run_test(size=(120, 36)) as pilot:
        driver = Driver(app, pilot)
        await driver.until(lambda: isinstance(app.screen, DebuggerScreen))
        await driver.until(lambda: driver.screen.panes.current == 2)
        await driver.press("3")
        assert driver.screen.panes.current == 3


async def test_a_file_that_cannot_be_read_leaves_its_keys_to_nobody(
    tmp_path: Path,
) -> None:
    path = tmp_path / "none.json"
    path.write_text("")
    app = hasty(path, "4")
    async with app.run_test(size=(120, 36)) as pilot:
        driver = Driver(app, pilot)
        await driver.until(lambda: type(app.screen).__name__ == "OpeningScreen")
        await driver.pilot.press("escape")
        await driver.until(lambda: type(app.screen).__name__ != "OpeningScreen")


async def test_the_list_gets_what_was_typed_before_it() -> None:
    app = hasty(None, "slash")
    async with app.run_test(size=(120, 36)) as pilot:
        driver = Driver(app, pilot)
        await driver.until(lambda: isinstance(app.focused, Input), "the search is open")


def test_what_is_on_show_answers_its_own_keys_and_quitting_waits_for_nobody() -> None:
    kept = KeptKeys()
    assert kept.takes(Key("f", "f"), ())
    assert not kept.takes(Key("escape", None), ("escape",))
    assert not kept.takes(Key("ctrl+q", None), ())
    assert [key.key for key in kept.release()] == ["f"]
    assert not kept.takes(Key("f", "f"), ())
    assert kept.release() == []


def test_no_more_keys_are_kept_than_anybody_types() -> None:
    kept = KeptKeys()
    assert all(kept.takes(Key("j", "j"), ()) for _ in range(2 * MOST))
    assert len(kept.release()) == MOST
