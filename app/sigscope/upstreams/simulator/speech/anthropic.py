"""A reply as the Messages API gives it: whole, as named events, and in the binary
frames of Bedrock (docs/wire/anthropic.md#carriers)."""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterator
from zlib import crc32

from sigscope.upstreams.simulator.arrival import Incoming
from sigscope.upstreams.simulator.checks.anthropic import (
    REDACTED,
    THINKING,
    SentMessages,
    Verifier,
    thinking_of,
)
from sigscope.upstreams.simulator.checks.binding import Before, binds
from sigscope.upstreams.simulator.config import Anchor
from sigscope.upstreams.simulator.mint.draws import LOWER
from sigscope.upstreams.simulator.records import Json, as_dict
from sigscope.upstreams.simulator.speech.callids import claude_id
from sigscope.upstreams.simulator.speech.prose import pieces
from sigscope.upstreams.simulator.speech.voice import (
    SimAnswer,
    Voice,
    compact,
    document,
)

_SSE = (("content-type", "text/event-stream; charset=utf-8"),)
_JSON = (("content-type", "application/json"),)
_FRAMES = (("content-type", "application/vnd.amazon.eventstream"),)
_TEXT_PIECE, _JSON_PIECE = 60, 24
_MAGIC = "ANTHROPIC_MAGIC_STRING_TRIGGER_REDACTED_THINKING"
"""Asks for sealed thinking (source: docs.claude.com/en/docs/build-with-claude
/extended-thinking, "Thinking redaction")."""


def speak(voice: Voice, incoming: Incoming, *, in_frames: bool) -> SimAnswer:
    """The reply. `in_frames`: as Bedrock streams it."""
    blocks = _blocks(voice, incoming)
    message = {
        "id": f"msg_01{voice.draws.child('id').word(22)}",
        "type": "message",
        "role": "assistant",
        "model": voice.model.name,
        "content": blocks,
        "stop_reason": "tool_use" if voice.reply.calls else "end_turn",
        "stop_sequence": None,
        "usage": _usage(voice),
        **_transformed(voice, incoming),
    }
    if not voice.case.judgement.streams:
        return SimAnswer(status=200, headers=_JSON, pieces=(document(message),))
    events = tuple(_events(message))
    if in_frames:
        padding = voice.draws.child("padding")
        frames = tuple(
            _frame(each, padding.word(padding.below(30), LOWER)) for each in events
        )
        return SimAnswer(status=200, headers=_FRAMES, pieces=frames)
    return SimAnswer(status=200, headers=_SSE, pieces=tuple(map(_event, events)))


def _blocks(voice: Voice, incoming: Incoming) -> list[Json]:
    reply = voice.reply
    found: list[Json] = list(_thoughts(voice, incoming))
    if reply.text:
        found.append({"type": "text", "text": reply.text})
    ids = voice.call_ids(claude_id)
    for call, call_id in zip(reply.calls, ids, strict=True):
        found.append(
            {
                "type": "tool_use",
                "id": call_id,
                "name": call.name,
                "input": call.arguments,
            }
        )
    return found


def _thoughts(voice: Voice, incoming: Incoming) -> Iterator[Json]:
    """A model thinks where it is asked to; between calls only if it may."""
    thinking = thinking_of(as_dict(voice.case.request), incoming)
    talk = voice.case.talk
    if not thinking.mode or not voice.reply.signed or talk is None:
        return
    if talk.rounds and not thinking.interleaves:
        return
    is_bound = binds(voice.model.name)
    before = str(Before.of(as_dict(voice.case.request))) if is_bound else ""
    if _MAGIC in talk.question:
        sealed = Anchor(kind="thought", name=REDACTED, before=before)
        yield {"type": REDACTED, "data": voice.sign(sealed)}
        return
    text = "" if thinking.is_omitted else "".join(voice.reply.thoughts)
    signature = voice.sign(Anchor(kind="thought", text=text, before=before))
    yield {"type": THINKING, THINKING: text, "signature": signature}


def _transformed(voice: Voice, incoming: Incoming) -> dict[str, Json]:
    """What the model did not get to see of the request, where the request asks for
    that in place of an error."""
    body = as_dict(voice.case.request)
    verifier = Verifier(
        reader=SentMessages.read(body.get("messages")),
        keyring=voice.keyring,
        origin=voice.origin,
        body=body,
        drops=thinking_of(body, incoming).drops,
    )
    dropped: list[Json] = [
        {
            "type": "thinking_dropped",
            "path": f"messages.{block.message}.content.{block.number}",
            "reason": "prefix_binding_mismatch",
        }
        for block in verifier.dropped(voice.model.name)
    ]
    return {"input_transformations": dropped} if dropped else {}


def _usage(voice: Voice) -> dict[str, Json]:
    prompt, visible, thought = voice.usage()
    return {
        "input_tokens": prompt,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": visible + thought,
    }


# --- Streaming ------------------------------------------------------------------------


def _events(message: dict[str, Json]) -> Iterator[dict[str, Json]]:
    usage = {**message["usage"], "output_tokens": 1}
    begun = {**message, "content": [], "stop_reason": None, "usage": usage}
    yield {"type": "message_start", "message": begun}
    for index, block in enumerate(message["content"]):
        empty, deltas = _in_pieces(block)
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        if not index:
            yield {"type": "ping"}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    told = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    output = {"output_tokens": message["usage"]["output_tokens"]}
    yield {"type": "message_delta", "delta": told, "usage": output}
    yield {"type": "message_stop"}


def _in_pieces(block: dict[str, Json]) -> tuple[dict[str, Json], list[dict[str, Json]]]:
    """What a block begins with, and what is added to it."""
    kind = block["type"]
    if kind == "text":
        cut = pieces(block["text"], _TEXT_PIECE)
        return {**block, "text": ""}, [{"type": "text_delta", "text": t} for t in cut]
    if kind == THINKING:
        cut = pieces(block[THINKING], _TEXT_PIECE) or [""]
        deltas: list[dict[str, Json]] = [
            {"type": "thinking_delta", THINKING: text} for text in cut
        ]
        signed = {"type": "signature_delta", "signature": block["signature"]}
        return {**block, THINKING: "", "signature": ""}, [*deltas, signed]
    if kind == "tool_use":
        text = compact(block["input"])
        cut = [
            "",
            *(text[i : i + _JSON_PIECE] for i in range(0, len(text), _JSON_PIECE)),
        ]
        return {**block, "input": {}}, [
            {"type": "input_json_delta", "partial_json": piece} for piece in cut
        ]
    return block, []


def _event(event: dict[str, Json]) -> bytes:
    text = f"event: {event['type']}\ndata: {compact(event)}\n\n"
    return text.encode(errors="backslashreplace")


_HEADERS = b"".join(
    bytes([len(name)]) + name + b"\7" + struct.pack(">H", len(value)) + value
    for name, value in (
        (b":event-type", b"chunk"),
        (b":content-type", b"application/json"),
        (b":message-type", b"event"),
    )
)


def _frame(event: dict[str, Json], padding: str) -> bytes:
    """A message of application/vnd.amazon.eventstream around `{"bytes": base64}`
    (source: AWS Smithy specification, "Amazon Event Stream")."""
    inside = compact(event).encode(errors="backslashreplace")
    payload = compact(
        {"bytes": base64.b64encode(inside).decode(), "p": padding}
    ).encode()
    total = 16 + len(_HEADERS) + len(payload)
    head = struct.pack(">II", total, len(_HEADERS))
    whole = head + struct.pack(">I", crc32(head)) + _HEADERS + payload
    return whole + struct.pack(">I", crc32(whole))
