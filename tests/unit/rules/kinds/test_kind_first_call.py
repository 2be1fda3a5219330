"""The first call of a step that Gemini, behind chat completions, finds unsigned."""

from __future__ import annotations

from tests.unit.rules import gemini_openai_cases as compatible
from tests.unit.rules.cases import bench

from sigscope.rules.base import Claim, Severity
from sigscope.rules.kinds.first_call import FIRST_CALL

AT = "/messages/1/tool_calls/0/extra_content"


def said(*calls: object) -> list[Claim]:
    sent = compatible.then(
        compatible.calls(*calls), compatible.DONE, came=compatible.TWO, answer=None
    )
    return list(FIRST_CALL(bench(sent).subject(2)))


def test_its_place_is_the_dialects_home_of_calls() -> None:
    (claim,) = said(compatible.READ, compatible.TWO[1])
    assert claim.said.startswith("extra_content.google.thought_signature is missing")
    assert "content 2" in claim.said
    assert [edit.pointer for edit in claim.fix or ()] == [AT]


def test_a_value_on_its_sibling_does_not_stand_for_it() -> None:
    extra = {"google": {"thought_signature": "Ek9BQUFBQUFBQUFBQUFBQUFBQUFBQUFB"}}
    (claim,) = said(compatible.READ, {**compatible.TWO[1], "extra_content": extra})
    assert "thought_signature is missing" in claim.said
    assert claim.worst is Severity.WARNING
    assert [edit.pointer for edit in claim.fix or ()] == [AT]


def test_a_signed_one_and_its_parallel_sibling_are_fine() -> None:
    assert said(*compatible.TWO) == []
