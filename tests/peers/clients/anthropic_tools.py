"""A streamed tool loop with the anthropic SDK.

argv: `thinking` (the default) or `sealed` (the model is asked for redacted thinking),
and how an answer is kept: `all` (every block as it came), `rebuilt` (the thinking's
text put together anew, each line on its own), `rebuilt-later` (only once the next
answer is there), `without-thinking`, `without-redacted`, `without-signatures`,
`without-text` (signatures without what they sign), `split` (thinking in a message of
its own).
Prints the last status, the error's text and the last text.
"""

from __future__ import annotations

import json
import sys

import anthropic

TOOLS = [
    {
        "name": name,
        "input_schema": {"type": "object", "properties": {key: {"type": "string"}}},
    }
    for name, key in (("list_files", "folder"), ("read_file", "path"))
]
QUESTION = "List the files, then read notes.md and todo.md"
TRIGGER = (
    "ANTHROPIC_MAGIC_STRING_TRIGGER_REDACTED_THINKING"
    "_46C9A13E193C177646C7398A98432ECCCE4C1253D5E2D82641AC0E52CC2876CB"
)
DROPPED = {"without-thinking": "thinking", "without-redacted": "redacted_thinking"}


def rebuild(blocks):
    for block in blocks:
        if block["type"] == "thinking":
            lines = (line.strip() for line in block["thinking"].splitlines())
            block["thinking"] = " ".join(line for line in lines if line)


def keep(blocks, how):
    if how == "rebuilt":
        rebuild(blocks)
    if how == "without-signatures":
        for block in blocks:
            block.pop("signature", None)
    if how == "without-text":
        for block in blocks:
            if block["type"] == "thinking":
                block["thinking"] = ""
    return [block for block in blocks if block["type"] != DROPPED.get(how)]


def messages_of(blocks, how):
    """What a reply becomes."""
    contents = [keep(blocks, how)]
    if how == "split":
        thinking = [block for block in blocks if block["type"] == "thinking"]
        contents = [thinking, [block for block in blocks if block not in thinking]]
    return [{"role": "assistant", "content": content} for content in contents]


def main(kind="thinking", how="all"):
    client = anthropic.Anthropic(max_retries=0)
    question = f"{QUESTION} {TRIGGER}" if kind == "sealed" else QUESTION
    messages = [{"role": "user", "content": question}]
    for _ in range(4):
        if how == "rebuilt-later":
            for message in messages[1:-2:2]:
                rebuild(message["content"])
        try:
            with client.messages.stream(
                model="claude-sonnet-4-5",
                max_tokens=4096,
                thinking={"type": "enabled", "budget_tokens": 1024},
                tools=TOOLS,
                messages=messages,
                extra_headers={"anthropic-beta": "interleaved-thinking-2025-05-14"},
            ) as stream:
                answer = stream.get_final_message()
        except anthropic.APIStatusError as error:
            said = error.body["error"]["message"]
            return {"status": error.status_code, "error": said, "text": None}
        blocks = [block.to_dict(exclude_none=True) for block in answer.content]
        calls = [block for block in blocks if block["type"] == "tool_use"]
        if not calls:
            return {"status": 200, "error": None, "text": blocks[-1]["text"]}
        messages += messages_of(blocks, how)
        results = [
            {"type": "tool_result", "tool_use_id": call["id"], "content": "notes.md"}
            for call in calls
        ]
        messages.append({"role": "user", "content": results})
    return {"status": 0, "error": None, "text": None}


print(json.dumps(main(*sys.argv[1:])))
