"""Opaque fields of unknown dialects are followed by name and shape."""

from __future__ import annotations

import base64
import json
from typing import Any

from tests.builders import LS, copilot, openrouter, user
from tests.unit.dialects.test_settlement import CHAT, reply, steps, tool
from tests.unit.dialects.test_settlement import exchange as chat

from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.ledger.opaque_fields import OpaqueField, track
from sigscope.ledger.unjudged import in_steps, unjudged
from sigscope.reader import read_steps

Json = Any
SIGN = "EqQBCkYIBxgCKkAxMjM0NTY3ODkwYWJjZGVmZ2hpamtsbW5vcA=="
OTHER = "EqQBCkYIBxgCKkBmZWRjYmEwOTg3NjU0MzIxcG9ubWxramloZw=="
MESSAGES = "https://api.example/v1/interactions"
"""No dialect reads it; what it says here is in the words of others."""
RESPONSES = "https://api.example/v1/responses"


def exchange(url: str, request: Json, *events: Json, whole: Json = None) -> Exchange:
    kind = "application/json" if whole is not None else "text/event-stream"
    raw = json.dumps(whole).encode()
    if whole is None:
        raw = b"".join(b"data: " + json.dumps(e).encode() + b"\n\n" for e in events)
    return Exchange(
        request=Request(url=url, body=Body(json.dumps(request).encode())),
        response=Response(
            status=200, headers=(("content-type", kind),), body=Body(raw)
        ),
    )


def tracked(*exchanges: Exchange) -> tuple[OpaqueField, ...]:
    return track(read_steps(steps(*exchanges)))


def by_shape(*exchanges: Exchange) -> tuple[OpaqueField, ...]:
    """As where no dialect is known."""
    return track(read_steps(steps(*exchanges), dialects=()))


def told(field: OpaqueField) -> tuple[Json, ...]:
    received = [(s.step, s.event, s.pointer) for s in field.received]
    return field.name, received, [(s.step, s.pointer) for s in field.sent_again]


THINKING = {"type": "thinking", "thinking": "Hm.", "signature": SIGN}
REDACTED = {"type": "redacted_thinking", "data": OTHER}


def history(*blocks: Json) -> Json:
    return {"messages": [user(), {"role": "assistant", "content": list(blocks)}]}


def test_a_stream_of_messages_and_the_request_that_brings_it_back() -> None:
    fields = tracked(
        exchange(
            MESSAGES, {"messages": [user()]},
            {"type": "content_block_start", "index": 0,
             "content_block": {"type": "thinking", "thinking": "", "signature": ""}},
            {"type": "content_block_delta", "index": 0,
             "delta": {"type": "signature_delta", "signature": SIGN}},
            {"type": "content_block_start", "index": 1, "content_block": REDACTED},
        ),
        exchange(MESSAGES, history(THINKING), whole={"type": "message", "content": []}),
    )  # fmt: skip
    assert [told(field) for field in fields] == [
        ("signature", [(1, 2, "/delta/signature")],
         [(2, "/messages/1/content/0/signature")]),
        ("data", [(1, 3, "/content_block/data")], []),
    ]  # fmt: skip


def test_items_of_responses_and_what_they_refer_to() -> None:
    item = {"type": "reasoning", "id": "rs_1", "encrypted_content": SIGN}
    early = {**item, "encrypted_content": OTHER}
    fields = by_shape(
        exchange(
            RESPONSES, {"input": "hi"},
            {"type": "response.created", "response": {"id": "resp_1"}},
            {"type": "response.output_item.added", "item": early},
            {"type": "response.output_item.done", "item": item},
            {"type": "response.completed",
             "response": {"id": "resp_1", "output": [item]}},
        ),
        exchange(
            RESPONSES, {"input": [item], "previous_response_id": "resp_1"},
            whole={"id": "resp_2", "output": []},
        ),
    )  # fmt: skip
    assert [told(field) for field in fields] == [
        ("encrypted_content", [(1, 3, "/item/encrypted_content")],
         [(2, "/input/0/encrypted_content")]),
        ("previous_response_id", [(1, 1, "/response/id")],
         [(2, "/previous_response_id")]),
    ]  # fmt: skip
    assert [field.is_reference for field in fields] == [False, True]


def test_bytes_count_not_their_alphabet() -> None:
    raw = base64.b64encode(bytes(range(200, 240))).decode()
    safe = raw.replace("+", "-").replace("/", "_").rstrip("=")

    def block(text: str) -> Json:
        inside = {"text": "Hm.", "signature": text}
        return {"reasoningContent": {"reasoningText": inside}}

    whole = {"output": {"message": {"role": "assistant", "content": [block(raw)]}}}
    url = "https://bedrock.example/model/claude/converse"
    fields = tracked(
        exchange(url, {"messages": [user()]}, whole=whole),
        exchange(url, history(block(safe)), whole={"output": {}}),
    )
    (field,) = fields
    assert [spot.step for spot in field.sent_again] == [2]


