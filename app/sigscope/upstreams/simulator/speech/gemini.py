"""A reply as generateContent and streamGenerateContent give it
(docs/wire/gemini.md#carriers)."""

from __future__ import annotations

import json
from typing import Any

from sigscope.upstreams.simulator.config import Anchor
from sigscope.upstreams.simulator.records import Json, as_dict
from sigscope.upstreams.simulator.speech.callids import google_id
from sigscope.upstreams.simulator.speech.prose import pieces
from sigscope.upstreams.simulator.speech.voice import SimAnswer, Voice

_PIECE = 60
_SSE = (("content-type", "text/event-stream"), ("content-disposition", "attachment"))
_JSON = (("content-type", "application/json; charset=UTF-8"),)


def speak(voice: Voice, *, sse: bool) -> SimAnswer:
    """The reply: one document, an event stream, or an array that comes in pieces."""
    reply_id = voice.draws.child("id").urlsafe(23)
    if not voice.case.judgement.streams:
        body = _frame(voice, reply_id, _whole(voice), last=True)
        text = json.dumps(body, indent=2, ensure_ascii=False) + "\n"
        return SimAnswer(status=200, headers=_JSON, pieces=(_bytes(text),))
    groups = _chunks(voice)
    frames = [
        json.dumps(
            _frame(voice, reply_id, parts, last=number == len(groups)),
            ensure_ascii=False,
        )
        for number, parts in enumerate(groups, 1)
    ]
    if sse:
        events = tuple(_bytes(f"data: {frame}\r\n\r\n") for frame in frames)
        return SimAnswer(status=200, headers=_SSE, pieces=events)
    first = [_bytes(f"[{frames[0]}")]
    more = [_bytes(f"\n,\r\n{frame}") for frame in frames[1:]]
    return SimAnswer(status=200, headers=_JSON, pieces=(*first, *more, b"\n]"))


def _frame(voice: Voice, reply_id: str, parts: list[Json], *, last: bool) -> Json:
    finish = voice.reply.finish
    candidate: dict[str, Json] = {}
    if not finish:
        candidate["content"] = {"parts": parts, "role": "model"}
    if last:
        candidate["finishReason"] = finish or "STOP"
    candidate["index"] = 0
    prompt, visible, thought = voice.usage()
    usage: dict[str, Json] = {
        "promptTokenCount": prompt,
        "candidatesTokenCount": visible,
        "totalTokenCount": prompt + visible + thought,
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": prompt}],
    }
    if voice.case.judgement.surface == "vertex":
        usage["trafficType"] = "ON_DEMAND"
    if thought:
        usage["thoughtsTokenCount"] = thought
    return {
        "candidates": [candidate],
        "usageMetadata": usage,
        "modelVersion": voice.model.name,
        "responseId": reply_id,
    }


def _thoughts(voice: Voice) -> list[Json]:
    config: Any = as_dict(voice.case.request)
    config = config.get("generationConfig", config.get("generation_config"))
    thinking = as_dict(config)
    thinking = as_dict(thinking.get("thinkingConfig", thinking.get("thinking_config")))
    wanted = thinking.get("includeThoughts", thinking.get("include_thoughts"))
    if wanted is not True:
        return []
    return [{"text": text, "thought": True} for text in voice.reply.thoughts]


def _calls(voice: Voice) -> tuple[list[dict[str, Json]], Anchor | None]:
    """Call parts, unsigned, and the anchor of the first. Ids since Gemini 3."""
    demands = voice.model.demands
    ids = voice.call_ids(google_id) if demands else [""] * len(voice.reply.calls)
    parts: list[dict[str, Json]] = []
    for call, call_id in zip(voice.reply.calls, ids, strict=True):
        function = {"name": call.name, "args": call.arguments}
        parts.append({"functionCall": function | ({"id": call_id} if call_id else {})})
    return parts, voice.call_anchor(0, ids[0]) if ids else None


def _whole(voice: Voice) -> list[Json]:
    """Parts of an unstreamed reply: `T, text*`, or `T, text, FC*, FC`."""
    calls, anchor = _calls(voice)
    thoughts = _thoughts(voice)
    if thoughts:
        joined = "".join(part["text"] for part in thoughts)
        thoughts = [{"text": joined, "thought": True}]
    text = voice.reply.text
    texts: list[dict[str, Json]] = [{"text": text}] if text else []
    if voice.reply.signed:
        _sign_one(voice, texts, calls, anchor)
    return [*thoughts, *texts, *calls]


def _sign_one(
    voice: Voice,
    texts: list[dict[str, Json]],
    calls: list[dict[str, Json]],
    anchor: Anchor | None,
) -> None:
    """Gemini 3 signs the first call, 2.5 the first part; an answer its text."""
    if anchor and (voice.model.demands or not texts):
        calls[0]["thoughtSignature"] = voice.sign(anchor)
    elif texts:
        said = Anchor(kind="text", text=texts[0]["text"])
        texts[0]["thoughtSignature"] = voice.sign(said)


def _chunks(voice: Voice) -> list[list[Json]]:
    """Parts of each chunk of a stream. Part indices start again in every chunk.

    Gemini 3: `T`..., `text`..., then calls one by one and an empty unsigned text, or
    an empty last text with the signature. 2.5: the first part after the thoughts is
    signed.
    """
    if voice.reply.finish:
        return [[]]
    calls, anchor = _calls(voice)
    texts: list[dict[str, Json]] = [
        {"text": piece} for piece in pieces(voice.reply.text, _PIECE)
    ]
    empty: dict[str, Json] = {"text": ""}
    if voice.reply.signed and (calls or not voice.model.demands):
        _sign_one(voice, texts, calls, anchor)
    elif voice.reply.signed:
        said = Anchor(kind="text", text=voice.reply.text)
        empty["thoughtSignature"] = voice.sign(said)
    chunks: list[list[Json]] = [[part] for part in _thoughts(voice)]
    chunks += [[part] for part in (*texts, *calls)]
    if calls or voice.model.demands:
        chunks.append([empty])
    return chunks


def _bytes(text: str) -> bytes:
    return text.encode(errors="backslashreplace")
