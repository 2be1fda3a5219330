"""From anomaly to anomaly in the debugger, without a terminal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.overviews import REFUSED, UNKNOWN, document
from tests.tui.debugger.desk import FakeDesk, model_of, studied
from tests.unit.export.servers import bundled

from sigscope.engine.sessions.document import Document
from sigscope.session import Problem
from sigscope.tui.debugger.anomalytour import AnomalyTour


def test_each_key_goes_one_on_and_says_which_it_is() -> None:
    model, desk, _ = studied(document(30, {5: REFUSED, 20: UNKNOWN}))
    tour = AnomalyTour(model, desk)
    model.choose_step(1)
    desk.told.clear()
    total = len(tour.anomalies.listed)
    tour.go(1)
    assert model.selection is not None
    assert model.selection.step == 5
    assert model.selection.finding is not None
    assert desk.told == [f"1 of {total}: REF-3 in step 5"]
    tour.go(-1)
    assert model.selection.step == tour.anomalies.listed[-1].step
    assert desk.told[-1].startswith(f"from the end: {total} of {total}: ")


def test_what_is_made_is_made_once_for_each_study() -> None:
    model, desk, reader = studied(document(12, {5: REFUSED}))
    tour = AnomalyTour(model, desk)
    first = tour.anomalies
    assert tour.anomalies is first
    grown = document(20, {5: REFUSED, 17: REFUSED})
    reader.read_again(grown)
    desk.rest()
    assert [each.step for each in first.listed] == [5]
    assert [each.step for each in tour.anomalies.listed] == [5, 17]


def test_while_the_session_is_read_there_is_no_all_clear() -> None:
    desk = FakeDesk()
    model = model_of(document(5, {}), desk)
    model.begin()
    tour = AnomalyTour(model, desk)
    tour.go(1)
    assert desk.told == ["no anomaly known: the session is still being read"]
    model.problem = "step 3 is broken"
    tour.go(1)
    assert desk.told[-1] == "no anomaly known: could not read all: step 3 is broken"


def test_what_is_read_with_a_remark_is_no_all_clear() -> None:
    whole = bundled("gemini-sequential")
    last = whole.steps[-1]
    cut = replace(last, exchange=replace(last.exchange, response=None))
    steps = (*whole.steps[:-1], cut)
    for recording, told in (
        (whole, "no anomaly: no finding but remarks"),
        (
            Document(replace(whole.session, problems=(Problem(message="torn"),))),
            "no anomaly known: no finding but remarks",
        ),
    ):
        model, desk, _ = studied(recording)
        AnomalyTour(model, desk).go(1)
        assert desk.told[-1].startswith(told)
    model, _, _ = studied(Document(replace(whole.session, steps=steps)))
    assert model.overview is not None
    assert model.overview.remarks == {last.number: ("no answer is recorded",)}


def test_before_the_first_step_there_is_no_all_clear() -> None:
    model, desk, _ = studied(document(0, {}))
    desk.told.clear()
    AnomalyTour(model, desk).go(1)
    assert desk.told == ["no anomaly known: there is no step yet"]
    assert AnomalyTour(model, desk).anomalies.unknown == "there is no step yet"


class SlowDesk(FakeDesk):
    """What waits for a paint waits until a test paints."""

    def __init__(self) -> None:
        super().__init__()
        self.painting: list[Callable[[], object]] = []

    def once_painted(self, call: Callable[[], object]) -> None:
        self.painting.append(call)

    def paint(self) -> None:
        """What was changed is on the screen."""
        due, self.painting = self.painting, []
        for call in due:
            call()


def test_two_keys_before_a_paint_go_two_on() -> None:
    model, _, _ = studied(document(30, {5: REFUSED, 20: UNKNOWN}))
    desk = SlowDesk()
    tour = AnomalyTour(model, desk)
    model.choose_step(1)
    steps = [each.step for each in tour.anomalies.listed]
    assert [tour.go(1), tour.go(1)] == steps[:2]
    assert model.selection is not None
    assert model.selection.step == 1, "what is dear to show follows"
    desk.paint()
    assert model.selection.step == steps[1]


def test_who_moves_on_before_the_paint_is_not_fetched_back() -> None:
    model, _, _ = studied(document(30, {5: REFUSED, 20: UNKNOWN}))
    desk = SlowDesk()
    tour = AnomalyTour(model, desk)
    model.choose_step(1)
    assert tour.go(1) == 5
    model.choose_step(9)
    desk.paint()
    assert model.selection is not None
    assert model.selection.step == 9
    assert tour.go(1) == 20
