"""A request of the Responses API as one of chat completions.

Text, calls and results go over; sealed reasoning does not, for the model behind the
other API could not open it. What has no counterpart there makes it impossible.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sigscope.conversation import Json

_KEPT = (
    "model",
    "stream",
    "temperature",
    "top_p",
    "tool_choice",
    "parallel_tool_calls",
)
_TEXTS = ("input_text", "output_text", "text")


class _NoCounterpartError(Exception):
    """Something of the request cannot be said in chat completions."""


def chat_body(body: dict[str, Json]) -> dict[str, Json] | None:
    """The body for `/chat/completions`; None where it cannot be carried over."""
    if body.get("previous_response_id"):
        return None
    try:
        messages = list(_messages(body))
        tools = [_tool(tool) for tool in body.get("tools") or ()]
    except (_NoCounterpartError, TypeError, AttributeError):
        return None
    made = {key: body[key] for key in _KEPT if key in body}
    return {**made, "messages": messages, **({"tools": tools} if tools else {})}


def _messages(body: dict[str, Json]) -> Iterator[dict[str, Any]]:
    if isinstance(body.get("instructions"), str):
        yield {"role": "system", "content": body["instructions"]}
    given = body.get("input")
    items = given if isinstance(given, list) else [{"role": "user", "content": given}]
    waiting: dict[str, Any] | None = None
    for item in items:
        kind = str(item.get("type", "message"))
        if kind == "reasoning":
            continue
        if kind == "function_call":
            waiting = waiting or {"role": "assistant", "content": None}
            waiting.setdefault("tool_calls", []).append(_call(item))
            continue
        if kind == "message" and item.get("role") == "assistant":
            if waiting:
                yield waiting
            waiting = {"role": "assistant", "content": _text(item.get("content"))}
            continue
        if waiting:
            yield waiting
            waiting = None
        yield _other(kind, item)
    if waiting:
        yield waiting


def _other(kind: str, item: dict[str, Any]) -> dict[str, Any]:
    if kind == "function_call_output":
        text = _text(item.get("output"))
        return {"role": "tool", "tool_call_id": item.get("call_id"), "content": text}
    if kind != "message":
        raise _NoCounterpartError
    role = "system" if item.get("role") == "developer" else item.get("role")
    return {"role": role, "content": _text(item.get("content"))}


def _call(item: dict[str, Any]) -> dict[str, Any]:
    function = {"name": item.get("name"), "arguments": item.get("arguments", "{}")}
    return {"id": item.get("call_id"), "type": "function", "function": function}


def _tool(tool: dict[str, Any]) -> dict[str, Any]:
    if tool.get("type") != "function":
        raise _NoCounterpartError
    kept = ("name", "description", "parameters", "strict")
    return {
        "type": "function",
        "function": {key: tool[key] for key in kept if key in tool},
    }


def _text(content: Json) -> str:
    """Text alone; images and files are not carried over."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise _NoCounterpartError
    if not all(block.get("type") in _TEXTS for block in content):
        raise _NoCounterpartError
    return "".join(block["text"] for block in content)
