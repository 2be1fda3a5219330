"""Fork: a policy of choice goes on from the step, as a session of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.patience import PATIENCE
from tests.tui.driving import MISSING, Driver, opened

from sigscope.converse import loader
from sigscope.converse.loop import TalkStep
from sigscope.engine.sending.conversations import HeldConversation
from sigscope.engine.settings.places import data_dir
from sigscope.tui.screens.choicedialog import ChoiceDialog
from sigscope.tui.screens.confirmationdialog import ConfirmationDialog
from sigscope.tui.screens.debugger import DebuggerScreen
from sigscope.tui.screens.forkdialog import ForkDialog


async def shown(driver: Driver, kind: type) -> None:
    await driver.until(lambda: isinstance(driver.app.screen, kind), kind.__name__)


def kept() -> list[Path]:
    return list((data_dir() / "sessions").glob("step-2-of-*"))


async def test_from_the_continue_dialog_to_the_new_session_and_back() -> None:
    async with opened(MISSING, size=(120, 36)) as driver:
        first = driver.app.screen
        await driver.pilot.press("f", "f", "ampersand")
        await shown(driver, ConfirmationDialog)
        await driver.reads("Confirmed over 5 turns")  # before, it grows while one aims
        await driver.pilot.click("#fork")
        await shown(driver, ChoiceDialog)
        await driver.reads("faithful-copilot-chat")
        await driver.pilot.press("enter")
        await driver.reads("turns that faithful-copilot-chat goes on for")
        await driver.pilot.press("backspace", "3", "enter")
        await shown(driver, ForkDialog)
        await driver.reads("3 turns in 5 requests, all accepted.")
        (path,) = kept()
        await driver.pilot.press("enter")
        await driver.until(
            lambda: (
                isinstance(driver.app.screen, DebuggerScreen)
                and driver.app.screen is not first
            ),
            "the new session",
        )
        screen = driver.app.screen
        assert isinstance(screen, DebuggerScreen)
        assert screen.model.document.session.path == str(path)
        await driver.rest()
        await driver.pilot.press("q")
        await driver.until(lambda: driver.app.screen is first, "back where it was")


async def test_stopped_by_escape_while_it_is_held_nothing_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The conversation waits after its second request until the dialog was left."""
    left, reached = threading.Event(), threading.Event()
    ended: list[int] = []
    steps = HeldConversation.steps

    async def slow(self: HeldConversation, *given: object) -> AsyncIterator[TalkStep]:
        async for taken in steps(self):
            yield taken
            if len(self.taken) == 2:
                reached.set()
                assert left.wait(PATIENCE)
        ended.append(len(self.taken))

    monkeypatch.setattr(HeldConversation, "steps", slow)
    async with opened(MISSING, size=(80, 24)) as driver:
        first = driver.app.screen
        await driver.pilot.press("f", "f")
        await driver.rest()
        assert isinstance(first, DebuggerScreen)
        first.action_fork()
        await shown(driver, ChoiceDialog)
        await driver.pilot.press("enter")
        await driver.reads("turns that faithful-copilot-chat goes on for")
        await driver.pilot.press("enter")
        await shown(driver, ForkDialog)
        await driver.until(reached.is_set, "two requests")
        await driver.pilot.press("escape")
        await driver.until(lambda: driver.app.screen is first, "closed")
        left.set()
        # Its thread is over, and the screens were there for it until then.
        await asyncio.get_running_loop().shutdown_default_executor()
        assert not kept()
        assert not ended, "it was not held to its end"


async def test_a_policy_that_cannot_be_had_is_told_before_the_choice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "torn.toml").write_text('extends = "faith')
    monkeypatch.setattr(loader, "_own", [tmp_path])
    async with opened(MISSING, size=(80, 24)) as driver:
        first = driver.app.screen
        assert isinstance(first, DebuggerScreen)
        first.action_fork()
        await shown(driver, ChoiceDialog)
        assert any("policy torn is not offered" in told for told in driver.told)


async def test_closed_at_the_question_nothing_is_sent_or_kept() -> None:
    async with opened(MISSING, size=(80, 24)) as driver:
        first = driver.app.screen
        assert isinstance(first, DebuggerScreen)
        first.action_fork()
        await shown(driver, ChoiceDialog)
        await driver.pilot.press("escape")
        await driver.until(lambda: driver.app.screen is first, "closed")
        assert not kept()
