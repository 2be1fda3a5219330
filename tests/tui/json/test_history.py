"""Undo and redo of edits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sigscope.edits.records import Edit, Op
from sigscope.tui.json.history import MOST, EditHistory

A = Edit(op=Op.DROP, pointer="/a")
B = Edit(op=Op.DROP, pointer="/b")


def test_undo_goes_back_and_redo_comes_again() -> None:
    history = EditHistory()
    history.push((A,), "drop /a")
    history.push((A, B), "drop /b")
    assert history.undo() == (A,)
    assert history.undo() == ()
    assert history.redo() == (A,)
    assert history.redo() == (A, B)


def test_undo_at_the_beginning_changes_nothing() -> None:
    history = EditHistory((A,))
    assert not history.can_undo
    assert history.undo() == (A,)
    assert history.redo() == (A,)


def test_labels_name_what_would_be_undone_and_redone() -> None:
    history = EditHistory()
    history.push((A,), "drop /a")
    assert (history.undo_label, history.redo_label) == ("drop /a", "")
    history.undo()
    assert (history.undo_label, history.redo_label) == ("", "drop /a")


def test_a_push_after_an_undo_forgets_what_was_undone() -> None:
    history = EditHistory()
    history.push((A,), "a")
    history.undo()
    history.push((B,), "b")
    assert not history.can_redo
    assert history.undo() == ()


def test_the_same_edits_are_no_step() -> None:
    history = EditHistory()
    assert not history.push((), "nothing")
    assert not history.can_undo


def test_the_oldest_states_go_when_there_are_too_many() -> None:
    history = EditHistory()
    for number in range(MOST + 50):
        history.push((Edit(op=Op.DROP, pointer=f"/{number}"),), "x")
    for _ in range(2 * MOST):
        history.undo()
    assert history.edits == (Edit(op=Op.DROP, pointer="/50"),)


@given(st.lists(st.sampled_from([(), (A,), (B,), (A, B)]), max_size=20))
def test_undoing_everything_and_redoing_it_ends_where_it_began(
    states: list[tuple[Edit, ...]],
) -> None:
    history = EditHistory()
    for state in states:
        history.push(state, "x")
    end = history.edits
    while history.can_undo:
        history.undo()
    assert history.edits == ()
    while history.can_redo:
        history.redo()
    assert history.edits == end
