"""What the rules cost, beside merely parsing the same JSON."""

from __future__ import annotations

import base64
import json
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sigscope.dialects.registry import DIALECTS
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.session import Session, Step
from sigscope.wire.frames import frame

SESSIONS = Path(__file__).parents[1] / "sessions"
STEPS = 60
FILLER = 20_000
"""Characters of tool result added per step, as agents send them."""
DENSE_STEPS = 200
DENSE_FILLER = 1000
MODEL = "gemini-3-pro-preview"
OPAQUE = "reasoning_opaque"


def rows() -> Iterator[dict[str, Any]]:
    """`check` on a conversation of long texts, and on one dense with signatures."""
    yield _row("long texts", _long_conversation())
    yield _row("a signature each", dense_conversation())


def _row(what: str, steps: list[Step]) -> dict[str, Any]:
    bodies = [body for step in steps for body in _bodies(step)]
    size = sum(map(len, bodies)) / 1e6
    return {
        "name": f"check: {len(steps)} steps, {what}, {size:.0f} MB",
        "ours": lambda: _time(lambda: Document(_session(steps), DIALECTS).findings),
        "references": {
            "json.loads": lambda: _time(lambda: [json.loads(b) for b in bodies])
        },
        "ratio": 3.0,
        "rounds": 5,
    }


def _bodies(step: Step) -> Iterator[bytes]:
    """What is JSON as a whole; of a stream, the data of its events."""
    exchange = step.exchange
    if exchange.request is not None:
        yield exchange.request.body.raw
    if exchange.response is not None:
        raw = exchange.response.body.raw
        if raw.startswith(b"data:"):
            events = frame(raw, "sse").events
            yield from (e.data for e in events if e.data.startswith(b"{"))
        else:
            yield raw


def _time(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def _session(steps: list[Step]) -> Session:
    return Session(id="bench", steps=tuple(steps))


def _long_conversation() -> list[Step]:
    """A bundled request, grown by tool results until it is as long as agents' are."""
    session = open_file(SESSIONS / "zed-copilot-final-fix.session.jsonl")
    last = session.steps[-1].exchange
    assert last.request is not None
    body = json.loads(last.request.body.raw)
    turn = [m for m in body["messages"] if m["role"] != "system"]
    made: list[Step] = []
    for number in range(1, STEPS + 1):
        for message in turn:
            grown = dict(message)
            if grown["role"] == "tool":
                grown["content"] = "line of a file\n" * (FILLER // 15)
            body["messages"].append(grown)
        raw = json.dumps(body).encode()
        request = Request(
            method=last.request.method,
            url=last.request.url,
            headers=last.request.headers,
            body=Body(raw=raw),
        )
        exchange = Exchange(request=request, response=last.response)
        made.append(Step(number=number, id=f"s{number}", exchange=exchange))
    return made


def dense_conversation(steps: int = DENSE_STEPS, *, loses: bool = False) -> list[Step]:
    """An agent's tool loop: each step brings a signature, and sends all before it.

    `loses`: the client gives none of the signatures back.
    """
    messages: list[Any] = [
        {"role": "system", "content": "You work in a repository."},
        {"role": "user", "content": "Look at every file and tell me what you find."},
    ]
    made: list[Step] = []
    for number in range(1, steps + 1):
        reply = _reply(number)
        request = Request(
            method="POST",
            url="https://api.githubcopilot.com/chat/completions",
            body=Body(raw=_spelled({"model": MODEL, "messages": messages})),
        )
        choice = {"index": 0, "finish_reason": "tool_calls", "message": reply}
        response = Response(
            status=200,
            headers=(("content-type", "application/json"),),
            body=Body(raw=_spelled({"model": MODEL, "choices": [choice]})),
        )
        exchange = Exchange(request=request, response=response)
        made.append(Step(number=number, id=f"s{number}", exchange=exchange))
        content = f"line {number} of a file\n" * (DENSE_FILLER // 20)
        result = {"role": "tool", "tool_call_id": f"call_{number}", "content": content}
        said = {k: v for k, v in reply.items() if not (loses and k == OPAQUE)}
        messages = [*messages, said, result]
    return made


def _reply(number: int) -> dict[str, Any]:
    arguments = json.dumps({"path": f"src/file_{number}.py"})
    function = {"name": "read_file", "arguments": arguments}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": f"call_{number}", "type": "function", "function": function}
        ],
        "reasoning_text": f"I look at file {number}.",
        OPAQUE: _signature(number),
    }


def _signature(number: int) -> str:
    """As long as Copilot's are, and like no other."""
    return base64.b64encode(random.Random(number).randbytes(1000)).decode()


def _spelled(body: dict[str, Any]) -> bytes:
    return json.dumps(body).encode()
