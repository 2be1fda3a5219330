"""A tool loop with the Responses API of the openai SDK, streamed.

argv: `stored` or `stateless` (`store: false`, with the sealed reasoning asked for),
and how an answer is kept: `all` (every item), `chained` (by `previous_response_id`),
`without-reasoning`, `without-blobs`, `without-latest` (the reasoning of the last answer
goes), `without-ids` (no reasoning, no ids), `reasoning-last` (behind what it led to).
Prints the last status, the error's text and the last text.
"""

from __future__ import annotations

import json
import sys

import openai

TOOLS = [
    {
        "type": "function",
        "name": name,
        "parameters": {"type": "object", "properties": {key: {"type": "string"}}},
    }
    for name, key in (("list_files", "folder"), ("read_file", "path"))
]
QUESTION = "List the files, then read notes.md and todo.md"


def keep(items, how):
    if how == "reasoning-last":
        return sorted(items, key=lambda item: item["type"] == "reasoning")
    kept = []
    for item in items:
        is_reasoning = item["type"] == "reasoning"
        if is_reasoning and how in ("without-reasoning", "without-ids"):
            continue
        if is_reasoning and how == "without-blobs":
            item.pop("encrypted_content", None)
        if how == "without-ids":
            item.pop("id")
        kept.append(item)
    return kept


def main(storage, how):
    client = openai.OpenAI(max_retries=0)
    settings = {"model": "gpt-5.2", "tools": TOOLS, "reasoning": {"summary": "auto"}}
    if storage == "stateless":
        settings |= {"store": False, "include": ["reasoning.encrypted_content"]}
    history = [{"role": "user", "content": QUESTION}]
    fresh = history
    for step in range(4):
        try:
            with client.responses.stream(input=fresh, **settings) as stream:
                answer = stream.get_final_response()
        except openai.APIStatusError as error:
            said = error.body["message"] if isinstance(error.body, dict) else None
            return {"status": error.status_code, "error": said, "text": None}
        calls = [item for item in answer.output if item.type == "function_call"]
        if not calls:
            return {"status": 200, "error": None, "text": answer.output_text}
        items = [item.to_dict(exclude_none=True) for item in answer.output]
        if how == "without-latest" and step:
            items = keep(items, "without-reasoning")
        history += keep(items, how)
        results = [
            {
                "type": "function_call_output",
                "call_id": call.call_id,
                "output": "notes.md",
            }
            for call in calls
        ]
        history += results
        if how == "chained":
            settings["previous_response_id"] = answer.id
            fresh = results
    return {"status": 0, "error": None, "text": None}


print(json.dumps(main(*sys.argv[1:])))
