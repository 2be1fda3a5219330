"""Signatures under another of the names that their calls have for one."""

from __future__ import annotations

import json
from typing import Any

from tests.unit.rules import copilot_chat_cases as copilot
from tests.unit.rules import gemini_openai_cases as compatible
from tests.unit.rules.cases import bench

from sigscope.edits.records import Op
from sigscope.rules.base import Claim
from sigscope.rules.kinds.renamed import Renamed

ABOVE = "/messages/1/tool_calls/0/extra_content"


def said(came: dict[str, Any], sent: dict[str, Any]) -> list[Claim]:
    exchanges = compatible.then(
        compatible.calls(compatible.call("read_file", **sent)),
        compatible.DONE,
        came=(compatible.call("read_file", **came),),
        answer=None,
    )
    return list(Renamed()(bench(exchanges).subject(2)))


def test_it_goes_back_under_its_own_name_alone() -> None:
    came, sent = (compatible.under(compatible.S1, w) for w in ("vertex", "google"))
    (claim,) = said(came, sent)
    assert claim.pointer == f"{ABOVE}/google/thought_signature"
    assert "came under extra_content.vertex and is sent under google" in claim.said
    drop, put = claim.fix or ()
    assert (drop.op, drop.pointer) == (Op.DROP, f"{ABOVE}/google")
    assert put.pointer == f"{ABOVE}/vertex"
    assert json.loads(put.value or "") == {"thought_signature": compatible.S1}


def test_under_both_names_it_is_right() -> None:
    word = {"thought_signature": compatible.S1}
    both = {"extra_content": {"google": word, "vertex": word}}
    assert said(compatible.under(compatible.S1), both) == []


def test_a_dialect_whose_calls_have_one_name_is_not_meant() -> None:
    sent = copilot.calls("read_file", reasoning_opaque=copilot.E1)
    assert list(Renamed()(bench(copilot.two_steps(sent)).subject(2))) == []
