"""A tool loop with the openai SDK, streamed.

argv: MODEL, and how an answer is kept: `all` (every field of every delta), `known`
(the fields of the SDK only), `tidy` (the same, and ids without what stands behind
`__thought__`), `helper` (what `chat.completions.stream` accumulated).
Prints the last status and the last text.
"""

from __future__ import annotations

import json
import sys

import openai

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
QUESTION = "List the files, then read notes.md"


def gather(chunks, how):
    message = {"role": "assistant", "content": None}
    calls = {}
    for chunk in chunks:
        for choice in chunk.choices:
            delta = choice.delta
            for key, value in (delta.model_extra or {}).items() if how == "all" else ():
                extend(message, key, value)
            if delta.content:
                extend(message, "content", delta.content)
            for piece in delta.tool_calls or ():
                call = calls.setdefault(piece.index, {"type": "function"})
                call["id"] = piece.id or call["id"]
                function = call.setdefault("function", {"name": "", "arguments": ""})
                function["name"] += piece.function.name or ""
                function["arguments"] += piece.function.arguments or ""
    for call in calls.values() if how == "tidy" else ():
        call["id"] = call["id"].partition("__thought__")[0]
    if calls:
        message["tool_calls"] = list(calls.values())
    return message


def extend(message, key, value):
    old = message.get(key)
    if isinstance(old, (str, list)) and isinstance(value, type(old)):
        message[key] = old + value
    elif value is not None:
        message[key] = value


def ask(client, messages, model, how):
    settings = {"model": model, "messages": messages, "tools": TOOLS}
    if how == "helper":
        with client.chat.completions.stream(**settings) as stream:
            final = stream.get_final_completion()
        return final.choices[0].message.to_dict(exclude_none=True)
    chunks = client.chat.completions.create(stream=True, **settings)
    return gather(chunks, how)


def main(model, how):
    client = openai.OpenAI(max_retries=0)
    messages = [{"role": "user", "content": QUESTION}]
    for _ in range(4):
        try:
            message = ask(client, messages, model, how)
        except openai.APIStatusError as error:
            return {"status": error.status_code, "text": None}
        messages.append(message)
        if not message.get("tool_calls"):
            return {"status": 200, "text": message["content"]}
        for call in message["tool_calls"]:
            answer = {"role": "tool", "tool_call_id": call["id"], "content": "notes.md"}
            messages.append(answer)
    return {"status": 0, "text": None}


print(json.dumps(main(*sys.argv[1:])))
