"""A tool loop with the openrouter SDK, not streamed or streamed.

argv: MODEL, and what is sent back: `whole` (the SDK's own message object), `stream`
(the deltas added up as the SDK's objects give them), `forgetful` (text and calls).
Prints the status and the last text.
"""

from __future__ import annotations

import json
import os
import sys

from openrouter import OpenRouter
from openrouter.errors import OpenRouterError

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "parameters": {"type": "object", "properties": {key: {"type": "string"}}},
        },
    }
    for name, key in (("list_files", "folder"), ("read_file", "path"))
]
QUESTION = "List the files, then read notes.md and todo.md"


def ask(client, messages, model, how):
    settings = {"model": model, "messages": messages, "tools": TOOLS}
    if how == "stream":
        with client.chat.send(stream=True, **settings) as pieces:
            return gather(pieces)
    message = client.chat.send(**settings).choices[0].message
    if how == "forgetful":
        calls = [call.model_dump() for call in message.tool_calls or ()]
        kept = {"role": "assistant", "content": message.content}
        return {**kept, "tool_calls": calls} if calls else kept
    return message.model_dump(by_alias=True)


def gather(pieces):
    message = {"role": "assistant", "content": "", "reasoning_details": []}
    calls = {}
    for piece in pieces:
        for choice in piece.choices:
            delta = choice.delta
            message["content"] += delta.content or ""
            for detail in delta.reasoning_details or ():
                row = detail.model_dump(by_alias=True)
                message["reasoning_details"].append(row)
            for part in delta.tool_calls or ():
                call = calls.setdefault(part.index, {"type": "function"})
                call["id"] = part.id or call["id"]
                function = call.setdefault("function", {"name": "", "arguments": ""})
                function["name"] += part.function.name or ""
                function["arguments"] += part.function.arguments or ""
    if calls:
        message["tool_calls"] = list(calls.values())
    return message


def loop(client, model, how):
    messages = [{"role": "user", "content": QUESTION}]
    for _ in range(4):
        message = ask(client, messages, model, how)
        messages.append(message)
        if not message.get("tool_calls"):
            return message["content"]
        for call in message["tool_calls"]:
            said = {"role": "tool", "tool_call_id": call["id"], "content": "Buy milk."}
            messages.append(said)
    return None


def main(model, how):
    # The SDK reads no variable for its address.
    url, key = os.environ["OPENROUTER_BASE_URL"], os.environ["OPENAI_API_KEY"]
    with OpenRouter(api_key=key, server_url=url) as client:
        try:
            return {"status": 200, "text": loop(client, model, how)}
        except OpenRouterError as error:
            return {"status": error.status_code, "text": None}


print(json.dumps(main(*sys.argv[1:])))
