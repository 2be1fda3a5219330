"""A client's tool loop in plain HTTP, with and without what it was given."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "read_file",
            "parameters": {"type": "object", "properties": {"path": {}}},
        },
    }
]
KNOWN = ("role", "content", "tool_calls")


def ask(base_url: str, model: str, messages: list[Any]) -> tuple[int, Any]:
    """One request of chat completions: status and answer."""
    body = {"model": model, "messages": messages, "tools": TOOLS}
    request = urllib.request.Request(
        f"{base_url}/chat/completions",
        json.dumps(body).encode(),
        {"content-type": "application/json", "authorization": "Bearer any"},
    )
    try:
        with OPENER.open(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def loop(
    base_url: str, model: str, *, keeps: bool, question: str = "Look at my notes"
) -> list[Any]:
    """Until it answers or refuses: all messages. `keeps`: every field of an answer."""
    messages: list[Any] = [{"role": "user", "content": question}]
    for _ in range(8):
        status, answer = ask(base_url, model, messages)
        if status != 200:
            break
        message = answer["choices"][0]["message"]
        known = {key: message[key] for key in KNOWN if key in message}
        messages.append(message if keeps else known)
        if not message.get("tool_calls"):
            break
        messages += [
            {"role": "tool", "tool_call_id": call["id"], "content": "Buy milk."}
            for call in message["tool_calls"]
        ]
    return messages
