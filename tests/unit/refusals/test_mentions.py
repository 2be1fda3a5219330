"""Nodes that an error names in words that no rule knows."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.rules.cases import bench, exchange

from sigscope.refusals.records import Refusal

BODY: dict[str, Any] = {
    "model": "wise-one-9",
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "hi"}]},
        {"role": "assistant", "tool_calls": [{"id": "call_77", "type": "function"}]},
    ],
    "tools": [{"function": {"name": "ls", "parameters": {"type": "odd"}}}],
    "tool_choice": "required",
    "stream": True,
}


def refusal(message: str, **error: Any) -> Refusal:
    told = {"error": {"message": message, **error}}
    url = "https://llm.example.test/api/talk"
    return bench([exchange(url, BODY, told, status=400)]).refusals[1]


@pytest.mark.parametrize(
    ("message", "pointers"),
    [
        ("messages.0.content.0: odd text", ("/messages/0/content/0",)),
        ("Invalid value at 'messages[1].role'", ("/messages/1/role",)),
        (
            "tools.0.function.parameters.type: no",
            ("/tools/0/function/parameters/type",),
        ),
        ("what is call_77 for?", ("/messages/1/tool_calls/0",)),
        ("tool_choice is not supported", ("/tool_choice",)),
        ("Unknown parameter: 'stream'.", ("/stream",)),
        ("model wise-one-9 is asleep", ("/model",)),
        ("the messages and the tools of the model", ()),
        ("see docs.example.test/messages.0 or v1.2", ()),
        ("everything is wrong", ()),
    ],
)
def test_words_name_nodes(message: str, pointers: tuple[str, ...]) -> None:
    assert refusal(message).pointers == pointers


def test_the_field_that_the_error_gives_comes_first() -> None:
    found = refusal("`stream` and more is wrong", param="messages[1].role")
    assert found.pointers == ("/messages/1/role",)


def test_a_path_that_leads_beyond_the_request_is_said_to_not_fit() -> None:
    found = refusal("messages.7.content.0: odd text")
    assert found.pointers == ()
    assert "does not fit" in found.note
    assert "2 entries, counted from 0" in found.note


def test_a_missing_member_points_at_what_lacks_it() -> None:
    found = refusal("missing", param="messages[1].content")
    assert found.pointers == ("/messages/1",)
    assert "messages[1].content" in found.note
