"""Two requests of the Messages API: the second has the signature that came before."""

from __future__ import annotations

from typing import Any

MODEL = "claude-sonnet-4-5"
SIGNED = "EhYKBggLEAEYAhIMLn0sA6lQeuJl7PW1GAE="
FIRST: list[Any] = [{"role": "user", "content": "look"}]


def content(thought: str = "t") -> list[Any]:
    """Of the first answer."""
    return [
        {"type": "thinking", "thinking": thought, "signature": SIGNED},
        {"type": "tool_use", "id": "t1", "name": "look", "input": {}},
    ]


def following(said: list[Any]) -> list[Any]:
    """The messages of the second request."""
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "x"}
    return [
        *FIRST,
        {"role": "assistant", "content": said},
        {"role": "user", "content": [result]},
    ]


def answer(said: list[Any]) -> dict[str, Any]:
    """The body of an answer."""
    return {"type": "message", "role": "assistant", "model": MODEL, "content": said}
