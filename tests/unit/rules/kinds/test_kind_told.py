"""What only the answer tells."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.rules.cases import bench
from tests.unit.rules.gemini_cases import HI, ask, refused

from sigscope.refusals import Refusal, RefusalMatch
from sigscope.rules.base import Subject
from sigscope.rules.edits import drop
from sigscope.rules.kinds.told import ToldByAnswer

PLACE = "/contents/0/parts/0"
KIND = ToldByAnswer(
    rule="GEM-8", words="it is not held", fix=lambda _, at: (drop(at, "not held"),)
)


def subject(rule: str) -> Subject:
    match = RefusalMatch(rule=rule, pointers=(PLACE,))
    found = bench([ask([HI], refused("No."), status=400)]).subject(1)
    return replace(found, error=Refusal(status=400, text="No.", matches=(match,)))


def test_the_nodes_that_the_answer_names_are_told_and_mended() -> None:
    (claim,) = KIND(subject("GEM-8"))
    assert (claim.pointer, claim.said) == (PLACE, "it is not held")
    assert [edit.pointer for edit in claim.fix or ()] == [PLACE]


def test_another_rules_words_and_no_answer_tell_nothing() -> None:
    assert list(KIND(subject("GEM-1"))) == []
    assert list(KIND(bench([ask([HI])]).subject(1))) == []


def test_without_words_it_leaves_the_telling_to_the_service() -> None:
    assert list(ToldByAnswer(rule="GEM-8")(subject("GEM-8"))) == []
