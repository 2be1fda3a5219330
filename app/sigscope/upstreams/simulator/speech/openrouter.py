"""A reply as OpenRouter gives it (docs/wire/openrouter.md#carriers; recorded
streams)."""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.upstreams.simulator.checks.openrouter_entries import FORMATS
from sigscope.upstreams.simulator.checks.openrouter_wrap import provider_name
from sigscope.upstreams.simulator.config import Anchor
from sigscope.upstreams.simulator.mint.draws import Draws
from sigscope.upstreams.simulator.records import Json, as_dict, as_text
from sigscope.upstreams.simulator.speech.callids import CallId, claude_id, openai_id
from sigscope.upstreams.simulator.speech.chat import ChatResponder, Kind
from sigscope.upstreams.simulator.speech.prose import pieces
from sigscope.upstreams.simulator.speech.voice import Headers, Voice

_ARGUMENTS = 12
"""Characters of arguments in one delta."""
_WAITING = b": OPENROUTER PROCESSING\n\n"
_STOPS = {
    "anthropic": ("tool_use", "end_turn"),
    "google": ("STOP", "STOP"),
}
_ROLE = {"role": "assistant"}
_FUNCTION_KEYS = ("name", "arguments")


def _named_id(number: int, name: str, draws: Draws) -> str:
    return f"tool_{number}_{name}_{draws.word(20)}"


_IDS: dict[str, CallId] = {"google": _named_id, "anthropic": claude_id}


class OpenRouterResponder(ChatResponder):
    """Comments while waiting, details, text, calls in pieces, usage, [DONE]."""

    piece = 40
    thoughts = "reasoning"

    def headers(self, voice: Voice) -> Headers:
        return (("x-generation-id", _reply_id(voice)),)

    def lead(self, voice: Voice) -> bytes:
        return b"\n         \n" * (1 + voice.draws.child("wait").below(3))

    def waiting(self, voice: Voice) -> tuple[bytes, ...]:
        return (_WAITING,) * (2 + voice.draws.child("wait").below(3))

    def call_ids(self, voice: Voice) -> list[str]:
        return voice.call_ids(_IDS.get(voice.model.vendor, openai_id))

    def frames(self, voice: Voice) -> Iterator[Json]:
        for delta in self.deltas(voice):
            yield self.frame(voice, _choice(delta))
        reasons = _finish(voice)
        last = {"content": "", **_ROLE, "reasoning": None}
        yield self.frame(voice, _choice(last, reasons))
        counted = self.frame(voice, _choice({"content": "", **_ROLE}, reasons))
        yield {**counted, "usage": self.usage(voice)}

    def deltas(self, voice: Voice) -> Iterator[dict[str, Json]]:
        for delta in _details(voice):
            yield {"content": "", **_ROLE, **delta}
        closing = _closing(voice, self.call_ids(voice))
        thinks_first = voice.model.vendor != "google"
        end = {
            "content": "",
            **_ROLE,
            "reasoning": None,
            "reasoning_details": [closing],
        }
        if closing and thinks_first:
            yield end
        for piece in pieces(voice.reply.text, self.piece):
            yield {"content": piece, **_ROLE}
        if closing and not thinks_first:
            yield end
        for call in self.calls(voice):
            for piece in _pieces(call):
                yield {"content": None, **_ROLE, "tool_calls": [piece]}

    def frame(
        self, voice: Voice, choice: Json, kind: Kind = "chat.completion.chunk"
    ) -> dict[str, Json]:
        return {**_head(voice, kind), "choices": [choice]}

    def usage(self, voice: Voice) -> Json:
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

    def whole(self, voice: Voice) -> Json:
        reasons = _finish(voice)
        choice = {
            "index": 0,
            "logprobs": None,
            "finish_reason": reasons[0],
            "native_finish_reason": reasons[1],
            "message": self.message(voice),
        }
        head = _head(voice, "chat.completion")
        # The official SDK refuses an answer without it (openrouter 1.3.84, ChatResult).
        head["system_fingerprint"] = None
        return {**head, "choices": [choice], "usage": self.usage(voice)}

    def message(self, voice: Voice) -> dict[str, Json]:
        shown = "".join(_shown(voice))
        message: dict[str, Json] = {
            "role": "assistant",
            "content": voice.reply.text or None,
            "refusal": None,
            "reasoning": shown or None,
        }
        if calls := self.calls(voice):
            message["tool_calls"] = [
                {
                    "type": "function",
                    "index": call["index"],
                    "id": call["id"],
                    "function": {key: call["function"][key] for key in _FUNCTION_KEYS},
                }
                for call in calls
            ]
        if details := _whole_details(voice, self.call_ids(voice), shown):
            message["reasoning_details"] = details
        return message


def _reply_id(voice: Voice) -> str:
    return f"gen-{voice.created}-{voice.draws.child('id').word(20)}"


def _pieces(call: dict[str, Json]) -> Iterator[Json]:
    """A call as it comes: name and id, then its arguments bit by bit."""
    number, text = call["index"], call["function"]["arguments"]
    opened = {"name": call["function"]["name"], "arguments": ""}
    head = {"index": number, "id": call["id"], "type": "function"}
    yield {**head, "function": opened}
    for at in range(0, len(text), _ARGUMENTS):
        piece = {"arguments": text[at : at + _ARGUMENTS]}
        yield {"index": number, "function": piece}


def _choice(
    delta: Json, reasons: tuple[str | None, str | None] = (None, None)
) -> dict[str, Json]:
    return {
        "index": 0,
        "delta": delta,
        "finish_reason": reasons[0],
        "native_finish_reason": reasons[1],
    }


def _head(voice: Voice, kind: Kind) -> dict[str, Json]:
    asked = as_text(as_dict(voice.case.request).get("model"))
    return {
        "id": _reply_id(voice),
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


def _details(voice: Voice) -> Iterator[dict[str, Json]]:
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


def _whole_details(voice: Voice, ids: list[str], shown: str) -> list[Json]:
    """Entries of an unstreamed reply: the deltas joined, in the same order."""
    deltas = [
        entry for delta in _details(voice) for entry in delta["reasoning_details"]
    ]
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
