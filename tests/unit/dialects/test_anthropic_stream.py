"""Events of the Messages API put together: whole, byte by byte, torn, out of order."""

from __future__ import annotations

import base64
import json
import struct
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import LS, READ, SIG_CL, SIG_CL_B, exchange, read

from sigscope.conversation import SignatureKind
from sigscope.dialects.anthropic_stream import AnthropicAssembler
from sigscope.dialects.assembly import Effect
from sigscope.wire.frames import frame

Json = Any


def start(**more: Json) -> Json:
    message = {"id": "msg_1", "type": "message", "role": "assistant", "content": [],
               "model": "claude-made-up", "stop_reason": None,
               "usage": {"input_tokens": 9, "output_tokens": 1}, **more}  # fmt: skip
    return {"type": "message_start", "message": message}


def begin(index: int, **block: Json) -> Json:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, kind: str, **fields: Json) -> Json:
    inner = {"type": f"{kind}_delta", **fields}
    return {"type": "content_block_delta", "index": index, "delta": inner}


def stop(index: int) -> Json:
    return {"type": "content_block_stop", "index": index}


def end(reason: str = "tool_use") -> list[Json]:
    told = {"stop_reason": reason, "stop_sequence": None}
    usage = {"output_tokens": 42}
    return [
        {"type": "message_delta", "delta": told, "usage": usage},
        {"type": "message_stop"},
    ]


STREAM: list[Json] = [
    start(),
    begin(0, type="thinking", thinking="", signature=""),
    {"type": "ping"},
    delta(0, "thinking", thinking="I "),
    delta(0, "thinking", thinking="look."),
    delta(0, "signature", signature=SIG_CL),
    stop(0),
    begin(1, type="text", text=""),
    delta(1, "text", text="Let me "),
    delta(1, "text", text="see – é."),
    delta(1, "citations", citation={"type": "char_location", "cited_text": "a"}),
    stop(1),
    begin(2, type="redacted_thinking", data=SIG_CL_B),
    stop(2),
    begin(3, type="tool_use", id=LS[0], name=LS[1], input={}),
    delta(3, "input_json", partial_json=""),
    delta(3, "input_json", partial_json='{"pa'),
    delta(3, "input_json", partial_json='th": "."}'),
    stop(3),
    begin(4, type="tool_use", id="call_9", name="now", input={}),
    delta(4, "input_json", partial_json=""),
    stop(4),
    *end(),
]
WHOLE = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-made-up",
    "content": [
        {"type": "thinking", "thinking": "I look.", "signature": SIG_CL},
        {
            "type": "text",
            "text": "Let me see – é.",
            "citations": [{"type": "char_location", "cited_text": "a"}],
        },
        {"type": "redacted_thinking", "data": SIG_CL_B},
        {"type": "tool_use", "id": LS[0], "name": LS[1], "input": {"path": "."}},
        {"type": "tool_use", "id": "call_9", "name": "now", "input": {}},
    ],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {"input_tokens": 9, "output_tokens": 42},
}


def wire(events: list[Json]) -> bytes:
    return b"".join(
        f"event: {e['type']}\ndata: {json.dumps(e, ensure_ascii=False)}\n\n".encode()
        for e in events
    )


def fed(events: list[Json]) -> AnthropicAssembler:
    assembler = AnthropicAssembler()
    for number, event in enumerate(events, start=1):
        assembler.feed(number, event)
    return assembler


def content(events: list[Json]) -> list[Json]:
    found: list[Json] = fed(events).body["content"]
    return found


def test_a_stream_makes_the_body_of_an_unstreamed_call() -> None:
    assert fed(STREAM).body == WHOLE


def test_the_events_are_those_of_the_wire() -> None:
    framed = frame(wire(STREAM), "sse")
    assert fed([json.loads(event.data) for event in framed.events]).body == WHOLE
    assert [event.name for event in framed.events][:2] == [
        "message_start",
        "content_block_start",
    ]


