"""What the chat completions dialects share: messages read and made into contents."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from sigscope.upstreams.simulator.contents import Content, ContentPart
from sigscope.upstreams.simulator.records import Json, as_dict, as_list, as_text

Sign = Callable[[dict[str, Any], str, Content], None]
"""Puts the signatures of an assistant message on the parts made from it: message,
its pointer, its content."""


def translate(messages: Json, sign: Sign) -> list[Content]:
    """Messages as Google's contents: system left out, neighbouring results joined.

    Assistant messages stay apart: a message with the signature followed by one with
    the call leaves the call unsigned (docs/wire/copilot-chat.md#policy).
    """
    contents: list[Content] = []
    names: dict[str, str] = {}
    for index, entry in enumerate(as_list(messages)):
        message = as_dict(entry)
        pointer = f"/messages/{index}"
        role = message.get("role")
        if role == "assistant":
            content = assistant_content(message, pointer)
            names |= {part.call_id: part.name for part in content.calls}
            sign(message, pointer, content)
            if content.parts:
                contents.append(content)
        elif role in ("tool", "function"):
            part = result_part(message, pointer, names)
            if contents and contents[-1].has("result"):
                contents[-1].parts.append(part)
            else:
                contents.append(Content(role="user", pointer=pointer, parts=[part]))
        elif role not in ("system", "developer"):
            parts = message_parts(message, pointer)
            contents.append(Content(role="user", pointer=pointer, parts=parts))
    return contents


def on_calls(*paths: str) -> Sign:
    """Each call has its own at one of these paths below it; the last counts."""

    def sign(message: dict[str, Any], pointer: str, content: Content) -> None:
        calls = as_list(message.get("tool_calls"))
        for part, call in zip(content.calls, calls, strict=True):
            for path in paths:
                value = call
                for key in path.split("/"):
                    value = as_dict(value).get(key)
                if isinstance(value, str) and value:
                    part.signature = value
                    part.signature_pointer = f"{part.pointer}/{path}"

    return sign


def assistant_content(message: dict[str, Json], pointer: str) -> Content:
    """Text first, then calls, nothing signed."""
    parts = [part for part in message_parts(message, pointer) if part.text]
    for number, entry in enumerate(as_list(message.get("tool_calls"))):
        call = as_dict(entry)
        function = as_dict(call.get("function"))
        parts.append(
            ContentPart(
                kind="call",
                pointer=f"{pointer}/tool_calls/{number}",
                name=as_text(function.get("name")),
                call_id=as_text(call.get("id")),
                arguments=parse_arguments(function.get("arguments")),
            )
        )
    return Content(role="model", pointer=pointer, parts=parts)


def result_part(
    message: dict[str, Json], pointer: str, names: dict[str, str]
) -> ContentPart:
    """A tool message as a function response; its name is looked up by call id."""
    call_id = as_text(message.get("tool_call_id"))
    text = message_text(message)
    return ContentPart(
        kind="result",
        pointer=pointer,
        name=names.get(call_id) or as_text(message.get("name")),
        call_id=call_id,
        text=text,
        arguments={"content": text},
    )


def message_parts(message: dict[str, Json], pointer: str) -> list[ContentPart]:
    """The content of a message, string or list."""
    content = message.get("content")
    if isinstance(content, str):
        return [ContentPart(kind="text", pointer=f"{pointer}/content", text=content)]
    parts = []
    for number, entry in enumerate(as_list(content)):
        item = as_dict(entry)
        place = f"{pointer}/content/{number}"
        text = entry if isinstance(entry, str) else item.get("text")
        if isinstance(text, str):
            parts.append(ContentPart(kind="text", pointer=place, text=text))
        else:
            parts.append(
                ContentPart(kind="data", pointer=place, raw={"inlineData": {}})
            )
    return parts


def message_text(message: dict[str, Json]) -> str:
    """All text of a message's content."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "".join(part.text for part in message_parts(message, ""))


def system_text(messages: Json) -> str:
    """All system and developer messages, joined."""
    return "\n".join(
        message_text(message)
        for message in map(as_dict, as_list(messages))
        if message.get("role") in ("system", "developer")
    )


def parse_arguments(value: Json) -> Json:
    """Arguments of a call, which chat completions carry as JSON in a string."""
    if not isinstance(value, str):
        return {} if value is None else value
    try:
        return json.loads(value) if value.strip() else {}
    except (ValueError, RecursionError):
        return {"_": value}
