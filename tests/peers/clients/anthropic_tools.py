"""A streamed tool loop with the anthropic SDK, thinking blocks sent back as they came.

Prints the last text.
"""

from __future__ import annotations

import json

import anthropic

TOOL = {
    "name": "list_files",
    "input_schema": {"type": "object", "properties": {"folder": {"type": "string"}}},
}


def main():
    client = anthropic.Anthropic(max_retries=0)
    messages = [{"role": "user", "content": "List the files"}]
    for _ in range(4):
        with client.messages.stream(
            model="claude-sonnet-4-5",
            max_tokens=4096,
            thinking={"type": "enabled", "budget_tokens": 1024},
            tools=[TOOL],
            messages=messages,
        ) as stream:
            answer = stream.get_final_message()
        blocks = [block.to_dict(exclude_none=True) for block in answer.content]
        messages.append({"role": "assistant", "content": blocks})
        calls = [block for block in blocks if block["type"] == "tool_use"]
        if not calls:
            return {"text": blocks[-1]["text"]}
        results = [
            {"type": "tool_result", "tool_use_id": call["id"], "content": "notes.md"}
            for call in calls
        ]
        messages.append({"role": "user", "content": results})
    return {"text": None}


print(json.dumps(main()))
