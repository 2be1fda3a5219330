"""A session that grows while it is open, and a signature followed, in the debugger."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from tests.patience import PATIENCE
from tests.tui.json.harness import screen_of
from tests.tui.story import FIRST, story, story_document
from tests.unit.engine.test_growth import run
from textual.pilot import Pilot

from sigscope.engine.engine import Engine
from sigscope.engine.sessions import growth
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.library import Library, SessionCard
from sigscope.opaque import sha256
from sigscope.store import SessionWriter, reader, save_session, tail
from sigscope.tui.app import SigscopeApp
from sigscope.tui.place import NodePlace
from sigscope.tui.screens import debugger
from sigscope.tui.screens.debugger import DebuggerScreen

pytestmark = pytest.mark.usefixtures("advised")
STORY = story()


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debugger, "LOOK_EVERY", 0.03)


class Bare(Library):
    def cards(self) -> list[SessionCard]:
        return []


class Driver:
    def __init__(self, app: SigscopeApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def screen(self) -> DebuggerScreen:
        assert isinstance(self.app.screen, DebuggerScreen)
        return self.app.screen

    @property
    def told(self) -> list[str]:
        return [note.message for note in self.app.notices.told]

    async def until(self, is_so: Callable[[], object]) -> None:
        limit = time.monotonic() + PATIENCE
        while not is_so():
            if time.monotonic() > limit:
                lines = screen_of(self.app)  # type: ignore[arg-type]
                raise AssertionError("\n".join([*lines, *self.told]))
            await self.pilot.pause(0.01)
        await self.pilot.pause()


@asynccontextmanager
async def debugging(document: Document) -> AsyncIterator[Driver]:
    app = SigscopeApp(engine=Engine(), library=Bare())
    async with app.run_test(size=(150, 44), notifications=True) as pilot:
        app.visits.show(document)
        driver = Driver(app, pilot)
        await driver.until(
            lambda: isinstance(app.screen, DebuggerScreen) and app.screen.model.overview
        )
        yield driver


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "live.session.jsonl"
    save_session(replace(STORY, steps=STORY.steps[:2]), str(path))
    return path


async def test_new_steps_appear_and_the_cursor_stays(path: Path) -> None:
    async with debugging(Engine().open(path)) as driver:
        screen = driver.screen
        await driver.until(lambda: screen.model.shown)
        pane = screen.board.json
        pane.show_node("request", None, "/messages/1/content")
        await driver.pilot.pause()
        leaf = pane.request_tree.leaf()
        before, shown = screen.model.selection, screen.model.shown
        subject = pane.subject
        with SessionWriter.reopen(str(path)) as writer:
            for step in STORY.steps[2:]:
                writer.append_step(step)
        await driver.until(lambda: len(screen.board.steps.items) == 5)
        await driver.until(lambda: len(screen.model.overview.facts) == 5)  # type: ignore[union-attr]
        assert screen.model.selection == before
        assert screen.model.shown is shown
        assert pane.subject is subject
        assert pane.request_tree.leaf().pointer == leaf.pointer  # type: ignore[union-attr]
        assert screen.board.steps.key == 2
        screen.model.choose_step(3)
        await driver.pilot.pause()
        assert screen.model.shown is not None
        assert screen.model.shown.step == 3
        signature = next(
            s for s in screen.model.overview.ledger.signatures  # type: ignore[union-attr]
            if s.sha256 == sha256(FIRST)
        )  # fmt: skip
        assert [fate.step for fate in signature.fates] == [2, 3, 4]
        assert "3 new steps" in driver.told


async def test_a_step_chosen_while_it_is_read_is_shown_when_it_is(path: Path) -> None:
    async with debugging(Engine().open(path)) as driver:
        screen = driver.screen
        await driver.until(lambda: screen.model.shown)
        with SessionWriter.reopen(str(path)) as writer:
            writer.append_step(STORY.steps[2])
        await driver.until(lambda: len(screen.model.facts) == 3)
        screen.model.choose_step(3)
        await driver.until(lambda: screen.model.shown and screen.model.shown.step == 3)


async def test_edits_and_runs_of_others_are_kept(path: Path) -> None:
    async with debugging(Engine().open(path)) as driver:
        screen = driver.screen
        await driver.until(lambda: screen.model.shown)
        await driver.pilot.press("F")
        edits = screen.model.edits
        assert edits
        with SessionWriter.reopen(str(path)) as writer:
            writer.append_run(run(1, step=2))
            writer.append_step(STORY.steps[2])
        await driver.until(lambda: screen.model.runs and len(screen.model.facts) == 3)
        assert [made.number for made in screen.model.runs] == [1]
        await driver.until(lambda: len(screen.model.overview.facts) == 3)  # type: ignore[union-attr]
        assert screen.model.edits == edits


async def test_a_run_of_ones_own_is_not_told_twice(path: Path) -> None:
    async with debugging(Engine().open(path)) as driver:
        screen = driver.screen
        await driver.until(lambda: screen.model.shown)
        await driver.pilot.press("s")
        await driver.until(lambda: screen.model.runs and screen.model.under_way is None)
        with SessionWriter.reopen(str(path)) as writer:
            writer.append_step(STORY.steps[2])
        await driver.until(lambda: len(screen.model.facts) == 3)
        assert [made.number for made in screen.model.runs] == [1]


async def test_an_empty_session_shows_its_first_step(tmp_path: Path) -> None:
    path = tmp_path / "empty.session.jsonl"
    save_session(replace(STORY, steps=()), str(path))
    async with debugging(Engine().open(path)) as driver:
        screen = driver.screen
        assert screen.model.selection is None
        with SessionWriter.reopen(str(path)) as writer:
            writer.append_step(STORY.steps[0])
        await driver.until(lambda: screen.model.shown and screen.model.shown.step == 1)


def replace_file(path: Path) -> None:
    path.unlink()
    save_session(STORY, str(path))


async def test_a_replaced_file_is_told_once(path: Path) -> None:
    async with debugging(Engine().open(path)) as driver:
        screen = driver.screen
        await driver.until(lambda: screen.reader.file)
        replace_file(path)
        await driver.until(lambda: any("another file" in t for t in driver.told))
        for _ in range(5):
            screen.reader.look()
            await driver.pilot.pause(0.01)
        assert len([t for t in driver.told if "another file" in t]) == 1
        assert len(screen.model.document.steps) == 2


# --- Following a signature ------------------------------------------------------------


async def test_one_key_walks_the_path_of_a_signature_and_around() -> None:
    async with debugging(story_document()) as driver:
        screen = driver.screen
        await driver.until(lambda: screen.model.shown)
        screen.model.choose_sha256(sha256(FIRST))
        await driver.pilot.pause()
        seen = []
        for _ in range(5):
            screen.action_follow(1)
            await driver.pilot.pause()
            assert screen.model.selection is not None
            assert screen.model.shown is not None
            assert screen.model.shown.step == screen.model.selection.step
            assert screen.model.selection.signature == sha256(FIRST)
            seen.append((screen.model.selection.step, screen.model.selection.place))
        opaque = NodePlace(pointer="/messages/2/reasoning_opaque")
        assert seen[:2] == [(3, opaque), (4, opaque)]
        assert seen[2][0] == 1
        assert seen[3] == (2, NodePlace(pointer="/messages/2"))
        assert seen[4] == seen[0]
        screen.board.steps.focus()
        await driver.pilot.press("O")
        assert screen.model.selection is not None
        assert screen.model.selection.step == 2
        await driver.pilot.press("o")
        assert screen.model.selection.step == 3


async def test_a_step_without_signatures_says_so() -> None:
    async with debugging(story_document()) as driver:
        screen = driver.screen
        await driver.until(lambda: screen.model.shown)
        screen.model.choose_step(5)
        await driver.pilot.pause()
        screen.action_follow(1)
        await driver.until(lambda: any("no signature here" in t for t in driver.told))


async def test_what_is_wrong_with_a_skimmed_file_is_known_a_moment_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "SKIMMED_FROM", 1)
    monkeypatch.setattr(growth, "SKIMMED_FROM", 1)
    monkeypatch.setattr(tail, "_LONG", 1)
    path = tmp_path / "large.session.jsonl"
    save_session(story_document().session, str(path))
    path.write_bytes(path.read_bytes().replace(b'"status":400', b'"status":401', 1))
    document = Engine().open(path, skims=True)
    assert not document.session.problems
    async with debugging(document) as driver:
        await driver.until(lambda: any("changed after it" in t for t in driver.told))
        await driver.until(lambda: driver.screen.model.document is not document)
        assert driver.screen.model.document.session.problems
        await driver.until(
            lambda: driver.screen.model.overview and driver.screen.model.shown
        )
