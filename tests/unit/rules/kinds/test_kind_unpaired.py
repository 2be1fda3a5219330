"""Calls and results without their other half."""

from __future__ import annotations

from tests.unit.rules import copilot_chat_cases as copilot
from tests.unit.rules.cases import bench

from sigscope.rules.base import Subject
from sigscope.rules.kinds.unpaired import Unpaired, orphans, unanswered

ASTRAY = [copilot.HI, copilot.result("gone")]
WAITING = [copilot.HI, copilot.calls("ls"), copilot.user("Go on")]


def everyone(_: Subject) -> bool:
    return True


def pointers(messages: list[object], kind: Unpaired) -> list[str]:
    return [c.pointer for c in kind(bench([copilot.ask(messages)]).subject(1))]


def test_each_walk_finds_its_half() -> None:
    both = Unpaired(among=everyone, walks=(orphans, unanswered))
    assert pointers(ASTRAY, both) == ["/messages/1"]
    assert pointers(WAITING, both) == ["/messages/1/tool_calls/0"]
    assert pointers(WAITING, Unpaired(among=everyone, walks=(orphans,))) == []


def test_a_request_that_is_not_judged_has_none() -> None:
    nobody = Unpaired(among=lambda _: False, walks=(orphans, unanswered))
    assert pointers(ASTRAY, nobody) == []


def test_a_result_is_put_to_its_call_though_a_later_call_has_the_same_id() -> None:
    called = copilot.calls("ls")
    name = called["tool_calls"][0]["id"]
    again = [copilot.HI, called, copilot.result("gone"), copilot.user("Again"), called]
    found = Unpaired(among=everyone, walks=(orphans,))(
        bench([copilot.ask(again)]).subject(1)
    )
    (claim,) = found
    assert claim.pointer == "/messages/2"
    (edit,) = claim.fix or ()
    assert (edit.pointer, edit.value) == ("/messages/2/tool_call_id", f'"{name}"')
