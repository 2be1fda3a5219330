"""A tool loop with the LiteLLM SDK, its debug log on stdout.

argv: MODEL, API_BASE, and how to ask: `whole` or `stream`.
"""

from __future__ import annotations

import sys

import litellm

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
QUESTION = 'List the files in „Größe“, it\'s "urgent", then read notes.md'


litellm._turn_on_debug()


def ask(messages, model, base, how):
    settings = {"model": model, "messages": messages, "tools": TOOLS, "api_base": base}
    if how == "whole":
        return litellm.completion(**settings).choices[0].message
    chunks = list(litellm.completion(stream=True, **settings))
    return litellm.stream_chunk_builder(chunks).choices[0].message


def main(model, base, how):
    messages = [{"role": "user", "content": QUESTION}]
    for _ in range(4):
        message = ask(messages, model, base, how)
        messages.append(message.model_dump(exclude_none=True))
        if not message.tool_calls:
            return message.content
        for call in message.tool_calls:
            answer = {"role": "tool", "tool_call_id": call.id, "content": "notes.md"}
            messages.append(answer)
    return None


assert main(*sys.argv[1:])
