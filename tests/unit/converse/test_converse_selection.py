"""Which entries and signatures go into a request."""

from __future__ import annotations

from typing import Any

import pytest
from rehearsals import changed

from sigscope.converse.flows import open_flow
from sigscope.converse.memory import (
    Captured,
    Entry,
    RememberedReply,
    ReplyPiece,
    Results,
    ToolResult,
    Words,
)
from sigscope.converse.policy import Value
from sigscope.converse.selection import STAMPS, choose, in_scope, spell, trim
from sigscope.opaque import maybe_bypass

CALL = RememberedReply(
    pieces=(ReplyPiece(kind="call", call_id="a", name="f"),),
    captured=(Captured(value="S1"),),
)
ANSWER = RememberedReply(
    pieces=(ReplyPiece(kind="text", text="x"),), captured=(Captured(value="S2"),)
)
RESULTS = Results(results=(ToolResult(call_id="a", name="f", text="r"),))
HISTORY: list[Entry] = [
    Words(text="1"),
    CALL,
    RESULTS,
    ANSWER,
    Words(text="2"),
    CALL,
    RESULTS,
]


@pytest.mark.parametrize(
    ("scope", "indices"),
    [("all", range(7)), ("current-turn", range(4, 7)), ("last-message", range(5, 7))],
)
def test_a_scope_covers_the_end_of_the_history(scope: Any, indices: range) -> None:
    assert in_scope(HISTORY, scope) == indices


def test_a_scope_of_nothing_is_empty() -> None:
    assert list(in_scope([], "current-turn")) == []


@pytest.mark.parametrize(
    ("history", "chosen"),
    [
        ({}, [1, 3, 5]),
        ({"answers": False}, [1, 5]),
        ({"signatures": "current-turn"}, [5]),
    ],
)
def test_replies_are_chosen_by_scope_and_kind(
    history: dict[str, Any], chosen: list[int]
) -> None:
    policy = changed("faithful-copilot-chat", history=history)
    assert list(choose(HISTORY, policy, open_flow("event"))) == chosen


def test_replies_with_nothing_captured_are_not_chosen() -> None:
    policy = changed("faithful-copilot-chat")
    bare: list[Entry] = [Words(text="1"), RememberedReply(pieces=())]
    assert choose(bare, policy, open_flow("event")) == {}


def test_trimming_leaves_the_latest() -> None:
    policy = changed("faithful-copilot-chat", history={"messages": 2})
    assert trim(HISTORY, policy) == HISTORY[-2:]
    assert trim(HISTORY, changed("faithful-copilot-chat")) == HISTORY


def test_orphans_go_only_from_the_front() -> None:
    policy = changed(
        "faithful-copilot-chat", history={"messages": 5, "orphans": "dropped"}
    )
    assert trim(HISTORY, policy) == HISTORY[3:]


@pytest.mark.parametrize(
    ("form", "text", "spelled"),
    [
        ("kept", "a+/b", "a+/b"),
        ("url-safe", "a+/b", "a-_b"),
        ("standard", "a-_b", "a+/b"),
        ("encoded-again", "a+/b", "YSsvYg=="),
        ("cut", "abcdef", "abc"),
        ("ellipsis", "abcdef", "abc..."),
        ("name", "abcdef", "thought_signature"),
    ],
)
def test_a_text_is_spelled_as_the_policy_says(
    form: Any, text: str, spelled: str
) -> None:
    value = Value(form=form, length=3)
    assert spell(text, value, "function/thought_signature") == spelled


def test_every_stand_in_is_known_as_one() -> None:
    for name, text in STAMPS.items():
        found = maybe_bypass(text)
        assert found is not None
        assert found.form == ("base64" if name.startswith("base64") else "raw")
