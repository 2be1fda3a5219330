"""Stored answers with the openai SDK: made in the background, polled, asked for again.

Prints the states while it is polled, the kinds of what was said and answered, the tool
that the service ran by itself, and the status of an answer that is not kept.
"""

from __future__ import annotations

import json

import openai


def main():
    client = openai.OpenAI(max_retries=0)
    answer = client.responses.create(
        model="gpt-5.2",
        input="Search the web for the weather.",
        tools=[{"type": "web_search"}],
        store=True,
        background=True,
    )
    states = [answer.status]
    while answer.status in ("queued", "in_progress") and len(states) < 5:
        answer = client.responses.retrieve(answer.id)
        states.append(answer.status)
    items = client.responses.input_items.list(answer.id, order="asc")
    try:
        client.responses.retrieve("resp_000000")
        unknown = 200
    except openai.NotFoundError as error:
        unknown = error.status_code
    return {
        "states": states,
        "said": [item.type for item in items],
        "answered": [item.type for item in answer.output],
        "text": bool(answer.output_text),
        "unknown": unknown,
    }


if __name__ == "__main__":
    print(json.dumps(main()))
