"""A client for each dialect that does everything right, and can be told not to.

It reads streams and whole answers, runs tools, and builds the next request from what
it received. Tests spoil its history with functions of their own.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from sigscope.upstreams.simulator import (
    Judgement,
    ResponseStart,
    SimConfig,
    Simulator,
    create_app,
    exchange,
    judge,
)

FILES = {
    "README.md": "# Thing\n\nA thing.\n\n## Roadmap\n\n- [x] C API\n- [ ] Python API\n",
    "a.md": "alpha is the first letter\n",
    "b.md": "beta is the second letter\n",
    "c.md": "gamma is the third letter\n",
}
SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
}
PATHS = {
    "copilot-chat": "/chat/completions",
    "openrouter": "/api/v1/chat/completions",
    "litellm": "/v1/chat/completions",
    "gemini": "/v1beta/models/gemini-3-pro-preview",
    "anthropic": "/v1/messages",
}
BUDGET = {"type": "enabled", "budget_tokens": 2048}


@dataclass
class Said:
    """What came back, as the client understood it."""

    status: int
    raw: bytes
    events: list[Any] = field(default_factory=list)
    """JSON of every event; the whole body as one if not streamed."""
    text: str = ""
    thoughts: str = ""
    calls: list[dict[str, Any]] = field(default_factory=list)
    finish: str = ""
    message: Any = None
    """The entry for the history."""

    @property
    def error(self) -> Any:
        return json.loads(self.raw)


@dataclass
class Client:
    """One conversation in one dialect."""

    app: Simulator
    dialect: str
    model: str = "gemini-3-pro-preview"
    stream: bool = True
    tools: bool = True
    surface: str = "ai-studio"
    """Gemini: which path is used."""
    history: list[Any] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)
    """More members of the request body."""
    spoil: Callable[[dict[str, Any]], None] | None = None
    """Changes a request body before it is sent."""
    last_request: dict[str, Any] = field(default_factory=dict)

    async def turn(self, text: str, rounds: int = 8) -> Said:
        """Ask, run the tools that are called, until an answer or a refusal."""
        self.ask(text)
        said = await self.step()
        for _ in range(rounds):
            if said.status != 200 or not said.calls:
                return said
            said = await self.step()
        raise AssertionError("the model never stopped calling tools")

    def ask(self, text: str) -> None:
        if self.dialect == "gemini":
            self.history.append({"role": "user", "parts": [{"text": text}]})
        else:
            self.history.append({"role": "user", "content": text})

    async def step(self) -> Said:
        """One request; its answer and tool results go into the history."""
        body = self.request()
        if self.spoil:
            self.spoil(body)
        self.last_request = body
        said = await self.send(body)
        if said.status == 200:
            self.history.append(said.message)
            self.history += self._results(said)
        return said

    def request(self) -> dict[str, Any]:
        """A fresh body with a copy of the history."""
        history = json.loads(json.dumps(self.history))
        if self.dialect == "gemini":
            declared = [{"name": "read_file", "parameters": SCHEMA}]
            tools = {"tools": [{"functionDeclarations": declared}]}
            thinking = {"thinkingConfig": {"includeThoughts": True}}
            body = {"contents": history, "generationConfig": thinking}
            return body | (tools if self.tools else {}) | self.extra
        if self.dialect == "anthropic":
            offered = [{"name": "read_file", "input_schema": SCHEMA}]
            body = {"model": "claude-sonnet-4-5", "max_tokens": 4096,
                    "thinking": BUDGET, "stream": self.stream,
                    "messages": history}  # fmt: skip
            return body | ({"tools": offered} if self.tools else {}) | self.extra
        function = {"name": "read_file", "description": "", "parameters": SCHEMA}
        tools = {"tools": [{"type": "function", "function": function}]}
        body = {"model": self.model, "stream": self.stream, "messages": history}
        return body | (tools if self.tools else {}) | self.extra

    @property
    def target(self) -> str:
        if self.dialect != "gemini":
            return PATHS[self.dialect]
        method = "streamGenerateContent?alt=sse" if self.stream else "generateContent"
        if self.surface == "vertex":
            place = "/v1/projects/p/locations/global/publishers/google"
            return f"{place}/models/{self.model}:{method}"
        return f"/v1beta/models/{self.model}:{method}"

    async def send(self, body: dict[str, Any]) -> Said:
        raw, status = b"", 0
        data = json.dumps(body).encode()
        async for part in exchange(self.app, "POST", self.target, (), data):
            if isinstance(part, ResponseStart):
                status = part.status
            else:
                raw += part
        said = Said(status=status, raw=raw)
        if status == 200:
            said.events = events(raw) if self.stream else [json.loads(raw)]
            assemble = {"gemini": _assemble_gemini, "anthropic": _assemble_messages}
            assemble.get(self.dialect, _assemble_chat)(self.dialect, said)
        return said

    def _results(self, said: Said) -> list[Any]:
        if not said.calls:
            return []
        if self.dialect == "anthropic":
            results = [
                {"type": "tool_result", "tool_use_id": call["id"],
                 "content": FILES.get(call["input"].get("path"), "?")}
                for call in said.calls
            ]  # fmt: skip
            return [{"role": "user", "content": results}]
        if self.dialect != "gemini":
            return [
                {
                    "role": "tool",
                    "tool_call_id": call["id"],
                    "content": FILES.get(_path(call["function"]["arguments"]), "?"),
                }
                for call in said.calls
            ]
        parts = []
        for call in said.calls:
            response = {"result": FILES.get(call["args"].get("path"), "?")}
            answer = {"name": call["name"], "response": response}
            if "id" in call:
                answer["id"] = call["id"]
            parts.append({"functionResponse": answer})
        return [{"role": "user", "parts": parts}]


def _path(arguments: str) -> str:
    return str(json.loads(arguments).get("path"))


def events(raw: bytes) -> list[Any]:
    """JSON of each event of a stream; comments and [DONE] left out."""
    found = []
    for line in raw.decode().splitlines():
        if line.startswith("data: ") and line != "data: [DONE]":
            found.append(json.loads(line[6:]))
    return found


def _assemble_gemini(dialect: str, said: Said) -> None:
    parts: list[dict[str, Any]] = []
    for event in said.events:
        candidate = event["candidates"][0]
        parts += candidate.get("content", {}).get("parts", [])
        said.finish = candidate.get("finishReason", said.finish)
    said.calls = [part["functionCall"] for part in parts if "functionCall" in part]
    said.text = "".join(p.get("text", "") for p in parts if not p.get("thought"))
    said.thoughts = "".join(p.get("text", "") for p in parts if p.get("thought"))
    said.message = {"role": "model", "parts": parts}


def _assemble_messages(dialect: str, said: Said) -> None:
    whole: dict[str, Any] = {}
    for event in said.events:
        index = event.get("index")
        if event["type"] == "message":
            whole = event
        elif event["type"] == "message_start":
            whole = event["message"]
        elif event["type"] == "content_block_start":
            assert index == len(whole["content"])
            whole["content"].append(dict(event["content_block"]))
        elif event["type"] == "content_block_delta":
            _grow(whole["content"][index], event["delta"])
        elif event["type"] == "content_block_stop":
            block = whole["content"][index]
            if "pieces" in block:
                block["input"] = json.loads(block.pop("pieces"))
        elif event["type"] == "message_delta":
            whole.update(event["delta"])
    content = whole["content"]
    said.calls = [block for block in content if block["type"] == "tool_use"]
    said.text = "".join(b["text"] for b in content if b["type"] == "text")
    said.thoughts = "".join(b["thinking"] for b in content if b["type"] == "thinking")
    said.finish = whole["stop_reason"]
    said.message = {"role": "assistant", "content": content}


def _grow(block: dict[str, Any], delta: dict[str, Any]) -> None:
    if delta["type"] == "input_json_delta":
        block["pieces"] = block.get("pieces", "") + delta["partial_json"]
    elif delta["type"] == "signature_delta":
        block["signature"] = delta["signature"]
    else:
        (key,) = delta.keys() - {"type"}
        block[key] += delta[key]


def _assemble_chat(dialect: str, said: Said) -> None:
    whole: dict[str, Any] = {"role": "assistant", "content": None}
    calls: dict[int, dict[str, Any]] = {}
    details: list[dict[str, Any]] = []
    for event in said.events:
        choice = event["choices"][0]
        said.finish = choice.get("finish_reason") or said.finish
        delta = choice["delta"] if "delta" in choice else choice["message"]
        for key in ("content", "reasoning_text", "reasoning_content", "reasoning"):
            if delta.get(key):
                whole[key] = (whole.get(key) or "") + delta[key]
        for key in ("reasoning_opaque", "provider_specific_fields"):
            if delta.get(key):
                whole[key] = delta[key]
        for block in delta.get("thinking_blocks") or []:
            known = whole.setdefault("thinking_blocks", [dict(block, thinking="")])
            known[0]["thinking"] += block["thinking"]
            known[0]["signature"] = block["signature"]
        for number, call in enumerate(delta.get("tool_calls") or []):
            _merge_call(calls, call, call.get("index", number))
        for entry in delta.get("reasoning_details") or []:
            _merge_entry(details, entry)
    if details:
        whole["reasoning_details"] = details
    if calls:
        whole["tool_calls"] = said.calls = [calls[key] for key in sorted(calls)]
    said.text = whole["content"] or ""
    said.thoughts = (
        whole.get("reasoning_text")
        or whole.get("reasoning_content")
        or whole.get("reasoning")
        or ""
    )
    whole.pop("reasoning", None)
    said.message = whole


def _merge_call(calls: dict[int, Any], piece: dict[str, Any], number: int) -> None:
    call = calls.setdefault(
        number, {"type": "function", "function": {"name": "", "arguments": ""}}
    )
    for key in ("id", "provider_specific_fields"):
        if key in piece:
            call[key] = piece[key]
    for key in ("name", "arguments"):
        call["function"][key] += piece["function"].get(key) or ""


def _merge_entry(details: list[dict[str, Any]], piece: dict[str, Any]) -> None:
    """By type and index, and id where both have one (docs/wire/openrouter.md)."""
    for entry in details:
        same = (entry["type"], entry["index"]) == (piece["type"], piece["index"])
        ids = {entry.get("id"), piece.get("id")} - {None}
        if same and len(ids) < 2:
            for key in ("text", "summary"):
                if key in piece:
                    entry[key] = entry.get(key, "") + piece[key]
            for key in ("signature", "data", "id", "format"):
                if piece.get(key):
                    entry[key] = piece[key]
            return
    details.append(dict(piece))


def clock() -> float:
    """A clock that stands still."""
    return 1_763_682_744.0


async def begun(
    dialect: str, question: str = "Read a.md", **settings: Any
) -> tuple[Client, dict[str, Any]]:
    """A client that got its first calls, and the second request it would send."""
    config = settings.pop("config", None) or SimConfig()
    client = Client(create_app(config, clock=clock), dialect, **settings)
    client.ask(question)
    said = await client.step()
    assert said.calls
    return client, client.request()


def judged(client: Client, body: dict[str, Any], **changes: Any) -> Judgement:
    """What the client's simulator would answer to a body."""
    config = replace(client.app.config, **changes)
    verdict = judge(config, client.target, json.dumps(body).encode())
    assert verdict is not None
    return verdict
