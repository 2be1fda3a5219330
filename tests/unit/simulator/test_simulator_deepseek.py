"""DeepSeek as it is imitated: one field, wanted on every message with calls."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sigscope.upstreams.simulator import Judgement, SimConfig, judge

CALL = {"id": "c", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
DONE = {"role": "tool", "tool_call_id": "c", "content": "a.md"}
HI = {"role": "user", "content": "Look"}


def judged(field: Any, **more: Any) -> Judgement:
    """A closed turn with a call, and this in its field; `...`: no such field."""
    called = {"role": "assistant", "content": "", "tool_calls": [CALL]}
    called |= {} if field is ... else {"reasoning_content": field}
    messages = [HI, called, DONE, {"role": "assistant", "content": "Done."}, HI]
    body = {"model": "deepseek-v4-flash", "messages": messages} | more
    found = judge(SimConfig(dialect="deepseek"), "/v1/chat/completions",
                  json.dumps(body).encode())  # fmt: skip
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("field", "more", "rule"),
    [
        ("I look.", {}, ""),
        ("", {}, ""),
        (None, {}, "DSK-2"),
        (..., {}, "DSK-2"),
        (..., {"model": "deepseek-v3.2"}, "DSK-1"),
        (..., {"model": "deepseek-chat"}, ""),
        (..., {"model": "deepseek-chat", "thinking": {"type": "enabled"}}, "DSK-2"),
        (..., {"thinking": {"type": "disabled"}}, ""),
    ],
)
def test_the_field_has_to_be_there_wherever_it_thinks(
    field: Any, more: dict[str, Any], rule: str
) -> None:
    found = judged(field, **more)
    assert (found.rule, found.status) == (rule, 400 if rule else 200)
    assert found.pointer == ("/messages/1" if rule else "")


def test_a_forced_tool_is_refused_where_it_thinks() -> None:
    assert judged("So.", tool_choice="required").pointer == "/tool_choice"
    assert judged("So.", tool_choice="auto").status == 200


def test_no_request_to_google_is_told_of() -> None:
    assert judged("So.").upstream is None
