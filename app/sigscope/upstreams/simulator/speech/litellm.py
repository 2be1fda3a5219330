"""A reply as a LiteLLM proxy gives it (docs/wire/litellm.md#carriers; derived
recordings)."""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.upstreams.simulator.checks.litellm_translation import NEWER
from sigscope.upstreams.simulator.checks.strays import SUFFIX
from sigscope.upstreams.simulator.config import Anchor, parse_version
from sigscope.upstreams.simulator.mint.draws import HEX, Draws
from sigscope.upstreams.simulator.records import Json
from sigscope.upstreams.simulator.speech.callids import (
    CallId,
    claude_id,
    google_id,
    openai_id,
)
from sigscope.upstreams.simulator.speech.chat import ChatResponder
from sigscope.upstreams.simulator.speech.prose import pieces
from sigscope.upstreams.simulator.speech.voice import Headers, Voice


class LiteLLMResponder(ChatResponder):
    """Deltas of one kind each: reasoning, text, calls; never two of them at once.

    Google's MISSING_THOUGHT_SIGNATURE is mapped to `stop` (LLM-7).
    """

    typed_stream = "text/event-stream; charset=utf-8"

    def headers(self, voice: Voice) -> Headers:
        draws = voice.draws.child("proxy")
        return (
            ("x-litellm-call-id", _uuid(draws.word(32, HEX))),
            ("x-litellm-model-id", draws.word(64, HEX)),
            ("x-litellm-version", voice.config.litellm_version),
        )

    def call_ids(self, voice: Voice) -> list[str]:
        """The native id is passed on since some version, an invented one before."""
        google = voice.model.vendor == "google"
        native = google and voice.model.demands
        if native and parse_version(voice.config.litellm_version) >= NEWER:
            return voice.call_ids(google_id)
        own: dict[str, CallId] = {"google": _proxy_id, "anthropic": claude_id}
        return voice.call_ids(own.get(voice.model.vendor, openai_id))

    def calls(self, voice: Voice) -> list[dict[str, Json]]:
        """Gemini signs the first call: beside it, and behind the id in its id."""
        calls = super().calls(voice)
        signature = self._signature(voice)
        if calls and signature:
            calls[0]["provider_specific_fields"] = {"thought_signature": signature}
            calls[0]["id"] = f"{calls[0]['id']}{SUFFIX}{signature}"
        return calls

    def _signature(self, voice: Voice) -> str:
        """Gemini's signature of the reply; "" where there is none."""
        if voice.model.vendor != "google" or not voice.reply.signed:
            return ""
        if ids := self.call_ids(voice):
            return voice.sign(voice.call_anchor(0, ids[0]))
        return voice.sign(Anchor(kind="text", text=voice.reply.text))

    def deltas(self, voice: Voice) -> Iterator[dict[str, Json]]:
        blocks = _blocks(voice)
        for text in voice.reply.thoughts:
            delta: dict[str, Json] = {self.thoughts: text}
            if blocks:
                part = {"type": "thinking", "thinking": text, "signature": ""}
                delta["thinking_blocks"] = [part]
            yield delta
        if blocks:
            last = {**blocks[0], "thinking": ""}
            yield {self.thoughts: "", "thinking_blocks": [last]}
        for piece in pieces(voice.reply.text, self.piece):
            yield {"content": piece}
        calls, signature = self.calls(voice), self._signature(voice)
        fields = {"thought_signatures": [signature]}
        for number, call in enumerate(calls):
            signed = (
                {"provider_specific_fields": fields} if signature and not number else {}
            )
            yield {**signed, "tool_calls": [call]}
        if signature and not calls:
            yield {"provider_specific_fields": fields}

    def message(self, voice: Voice) -> dict[str, Json]:
        message = super().message(voice)
        if blocks := _blocks(voice):
            message["thinking_blocks"] = blocks
            fields: dict[str, Json] = {"citations": None, "thinking_blocks": blocks}
            message["provider_specific_fields"] = fields
        elif voice.model.vendor == "google":
            message |= {"images": [], "thinking_blocks": []}
            if signature := self._signature(voice):
                signatures = {"thought_signatures": [signature]}
                message["provider_specific_fields"] = signatures
        return message


def _proxy_id(number: int, name: str, draws: Draws) -> str:
    return f"call_{draws.word(28, HEX)}"


def _uuid(text: str) -> str:
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def _blocks(voice: Voice) -> list[Json]:
    """Claude's thinking block."""
    if voice.model.vendor != "anthropic" or not voice.reply.signed:
        return []
    text = "".join(voice.reply.thoughts)
    signature = voice.sign(Anchor(kind="thought", text=text))
    return [{"type": "thinking", "thinking": text, "signature": signature}]
