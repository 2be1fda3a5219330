"""Streams with values of the wrong type: nothing raises, nothing right is wiped out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import (
    BYPASS_RAW,
    LS,
    OPAQUE,
    SIG,
    SIG_CL,
    SIG_CL_B,
    detail,
    exchange,
    read,
    sse,
)
from tests.jsonplaces import places, with_value

from sigscope.conversation import Json
from sigscope.dialects.registry import DIALECTS
from sigscope.ledger import build_ledger

ODD: list[Json] = [None, True, -1, 1e300, "", "x", "\ud800", [], {}, [[]], [None]]


def call(**more: Json) -> Json:
    function = {"name": LS[1], "arguments": "{}"}
    return {"index": 0, "id": LS[0], "type": "function", "function": function, **more}


def delta(**fields: Json) -> Json:
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": None}]}


def partial(*parts: Json, **more: Json) -> Json:
    content = {"role": "model", "parts": list(parts)}
    return {"candidates": [{"index": 0, "content": content, **more}]}


def block(index: int, **fields: Json) -> Json:
    return {"type": "content_block_start", "index": index, "content_block": fields}


def grows(index: int, kind: str, **fields: Json) -> Json:
    delta = {"type": kind, **fields}
    return {"type": "content_block_delta", "index": index, "delta": delta}


FIELDS = {"thought_signature": SIG}
STREAMS: dict[str, list[Json]] = {
    "copilot-chat": [
        delta(role="assistant", content="", reasoning_text="I look."),
        delta(content="Hello", tool_calls=[call()], reasoning_opaque=OPAQUE),
        {"choices": [], "usage": {"total_tokens": 7}},
    ],
    "openrouter": [
        delta(reasoning="I look.", reasoning_details=[detail(LS)]),
        delta(content="Hello", tool_calls=[call()]),
        delta(reasoning_details=[{"type": "reasoning.text", "index": 0, "text": "a"}]),
        {"choices": [], "usage": {"total_tokens": 7}},
    ],
    "litellm": [
        delta(reasoning_content="I look."),
        delta(
            content="Hello",
            tool_calls=[call(provider_specific_fields=FIELDS)],
            provider_specific_fields={"thought_signatures": [SIG]},
            thinking_blocks=[{"type": "thinking", "signature": BYPASS_RAW}],
        ),
        delta(provider_specific_fields={"thought_signatures": [SIG]}),
    ],
    "gemini": [
        partial({"text": "I look.", "thought": True}),
        partial({"text": "Hello"}),
        partial({"functionCall": {"name": "ls", "args": {}}, "thoughtSignature": SIG}),
        {"response": partial({"text": "", "thoughtSignature": SIG})},
        {"usageMetadata": {"totalTokenCount": 7}},
    ],
    "anthropic": [
        {"type": "message_start", "message": {"type": "message", "content": []}},
        block(0, type="thinking", thinking="", signature=""),
        grows(0, "thinking_delta", thinking="I look."),
        grows(0, "signature_delta", signature=SIG_CL),
        {"type": "content_block_stop", "index": 0},
        block(1, type="redacted_thinking", data=SIG_CL_B),
        block(2, type="tool_use", id=LS[0], name=LS[1], input={}),
        grows(2, "input_json_delta", partial_json='{"path": "."}'),
        {"type": "content_block_stop", "index": 2},
        block(3, type="text", text="Hello"),
        grows(3, "citations_delta", citation={"type": "char_location"}),
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"},
         "usage": {"output_tokens": 7}},
    ],
}  # fmt: skip


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(st.data())
def test_odd_values_anywhere_in_a_stream_raise_nothing(data: Any) -> None:
    name = data.draw(st.sampled_from(sorted(STREAMS)))
    events = list(STREAMS[name])
    for _ in range(data.draw(st.integers(1, 3))):
        number = data.draw(st.integers(0, len(events) - 1))
        at = data.draw(st.sampled_from(list(places(events[number]))))
        odd = with_value(events[number], at, data.draw(st.sampled_from(ODD)))
        if data.draw(st.booleans()):
            events.insert(number, odd)
        else:
            events[number] = odd
    stream = sse(*map(json.dumps, events), "[DONE]")
    step = exchange(name, {}, stream, content_type="text/event-stream")
    (reading,) = read([step])
    assert reading.assembler is not None
    assert len(reading.event_writes) == len(events) + 1
    build_ledger([reading])


@pytest.mark.parametrize("name", sorted(STREAMS))
@pytest.mark.parametrize("odd", [1, "x", [], {}, [1], True])
def test_an_odd_event_does_not_wipe_out_what_came_before(name: str, odd: Json) -> None:
    (dialect,) = (d for d in DIALECTS if d.name == name)
    assembler = dialect.assembler()
    events = STREAMS[name]
    for number, event in enumerate(events, start=1):
        assembler.feed(number, event)
    before = dialect.reply(assembler.body).message
    assert before is not None
    last = len(events)
    for event in (
        {"choices": odd, "candidates": odd},
        {"choices": [{"index": 0, "delta": odd, "message": odd}]},
        {"choices": [{"index": 0, "delta": {"tool_calls": odd}}]},
        {"choices": [{"index": 0, "delta": {"reasoning_details": odd}}]},
        {"candidates": [{"index": 0, "content": odd}]},
        {"candidates": [{"index": 0, "content": {"parts": odd}}]},
        {"response": odd},
        {"type": "message_start", "message": odd},
        {"type": "message_start", "message": {"content": odd}},
        {"type": "content_block_start", "index": odd, "content_block": odd},
        {"type": "content_block_delta", "index": odd, "delta": odd},
        {"type": "message_delta", "delta": odd, "usage": odd},
    ):
        if name == "gemini" and event == {"response": odd}:
            continue  # a wrapper, beside what is not wrapped: no container of ours
        last += 1
        assembler.feed(last, event)
    after = dialect.reply(assembler.body).message
    assert after is not None
    assert after.parts[: len(before.parts)] == before.parts
