"""What is known of a factor is what was answered, never what was believed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sigscope.bisect import FactorStanding, Knowledge, Observation, prove, prove_needed

ALL = frozenset(range(1, 6))
PASSES, FAILS, UNCLEAR = Observation.PASSES, Observation.FAILS, Observation.UNCLEAR


def standings(known: Knowledge) -> dict[int, FactorStanding]:
    return {factor: known.standing(factor) for factor in sorted(ALL)}


def test_at_first_everything_is_open() -> None:
    known = Knowledge(ALL)
    known.learn(frozenset(), FAILS)
    assert {*standings(known).values()} == {FactorStanding.OPEN}


def test_a_set_that_passes_frees_the_others_and_its_own_stay_open() -> None:
    known = Knowledge(ALL)
    known.learn(frozenset({1, 2}), PASSES)
    known.learn(frozenset({1}), FAILS)
    assert known.standing(2) is FactorStanding.NEEDED
    assert known.standing(1) is FactorStanding.OPEN
    assert known.count(FactorStanding.NOT_NEEDED) == 3


def test_what_was_needed_is_open_again_in_a_smaller_set() -> None:
    known = Knowledge(ALL)
    known.learn(frozenset({1, 2, 3}), PASSES)
    known.learn(frozenset({2, 3}), FAILS)
    assert known.standing(1) is FactorStanding.NEEDED
    known.learn(frozenset({1, 2}), PASSES)
    assert known.standing(1) is FactorStanding.OPEN


def test_no_clear_answer_tells_nothing() -> None:
    known = Knowledge(ALL)
    known.learn(ALL, PASSES)
    known.learn(ALL - {1}, UNCLEAR)
    assert known.standing(1) is FactorStanding.OPEN


def test_both_ways_is_no_knowledge_at_all() -> None:
    known = Knowledge(ALL)
    known.learn(frozenset({1}), PASSES)
    known.learn(frozenset({1}), FAILS)
    assert known.is_flaky
    assert {*standings(known).values()} == {FactorStanding.OPEN}


@given(
    passing=st.sets(st.frozensets(st.integers(1, 5)), max_size=20),
    hint=st.frozensets(st.integers(1, 5)),
    keeps=st.booleans(),
)
def test_in_the_end_it_says_what_the_proof_says(
    passing: set[frozenset[int]], hint: frozenset[int], *, keeps: bool
) -> None:
    known = Knowledge(ALL, keeps=keeps)
    search = prove_needed(ALL, hint) if keeps else prove(ALL, hint)
    question = next(search)
    while True:
        answer = PASSES if question in passing else FAILS
        known.learn(question, answer)
        try:
            question = search.send(answer)
        except StopIteration as end:
            proof = end.value
            break
    needed = {n for n in ALL if known.standing(n) is FactorStanding.NEEDED}
    if proof.minimal is None:
        assert {*standings(known).values()} == {FactorStanding.OPEN}
    else:
        assert needed == proof.minimal
        assert known.count(FactorStanding.OPEN) == 0 or keeps
