"""A tool loop with langchain-google-genai: its messages are the history.

argv: MODEL, `whole` or `stream`. Prints the status and the last text.
"""

from __future__ import annotations

import json
import sys

from google.genai import errors
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_google_genai import ChatGoogleGenerativeAI

QUESTION = "List the files, then read notes.md and todo.md"


@tool
def list_files(folder: str) -> str:
    """Lists the files of a folder."""
    return "notes.md todo.md"


@tool
def read_file(path: str) -> str:
    """Reads a file."""
    return f"What is in {path}: Buy milk."


TOOLS = {"list_files": list_files, "read_file": read_file}


def ask(model, messages, how):
    if how == "whole":
        return model.invoke(messages)
    pieces = list(model.stream(messages))
    return sum(pieces[1:], start=pieces[0])


def loop(name, how):
    model = ChatGoogleGenerativeAI(model=name, max_retries=1)
    model = model.bind_tools(list(TOOLS.values()))
    messages = [HumanMessage(QUESTION)]
    for _ in range(4):
        answer = ask(model, messages, how)
        messages.append(answer)
        if not answer.tool_calls:
            return answer.text
        for call in answer.tool_calls:
            said = TOOLS[call["name"]].invoke(call["args"])
            messages.append(ToolMessage(said, tool_call_id=call["id"]))
    return None


def main(name, how):
    try:
        return {"status": 200, "text": str(loop(name, how))}
    except errors.APIError as error:
        return {"status": error.code, "text": None}


print(json.dumps(main(*sys.argv[1:])))
