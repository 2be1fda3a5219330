"""A chat completions request as one of the Responses API.

Text, images, calls and results go over; signatures do not, for the model behind the
other API could not open them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sigscope.conversation import Json

_KEPT = ("model", "stream", "temperature", "top_p", "parallel_tool_calls")


def responses_body(body: dict[str, Json]) -> dict[str, Json] | None:
    """The body for `/responses`; None where it cannot be carried over."""
    try:
        items = list(_items(body["messages"]))
        tools = [
            {"type": "function", **tool["function"]} for tool in body.get("tools", ())
        ]
    except (KeyError, TypeError, AttributeError):
        return None
    made = {key: body[key] for key in _KEPT if key in body}
    made |= {"input": items, "store": False, "tools": tools}
    return {**made, "include": ["reasoning.encrypted_content"]}


def _items(messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for message in messages:
        role, content = message["role"], message.get("content")
        if role == "tool":
            yield {
                "type": "function_call_output",
                "call_id": message["tool_call_id"],
                "output": content,
            }
            continue
        if content:
            yield {"role": role, "content": _content(content, role)}
        for call in message.get("tool_calls") or ():
            function = call["function"]
            yield {
                "type": "function_call",
                "call_id": call["id"],
                "name": function["name"],
                "arguments": function["arguments"],
            }


def _content(content: Json, role: str) -> Json:
    if isinstance(content, str):
        return content
    return [_block(block, role) for block in content]


def _block(block: dict[str, Any], role: str) -> dict[str, Any]:
    if block["type"] == "image_url":
        return {"type": "input_image", "image_url": block["image_url"]["url"]}
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": kind, "text": block["text"]}
