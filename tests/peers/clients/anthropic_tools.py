"""A streamed tool loop with the anthropic SDK.

    anthropic_tools.py [all | calls | split | stripped]

`all` sends every block back as it came; `calls` leaves the thinking out, `split` makes
two messages of a reply, `stripped` empties the texts of thinking. Prints the last text
and the status.
"""

from __future__ import annotations

import json
import sys

import anthropic

TOOL = {
    "name": "list_files",
    "input_schema": {"type": "object", "properties": {"folder": {"type": "string"}}},
}


def kept(blocks, how):
    """The messages that a reply becomes."""
    thinking = [block for block in blocks if block["type"] == "thinking"]
    others = [block for block in blocks if block["type"] != "thinking"]
    if how == "calls":
        return [others]
    if how == "split" and thinking:
        return [thinking, others]
    if how == "stripped":
        return [[*({**block, "thinking": ""} for block in thinking), *others]]
    return [blocks]


def main(how="all"):
    client = anthropic.Anthropic(max_retries=0)
    messages = [{"role": "user", "content": "List the files"}]
    for _ in range(4):
        try:
            with client.messages.stream(
                model="claude-sonnet-4-5",
                max_tokens=4096,
                thinking={"type": "enabled", "budget_tokens": 1024},
                tools=[TOOL],
                messages=messages,
            ) as stream:
                answer = stream.get_final_message()
        except anthropic.APIStatusError as error:
            return {"text": None, "status": error.status_code}
        blocks = [block.to_dict(exclude_none=True) for block in answer.content]
        messages += [{"role": "assistant", "content": m} for m in kept(blocks, how)]
        calls = [block for block in blocks if block["type"] == "tool_use"]
        if not calls:
            return {"text": blocks[-1]["text"], "status": 200}
        results = [
            {"type": "tool_result", "tool_use_id": call["id"], "content": "notes.md"}
            for call in calls
        ]
        messages.append({"role": "user", "content": results})
    return {"text": None, "status": None}


print(json.dumps(main(*sys.argv[1:])))
