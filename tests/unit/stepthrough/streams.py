"""Readings of streams, made of deltas."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tests.builders import URLS

from sigscope.exchange import Body, Chunk, Exchange, Request, Response
from sigscope.reader import Reading

OPAQUE = "XLn4be0oRXKa" * 20


def delta(finish: str | None = None, /, **fields: Any) -> dict[str, Any]:
    return {
        "id": "gen-1",
        "choices": [{"index": 0, "delta": fields, "finish_reason": finish}],
    }


def call(index: int, arguments: str, **fields: Any) -> dict[str, Any]:
    function = {"arguments": arguments}
    if "name" in fields:
        function["name"] = fields.pop("name")
    return delta(tool_calls=[{"index": index, **fields, "function": function}])


def sse(*events: Any) -> bytes:
    return b"".join(
        b"data: " + (e if isinstance(e, bytes) else json.dumps(e).encode()) + b"\n\n"
        for e in events
    )


def reading(
    body: bytes,
    *,
    dialect: str = "copilot-chat",
    times: Sequence[float] = (),
    content_type: str = "text/event-stream",
) -> Reading:
    """One event per blank line; `times` are those of the events, in order."""
    ends = [i + 2 for i in range(len(body)) if body[i : i + 2] == b"\n\n"]
    chunks = tuple(
        Chunk(end=end, at_ms=at) for end, at in zip(ends, times, strict=False)
    )
    exchange = Exchange(
        request=Request(
            url=URLS[dialect].replace("generateContent", "streamGenerateContent"),
            headers=(("Copilot-Integration-Id", "vscode-chat"),)
            if dialect == "copilot-chat"
            else (),
            body=Body(b'{"model":"gemini-3-pro-preview","stream":true,"messages":[]}'),
        ),
        response=Response(
            status=200,
            headers=(("content-type", content_type),),
            body=Body(body),
            chunks=chunks,
        ),
    )
    return Reading(exchange, number=1)


STORY = (
    delta(role="assistant", reasoning_text="**Look**"),
    delta(reasoning_text=" I read."),
    delta(content=None, reasoning_opaque=OPAQUE),
    call(0, "", id="call_1", type="function", name="read_file"),
    call(0, '{"path":'),
    call(0, '"a.md"}'),
    call(1, "{}", id="call_2", type="function", name="ls"),
    delta("tool_calls"),
    {"choices": [], "usage": {"total_tokens": 12}},
    b"[DONE]",
)
"""Ten events: thoughts, an envelope at 3, calls at 4 and 7, the finish at 8."""


def story(**more: Any) -> Reading:
    return reading(sse(*STORY), times=[n * 100.0 for n in range(1, 11)], **more)
