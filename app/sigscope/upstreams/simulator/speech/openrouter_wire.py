"""A reply as OpenRouter gives it (docs/wire/openrouter.md#carriers; recorded
streams)."""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.upstreams.simulator.checks.openrouter_entries import FORMATS
from sigscope.upstreams.simulator.checks.openrouter_wrap import provider_name
from sigscope.upstreams.simulator.config import Anchor
from sigscope.upstreams.simulator.records import Json, as_dict, as_text
from sigscope.upstreams.simulator.speech.prose import pieces
from sigscope.upstreams.simulator.speech.voice import (
    DONE,
    Answer,
    Voice,
    document,
    event,
)

_PIECE = 40
_ARGUMENTS = 12
"""Characters of arguments in one delta."""
_WAITING = b": OPENROUTER PROCESSING\n\n"
_STOPS = {
    "anthropic": ("tool_use", "end_turn"),
    "google": ("STOP", "STOP"),
}
_STYLES = {"google": "openrouter", "anthropic": "claude"}


def speak(voice: Voice) -> Answer:
    """Comments while waiting, details, text, calls in pieces, usage, [DONE]."""
    reply_id = f"gen-{voice.created}-{voice.draws.child('id').word(20)}"
    extra = (("x-generation-id", reply_id),)
    if not voice.case.judgement.streams:
        waited = b"\n         \n" * (1 + voice.draws.child("wait").below(3))
        typed = (("content-type", "application/json"),)
        body = waited + document(_whole(voice, reply_id))
        return Answer(status=200, headers=typed + extra, pieces=(body,))
    waiting = [_WAITING] * (2 + voice.draws.child("wait").below(3))
    frames = (event(frame) for frame in _stream(voice, reply_id))
    typed = (("content-type", "text/event-stream"),)
    return Answer(status=200, headers=typed + extra, pieces=(*waiting, *frames, DONE))


def _ids(voice: Voice) -> list[str]:
    return voice.call_ids(_STYLES.get(voice.model.vendor, "openai"))


def _deltas(voice: Voice) -> Iterator[dict[str, Json]]:
    """`reasoning` and `reasoning_details` of each delta before text and calls."""
    vendor = voice.model.vendor
    form = {"format": FORMATS.get(vendor), "index": 0}
    if vendor == "anthropic" and voice.reply.signed:
        opening = {"type": "reasoning.text", "text": "", "signature": "", **form}
        yield {"reasoning": "", "reasoning_details": [opening]}
    for text in _shown(voice):
        key = "summary" if vendor in ("openai", "xai") else "text"
        entry = {"type": f"reasoning.{key}", key: text, **form}
        yield {"reasoning": text, "reasoning_details": [entry]}


def _closing(voice: Voice, ids: list[str]) -> Json:
    """The entry with the signature, or None. It stands before calls, after text."""
    vendor = voice.model.vendor
    if not voice.reply.signed or vendor == "other":
        return None
    form = {"format": FORMATS[vendor], "index": 0}
    sealed = {"type": "reasoning.encrypted"}
    if vendor == "anthropic":
        whole = Anchor(kind="thought", text="".join(_shown(voice)))
        return {"type": "reasoning.text", "signature": voice.sign(whole), **form}
    if vendor in ("openai", "xai"):
        item = f"rs_{voice.draws.child('item').word(48, '0123456789abcdef')}"
        item += "_us-east-1" if vendor == "xai" else ""
        data = voice.sign(Anchor(kind="text", text=voice.reply.text))
        return {**sealed, "data": data, **form, "id": item}
    if ids:
        data = voice.sign(voice.call_anchor(0, ids[0]))
        return {**sealed, "data": data, **form, "id": ids[0]}
    data = voice.sign(Anchor(kind="text", text=voice.reply.text))
    if voice.model.version >= (3, 1):
        return {**sealed, "data": data, **form}
    return {"type": "reasoning.text", "signature": data, **form}


def _shown(voice: Voice) -> tuple[str, ...]:
    """Readable reasoning; none if the request excludes it."""
    asked = as_dict(as_dict(voice.case.request).get("reasoning"))
    excluded = asked.get("exclude") is True
    return () if excluded else voice.reply.thoughts


