"""Signatures that stand where they are not read."""

from __future__ import annotations

from typing import Any

from tests.unit.rules import copilot_chat_cases as copilot
from tests.unit.rules.cases import bench

from sigscope.rules.base import Claim
from sigscope.rules.kinds.misplaced import Misplaced

KIND = Misplaced(words="which nobody reads", why="nobody reads it there")


def said(sent: dict[str, Any]) -> list[Claim]:
    return list(KIND(bench(copilot.two_steps(sent)).subject(2)))


def test_one_goes_home_where_the_home_is_known() -> None:
    call = copilot.a_call("read_file") | {"thought_signature": copilot.E1}
    (claim,) = said(copilot.calls() | {"tool_calls": [call]})
    assert claim.pointer == "/messages/2/tool_calls/0/thought_signature"
    assert "stands in tool_calls/0/thought_signature, which nobody reads" in claim.said
    assert [edit.pointer for edit in claim.fix or ()] == [
        claim.pointer,
        "/messages/2/reasoning_opaque",
    ]


def test_one_beside_the_other_in_its_place_goes_away() -> None:
    sent = copilot.calls("read_file", reasoning_opaque=copilot.E1)
    (claim,) = said(sent | {"thought_signature": copilot.E1})
    (edit,) = claim.fix or ()
    assert (edit.pointer, edit.label) == (
        claim.pointer,
        "take it away: nobody reads it there",
    )


def test_one_in_its_place_is_none() -> None:
    assert said(copilot.calls("read_file", reasoning_opaque=copilot.E1)) == []
