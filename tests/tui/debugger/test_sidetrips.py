"""What other screens are opened on, and why they are not."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from tests.tui.debugger.desk import FakeDesk, model_of
from tests.tui.story import story_document

from sigscope.engine.sessions.document import Document
from sigscope.tui.debugger.anomalytour import AnomalyTour
from sigscope.tui.debugger.model import DebuggerModel
from sigscope.tui.debugger.sends import Sender
from sigscope.tui.debugger.sidetrips import SideTrips
from sigscope.tui.symbols import UNICODE


def trips_of(model: DebuggerModel, desk: FakeDesk) -> SideTrips:
    return SideTrips(model, desk, UNICODE, AnomalyTour(model, desk))


@pytest.mark.parametrize(
    ("steps", "words"),
    [(None, "the session is still being read"), ((), "there is no step yet")],
    ids=["while it is read", "without steps"],
)
def test_where_nothing_can_be_gone_on_from_it_says_why(
    steps: tuple[()] | None, words: str
) -> None:
    document = story_document()
    if steps is not None:
        document = Document(replace(document.session, steps=steps))
    desk = FakeDesk()
    model = model_of(document, desk)
    model.begin()
    trips = trips_of(model, desk)
    assert asyncio.run(trips.confirm(Sender(model, desk))) is None
    asyncio.run(trips.show_paths())
    assert desk.told == [words, words]
