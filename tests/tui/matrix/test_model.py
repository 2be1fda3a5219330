"""The model of the matrix: asked in a thread, sorted, filtered, given up."""

from __future__ import annotations

from tests.tui.debugger.desk import FakeDesk
from tests.tui.test_dialect_dialog import unknown
from tests.unit.export.servers import bundled

from sigscope.edits.notation import parse
from sigscope.engine.sessions.document import Document
from sigscope.tui.matrix.model import MatrixModel

SESSION = "copilot-missing-signature"


def asked(**given: object) -> tuple[MatrixModel, FakeDesk]:
    desk = FakeDesk()
    model = MatrixModel(bundled(SESSION), 2, desk, **given)  # type: ignore[arg-type]
    model.begin()
    return model, desk


def test_it_says_how_far_it_is_and_what_came_of_it() -> None:
    model, desk = asked()
    assert (model.is_busy, model.shown) == (True, ())
    done = desk.do("matrix")
    assert model.words == "4 of 4 cells asked, esc stops"
    assert model.told == ()
    done()
    assert model.words == "4 cells: 1 accepted, 3 refused"
    assert model.told[0] == "the smallest cure: 1+2 (CPC-1 + CPC-2)"


def test_where_there_is_nothing_to_combine_it_names_no_options() -> None:
    desk = FakeDesk()
    model = MatrixModel(Document(unknown()), 1, desk)
    model.begin()
    desk.rest()
    assert "offers no fix and no cure to combine: switch on in pane 4" in model.words


def test_edits_that_are_on_are_combined_too() -> None:
    model, desk = asked(edits=(parse("drop /stream", b'{"stream": true}'),))
    desk.rest()
    assert len(model.shown) == 8
    assert "edits that are on" in model.source


def test_only_filters_that_keep_something_are_offered() -> None:
    model, desk = asked()
    desk.rest()
    offered = []
    for _ in range(4):
        model.next_filter()
        offered.append(model.only)
    assert offered == ["accepted", "refused", "possible", "all"]
    model.only = "accepted"
    assert [cell.name for cell in model.shown] == ["1+2"]
    model.next_sort()
    assert model.sort == "cell"


def test_what_was_given_up_is_not_taken_any_more() -> None:
    model, desk = asked()
    done = desk.do("matrix")
    assert model.cancel()
    done()
    assert not model.is_busy
    assert desk.cancelled == ["matrix"]
    assert not model.cancel()


def test_the_ready_made_edits_are_combined_when_asked_for() -> None:
    model, desk = asked()
    desk.rest()
    model.vary()
    assert model.is_busy
    desk.rest()
    assert model.matrix is not None
    assert "copilot.final-fix" in {f.name for f in model.matrix.plan.factors}
    assert not model.matrix.plan.is_whole


def test_of_a_step_without_a_fix_the_ready_made_edits_are_combined() -> None:
    desk = FakeDesk()
    model = MatrixModel(bundled(SESSION), 3, desk)
    model.begin()
    desk.rest()
    assert model.is_ready_made
    assert model.matrix is not None
    assert model.matrix.outcome(frozenset()) == "accepted"
