"""Whatever stands where a signature belongs, and was not issued for that place."""

from __future__ import annotations

import pytest
from tests.unit.rules import gemini_openai_cases as compatible
from tests.unit.rules.cases import bench, claude_signature

from sigscope.rules.base import Claim
from sigscope.rules.kinds.not_issued import NotIssued

KIND = NotIssued(title="Gemini", families=frozenset({"google"}))
AT = "/messages/1/tool_calls/0/extra_content/google/thought_signature"
MISSPELT = "skip_thought_signature_validator"


def said(value: str, **more: object) -> list[Claim]:
    call = compatible.call("read_file", **compatible.under(value))
    sent = compatible.then(
        compatible.calls(call), compatible.DONE, **{"answer": None} | more
    )
    return list(KIND(bench(sent).subject(2)))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (compatible.S1[:41], "was cut on the way: 41 of"),
        (compatible.S2, "another signature stands where"),
        (MISSPELT, "was replaced by"),
        (claude_signature("x"), "another signature stands where"),
    ],
)
def test_each_fault_is_told_once_and_at_its_place(value: str, words: str) -> None:
    found = [claim for claim in said(value) if words in claim.said]
    assert [claim.pointer for claim in found] == [AT]
    assert [e.value for e in found[0].fix or ()] == [f'"{compatible.S1}"']


def test_what_is_no_base64_on_another_call_is_told_of_the_one_that_is_lost() -> None:
    other = compatible.call("list_dir", **compatible.under("no base64!"))
    both = compatible.calls(compatible.READ, other)
    sent = compatible.then(both, compatible.DONE, came=compatible.TWO, answer=None)
    (claim,) = KIND(bench(sent).subject(2))
    assert claim.said.endswith("belongs is no base64")
    assert claim.pointer == AT.replace("/0/", "/1/")


def test_what_was_issued_is_fine() -> None:
    assert said(compatible.S1) == []


def test_an_accepted_request_is_not_asked_about_its_looks() -> None:
    call = compatible.call("read_file", **compatible.under(claude_signature("x")))
    history = [compatible.HI, compatible.calls(call), compatible.DONE]
    refused = bench([compatible.ask(history, compatible.MISSING, status=400)])
    accepted = bench([compatible.ask(history, compatible.FINE)])
    assert [claim.pointer for claim in KIND(refused.subject(1))] == [AT]
    assert list(KIND(accepted.subject(1))) == []