def _stream(voice: Voice, reply_id: str) -> Iterator[Json]:
    ids = _ids(voice)
    role = {"role": "assistant"}
    for delta in _deltas(voice):
        yield _frame(voice, reply_id, {"content": "", **role, **delta})
    closing = _closing(voice, ids)
    thinks_first = voice.model.vendor != "google"
    end = {"content": "", **role, "reasoning": None, "reasoning_details": [closing]}
    if closing and thinks_first:
        yield _frame(voice, reply_id, end)
    for piece in pieces(voice.reply.text, _PIECE):
        yield _frame(voice, reply_id, {"content": piece, **role})
    if closing and not thinks_first:
        yield _frame(voice, reply_id, end)
    for number, call in enumerate(voice.reply.calls):
        opened = {"name": call.name, "arguments": ""}
        head = {"index": number, "id": ids[number], "type": "function"}
        yield _call_frame(voice, reply_id, {**head, "function": opened})
        for piece in _pieces(voice.arguments(number)):
            more = {"index": number, "function": {"arguments": piece}}
            yield _call_frame(voice, reply_id, more)
    reasons = _finish(voice)
    last = {"content": "", **role, "reasoning": None}
    yield _frame(voice, reply_id, last, reasons=reasons)
    counted = _frame(voice, reply_id, {"content": "", **role}, reasons=reasons)
    yield {**counted, "usage": _usage(voice)}


def _pieces(text: str) -> list[str]:
    return [text[at : at + _ARGUMENTS] for at in range(0, len(text), _ARGUMENTS)]


def _call_frame(voice: Voice, reply_id: str, call: Json) -> Json:
    delta = {"content": None, "role": "assistant", "tool_calls": [call]}
    return _frame(voice, reply_id, delta)


def _frame(
    voice: Voice,
    reply_id: str,
    delta: Json,
    *,
    reasons: tuple[str | None, str | None] = (None, None),
) -> Json:
    choice = {
        "index": 0,
        "delta": delta,
        "finish_reason": reasons[0],
        "native_finish_reason": reasons[1],
    }
    kind = "chat.completion.chunk"
    return {**_head(voice, reply_id, kind), "choices": [choice]}


def _head(voice: Voice, reply_id: str, kind: str) -> dict[str, Json]:
    asked = as_text(as_dict(voice.case.request).get("model"))
    return {
        "id": reply_id,
        "object": kind,
        "created": voice.created,
        "model": asked or voice.model.name,
        "provider": provider_name(voice.model, voice.case.judgement.surface),
    }


def _finish(voice: Voice) -> tuple[str, str]:
    if voice.reply.finish:
        return "error", voice.reply.finish
    native = _STOPS.get(voice.model.vendor, ("completed", "completed"))
    if voice.reply.calls:
        return "tool_calls", native[0]
    return "stop", native[1]


def _usage(voice: Voice) -> Json:
    prompt, visible, thought = voice.usage()
    return {
        "prompt_tokens": prompt,
        "completion_tokens": visible + thought,
        "total_tokens": prompt + visible + thought,
        "cost": 0,
        "is_byok": False,
        "prompt_tokens_details": {"cached_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": thought},
    }


def _whole(voice: Voice, reply_id: str) -> Json:
    ids = _ids(voice)
    shown = "".join(_shown(voice))
    message: dict[str, Json] = {
        "role": "assistant",
        "content": voice.reply.text or None,
        "refusal": None,
        "reasoning": shown or None,
    }
    if voice.reply.calls:
        message["tool_calls"] = [
            {
                "type": "function",
                "index": n,
                "id": ids[n],
                "function": {"name": call.name, "arguments": voice.arguments(n)},
            }
            for n, call in enumerate(voice.reply.calls)
        ]
    if details := _details(voice, ids, shown):
        message["reasoning_details"] = details
    reasons = _finish(voice)
    choice = {
        "index": 0,
        "logprobs": None,
        "finish_reason": reasons[0],
        "native_finish_reason": reasons[1],
        "message": message,
    }
    head = _head(voice, reply_id, "chat.completion")
    # The official SDK refuses an answer without it (openrouter 1.3.84, ChatResult).
    head["system_fingerprint"] = None
    return {**head, "choices": [choice], "usage": _usage(voice)}


def _details(voice: Voice, ids: list[str], shown: str) -> list[Json]:
    """Entries of an unstreamed reply: the deltas joined, in the same order."""
    deltas = [entry for delta in _deltas(voice) for entry in delta["reasoning_details"]]
    closing = _closing(voice, ids)
    details: list[Json] = []
    if deltas and (shown or voice.model.vendor == "anthropic"):
        key = "summary" if "summary" in deltas[-1] else "text"
        details.append({**deltas[-1], key: shown})
    if not closing:
        return details
    if closing["type"] == "reasoning.text" and details:
        details[0] = {**details[0], "signature": closing["signature"]}
        return details
    return [*details, closing]
