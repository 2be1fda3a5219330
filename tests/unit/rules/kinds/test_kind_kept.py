"""Texts that were changed while their signature was kept."""

from __future__ import annotations

from tests.unit.rules import gemini_cases as gemini
from tests.unit.rules.cases import bench

from sigscope.conversation import PartKind
from sigscope.rules.base import Claim, Severity
from sigscope.rules.kinds.kept import Reworded

KIND = Reworded(
    kind=PartKind.THOUGHT,
    member="text",
    what="thought",
    worst=lambda subject, _: Severity.WARNING if subject.step == 2 else None,
)


def thought(text: str) -> dict[str, object]:
    return {"text": text, "thought": True, "thoughtSignature": gemini.S1}


def said(text: str) -> list[Claim]:
    brought = [thought("I will look first."), gemini.call("ls", gemini.S2)]
    sent = [thought(text), gemini.call("ls", gemini.S2)]
    exchanges = gemini.two_steps(brought, [gemini.model(*sent), gemini.results("ls")])
    return list(KIND(bench(exchanges).subject(2)))


def test_a_changed_text_is_told_and_comes_back() -> None:
    (claim,) = said("...")
    assert claim.pointer == "/contents/1/parts/0/text"
    assert "3 characters where 18 were received" in claim.said
    assert [edit.value for edit in claim.fix or ()] == ['"I will look first."']
    assert claim.worst is Severity.WARNING


def test_the_text_as_it_came_is_none() -> None:
    assert said("I will look first.") == []
