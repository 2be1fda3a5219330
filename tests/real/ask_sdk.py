"""A tool loop of the OpenAI or Anthropic SDK, for their debug logs and for tracing.

    sigscope simulate copilot-chat --port 8917 --seed 7
    OPENAI_LOG=debug python tests/real/ask_sdk.py openai http://127.0.0.1:8917
    python tests/real/ask_sdk.py serve 8918        # a made-up Messages API
    ANTHROPIC_LOG=debug python tests/real/ask_sdk.py anthropic http://127.0.0.1:8918

The loop with OpenAI's ends in a request that has lost its signature, and its refusal.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

QUESTION = 'List the files in „Größe“, it\'s "urgent", then read notes.md'
SCHEMA = {"type": "object", "properties": {"folder": {"type": "string"}}}
SIGNATURE = "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQQ=="
CONTENT = [
    {"type": "thinking", "thinking": "hm", "signature": SIGNATURE},
    {"type": "tool_use", "id": "toolu_1", "name": "list_files", "input": {}},
]


def ask_openai(url: str) -> None:
    from openai import OpenAI

    client = OpenAI(base_url=url, api_key="sk-none", max_retries=0)
    function = {"name": "list_files", "parameters": SCHEMA}
    fixed: dict[str, Any] = {
        "model": "gemini-3-pro-preview",
        "tools": [{"type": "function", "function": function}],
    }
    messages: list[Any] = [{"role": "user", "content": QUESTION}]
    for _ in range(3):
        answer = client.chat.completions.create(messages=messages, **fixed)
        said = answer.choices[0].message.model_dump(exclude_none=True)
        messages.append(said)
        for call in said.get("tool_calls", ()):
            result = {"role": "tool", "tool_call_id": call["id"], "content": "notes.md"}
            messages.append(result)
    for message in messages:
        message.pop("reasoning_opaque", None)
    client.chat.completions.create(messages=messages[:3], **fixed)


def ask_anthropic(url: str) -> None:
    from anthropic import Anthropic

    client = Anthropic(base_url=url, api_key="sk-none")
    tool = {"name": "list_files", "input_schema": SCHEMA}
    fixed: dict[str, Any] = {"model": "claude-x", "max_tokens": 99, "tools": [tool]}
    messages: list[Any] = [{"role": "user", "content": QUESTION}]
    answer = client.messages.create(messages=messages, **fixed)
    said = [block.model_dump(exclude_none=True) for block in answer.content]
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "notes.md"}
    messages.append({"role": "assistant", "content": said})
    messages.append({"role": "user", "content": [result]})
    client.messages.create(messages=messages, **fixed)


class _Handler(BaseHTTPRequestHandler):
    server_version, sys_version = "made-up", ""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        usage = {"input_tokens": 1, "output_tokens": 2}
        said = {"id": "msg_1", "type": "message", "role": "assistant", "usage": usage}
        said |= {"model": "claude-x", "content": CONTENT, "stop_reason": "tool_use"}
        body = json.dumps(said).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


if __name__ == "__main__":
    how, where = sys.argv[1:]
    if how == "serve":
        ThreadingHTTPServer(("127.0.0.1", int(where)), _Handler).serve_forever()
    else:
        {"openai": ask_openai, "anthropic": ask_anthropic}[how](where)