def test_the_history_of_dashscopes_own_api_is_walked() -> None:
    url = "https://h/api/v1/services/aigc/multimodal-generation/generation"
    said = {"role": "assistant", "content": "x", "encrypted_content": SIGN}
    answer = {"output": {"choices": [{"message": said}]}}
    asked = [{"input": {"messages": sent}} for sent in ([user()], [user(), said])]
    fields = tracked(*(exchange(url, body, whole=answer) for body in asked))
    (field,) = fields
    assert [spot.pointer for spot in field.sent_again] == [
        "/input/messages/1/encrypted_content"
    ]


def test_reasoning_details_of_an_unknown_host_are_followed() -> None:
    url = "https://ai-gateway.example/v1/chat/completions"
    message = openrouter(LS)
    fields = tracked(
        chat(url, [user()], reply(message)),
        chat(
            url, [user(), message, tool()], reply({"role": "assistant", "content": "x"})
        ),
    )
    (field,) = fields
    assert told(field) == (
        "data", [(1, None, "/choices/0/message/reasoning_details/1/data")],
        [(2, "/messages/1/reasoning_details/1/data")],
    )  # fmt: skip


def test_pieces_that_are_sent_joined_are_one_value() -> None:
    url = "https://ai-gateway.example/v1/chat/completions"

    def piece(data: str) -> Json:
        entry = {"type": "reasoning.encrypted", "index": 0, "data": data}
        return {"choices": [{"index": 0, "delta": {"reasoning_details": [entry]}}]}

    whole = {"type": "reasoning.encrypted", "index": 0, "data": SIGN}
    fields = tracked(
        exchange(url, {"messages": [user()]}, piece(SIGN[:24]), piece(SIGN[24:])),
        exchange(
            url,
            {"messages": [{"role": "assistant", "reasoning_details": [whole]}]},
            whole={"choices": []},
        ),
    )
    (field,) = fields
    assert field.value == SIGN
    assert field.received[0].pieces == 2
    assert [spot.step for spot in field.sent_again] == [2]


def test_what_a_tool_is_called_with_is_no_opaque_field() -> None:
    call = {"type": "tool_use", "id": "t", "name": "sign", "input": {"signature": SIGN}}
    schema = {
        "name": "sign",
        "input_schema": {"properties": {"signature": {"x": SIGN}}},
    }
    body = {**history(call), "tools": [schema]}
    words = {"type": "thinking", "signature": "def sign(text): ..."}
    fields = tracked(exchange(MESSAGES, body, whole={"content": [call, words]}))
    assert fields == ()


def test_steps_of_a_known_dialect_are_left_to_their_ledger() -> None:
    assert tracked(chat(CHAT, [user()], reply(copilot(LS)))) == ()
    readings = read_steps(
        steps(
            chat(CHAT, [user()], reply(copilot(LS))),
            exchange(MESSAGES, {"messages": [user()]}, whole={"content": [THINKING]}),
            chat(CHAT, [{**user(), "signature": SIGN}], reply(copilot(LS))),
        )
    )
    (field,) = track(readings)
    assert [spot.step for spot in field.sent_again] == [3]
    (group,) = unjudged(readings)
    assert (
        str(group)
        == "not judged: dialect not known: step 2 (POST api.example/v1/interactions)"
    )


def test_binary_event_streams_are_looked_into() -> None:
    inside = {"type": "content_block_start", "index": 0, "content_block": REDACTED}
    packed = base64.b64encode(json.dumps(inside).encode()).decode()
    reading = exchange(
        "https://bedrock.example/model/claude/converse-stream",
        {"messages": [user()]}, {"bytes": packed},
    )  # fmt: skip
    (field,) = tracked(reading)
    assert told(field)[:2] == ("data", [(1, 1, "/content_block/data")])


def test_a_body_that_is_nested_for_ever_ends() -> None:
    deep: Json = {"signature": SIGN}
    for _ in range(300):
        deep = {"a": deep}
    assert (
        tracked(exchange(MESSAGES, {"messages": [deep]}, whole={"content": [deep]}))
        == ()
    )


def test_each_entry_that_requests_repeat_is_walked_once() -> None:
    long = [user(f"Question {n}") for n in range(50)]
    made = [exchange(MESSAGES, {"messages": long[:n]}, whole={}) for n in range(1, 51)]
    readings = read_steps(steps(*made))
    seen = readings[0].histories
    assert seen is not None
    track(readings)
    (growing,) = seen._facts.values()
    assert len(growing._known) == 50


def test_numbers_of_steps_are_told_in_runs() -> None:
    assert in_steps([3]) == "step 3"
    assert in_steps([9, 3, 5, 6, 7, 8]) == "steps 3, 5-9"
