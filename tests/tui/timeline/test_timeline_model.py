"""The timeline without a terminal: lanes, play head, axis, turns."""

from __future__ import annotations

from dataclasses import replace

from tests.tui.timeline.test_timeline_screen import session

from sigscope.tui.symbols import UNICODE
from sigscope.tui.timeline.model import LANES, LOOK, TimelineModel
from sigscope.tui.timeline.records import read_session

FOUR = "vscode-copilot-four-requests"
FADES = "zoo-litellm-dummy"


def model(name: str = FOUR, **more: object) -> TimelineModel:
    found = TimelineModel(session(name), **more)  # type: ignore[arg-type]
    told = read_session(found.session, lambda: False)
    assert told is not None
    found.take(told)
    return found


def at(found: TimelineModel) -> tuple[int, int]:
    assert found.lane is not None
    return found.lane.step, found.event


def test_the_play_head_goes_by_signature_and_stays_at_the_last() -> None:
    found = model(step=1)
    places = []
    for _ in range(4):
        found.go_to_signature(1)
        places.append(at(found))
    assert places[:3] == [(1, 4), (2, 4), (4, 5)]
    while not found.words:
        found.go_to_signature(1)
    assert found.words == "no signature after here"
    here = at(found)
    found.go_to_signature(1)
    assert at(found) == here


def test_a_followed_signature_leads_to_the_request_that_lost_it() -> None:
    found = model("copilot-missing-signature", step=1)
    found.follow_on(1, UNICODE, "n")
    assert "no signature is followed" in found.words
    found.go_to_signature(1)
    followed = found.followed
    found.follow_on(1, UNICODE, "n")
    assert "in step 2: dropped" in found.words
    assert at(found)[0] == 2
    assert found.followed == followed


def test_zoom_is_around_the_play_head_and_its_moves_keep_it_in_sight() -> None:
    found = model(step=1)
    for _ in range(3):
        found.zoom(2.0)
    found.move(1)
    assert found.window.start <= found.moment <= found.window.end
    found.show_whole()
    assert found.window.is_whole


def test_where_runs_are_put_away_the_cursor_is_on_their_step() -> None:
    base = session("copilot-missing-signature")
    found = TimelineModel(replace(base, runs=[(1, base.readings[2], None)]), run=1,
                          step=base.readings[2].number)  # fmt: skip
    told = read_session(found.session, lambda: False)
    assert told is not None
    found.take(told)
    assert found.key == ("run", 1)
    found.switch_runs()
    assert found.key == ("step", base.readings[2].number)


def test_what_cannot_be_done_is_said_and_changes_nothing() -> None:
    found = model("copilot-missing-signature")
    heard: list[str] = []
    found.observe(heard.append)
    found.switch_runs()
    assert found.words == "there are no runs yet"
    found.switch_threads()
    assert found.words == "there is one thread only"
    assert LANES not in heard
    assert LOOK in heard


def test_turns_and_lanes_stand_at_the_same_step() -> None:
    found = model(FADES, view="turns")
    found.take_turn(5)
    assert at(found)[0] == 5
    opened = found.opened
    assert opened is not None
    assert (opened.step, opened.steps_through) == (5, False)
    found.switch_view()
    found.go_to_signature(1)
    step = at(found)[0]
    found.switch_view()
    assert found.opened is not None
    row = next(row for row in found.rows if step in row.steps)
    assert found.opened.step == row.steps[0]


def test_who_moved_nothing_brings_nothing_back() -> None:
    found = model(step=2)
    assert found.left is None
    found.move(1)
    assert found.left is not None
    assert (found.left.step, found.left.event) == (2, 2)
    assert not found.left.steps_through


def test_before_the_answers_are_read_nothing_is_said_of_them() -> None:
    found = TimelineModel(session(FOUR))
    found.go_to_anomaly(1)
    assert found.words == "the answers are still being read"
    assert found.opened is None


def test_a_moment_pointed_at_takes_the_play_head_into_its_lane() -> None:
    found = model()
    lane = found.sight.lanes[-1]
    assert found.lane is not lane
    found.point(lane.key, lane.at(2))
    assert at(found) == (lane.step, 2)