@given(st.integers(0, len(wire(STREAM))))
def test_a_stream_torn_at_any_byte_is_a_beginning_of_the_whole(cut: int) -> None:
    step = exchange("anthropic", {}, wire(STREAM)[:cut], content_type=EVENTS)
    (reading,) = read([step])
    for sighting in reading.received:
        assert SIG_CL.startswith(sighting.value) or SIG_CL_B.startswith(sighting.value)
    message = reading.reply.message
    if message is not None:
        assert "I look.".startswith(message.thoughts)
        assert "Let me see – é.".startswith(message.text)
        for call in message.calls:
            assert '{"path": "."}'.startswith(call.arguments) or call.arguments == "{}"


EVENTS = "text/event-stream"


@pytest.mark.parametrize("number", range(1, len(STREAM) + 1))
def test_every_write_is_found_in_the_body_and_in_the_event(number: int) -> None:
    assembler = fed(STREAM[:number])
    assert assembler.body["type"] == "message"
    for writes in assembler.writes.values():
        for write in writes:
            value: Json = STREAM[write.event - 1]
            for key in write.source.split("/")[1:]:
                value = value[int(key)] if isinstance(value, list) else value[key]


def test_signatures_stand_at_the_events_that_brought_them() -> None:
    (reading,) = read([exchange("anthropic", {}, wire(STREAM), content_type=EVENTS)])
    assert [
        (s.event, s.pointer, s.value, s.kind, s.anchor.part) for s in reading.received
    ] == [
        (6, "/delta/signature", SIG_CL, SignatureKind.SIGNATURE, "/content/0"),
        (13, "/content_block/data", SIG_CL_B, SignatureKind.SEALED, "/content/2"),
    ]


def framed(event: Json) -> bytes:
    """A message of Bedrock's stream."""
    inside = base64.b64encode(json.dumps(event).encode()).decode()
    payload = json.dumps({"bytes": inside, "p": "abcdef"}).encode()
    head = struct.pack(">II", 16 + len(payload), 0)
    whole = head + struct.pack(">I", crc32(head)) + payload
    return whole + struct.pack(">I", crc32(whole))


def test_bedrock_s_binary_stream_is_the_same_reply() -> None:
    raw = b"".join(map(framed, STREAM))
    step = exchange(
        "anthropic",
        {"anthropic_version": "bedrock-2023-05-31", "messages": []},
        raw,
        url="https://bedrock-runtime.us-east-1.amazonaws.com/model/"
        "us.anthropic.claude-x-v1%3A0/invoke-with-response-stream",
        content_type="application/vnd.amazon.eventstream",
    )
    (reading,) = read([step])
    assert reading.service == "bedrock"
    assert reading.response_json == WHOLE
    assert [(s.event, s.pointer) for s in reading.received] == [
        (6, "/delta/signature"),
        (13, "/content_block/data"),
    ]


def test_each_event_tells_its_effect() -> None:
    assembler = fed(STREAM)

    def effects(pointer: str) -> list[Effect]:
        return [write.effect for write in assembler.writes[pointer] if write]

    assert effects("/content/0/thinking")[-1] is Effect.THOUGHT
    assert effects("/content/0/signature")[-1] is Effect.SIGNATURE
    assert effects("/content/3/input")[-1] is Effect.CALL
    assert effects("/stop_reason")[-1] is Effect.FINISH


def test_an_empty_thought_keeps_its_signature() -> None:
    events = [
        start(),
        begin(0, type="thinking", thinking="", signature=""),
        delta(0, "thinking", thinking=""),
        delta(0, "signature", signature=SIG_CL),
        stop(0),
    ]
    block = {"type": "thinking", "thinking": "", "signature": SIG_CL}
    assert content(events) == [block]


def test_interleaved_blocks_keep_their_own_signatures() -> None:
    events = [
        start(),
        begin(0, type="thinking", thinking="", signature=""),
        begin(1, type="thinking", thinking="", signature=""),
        delta(1, "thinking", thinking="b"),
        delta(0, "thinking", thinking="a"),
        delta(1, "signature", signature=SIG_CL_B),
        delta(0, "signature", signature=SIG_CL),
        stop(0),
        stop(1),
    ]
    assert content(events) == [
        {"type": "thinking", "thinking": "a", "signature": SIG_CL},
        {"type": "thinking", "thinking": "b", "signature": SIG_CL_B},
    ]


