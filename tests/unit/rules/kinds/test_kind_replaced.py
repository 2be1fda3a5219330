"""Stand-ins where the genuine signature is known."""

from __future__ import annotations

from tests.unit.rules import gemini_cases as gemini
from tests.unit.rules.cases import BYPASS, bench

from sigscope.rules.base import Claim, Severity
from sigscope.rules.kinds.replaced import Replaced
from sigscope.rules.losses import nothing

SENT = [gemini.model(gemini.call("ls", BYPASS)), gemini.results("ls")]


def said(kind: Replaced) -> list[Claim]:
    exchanges = gemini.two_steps([gemini.call("ls", gemini.S1)], SENT)
    return list(kind(bench(exchanges).subject(2)))


def test_one_of_the_current_turn_warns_and_the_genuine_one_comes_back() -> None:
    (claim,) = said(Replaced())
    assert claim.severity is Severity.WARNING
    assert "was replaced by skip_thought_signature_validator" in claim.said
    assert [edit.value for edit in claim.fix or ()] == [f'"{gemini.S1}"']


def test_one_that_is_not_grave_is_a_remark_where_it_is_first() -> None:
    assert [c.severity for c in said(Replaced(grave=nothing))] == [Severity.INFO]


def test_a_stand_in_for_nothing_is_in_order() -> None:
    found = bench([gemini.ask([gemini.HI, *SENT])])
    assert list(Replaced()(found.subject(1))) == []
