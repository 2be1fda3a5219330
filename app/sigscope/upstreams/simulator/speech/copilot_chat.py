"""A reply as GitHub Copilot gives it (docs/wire/copilot-chat.md#carriers; recorded
stream)."""

from __future__ import annotations

import base64
from collections.abc import Iterator

from sigscope.upstreams.simulator.config import Anchor
from sigscope.upstreams.simulator.mint.draws import HEX, Draws
from sigscope.upstreams.simulator.records import Json
from sigscope.upstreams.simulator.speech.callids import CallId, claude_id, openai_id
from sigscope.upstreams.simulator.speech.chat import ChatResponder, Kind
from sigscope.upstreams.simulator.speech.prose import pieces
from sigscope.upstreams.simulator.speech.voice import Headers, Voice

_CALL_KEYS = ("function", "id", "index", "type")
"""In its order."""
_IDS: dict[str, CallId] = {"anthropic": claude_id, "openai": openai_id}


class CopilotResponder(ChatResponder):
    """Thoughts, then text, then one chunk with the calls, the envelope, the end."""

    thoughts = "reasoning_text"
    typed = "application/json; charset=utf-8"

    def headers(self, voice: Voice) -> Headers:
        request_id = voice.draws.child("request").word(32, HEX)
        return (("x-request-id", request_id), ("x-github-request-id", request_id))

    def call_ids(self, voice: Voice) -> list[str]:
        return voice.call_ids(_IDS.get(voice.model.vendor, _copilot_id))

    def calls(self, voice: Voice) -> list[dict[str, Json]]:
        return [{key: call[key] for key in _CALL_KEYS} for call in super().calls(voice)]

    def frames(self, voice: Voice) -> Iterator[Json]:
        for delta in self.deltas(voice):
            yield self._frame(voice, {"index": 0, "delta": delta}, done=False)
        last: dict[str, Json] = {"content": None, "role": "assistant"}
        if calls := self.calls(voice):
            last["tool_calls"] = calls
        if envelope := self._envelope(voice):
            last["reasoning_opaque"] = envelope
        choice = {"finish_reason": self.finish(voice), "index": 0, "delta": last}
        yield self.frame(voice, choice)

    def deltas(self, voice: Voice) -> Iterator[dict[str, Json]]:
        for text in _shown(voice):
            yield {"content": None, "role": "assistant", self.thoughts: text}
        for piece in pieces(voice.reply.text, self.piece):
            yield {"content": piece, "role": "assistant"}

    def whole(self, voice: Voice) -> Json:
        message = self.message(voice)
        choice = {"finish_reason": self.finish(voice), "index": 0, "message": message}
        return self.frame(voice, choice)

    def message(self, voice: Voice) -> dict[str, Json]:
        message: dict[str, Json] = {
            "content": voice.reply.text or None,
            "role": "assistant",
        }
        if thoughts := _shown(voice):
            message[self.thoughts] = "".join(thoughts)
        if calls := self.calls(voice):
            message["tool_calls"] = [
                {key: value for key, value in call.items() if key != "index"}
                for call in calls
            ]
        if envelope := self._envelope(voice):
            message["reasoning_opaque"] = envelope
        return message

    def _envelope(self, voice: Voice) -> str:
        """Of the whole message; "" where there is none."""
        vendor = voice.model.vendor
        if not voice.reply.signed or vendor not in ("google", "anthropic"):
            return ""
        if ids := self.call_ids(voice):
            return voice.sign(voice.call_anchor(0, ids[0]))
        return voice.sign(Anchor(kind="text", text=voice.reply.text))

    def finish(self, voice: Voice) -> str:
        return "error" if voice.reply.finish else super().finish(voice)

    def frame(
        self, voice: Voice, choice: Json, kind: Kind = "chat.completion.chunk"
    ) -> dict[str, Json]:
        return self._frame(voice, choice, done=True)

    def _frame(self, voice: Voice, choice: Json, *, done: bool) -> dict[str, Json]:
        """Without `object`; the usage stands in every chunk, zero until the end."""
        prompt, visible, thought = voice.usage() if done else (0, 0, 0)
        return {
            "choices": [choice],
            "created": voice.created,
            "id": voice.draws.child("id").urlsafe(23),
            "usage": {
                "completion_tokens": visible,
                "prompt_tokens": prompt,
                "prompt_tokens_details": {"cached_tokens": 0},
                "total_tokens": prompt + visible + thought,
                "reasoning_tokens": thought,
            },
            "model": voice.model.name,
        }


def _copilot_id(number: int, name: str, draws: Draws) -> str:
    sealed = f"0|{draws.word(18)}".encode()
    return "call_" + base64.b64encode(sealed).decode().rstrip("=")


def _shown(voice: Voice) -> tuple[str, ...]:
    return () if voice.model.vendor == "openai" else voice.reply.thoughts
