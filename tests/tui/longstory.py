"""A long agent conversation, made up: turns of some calls and an answer each."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from tests.tui.story import MODEL, signature, sse, step

from sigscope.exchange import Chunk
from sigscope.session import Session, Step

Message = dict[str, Any]


def long_story(
    steps: int,
    *,
    per_turn: int = 8,
    is_timed: bool = True,
    drops: Collection[int] = (),
    gaps: Collection[int] = (),
) -> Session:
    """So many steps on Copilot. Each brings a signature; those of the steps `drops` are
    never sent back; the streams of the steps `gaps` pause for five seconds."""
    history: list[Message] = [{"role": "system", "content": "You help."}]
    made: list[Step] = []
    for number in range(1, steps + 1):
        if (number - 1) % per_turn == 0:
            history.append({"role": "user", "content": f"Question {number}?"})
        is_last = number % per_turn == 0
        answer, chunks = _answer(number, is_last=is_last)
        if number in gaps:
            chunks = _pause(chunks)
        body = {"model": MODEL, "stream": True, "messages": list(history)}
        timing: dict[str, Any] = {"chunks": chunks} if is_timed else {}
        made.append(step(number, body, 200, answer, **timing))
        history += _turn(number, is_last=is_last, drops=number in drops)
    return Session(id="long", title="a long conversation", steps=tuple(made))


def value_of(number: int) -> str:
    """The signature that a step brings."""
    return signature(f"step {number}", 400)


def _call(number: int) -> Message:
    arguments = json.dumps({"path": f"{number}.md"})
    function = {"name": "read_file", "arguments": arguments}
    return {"id": f"call_{number}", "type": "function", "function": function}


def _answer(number: int, *, is_last: bool) -> tuple[bytes, tuple[Chunk, ...]]:
    thoughts = [{"reasoning_text": "I look into it. "} for _ in range(3)]
    sealed: Message = {"reasoning_opaque": value_of(number)}
    if is_last:
        words = [{"content": "That is how it is. "} for _ in range(4)]
        return sse([*thoughts, *words, sealed], "stop", 300 + 7 * (number % 9), 40)
    call = {"tool_calls": [{"index": 0, **_call(number)}]}
    return sse([*thoughts, call, sealed], "tool_calls", 300 + 7 * (number % 9), 40)


def _pause(chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
    return tuple(
        Chunk(end=chunk.end, at_ms=chunk.at_ms + (5_000 if index > 1 else 0))
        for index, chunk in enumerate(chunks)
    )


def _turn(number: int, *, is_last: bool, drops: bool) -> list[Message]:
    reply: Message = {"role": "assistant", "content": None}
    reply["reasoning_text"] = "I look into it. " * 3
    if not drops:
        reply["reasoning_opaque"] = value_of(number)
    if is_last:
        return [{**reply, "content": "That is how it is. " * 4}]
    result = {"role": "tool", "tool_call_id": f"call_{number}", "content": "text"}
    return [{**reply, "tool_calls": [_call(number)]}, result]
