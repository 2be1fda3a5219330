"""Signatures of other services, by the record or by their first bytes."""

from __future__ import annotations

from tests.unit.rules import copilot_chat_cases as copilot
from tests.unit.rules.cases import bench, claude_signature, envelope, gemini_signature

from sigscope.rules.base import Claim
from sigscope.rules.edits import drop
from sigscope.rules.kinds.foreign import Foreign


def said(value: str, kind: Foreign) -> list[Claim]:
    """Of a value in a request whose history was not recorded."""
    sent = copilot.calls("read_file", reasoning_opaque=value)
    history = [copilot.HI, sent, copilot.result("read_file")]
    return list(kind(bench([copilot.ask(history)]).subject(1)))


def test_first_bytes_of_another_vendor_tell_whose_it_is() -> None:
    kind = Foreign(
        title="Copilot", fix=lambda _, sighting: (drop(sighting.pointer, "not ours"),)
    )
    (claim,) = said(claude_signature("x"), kind)
    assert claim.pointer == "/messages/1/reasoning_opaque"
    assert claim.said.endswith("not Copilot's own")
    assert [edit.pointer for edit in claim.fix or ()] == [claim.pointer]


def test_its_own_looks_and_no_looks_at_all_are_not_judged() -> None:
    assert said(gemini_signature("x"), Foreign(title="Gemini", families=GEMINI)) == []
    assert said(envelope("x"), Foreign(title="Copilot")) == []


GEMINI = frozenset({"google"})
