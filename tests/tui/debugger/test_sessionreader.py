"""Reading a session, and its file while it grows."""

from __future__ import annotations

import gc
from dataclasses import replace
from pathlib import Path

import pytest
from tests.tui.debugger.desk import FakeDesk, model_of, studied
from tests.tui.driving import EMPTY_LIST
from tests.tui.longstory import long_story
from tests.tui.story import story, story_document

from sigscope.engine.engine import Engine
from sigscope.engine.sessions import growth
from sigscope.engine.sessions.document import Document
from sigscope.rules import sessioncheck
from sigscope.session import Session
from sigscope.store import SessionWriter, save_session
from sigscope.tui.debugger import sessionreader
from sigscope.tui.debugger.headlines import busy_words
from sigscope.tui.debugger.model import DebuggerModel
from sigscope.tui.debugger.sessionreader import SessionReader

STORY = story()


def test_what_cannot_be_read_is_said_and_stands_in_the_status_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(document: object) -> object:
        raise RecursionError("too deep")

    monkeypatch.setattr(sessionreader, "study", fails)
    model, desk, _ = studied(EMPTY_LIST)
    assert model.overview is None
    assert model.problem == "too deep"
    assert busy_words(model) == "could not read all: too deep"
    assert desk.told == ["Could not read all: too deep"]


def test_how_far_it_is_stands_there_until_it_is_done() -> None:
    desk = FakeDesk()
    model = model_of(story_document(), desk)
    reader = SessionReader(model, desk)
    model.begin()
    reader.study()
    words: list[str] = []
    model.observe(lambda what: words.append(busy_words(model)))
    desk.rest()
    assert any(" of 5" in word for word in words)
    assert busy_words(model) == ""


def test_a_bundled_session_is_not_looked_at() -> None:
    _, desk, reader = studied(story_document())
    assert not reader.watch()
    reader.look()
    assert desk.waiting == set()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A session of two steps that is still being written."""
    path = tmp_path / "live.session.jsonl"
    save_session(Session(id=STORY.id, title="live", steps=STORY.steps[:2]), str(path))
    return path


def test_new_steps_of_the_file_appear_and_the_selection_stays(path: Path) -> None:
    model, desk, reader = studied(Engine().open(str(path)))
    assert reader.watch()
    before, shown = model.selection, model.shown
    reader.look()
    desk.rest()
    assert model.shown is shown, "nothing is new"
    with SessionWriter.reopen(str(path)) as writer:
        writer.append_step(STORY.steps[2])
    desk.told.clear()
    reader.look()
    desk.rest()
    assert [fact.number for fact in model.facts] == [1, 2, 3]
    assert (model.selection, desk.told) == (before, ["1 new step"])
    with SessionWriter.reopen(str(path)) as writer:
        writer.append_step(STORY.steps[3])
        writer.append_step(replace(STORY.steps[1], number=5, id="again"))
    desk.told.clear()
    reader.look()
    desk.rest()
    (words,) = desk.told
    assert words.startswith("2 new steps; step 5 was refused,")
    assert words.endswith(" goes on to it")


def test_the_first_new_step_has_only_what_it_may_change_judged_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not where a file is so large that keeping what was parsed would cost much."""
    judged: list[int] = []
    check = sessioncheck.check_step

    def noted(subject: sessioncheck.Subject, *rules: object) -> object:
        judged.append(subject.step)
        return check(subject, *rules)  # type: ignore[arg-type]

    monkeypatch.setattr(sessioncheck, "check_step", noted)

    def grown(number: int) -> list[int]:
        _, desk, reader = studied(Engine().open(str(path)))
        reader.watch()
        with SessionWriter.reopen(str(path)) as writer:
            writer.append_step(STORY.steps[number - 1])
        judged.clear()
        reader.look()
        desk.rest()
        return judged

    assert grown(3) == [2, 3], "the second was refused, and is sent again"
    monkeypatch.setattr(growth, "SKIMMED_FROM", 1)
    assert grown(4) == [1, 2, 3, 4]


def test_nothing_is_looked_at_while_it_is_read(path: Path) -> None:
    _, desk, reader = studied(Engine().open(str(path)))
    reader.watch()
    reader.study()
    reader.look()
    assert desk.waiting == {"study"}


def lost(path: Path) -> tuple[DebuggerModel, FakeDesk, SessionReader]:
    """A reader whose file was taken away after it was looked at."""
    model, desk, reader = studied(Engine().open(str(path)))
    reader.watch()
    reader.look()
    desk.rest()
    path.unlink()
    return model, desk, reader


def test_another_file_at_its_path_ends_it_with_a_word(path: Path) -> None:
    _, desk, reader = lost(path)
    save_session(STORY, str(path))
    reader.look()
    desk.rest()
    assert any("another file stands at the path" in words for words in desk.told)
    assert not reader.is_watching


def test_a_file_that_goes_on_elsewhere_is_followed(path: Path) -> None:
    model, desk, reader = lost(path)
    again = path.with_name("again.session.jsonl")
    save_session(STORY, str(again))
    reader.look()
    desk.rest()
    assert len(model.facts) == 2
    reader.go_on_in(str(again))
    reader.look()
    desk.rest()
    assert len(model.facts) == len(STORY.steps)
    assert reader.is_watching
    assert model.document.session.path == str(again), "runs are kept there, too"


def test_the_ledger_is_there_before_the_rules_and_nothing_is_shown_yet() -> None:
    desk = FakeDesk()
    model = model_of(EMPTY_LIST, desk)
    reader = SessionReader(model, desk)
    model.begin()
    reader.study()
    told = desk.do("study")  # the rules have run, and nobody was told
    assert model.overview is not None
    assert not model.overview.is_checked
    assert "checking rules" in busy_words(model)
    model.choose_step(1)
    assert model.shown is None
    told()
    assert model.overview.is_checked
    assert model.shown is not None
    assert model.shown.step == 1


def test_what_is_known_of_a_long_session_is_not_looked_through_for_garbage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It stays; of a short one nothing is gained."""
    spared: list[int] = []
    monkeypatch.setattr(gc, "freeze", lambda: spared.append(1))
    studied(Document(long_story(20)))
    assert not spared
    monkeypatch.setattr(sessionreader, "LONG", 20)
    _, desk, reader = studied(Document(long_story(20)))
    assert spared == [1]
    reader.study()
    desk.rest()
    assert spared == [1], "not with every step that comes"
