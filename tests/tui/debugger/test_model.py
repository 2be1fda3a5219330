"""Decisions of the debugger: what is opened on, chosen, shown, edited, foretold."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from tests.tui.debugger.desk import FakeDesk, model_of, studied
from tests.tui.driving import EMPTY_LIST, MISSING

import sigscope.tui.debugger
from sigscope.tui.debugger.model import SETTLED, DebuggerModel
from sigscope.tui.debugger.sessionreader import SessionReader
from sigscope.tui.place import NodePlace
from sigscope.tui.selection import Selection

WITH_WIDGETS = {"jsonlink", "layout", "paneboard", "router", "screendesk"}
"""Parts whose business is with widgets."""


def fixes_of(model: DebuggerModel) -> tuple[object, ...]:
    assert model.shown is not None
    return tuple(e for f in model.shown.findings for e in f.fix or ())


def test_the_model_and_what_decides_know_no_terminal() -> None:
    for path in Path(sigscope.tui.debugger.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text())
        top = [n for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom))]
        modules = {getattr(node, "module", None) or node.names[0].name for node in top}
        has_textual = any(str(module).startswith("textual") for module in modules)
        assert has_textual <= (path.stem in WITH_WIDGETS), path.name


def test_it_opens_on_the_first_failure_before_anything_is_read() -> None:
    desk = FakeDesk()
    model = model_of(EMPTY_LIST, desk)
    model.begin()
    assert model.selection == Selection(step=2)
    assert model.shown is None
    assert model.facts[0].number == 1


def test_once_studied_the_worst_finding_and_its_node_are_selected() -> None:
    model, _, _ = studied(EMPTY_LIST)
    assert model.shown is not None
    assert model.selection is not None
    assert model.selection.step == model.shown.step == 2
    assert model.selection.finding == model.shown.findings[0]
    assert model.selection.place is not None


def test_who_went_on_while_it_was_read_is_left_where_they_are() -> None:
    desk = FakeDesk()
    model = model_of(EMPTY_LIST, desk)
    reader = SessionReader(model, desk)
    model.begin()
    reader.study()
    told = desk.do("study")
    model.choose_step(1)
    told()
    assert model.shown is not None
    assert model.shown.step == 1


def test_a_large_step_is_selected_at_once_and_shown_when_it_was_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model, desk, _ = studied(MISSING)
    first, *_, last = [fact.number for fact in model.facts]
    monkeypatch.setattr("sigscope.tui.debugger.model.AT_ONCE", 0)
    model.choose_step(first)
    desk.rest()
    model.choose_step(last)
    late = desk.do("look at a step")
    assert (model.selection and model.selection.step) == last
    assert (model.shown and model.shown.step) == first
    model.choose_step(first)
    late()
    assert (model.shown and model.shown.step) == first
    model.choose_step(last)
    desk.rest()
    assert (model.shown and model.shown.step) == last


def test_choosing_what_is_chosen_tells_nobody() -> None:
    model, _, _ = studied(EMPTY_LIST)
    told: list[str] = []
    model.observe(told.append)
    assert model.selection is not None
    model.choose(model.selection)
    assert told == []
    model.choose_node(NodePlace(pointer="/messages/0"))
    assert told == ["selection", SETTLED]


def test_a_lost_signature_is_followed_on_to_the_field_that_could_bring_it() -> None:
    model, _, _ = studied(MISSING)
    assert model.selection is not None
    lost = model.selection.signature
    assert lost is not None
    followed = {}
    for pointer in ("/messages/2", "/messages/2/reasoning_opaque", "/messages/1"):
        model.choose_node(NodePlace(pointer=pointer))
        followed[pointer] = model.selection.signature
    assert list(followed.values()) == [lost, lost, None]


def test_a_signature_nobody_knows_selects_nothing() -> None:
    model, _, _ = studied(MISSING)
    before = model.selection
    model.choose_sha256("0" * 64)
    assert model.selection == before


def test_a_signature_is_followed_to_where_it_has_to_do_with_something() -> None:
    model, _, _ = studied(MISSING)
    assert model.overview is not None
    signature = model.overview.ledger.signatures[0]
    model.choose_sha256(signature.sha256)
    assert model.selection is not None
    assert model.selection.signature == signature.sha256
    assert model.selection.place is not None


# --- Edits ----------------------------------------------------------------------------


def test_edits_are_undone_and_redone_and_foretold_each_time() -> None:
    model, desk, _ = studied(EMPTY_LIST)
    assert model.forecast is not None
    assert model.forecast.status == 400
    edits = fixes_of(model)
    model.take_edits(edits, "fix")  # type: ignore[arg-type]
    desk.rest()
    assert (model.edits, model.forecast.status) == (edits, 200)
    assert model.undo()
    desk.rest()
    assert (model.edits, model.forecast.status) == ((), 400)
    assert model.redo()
    assert model.edits == edits
    assert not model.redo()


def test_each_request_has_edits_of_its_own() -> None:
    model, _, _ = studied(EMPTY_LIST)
    edits = fixes_of(model)
    model.take_edits(edits, "fix")  # type: ignore[arg-type]
    model.choose_step(1)
    assert model.edits == ()
    assert not model.undo()
    model.choose_step(2)
    assert model.edits == edits


def test_edits_change_before_the_step_that_they_belong_to_is_shown() -> None:
    model, _, _ = studied(EMPTY_LIST)
    model.take_edits(fixes_of(model), "fix")  # type: ignore[arg-type]
    told: list[str] = []
    model.observe(told.append)
    model.choose_step(1)
    assert told.index("edits") < told.index("shown") < told.index(SETTLED)


def test_a_forecast_that_comes_too_late_is_dropped() -> None:
    model, desk, _ = studied(EMPTY_LIST)
    model.take_edits(fixes_of(model), "fix")  # type: ignore[arg-type]
    late = desk.do("foretell")
    model.undo()
    late()
    assert model.forecast is not None
    assert model.forecast.edits == (), "that of before still stands"
    desk.rest()
    assert model.forecast.status == 400


def test_edits_that_cannot_be_made_are_said() -> None:
    model, desk, _ = studied(EMPTY_LIST)
    (edit, *_) = fixes_of(model)
    bad = replace(edit, pointer="/nowhere/at/all")  # type: ignore[type-var]
    model.take_edits([bad], "bad")  # type: ignore[list-item]
    desk.rest()
    assert model.forecast is not None
    assert model.forecast.problem
    assert model.forecast.status is None


# --- Growing --------------------------------------------------------------------------


def test_the_same_session_read_again_shows_nothing_anew() -> None:
    model, desk, reader = studied(EMPTY_LIST)
    shown = model.shown
    told: list[str] = []
    model.observe(told.append)
    reader.read_again(model.document)
    desk.rest()
    assert model.shown is shown
    assert "shown" not in told
    assert "edits" not in told


@pytest.mark.parametrize("name", [EMPTY_LIST, MISSING])
def test_rows_pass_through_the_source_of_the_session(name: str) -> None:
    desk = FakeDesk()
    plain = model_of(name, desk)
    model = DebuggerModel(
        plain.engine,
        plain.document,
        desk,
        rows=lambda facts: tuple(replace(fact, word="held") for fact in facts),
    )
    model.begin()
    assert {fact.word for fact in model.facts} == {"held"}
