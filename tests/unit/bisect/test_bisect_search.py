"""The search finds 1-minimal sets, whatever the service is like."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.bisect import Observation, Proof, minimise, prove, prove_needed

Question = frozenset[int]
T = TypeVar("T")
ALL = frozenset(range(1, 13))


def drive(
    search: Generator[Question, Observation, T], tell: Callable[[Question], Observation]
) -> tuple[T, list[Question]]:
    """Answer every question; the result, and the distinct questions in their order."""
    asked: dict[Question, Observation] = {}
    question = next(search)
    while True:
        if question not in asked:
            asked[question] = tell(question)
        assert len(asked) < 5000
        try:
            question = search.send(asked[question])
        except StopIteration as end:
            return end.value, list(asked)


def needs(*factors: int) -> Callable[[Question], Observation]:
    wanted = frozenset(factors)
    return lambda q: Observation.PASSES if wanted <= q else Observation.FAILS


def test_two_of_twelve_are_proven_in_four_questions_when_the_hint_is_right() -> None:
    proof, asked = drive(prove(ALL, frozenset({3, 9})), needs(3, 9))
    assert proof == Proof(minimal=frozenset({3, 9}), is_proven=True)
    assert asked == [frozenset(), frozenset({3, 9}), frozenset({9}), frozenset({3})]


@pytest.mark.parametrize("needed", [(1,), (12,), (3, 9), (1, 2, 12), tuple(ALL)])
def test_a_hint_that_holds_too_much_is_tightened(needed: tuple[int, ...]) -> None:
    proof, _ = drive(prove(ALL, ALL), needs(*needed))
    assert proof == Proof(minimal=frozenset(needed), is_proven=True)


@pytest.mark.parametrize("hint", [{5}, {3, 5}, {3}])
def test_a_hint_that_is_wrong_is_given_up(hint: set[int]) -> None:
    proof, asked = drive(prove(ALL, frozenset(hint)), needs(3, 9))
    assert proof == Proof(minimal=frozenset({3, 9}), is_proven=True)
    assert ALL in asked


def test_one_factor_of_many_takes_few_questions() -> None:
    everything = frozenset(range(256))
    found, asked = drive(minimise(everything), needs(77))
    assert found == {77}
    assert len(asked) <= 20


def test_what_passes_as_it_is_needs_nothing() -> None:
    proof, asked = drive(prove(ALL, ALL), lambda _: Observation.PASSES)
    assert proof == Proof(minimal=frozenset(), is_proven=True)
    assert asked == [frozenset()]


def test_what_nothing_helps_is_said_to_be_so() -> None:
    proof, asked = drive(prove(ALL, frozenset({1})), lambda _: Observation.FAILS)
    assert proof == Proof(minimal=None, is_proven=True)
    assert asked == [frozenset(), frozenset({1}), ALL]


def test_a_service_that_tells_nothing_proves_nothing() -> None:
    proof, asked = drive(prove(ALL, ALL), lambda _: Observation.UNCLEAR)
    assert proof.minimal is None
    assert not proof.is_proven
    assert asked == [frozenset()]


def test_an_unclear_answer_leaves_a_doubt() -> None:
    def tell(question: Question) -> Observation:
        if question == frozenset({3}):
            return Observation.UNCLEAR
        return needs(3, 9)(question)

    proof, _ = drive(prove(ALL, frozenset({3, 9})), tell)
    assert proof.minimal == {3, 9}
    assert not proof.is_proven
    assert proof.doubts == (frozenset({3}),)


def test_of_two_ways_one_is_found() -> None:
    def tell(question: Question) -> Observation:
        is_well = {2, 4} <= question or {7} <= question
        return Observation.PASSES if is_well else Observation.FAILS

    proof, _ = drive(prove(ALL, ALL), tell)
    assert proof.minimal in ({2, 4}, {7})
    assert proof.is_proven


@given(
    passing=st.sets(st.frozensets(st.integers(1, 7)), max_size=30),
    hint=st.frozensets(st.integers(1, 7)),
)
def test_whatever_the_service_is_like_the_claim_holds(
    passing: set[Question], hint: Question
) -> None:
    """Not only where more factors help more: any set of sets may pass."""
    everything = frozenset(range(1, 8))

    def tell(question: Question) -> Observation:
        return Observation.PASSES if question in passing else Observation.FAILS

    proof, asked = drive(prove(everything, hint), tell)
    assert proof.is_proven
    if proof.minimal is None:
        assert not {frozenset(), hint, everything} & passing
        return
    assert proof.minimal in passing
    for factor in proof.minimal:
        without = proof.minimal - {factor}
        assert without in asked
        assert without not in passing


def breaks_without(*factors: int) -> Callable[[Question], Observation]:
    wanted = frozenset(factors)
    return lambda q: Observation.PASSES if wanted <= q else Observation.FAILS


def test_what_is_needed_takes_two_questions_more_than_there_are_of_it() -> None:
    proof, asked = drive(prove_needed(ALL, frozenset({3, 9})), breaks_without(3, 9))
    assert proof == Proof(minimal=frozenset({3, 9}), is_proven=True)
    assert asked == [ALL, ALL - {3}, ALL - {9}, frozenset({3, 9})]


@pytest.mark.parametrize("hint", [set(), {3}, {3, 4}, ALL])
def test_a_wrong_belief_about_what_is_needed_is_corrected(hint: set[int]) -> None:
    proof, asked = drive(prove_needed(ALL, frozenset(hint)), breaks_without(3, 9))
    assert proof == Proof(minimal=frozenset({3, 9}), is_proven=True)
    assert proof.minimal in asked  # that the others may go at once is seen


def test_what_is_refused_with_all_of_it_needs_something_else() -> None:
    proof, asked = drive(prove_needed(ALL, ALL), lambda _: Observation.FAILS)
    assert proof == Proof(minimal=None, is_proven=True)
    assert asked == [ALL]


def test_no_clear_answer_is_no_proof_of_need() -> None:
    def tell(question: Question) -> Observation:
        is_vague = question == ALL - {9}
        return Observation.UNCLEAR if is_vague else breaks_without(3)(question)

    proof, _ = drive(prove_needed(ALL, frozenset({3, 9})), tell)
    assert proof.minimal == frozenset({3})
    assert not proof.is_proven
    assert proof.doubts == (ALL - {9},)


@pytest.mark.parametrize("needed", [(1,), (3, 9), (1, 2, 12), tuple(ALL)])
def test_without_any_belief_many_are_taken_away_at_once(
    needed: tuple[int, ...],
) -> None:
    proof, asked = drive(prove(ALL, ALL, is_blind=True), needs(*needed))
    assert proof == Proof(minimal=frozenset(needed), is_proven=True)
    _, plainly = drive(minimise(ALL), needs(*needed))
    assert len(asked) <= len(plainly) + 2 + len(needed)
