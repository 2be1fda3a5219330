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
    assert (history.undo(), history.edits) == ("drop /b", (A,))
    assert (history.undo(), history.edits) == ("drop /a", ())
    assert (history.redo(), history.edits) == ("drop /a", (A,))
    assert (history.redo(), history.edits) == ("drop /b", (A, B))


def test_where_there_is_nothing_to_undo_nothing_is_said_to_be_undone() -> None:
    history = EditHistory((A,))
    assert not history.can_undo
    assert (history.undo(), history.redo(), history.edits) == (None, None, (A,))


def test_a_push_after_an_undo_forgets_what_was_undone() -> None:
    history = EditHistory()
    history.push((A,), "a")
    history.undo()
    history.push((B,), "b")
    assert not history.can_redo
    assert (history.undo(), history.edits) == ("b", ())


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
