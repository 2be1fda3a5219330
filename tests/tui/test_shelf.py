"""The shelves, and putting them in order, without a terminal."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import pytest
from tests.tui.debugger.desk import FakeDesk
from tests.tui.test_shelving import own

from sigscope.engine.engine import Engine
from sigscope.engine.sessions.library import Library
from sigscope.engine.settings.places import shipped
from sigscope.tui.screens.shelf import Shelf
from sigscope.tui.screens.shelfkeeper import ShelfKeeper

BUNDLED = "copilot-missing-signature"


class Room:
    """A shelf, a keeper, a desk, and what was asked to be opened."""

    def __init__(self) -> None:
        self.desk = FakeDesk()
        self.shelf = Shelf(Engine(), Library(), self.desk)
        self.opened: list[str] = []
        self.keeper = ShelfKeeper(self.shelf, self.desk, self.opened.append)
        self.shelf.reload()
        self.desk.rest()

    def choose(self, name: str) -> None:
        self.shelf.path = next(path for path in self.shelf.cards if name in path)


@pytest.fixture(name="room")
def _room(own_folders: Path) -> Room:
    return Room()


def test_what_a_session_speaks_is_known_when_its_file_was_looked_into(
    room: Room,
) -> None:
    room.choose(BUNDLED)
    card, dialects = room.shelf.known(room.shelf.path)
    assert dialects == "copilot-chat"
    assert (card.steps, card.failed) == (4, 1)


def test_a_file_is_looked_into_again_only_when_it_has_changed(
    room: Room, tmp_path: Path
) -> None:
    (path,) = own(tmp_path, "one")
    room.shelf.reload()
    room.desk.rest()
    before = room.shelf.seen[str(path)]
    times = path.stat().st_atime_ns, path.stat().st_mtime_ns
    other = shipped("sessions") / f"{BUNDLED}.session.jsonl"
    shutil.copy(other, path)
    os.utime(path, ns=times)  # within the same tick of the clock
    room.shelf.reload()
    room.desk.rest()
    assert room.shelf.seen[str(path)].steps == 4
    assert before.steps == 2


def test_who_asks_for_the_list_again_is_told_what_came_of_it(
    room: Room, tmp_path: Path
) -> None:
    bundled = len(room.shelf.cards)
    assert room.desk.told == [], "nobody asked"
    room.shelf.reload(is_asked=True)
    room.desk.rest()
    assert room.desk.told == [f"read again: {bundled} sessions, none new"]
    (path,) = own(tmp_path, "one")
    room.shelf.reload(is_asked=True)
    room.desk.rest()
    assert room.desk.told[-1] == f"read again: {bundled + 1} sessions, 1 new"
    path.unlink()
    room.shelf.reload(is_asked=True)
    room.desk.rest()
    assert room.desk.told[-1] == f"read again: {bundled} sessions, 1 gone"


def test_a_bundled_session_is_neither_renamed_nor_deleted(room: Room) -> None:
    room.choose(BUNDLED)
    asyncio.run(room.keeper.rename())
    asyncio.run(room.keeper.remove())
    assert not room.desk.asked
    assert "export it as a session to have your own" in room.desk.told[0]
    assert room.desk.told[1] == "it comes with sigscope, and stays"


def test_a_title_is_changed_and_the_shelf_is_read_again(
    room: Room, tmp_path: Path
) -> None:
    (path,) = own(tmp_path, "one")
    room.shelf.reload()
    room.desk.rest()
    room.shelf.path = str(path)
    room.desk.answers = ["Another title"]
    asyncio.run(room.keeper.rename())
    room.desk.rest()
    assert room.shelf.card is not None
    assert room.shelf.card.title == "Another title"


def test_who_keeps_it_loses_nothing_and_who_deletes_it_is_told(
    room: Room, tmp_path: Path
) -> None:
    (path,) = own(tmp_path, "one")
    room.shelf.reload()
    room.desk.rest()
    room.shelf.path = str(path)
    room.desk.answers = ["stay", "delete"]
    asyncio.run(room.keeper.remove())
    assert path.exists()
    assert room.desk.told == []
    asyncio.run(room.keeper.remove())
    assert not path.exists()
    assert room.desk.told == [f"{path.name} is deleted"]


def test_pasted_text_that_is_no_request_is_explained_and_a_blank_is_nothing(
    room: Room,
) -> None:
    asyncio.run(room.keeper.take_pasted("   "))
    assert not room.desk.asked
    asyncio.run(room.keeper.take_pasted("missing thought_signature"))
    (dialog,) = room.desk.asked
    assert type(dialog).__name__ == "ExplanationDialog"
    assert room.opened == []