def test_parallel_calls_whose_pieces_mix_stay_apart() -> None:
    events = [
        start(),
        begin(0, type="tool_use", id=LS[0], name=LS[1], input={}),
        begin(1, type="tool_use", id=READ[0], name=READ[1], input={}),
        delta(0, "input_json", partial_json='{"path"'),
        delta(1, "input_json", partial_json='{"path": "a'),
        delta(0, "input_json", partial_json=': "."}'),
        delta(1, "input_json", partial_json='.md"}'),
        stop(1),
        stop(0),
    ]
    assert [block["input"] for block in content(events)] == [LS[2], READ[2]]


@pytest.mark.parametrize("cut", [5, 8, 20, 28])
def test_pieces_of_a_signature_are_one(cut: int) -> None:
    pieces = [SIG_CL[:cut], SIG_CL[cut : cut + 3], SIG_CL[cut + 3 :]]
    events = [start(), begin(0, type="thinking", thinking="a", signature="")]
    events += [delta(0, "signature", signature=piece) for piece in pieces]
    (reading,) = read([exchange("anthropic", {}, wire(events), content_type=EVENTS)])
    assert [sighting.value for sighting in reading.received] == [SIG_CL]


def test_another_message_in_the_stream_stands_behind_the_first() -> None:
    """As in vercel/ai, packages/anthropic, whose fixtures hold several in one file."""
    thought = begin(0, type="thinking", thinking="b", signature="")
    call = {"type": "tool_use", "id": "call_9", "name": "now", "input": {}}
    events = [
        *STREAM,
        start(id="msg_2"),
        start(id="msg_2"),
        thought,
        delta(0, "signature", signature=SIG_CL_B),
        start(id="msg_3", content=[call]),
        delta(0, "input_json", partial_json="{}"),
        stop(0),
    ]
    other = {"type": "thinking", "thinking": "b", "signature": SIG_CL_B}
    assert content(events) == [*WHOLE["content"], other, call]
    (reading,) = read([exchange("anthropic", {}, wire(events), content_type=EVENTS)])
    assert [sighting.anchor.part for sighting in reading.received] == [
        "/content/0",
        "/content/2",
        "/content/5",
    ]


def test_of_two_signatures_of_a_block_the_last_counts() -> None:
    events = [
        start(),
        begin(0, type="thinking", thinking="a", signature=""),
        delta(0, "signature", signature=SIG_CL_B),
        delta(0, "signature", signature=SIG_CL),
    ]
    assert content(events)[0]["signature"] == SIG_CL


def test_what_a_recorder_wrote_in_place_of_a_signature_is_no_piece() -> None:
    masks = [f"signature_REDACTED_{number}" for number in (1, 2)]
    block = {"type": "thinking", "thinking": "", "signature": masks[0]}
    events = [start(), begin(0, **block), delta(0, "signature", signature=masks[1])]
    assert content([*events, stop(0), *end()])[0]["signature"] == masks[1]


def test_a_call_whose_stream_broke_shows_how_far_it_came() -> None:
    (block,) = content([
        start(),
        begin(0, type="tool_use", id=LS[0], name=LS[1], input={}),
        delta(0, "input_json", partial_json='{"pa'),
        stop(0),
    ])  # fmt: skip
    assert block["input"] == '{"pa'


def test_a_call_that_comes_whole_in_its_first_event_stays() -> None:
    block = {"type": "tool_use", "id": LS[0], "name": LS[1], "input": LS[2]}
    assert content([start(), begin(0, **block), stop(0)]) == [block]


def test_a_stream_without_its_beginning_is_read_as_far_as_it_goes() -> None:
    assert content(STREAM[4:7]) == [
        {"type": "thinking", "thinking": "look.", "signature": SIG_CL}
    ]


def test_an_error_in_the_stream_leaves_what_came_before() -> None:
    error = {"type": "overloaded_error", "message": "Overloaded"}
    body = fed([*STREAM[:5], {"type": "error", "error": error}]).body
    assert body["error"] == error
    assert body["content"][0]["thinking"] == "I look."
    assert fed([{"type": "error", "error": error}]).body == {
        "type": "error",
        "error": error,
    }
