"""A small made-up session: a Copilot conversation that lost its signature.

Steps: 1 calls a tool and brings a signature, 2 loses it and is refused, 3 sends it and
gets an answer with a second one, 4 goes on, 5 asks for a title.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from sigscope.engine.sessions.document import Document
from sigscope.exchange import Body, Chunk, Exchange, Request, Response
from sigscope.session import Session, Step

URL = "https://api.githubcopilot.com/chat/completions"
MODEL = "gemini-3-pro-preview"


def signature(seed: str, length: int) -> str:
    """Base64-like text that is always the same."""
    text = ""
    while len(text) < length:
        text += hashlib.sha256(f"{seed}{len(text)}".encode()).hexdigest()
    return "XLn4" + text[: length - 4]


FIRST = signature("first", 1464)
SECOND = signature("second", 812)
CALL_ID = "call_MHxRaWZIYjJsNEd"
README = "# PROS\nKernel for the VEX V5 robot brain.\n\n## Roadmap\n* hot linking\n"


def sse(
    deltas: Sequence[dict[str, Any]], finish: str, start: float, pace: float
) -> tuple[bytes, tuple[Chunk, ...]]:
    """A stream of chat chunks, one HTTP chunk each."""
    parts, chunks, at = b"", [], start
    for index, delta in enumerate([*deltas, None]):
        choice = {"index": 0, "delta": delta or {}, "finish_reason": None}
        if delta is None:
            choice["finish_reason"] = finish
        data = {"id": f"gen-{index}", "model": MODEL, "choices": [choice]}
        parts += b"data: " + json.dumps(data).encode() + b"\n\n"
        chunks.append(Chunk(end=len(parts), at_ms=at))
        at += pace
    parts += b"data: [DONE]\n\n"
    chunks.append(Chunk(end=len(parts), at_ms=at))
    return parts, tuple(chunks)


def step(
    number: int,
    body: dict[str, Any],
    status: int,
    answer: bytes,
    *,
    chunks: tuple[Chunk, ...] = (),
    duration: float = 0.0,
    streamed: bool = True,
) -> Step:
    """One exchange with Copilot."""
    kind = "text/event-stream" if streamed else "application/json"
    exchange = Exchange(
        request=Request(
            url=URL,
            headers=(
                ("Content-Type", "application/json"),
                ("Copilot-Integration-Id", "vscode-chat"),
            ),
            body=Body(json.dumps(body).encode()),
        ),
        response=Response(
            status=status,
            headers=(("Content-Type", kind), ("x-github-request-id", "A1")),
            body=Body(answer),
            chunks=chunks,
            ending="complete",
        ),
        duration_ms=duration or (chunks[-1].at_ms if chunks else None),
    )
    return Step(number=number, id=f"s{number}", exchange=exchange, source="recorded")


def _request(messages: list[dict[str, Any]]) -> dict[str, Any]:
    return {"model": MODEL, "stream": True, "tools": TOOLS, "messages": messages}


TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": f"{name} something",
            "parameters": {"type": "object", "properties": {"path": {}}},
        },
    }
    for name in ("read_file", "list_directory", "grep")
]
SYSTEM = {"role": "system", "content": "You are a careful coding agent. " * 20}
USER = {
    "role": "user",
    "content": "Read the README (only make **ONE** tool call) and tell me what the"
    " next item on the roadmap is",
}
CALL = {
    "id": CALL_ID,
    "type": "function",
    "function": {"name": "read_file", "arguments": '{"path": "README.md"}'},
}
RESULT = {"role": "tool", "tool_call_id": CALL_ID, "content": README}
THOUGHT = (
    "**Reading the README**\n\nThe user wants the next roadmap item, so I read the"
    " file first and answer then."
)
ANSWER = (
    "The next item is **hot linking**:\n\n1. build the kernel once\n2. link the user"
    " program against it\n\n```sh\npros build --hot\n```\n"
)


def story() -> Session:
    """All five steps."""
    thoughts = [THOUGHT[i : i + 8] for i in range(0, len(THOUGHT), 8)]
    first, first_chunks = sse(
        [
            *({"role": "assistant", "reasoning_text": t} for t in thoughts),
            {"content": None, "reasoning_opaque": FIRST},
            {"tool_calls": [{"index": 0, **CALL, "function":
                {"name": "read_file", "arguments": '{"path":'}}]},
            {"tool_calls": [{"index": 0, "function": {"arguments": ' "README.md"}'}}]},
        ],
        "tool_calls",
        420.0,
        85.0,
    )  # fmt: skip
    words = [ANSWER[i : i + 6] for i in range(0, len(ANSWER), 6)]
    third, third_chunks = sse(
        [
            {"role": "assistant", "reasoning_text": "Now I can answer."},
            *({"content": word} for word in words),
            {"reasoning_opaque": SECOND},
        ],
        "stop",
        300.0,
        70.0,
    )
    fourth, fourth_chunks = sse(
        [{"role": "assistant", "content": w} for w in ("You are ", "welcome", "!")],
        "stop",
        250.0,
        120.0,
    )
    lost = {"role": "assistant", "content": [], "tool_calls": [CALL]}
    kept = {**lost, "content": None, "reasoning_opaque": FIRST}
    answered = {"role": "assistant", "content": ANSWER}
    thanks = {"role": "user", "content": "Thanks!"}
    title = {
        "model": "gpt-4o-mini",
        "messages": [
            {"role": "system", "content": "Write a title for the conversation."},
            {"role": "user", "content": "Read the README"},
        ],
    }
    named = {
        "id": "t1",
        "model": "gpt-4o-mini",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": "Next roadmap item"},
            }
        ],
    }
    error = {
        "error": {"message": "invalid request body", "code": "invalid_request_body"}
    }
    return Session(
        id="story",
        title="copilot-missing-signature",
        story="Made for the tests of the screens.",
        steps=(
            step(1, _request([SYSTEM, USER]), 200, first, chunks=first_chunks),
            step(
                2,
                _request([SYSTEM, USER, lost, RESULT]),
                400,
                json.dumps(error).encode(),
                duration=212.0,
                streamed=False,
            ),
            step(
                3,
                _request([SYSTEM, USER, kept, RESULT]),
                200,
                third,
                chunks=third_chunks,
            ),
            step(
                4,
                _request([SYSTEM, USER, kept, RESULT, answered, thanks]),
                200,
                fourth,
                chunks=fourth_chunks,
            ),
            step(
                5,
                title,
                200,
                json.dumps(named).encode(),
                duration=640.0,
                streamed=False,
            ),
        ),
    )


def story_document() -> Document:
    """The story, opened."""
    return Document(story())
