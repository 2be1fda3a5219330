"""Signatures that are sent otherwise than they were issued."""

from __future__ import annotations

from tests.unit.rules import copilot_chat_cases as copilot
from tests.unit.rules.cases import bench

from sigscope.rules.base import Claim, Severity
from sigscope.rules.kinds.altered import Altered
from sigscope.rules.losses import nothing

KIND = Altered(
    words="{signature} {damaged}",
    exchanged="another one stands where {signature} belongs",
    worst=lambda _: Severity.WARNING,
)


def said(envelope: str, kind: Altered = KIND) -> list[Claim]:
    sent = copilot.calls("read_file", reasoning_opaque=envelope)
    return list(kind(bench(copilot.two_steps(sent)).subject(2)))


def test_a_damaged_one_goes_back_where_it_stands() -> None:
    (claim,) = said(copilot.E1[:-9])
    assert claim.pointer == "/messages/2/reasoning_opaque"
    size = len(copilot.E1)
    kept = f"{size - 9} of {size} characters kept"
    assert claim.said.endswith(f"was cut on the way: {kept}")
    assert [edit.value for edit in claim.fix or ()] == [f'"{copilot.E1}"']
    assert claim.worst is Severity.WARNING


def test_of_one_as_long_as_it_was_it_is_said_where_it_begins_to_differ() -> None:
    (claim,) = said(f"{copilot.E1[:40]}_{copilot.E1[41:]}")
    assert claim.said.endswith("was altered on the way: differs from character 41 on")


def test_another_one_in_its_place_is_told_in_other_words() -> None:
    (claim,) = said(copilot.E2)
    assert claim.pointer == "/messages/2/reasoning_opaque"
    assert claim.said.startswith("another one stands where reasoning_opaque")


def test_one_that_came_back_is_fine_and_so_is_one_of_another_kind() -> None:
    assert said(copilot.E1) == []
    other = Altered(words="{signature}", exchanged="{signature}", of=nothing)
    assert said(copilot.E2, other) == []
