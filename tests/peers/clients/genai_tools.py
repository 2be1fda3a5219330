"""A tool loop with the google-genai SDK.

argv: MODEL, `chat` (the SDK's chat with automatic calls: it keeps the history itself),
`stream` (the same, streamed) or `forgetful` (a history of one's own that keeps names
and arguments only). Prints the status and the last text.
"""

from __future__ import annotations

import json
import sys

from google import genai
from google.genai import errors, types

QUESTION = "List the files, then read notes.md"


def list_files(folder: str) -> str:
    """Lists the files of a folder."""
    return "notes.md"


def read_file(path: str) -> str:
    """Reads a file."""
    return "Buy milk."


TOOLS = {"list_files": list_files, "read_file": read_file}
CONFIG = types.GenerateContentConfig(tools=list(TOOLS.values()))
BY_HAND = types.GenerateContentConfig(
    tools=list(TOOLS.values()),
    automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
)


def chat(client, model):
    answer = client.chats.create(model=model, config=CONFIG).send_message(QUESTION)
    return answer.text


def stream(client, model):
    pieces = client.chats.create(model=model, config=CONFIG).send_message_stream(
        QUESTION
    )
    return "".join(piece.text or "" for piece in pieces)


def forgetful(client, model):
    history = [types.UserContent(QUESTION)]
    for _ in range(4):
        answer = client.models.generate_content(
            model=model, contents=history, config=BY_HAND
        )
        if not answer.function_calls:
            return answer.text
        calls, results = [], []
        for call in answer.function_calls:
            calls.append(types.Part.from_function_call(name=call.name, args=call.args))
            said = {"result": TOOLS[call.name](**call.args)}
            results.append(
                types.Part.from_function_response(name=call.name, response=said)
            )
        history += [types.ModelContent(calls), types.UserContent(results)]
    return None


def main(model, how):
    client = genai.Client()
    try:
        text = {"chat": chat, "stream": stream, "forgetful": forgetful}[how](
            client, model
        )
    except errors.APIError as error:
        return {"status": error.code, "text": None}
    return {"status": 200, "text": text}


print(json.dumps(main(*sys.argv[1:])))
