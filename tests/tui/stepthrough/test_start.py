"""Where stepping through begins, without a terminal."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from tests.tui.debugger.desk import FakeDesk, studied

from sigscope.tui.debugger.anomalytour import AnomalyTour
from sigscope.tui.debugger.model import DebuggerModel
from sigscope.tui.debugger.sidetrips import SideTrips
from sigscope.tui.place import NodePlace
from sigscope.tui.stepthrough.start import Start, start_of
from sigscope.tui.stepthrough.walk import Landing
from sigscope.tui.symbols import UNICODE

SESSION = "copilot-missing-signature"
"""Step 2 is refused for want of what came in event 3 of step 1."""


def start(model: DebuggerModel) -> Start:
    assert model.selection is not None
    assert model.shown is not None
    return start_of(model.selection, model.shown)


def test_an_accepted_step_begins_at_its_first_event_or_at_the_selected_one() -> None:
    model, _, _ = studied(SESSION)
    model.choose_step(3)
    assert start(model) == Start(step=3)
    model.choose_node(NodePlace(side="event", event=4))
    assert start(model) == Start(step=3, event=4)


@pytest.mark.parametrize(
    ("session", "event"),
    [
        (SESSION, 3),
        ("zed-openrouter-never-emitted", 4),
        ("responses-dropped-reasoning", 25),
    ],
)
def test_a_refused_step_begins_where_what_it_lost_had_arrived(
    session: str, event: int
) -> None:
    model, _, _ = studied(session)
    model.choose_step(2)
    found = start(model)
    assert (found.step, found.event) == (1, event)
    assert found.is_elsewhere


def test_it_does_so_when_nothing_is_followed() -> None:
    model, _, _ = studied(SESSION)
    model.choose_step(2)
    assert model.selection is not None
    assert model.shown is not None
    bare = replace(model.selection, signature=None, finding=None)
    assert start_of(bare, replace(model.shown, findings=())).event == 3


def test_a_refusal_that_lost_nothing_is_shown_as_it_is() -> None:
    model, _, _ = studied(SESSION)
    model.choose_step(2)
    assert model.selection is not None
    assert model.shown is not None
    ledger = replace(model.shown.ledger, signatures=())
    assert start_of(model.selection, replace(model.shown, ledger=ledger)) == Start(
        step=2
    )


def trip(landing: Landing) -> tuple[DebuggerModel, FakeDesk]:
    model, desk, _ = studied(SESSION)
    model.choose_step(2)
    desk.answers = [landing]
    asyncio.run(
        SideTrips(model, desk, UNICODE, AnomalyTour(model, desk)).step_through()
    )
    return model, desk


def test_it_is_said_why_another_answer_is_shown_and_one_comes_back() -> None:
    model, desk = trip(Landing(index=0, step=1, event=3))
    (screen,) = desk.asked
    assert screen.model.index == 0
    screen.model.begin()
    assert screen.model.event == 3
    assert screen.model.told.endswith("arrived here; step 2 lost it, and was refused")
    assert model.selection is not None
    assert model.selection.step == 2


def test_who_went_on_from_there_lands_where_they_left() -> None:
    model, _ = trip(Landing(index=0, step=1, event=2))
    assert model.selection is not None
    assert (model.selection.step, model.selection.place) == (
        1,
        NodePlace(side="event", event=2),
    )
