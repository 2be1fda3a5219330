"""Along one signature, step by step, without a terminal."""

from __future__ import annotations

from tests.tui.debugger.desk import FakeDesk, model_of, studied
from tests.tui.story import FIRST, story_document

from sigscope.opaque import sha256
from sigscope.tui.debugger.follower import Follower
from sigscope.tui.symbols import UNICODE


def test_it_goes_from_where_it_came_to_each_place_and_around() -> None:
    model, desk, _ = studied(story_document())
    follower = Follower(model, desk)
    model.choose_sha256(sha256(FIRST))
    seen = []
    for _ in range(4):
        follower.follow(1, UNICODE)
        assert model.selection is not None
        assert model.selection.signature == sha256(FIRST)
        assert model.shown is not None
        assert model.shown.step == model.selection.step
        seen.append(model.selection.step)
    assert sorted(seen) == [1, 2, 3, 4]
    follower.follow(-1, UNICODE)
    assert model.selection is not None
    assert model.selection.step == seen[2]
    assert "/4" in desk.told[-1]


def test_without_a_signature_it_says_how_to_choose_one() -> None:
    model, desk, _ = studied(story_document())
    model.choose_step(5)
    desk.told.clear()
    Follower(model, desk).follow(1, UNICODE)
    assert desk.told == ["no signature here; choose one in pane 2, then follow it"]


def test_before_the_session_is_read_it_says_so() -> None:
    desk = FakeDesk()
    model = model_of(story_document(), desk)
    model.begin()
    Follower(model, desk).follow(1, UNICODE)
    assert desk.told == ["the session is still being read"]
