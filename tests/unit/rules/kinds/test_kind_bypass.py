"""What a bypass took the place of, and what it brings about."""

from __future__ import annotations

import pytest
from tests.unit.rules import gemini_cases as gemini
from tests.unit.rules.cases import BYPASS, BYPASS_64, bench
from tests.unit.rules.gemini_cases import HI, ask
from tests.unit.rules.litellm_cases import FIELDS, a_call, calls, two_steps

from sigscope.opaque import BYPASS_LITERALS, maybe_bypass
from sigscope.rules.base import Claim, Severity
from sigscope.rules.kinds.bypass import Replaced, effect_of, replacement
from sigscope.rules.losses import nothing


@pytest.mark.parametrize(
    ("literal", "effect"),
    [
        (BYPASS_LITERALS[0], "meant to pass"),
        (BYPASS_LITERALS[1], "meant to pass"),
        (BYPASS_LITERALS[2], "misspelt"),
    ],
)
def test_a_misspelt_literal_does_not_pass(literal: str, effect: str) -> None:
    bypass = maybe_bypass(literal)
    assert bypass is not None
    subject = bench([ask([HI])]).subject(1)
    assert effect in effect_of(subject, bypass)


def test_the_place_and_the_form_are_told() -> None:
    subject = bench(two_steps(calls(a_call("ls", BYPASS_64)))).subject(2)
    (loss,) = subject.losses
    pointer, said = replacement(subject, loss)
    assert pointer == f"/messages/1/tool_calls/0/{FIELDS}/thought_signature"
    assert f"{loss.signature.id} (received in step 1) was replaced by" in said
    assert "in base64" in said


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
