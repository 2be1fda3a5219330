"""Cursor, zoom and anomalies of the overview, without a terminal."""

from __future__ import annotations

from tests.overviews import REFUSED, SIDE, UNKNOWN, document

from sigscope.engine.sessions.document import Document
from sigscope.overview import (
    Anomalies,
    SessionStrip,
    StepState,
    StripLane,
    find_anomalies,
    survey,
)
from sigscope.tui.overview.model import OverviewModel


def model_of(
    found: Document, *, room: int = 60, step: int | None = None
) -> OverviewModel:
    strip = survey(found.readings, found.ledger, found.refusals, found.findings)
    anomalies = find_anomalies(strip, found.ledger, found.refusals, found.findings)
    model = OverviewModel(strip, anomalies, step)
    model.fit(room)
    return model


def shown(model: OverviewModel) -> tuple[int, int]:
    return model.per_cell, model.width


def step_of(model: OverviewModel) -> int:
    assert model.state is not None
    return model.state.step


def test_at_first_all_is_in_sight_as_wide_as_there_is_room() -> None:
    assert shown(model_of(document(12, {}))) == (1, 4)
    assert shown(model_of(document(25, {}))) == (1, 2)
    assert shown(model_of(document(50, {}))) == (1, 1)
    many = model_of(document(130, {}))
    assert shown(many) == (3, 1)
    assert len(many.in_sight) == many.columns == 44


def test_zooming_in_keeps_the_cursor_in_sight_and_out_leads_back() -> None:
    model = model_of(document(130, {}), step=100)
    seen = []
    for _ in range(4):
        model.zoom(1)
        seen.append(shown(model))
        assert model.column in model.in_sight
        assert step_of(model) == 100
        fits = model.in_sight.stop - model.in_sight.start
        is_at_end = model.in_sight.stop == model.columns
        middle = model.first + fits // 2
        assert is_at_end or model.column == middle, "it stays around the cursor"
    assert seen == [(1, 1), (1, 2), (1, 4), (1, 4)]
    for _ in range(5):
        model.zoom(-1)
        assert model.column in model.in_sight
    assert shown(model) == (3, 1)
    assert model.is_fitted


def test_a_move_goes_to_the_worst_step_of_the_next_cell() -> None:
    model = model_of(document(130, {5: REFUSED}))
    assert step_of(model) == 1
    model.move(1)
    assert step_of(model) == 5
    model.move(1)
    assert 7 <= step_of(model) <= 9
    model.move_steps(-1)
    assert step_of(model) in (6, 7, 8)
    model.move(-9)
    assert model.column == 0


def test_a_step_more_is_one_step_at_any_zoom() -> None:
    model = model_of(document(130, {}), step=64)
    model.move_steps(1)
    assert step_of(model) == 65
    model.go_to_end(1)
    model.move_steps(1)
    assert step_of(model) == 130
    model.go_to_end(-1)
    assert step_of(model) == 1


def test_another_lane_is_gone_to_at_its_nearest_step() -> None:
    model = model_of(document(20, {15: SIDE}), step=3)
    model.move_lanes(1)
    assert step_of(model) == 15
    model.move_lanes(1)
    assert model.told == "this is the last lane"
    model.move_lanes(-1)
    assert model.lane == 0
    alone = model_of(document(5, {}))
    alone.move_lanes(1)
    assert alone.told == "there is one lane only"


def test_anomalies_are_gone_through_and_around() -> None:
    model = model_of(document(40, {5: REFUSED, 20: UNKNOWN}), room=20)
    steps, words = [], []
    for _ in range(len(model.anomalies.listed) + 1):
        model.go_to_anomaly(1)
        steps.append(step_of(model))
        words.append(model.told)
    assert steps[0] == steps[-1] == 5
    assert 20 in steps
    assert words[-1].startswith("from the top: 1 of")
    model.go_to_anomaly(-1)
    assert model.told.startswith("from the end: ")


def test_a_session_that_grows_leaves_the_cursor_on_its_step() -> None:
    model = model_of(document(50, {}), step=33)
    model.move_steps(0)
    grown = model_of(document(70, {60: REFUSED}))
    model.take(grown.strip, grown.anomalies)
    assert step_of(model) == 33
    assert shown(model) == (2, 1)
    assert len(model.in_sight) == model.columns
    model.go_to_anomaly(1)
    assert step_of(model) == 60


def test_a_session_without_steps_can_be_moved_in() -> None:
    empty = document(0, {})
    model = model_of(empty)
    model.move(1)
    model.move_steps(1)
    model.move_lanes(1)
    model.zoom(1)
    model.go_to_end(1)
    model.go_to_anomaly(1)
    assert model.state is None


def test_a_thousand_steps_are_moved_through_by_cells_in_sight_only() -> None:
    states = tuple(StepState(step=number) for number in range(1, 1001))
    lane = StripLane(threads=(1,), kind="main", places=tuple(range(1000)))
    strip = SessionStrip(states=states, lanes=(lane,))
    model = OverviewModel(strip, Anomalies())
    model.fit(66)
    assert shown(model) == (16, 1)
    model.zoom(1)
    model.zoom(1)
    asked = [model.span(number) for number in model.in_sight]
    assert len(asked) == 66
    assert asked[0][1] - asked[0][0] == 4
