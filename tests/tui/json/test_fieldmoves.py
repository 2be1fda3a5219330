"""Moving and copying by pointing: checked against what edits do to the bytes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sigscope.edits.apply import apply
from sigscope.edits.records import Edit, Op
from sigscope.jsontext import JsonText, Node
from sigscope.tui.json.fieldmoves import Carry, goal_of, named, put
from sigscope.tui.json.overlay import Overlay
from sigscope.tui.json.source import JsonSource
from sigscope.tui.json.toggles import NoToggle, Toggled

BODY: dict[str, Any] = {
    "model": "m",
    "messages": [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "sig": "s1", "parts": []},
        {"role": "tool", "sig": "s2"},
    ],
    "a/b": {},
}
RAW = json.dumps(BODY).encode()


def overlay(*edits: Edit) -> Overlay:
    return Overlay(JsonSource(JsonText(RAW)), edits)


def node(over: Overlay, pointer: str) -> Node:
    found = over.source.maybe_locate(pointer)
    assert found is not None
    return found


def carried(
    origin: str,
    target: str,
    *edits: Edit,
    inside: bool = False,
    op: Carry = Op.MOVE,
) -> Toggled | NoToggle:
    over = overlay(*edits)
    moved = node(over, origin)
    goal = goal_of(over.source, moved, node(over, target), inside=inside)
    return put(over, moved, goal, op)


def body(outcome: Toggled | NoToggle) -> Any:
    assert isinstance(outcome, Toggled), outcome
    return json.loads(apply(outcome.edits, RAW))


def reason(outcome: Toggled | NoToggle) -> str:
    assert isinstance(outcome, NoToggle), outcome
    return outcome.reason


def test_an_element_goes_before_the_one_pointed_at() -> None:
    outcome = carried("/messages/0", "/messages/2")
    roles = [message["role"] for message in body(outcome)["messages"]]
    assert roles == ["assistant", "user", "tool"]
    assert isinstance(outcome, Toggled)
    assert outcome.label == "move /messages/0 before /messages/2"
    assert outcome.edits == (
        Edit(op=Op.MOVE, source="/messages/0", pointer="/messages/2"),
    )


def test_an_unfolded_array_takes_an_element_at_its_end() -> None:
    outcome = carried("/messages/0", "/messages", inside=True)
    roles = [message["role"] for message in body(outcome)["messages"]]
    assert roles == ["assistant", "tool", "user"]


def test_an_unfolded_object_takes_a_member_under_its_name() -> None:
    outcome = carried("/messages/0/content", "/messages/2", inside=True)
    found = body(outcome)["messages"]
    assert found[2] == {"role": "tool", "sig": "s2", "content": "hi"}
    assert found[0] == {"role": "user"}


def test_a_member_goes_beside_the_member_pointed_at() -> None:
    outcome = carried("/messages/1/sig", "/messages/0/role")
    assert body(outcome)["messages"][0]["sig"] == "s1"


def test_a_member_of_the_same_name_is_replaced_and_that_is_said() -> None:
    outcome = carried("/messages/1/sig", "/messages/2/role", op=Op.COPY)
    assert isinstance(outcome, Toggled)
    assert outcome.label == "copy /messages/1/sig in place of /messages/2/sig"
    found = body(outcome)["messages"]
    assert (found[1]["sig"], found[2]["sig"]) == ("s1", "s1")


def test_an_element_needs_a_name_to_become_a_member() -> None:
    over = overlay()
    moved = node(over, "/messages/0")
    goal = goal_of(over.source, moved, node(over, "/a~1b"), inside=True)
    assert (goal.pointer, goal.needs_name) == ("/a~1b", True)
    goal = named(over.source, moved, goal.pointer, "x/y")
    assert body(put(over, moved, goal, Op.MOVE))["a/b"] == {"x/y": BODY["messages"][0]}


@pytest.mark.parametrize(
    ("origin", "target", "inside"),
    [
        ("/messages/0", "/messages/0", False),
        ("/messages/0", "/messages/1", False),
        ("/messages/2", "/messages", True),
        ("/model", "/messages", False),
        ("/messages/0/role", "/messages/0/content", False),
    ],
)
def test_what_would_change_nothing_is_no_edit(
    origin: str, target: str, inside: bool
) -> None:
    assert "stands there already" in reason(carried(origin, target, inside=inside))


def test_an_element_is_doubled_by_copying_it_before_itself() -> None:
    outcome = carried("/messages/1", "/messages/1", op=Op.COPY)
    found = body(outcome)["messages"]
    assert found[1] == found[2] == BODY["messages"][1]


def test_a_member_cannot_be_copied_onto_itself() -> None:
    assert "already" in reason(carried("/model", "/messages", op=Op.COPY))


def test_a_value_does_not_go_into_itself() -> None:
    outcome = carried("/messages/1", "/messages/1/parts", inside=True)
    assert "into itself" in reason(outcome)


def test_moving_again_takes_the_first_move_back() -> None:
    first = carried("/messages/0", "/messages/2")
    assert isinstance(first, Toggled)
    again = carried("/messages/0", "/messages", *first.edits, inside=True)
    assert isinstance(again, Toggled)
    assert [edit.pointer for edit in again.edits] == ["/messages/-"]


def test_an_edit_inside_is_not_lost_without_a_word() -> None:
    inside = Edit(op=Op.SET, pointer="/messages/0/content", value="null")
    assert "set /messages/0/content to null" in reason(
        carried("/messages/0", "/messages/2", inside)
    )
    copied = carried("/messages/0", "/messages/2", inside, op=Op.COPY)
    assert isinstance(copied, Toggled)
    assert copied.label.endswith("as recorded")
