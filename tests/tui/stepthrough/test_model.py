"""What the step-through screen knows and decides, without a terminal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.tui.debugger.desk import FakeDesk
from tests.tui.stepthrough.harness import bundled, walk_of
from tests.unit.stepthrough import streams as s

from sigscope.overview import Anomalies, Anomaly
from sigscope.stepthrough import StreamBreakpoint
from sigscope.tui.stepthrough.model import MANY, RESPONSE, STATE, StepModel
from sigscope.tui.stepthrough.walk import Walk

MESSAGE_AT = "/choices/0/message"
SIGNATURE = StreamBreakpoint("signature")


def model_of(walk: Walk, **more: Any) -> tuple[StepModel, list[str]]:
    """A model that has begun, and what it has told."""
    model = StepModel(walk, FakeDesk(), **more)
    told: list[str] = []
    model.observe(told.append)
    model.begin()
    return model, told


def story(**more: Any) -> StepModel:
    return model_of(walk_of(s.story()), **more)[0]


def test_it_begins_at_the_first_event_or_at_the_one_that_is_wanted() -> None:
    assert (story().event, story().count) == (1, 10)
    assert story(event=4).event == 4
    assert story(event=0).event == 0
    assert story(event=99).event == 10


def test_another_event_is_told_once_and_the_ends_hold() -> None:
    model, told = model_of(walk_of(s.story()))
    del told[:]
    for by, wanted in ((1, 2), (-1, 1), (-1, 0), (-1, 0)):
        model.go_by(by)
        assert model.event == wanted
    assert told.count("event") == 3
    model.go_to_end(1)
    assert model.event == 10
    model.go_by(1)
    assert model.event == 10


def test_a_long_response_is_read_aside_and_what_was_wanted_is_done_then() -> None:
    many = [s.delta(content=f"word {n} ") for n in range(3000)]
    reading = s.reading(s.sse(*many))
    assert len(reading.response_body.data) > MANY
    desk = FakeDesk()
    model = StepModel(walk_of(reading), desk)
    model.begin()
    assert model.loaded is None
    assert model.where.busy
    assert model.why_empty() == "reading the response …"
    model.go_to_end(1)
    model.go_by(-1)
    model.go_by(-1)
    assert model.event == 0
    desk.rest()
    assert (model.event, model.count) == (2998, 3000)


def test_another_step_is_begun_anew_and_beyond_the_last_it_says_so() -> None:
    model, told = model_of(bundled("copilot-missing-signature"), event=3)
    model.go_to_step(1)
    assert model.reading.number == 2
    assert model.event == 0
    assert model.why_empty().startswith("the answer came in one piece")
    model.go_to_step(2)
    model.go_to_step(1)
    assert (model.reading.number, model.event) == (4, 1)
    assert model.told == "this is the last step"
    assert told.count(RESPONSE) == 3


def test_the_next_anomaly_is_another_answer_at_the_event_it_is_in() -> None:
    found = [Anomaly(step=1, names=("A-1",), event=3), Anomaly(step=2, names=("B-1",))]
    anomalies = Anomalies(listed=tuple(found))
    walk = replace(bundled("copilot-missing-signature"), anomalies=anomalies)
    model, _ = model_of(walk)
    model.go_to_anomaly(1)
    assert model.reading.number == 2
    assert model.told == "2 of 2: B-1 in step 2"
    model.go_to_anomaly(1)
    assert (model.reading.number, model.event) == (1, 3)
    assert model.told == "from the top: 1 of 2: A-1 in step 1"
    model.go_to_step(1)
    assert model.told == ""


def test_a_run_has_no_anomalies_of_the_session() -> None:
    model = story()
    model.go_to_anomaly(1)
    assert model.told.startswith("a run is on show")


def test_breakpoints_are_gone_to_and_it_is_said_where_none_is_met() -> None:
    model = story()
    model.go_to_stop(1)
    assert model.event == 3
    assert model.stop is not None
    assert model.where.stop == model.stop
    model.go_to_stop(1)
    assert (model.event, model.told) == (3, "no breakpoint is met after here")
    model.keep_stops(frozenset())
    model.go_to_stop(1)
    assert model.told == "no breakpoint is on; b chooses"
    assert model.landing.stops == frozenset()


def test_a_breakpoint_is_switched_and_the_events_that_meet_it_are_marked() -> None:
    model = story()
    point = StreamBreakpoint("pointer", f"{MESSAGE_AT}/reasoning_text")
    model.toggle_stop(point)
    assert model.watched == {point.what}
    assert model.met == (1, 2, 3)
    model.toggle_stop(point)
    assert (model.watched, model.met) == (frozenset(), (3,))


def test_a_field_is_asked_which_event_wrote_it_and_answers_in_turn() -> None:
    model = story(event=8)
    pointer = f"{MESSAGE_AT}/tool_calls/0/function/arguments"
    for wanted in (4, 5, 6, 4):
        assert model.ask(pointer, 1)
        assert model.event == wanted
    assert model.told.startswith(f"event 4 wrote {pointer} · 1 of 3")
    assert model.ask(pointer, -1)
    assert model.event == 6


def test_a_field_of_the_event_went_somewhere_or_it_is_said() -> None:
    model = story(event=5)
    at = "/choices/0/delta/tool_calls/0/function/arguments"
    assert model.destination(at) == f"{MESSAGE_AT}/tool_calls/0/function/arguments"
    assert model.destination("/nothing") is None
    assert "went nowhere" in model.told


def test_playing_follows_the_clock_and_stops_at_a_breakpoint() -> None:
    model = story(event=0)
    model.play()
    assert (model.is_playing, model.event) == (True, 0)
    model.play_on(150)
    assert model.event == 1
    assert model.wait_ms is not None
    model.play_on(5000)
    assert (model.event, model.is_playing) == (3, False)
    assert model.stop is not None


def test_ten_times_and_half_change_the_pace() -> None:
    model = story(event=3)
    model.play_at(10.0)
    model.play()
    model.play_on(21)
    assert model.event == 5
    model.play_at(1.0)
    model.change_speed(-1)
    assert model.speed == 0.5
    model.play_on(100)
    assert model.event == 5
    model.play_on(150)
    assert model.event == 6
    model.play_on(10_000)
    assert (model.event, model.is_playing) == (10, False)
    model.play()
    assert (model.event, model.is_playing) == (0, True)
    model.go_by(1)
    assert not model.is_playing, "a key pauses"


def test_it_is_left_at_what_the_event_was_about() -> None:
    model = story(event=3)
    assert model.source == model.landing.pointer == "/choices/0/delta/reasoning_opaque"
    assert (model.landing.step, model.landing.event) == (1, 3)
    model.go_to_end(-1)
    assert (model.source, model.landing.event) == ("", 0)


def test_what_is_said_again_is_told_once() -> None:
    model, told = model_of(walk_of(s.story()))
    del told[:]
    model.say("this")
    model.say("this")
    assert told == [STATE]


@pytest.mark.parametrize("speed", [0.125, 50.0])
def test_the_pace_has_bounds(speed: float) -> None:
    model = story()
    for _ in range(20):
        model.change_speed(1 if speed > 1 else -1)
    assert model.speed == speed


def test_before_anything_came_no_event_wrote_a_field() -> None:
    model, _ = model_of(walk_of(s.reading(b"")))
    assert not model.ask("/choices", 1)
    assert model.told == "no event wrote /choices"
