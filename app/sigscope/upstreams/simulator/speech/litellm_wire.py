"""A reply as a LiteLLM proxy gives it (docs/wire/litellm.md#carriers; derived
recordings)."""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.upstreams.simulator.checks.litellm_translation import NEWER
from sigscope.upstreams.simulator.checks.strays import SUFFIX
from sigscope.upstreams.simulator.config import Anchor, parse_version
from sigscope.upstreams.simulator.minting.draws import HEX
from sigscope.upstreams.simulator.records import Json, as_dict, as_text
from sigscope.upstreams.simulator.speech.prose import pieces
from sigscope.upstreams.simulator.speech.voice import (
    DONE,
    Answer,
    Voice,
    document,
    event,
)

_PIECE = 48


def speak(voice: Voice) -> Answer:
    """Deltas of one kind each: reasoning, text, calls; never two of them at once."""
    draws = voice.draws.child("proxy")
    headers = (
        ("x-litellm-call-id", _uuid(draws.word(32, HEX))),
        ("x-litellm-model-id", draws.word(64, HEX)),
        ("x-litellm-version", voice.config.litellm_version),
    )
    if not voice.case.judgement.streams:
        typed = ("content-type", "application/json")
        pieces_ = (document(_whole(voice)),)
        return Answer(status=200, headers=(typed, *headers), pieces=pieces_)
    typed = ("content-type", "text/event-stream; charset=utf-8")
    frames = tuple(event(frame) for frame in _stream(voice))
    return Answer(status=200, headers=(typed, *headers), pieces=(*frames, DONE))


def _uuid(text: str) -> str:
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def _calls(voice: Voice) -> tuple[list[dict[str, Json]], str]:
    """Tool calls, and the signature of the reply.

    Gemini signs the first call: beside it, and in its id. The native id is the part
    before the suffix since the versions that pass it on; an invented one before.
    """
    google = voice.model.vendor == "google"
    native = google and voice.model.demands
    if native and parse_version(voice.config.litellm_version) >= NEWER:
        ids = voice.call_ids("gemini")
    else:
        style = {"google": "hex", "anthropic": "claude"}
        ids = voice.call_ids(style.get(voice.model.vendor, "openai"))
    signature = ""
    if google and voice.reply.signed:
        said = Anchor(kind="text", text=voice.reply.text)
        signature = voice.sign(voice.call_anchor(0, ids[0]) if ids else said)
    calls: list[dict[str, Json]] = [
        {
            "index": n,
            "function": {"arguments": voice.arguments(n), "name": call.name},
            "id": ids[n],
            "type": "function",
        }
        for n, call in enumerate(voice.reply.calls)
    ]
    if calls and signature:
        calls[0]["provider_specific_fields"] = {"thought_signature": signature}
        calls[0]["id"] = f"{ids[0]}{SUFFIX}{signature}"
    return calls, signature


def _blocks(voice: Voice) -> list[Json]:
    """Claude's thinking block."""
    if voice.model.vendor != "anthropic" or not voice.reply.signed:
        return []
    text = "".join(voice.reply.thoughts)
    signature = voice.sign(Anchor(kind="thought", text=text))
    return [{"type": "thinking", "thinking": text, "signature": signature}]


def _deltas(voice: Voice) -> Iterator[dict[str, Json]]:
    blocks = _blocks(voice)
    for text in voice.reply.thoughts:
        delta: dict[str, Json] = {"reasoning_content": text}
        if blocks:
            part = {"type": "thinking", "thinking": text, "signature": ""}
            delta["thinking_blocks"] = [part]
        yield delta
    if blocks:
        last = {**blocks[0], "thinking": ""}
        yield {"reasoning_content": "", "thinking_blocks": [last]}
    for piece in pieces(voice.reply.text, _PIECE):
        yield {"content": piece}
    calls, signature = _calls(voice)
    fields = {"thought_signatures": [signature]}
    for number, call in enumerate(calls):
        signed = (
            {"provider_specific_fields": fields} if signature and not number else {}
        )
        yield {**signed, "tool_calls": [call]}
    if signature and not calls:
        yield {"provider_specific_fields": fields}


def _stream(voice: Voice) -> Iterator[Json]:
    first = True
    for delta in _deltas(voice):
        role = {"role": "assistant"} if first else {}
        yield _frame(voice, {"index": 0, "delta": {**role, **delta}})
        first = False
    yield _frame(voice, {"index": 0, "delta": {}, "finish_reason": _finish(voice)})
    options = as_dict(as_dict(voice.case.request).get("stream_options"))
    if options.get("include_usage"):
        frame = _frame(voice, {"index": 0, "delta": {}})
        yield {**frame, "usage": _usage(voice)}


def _finish(voice: Voice) -> str:
    """Google's MISSING_THOUGHT_SIGNATURE is mapped to `stop` (LLM-7)."""
    return "tool_calls" if voice.reply.calls else "stop"


def _frame(voice: Voice, choice: Json, kind: str = "chat.completion.chunk") -> Json:
    asked = as_text(as_dict(voice.case.request).get("model"))
    return {
        "id": voice.draws.child("id").urlsafe(23),
        "created": voice.created,
        "model": asked or voice.model.name,
        "object": kind,
        "choices": [choice],
    }


def _usage(voice: Voice) -> Json:
    prompt, visible, thought = voice.usage()
    return {
        "completion_tokens": visible + thought,
        "prompt_tokens": prompt,
        "total_tokens": prompt + visible + thought,
        "completion_tokens_details": {
            "reasoning_tokens": thought,
            "text_tokens": visible,
        },
        "prompt_tokens_details": {"text_tokens": prompt},
    }


def _whole(voice: Voice) -> Json:
    calls, signature = _calls(voice)
    message: dict[str, Json] = {
        "role": "assistant",
        "content": voice.reply.text or None,
    }
    if calls:
        message["tool_calls"] = calls
    if thoughts := "".join(voice.reply.thoughts):
        message["reasoning_content"] = thoughts
    if blocks := _blocks(voice):
        message["thinking_blocks"] = blocks
        fields: dict[str, Json] = {"citations": None, "thinking_blocks": blocks}
        message["provider_specific_fields"] = fields
    elif voice.model.vendor == "google":
        message |= {"images": [], "thinking_blocks": []}
        if signature:
            message["provider_specific_fields"] = {"thought_signatures": [signature]}
    choice = {"finish_reason": _finish(voice), "index": 0, "message": message}
    frame = _frame(voice, choice, "chat.completion")
    return {**frame, "usage": _usage(voice)}
