"""A reply as chat completions: deltas of one kind each, then the finish, the usage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from sigscope.upstreams.simulator.records import Json, as_dict, as_text
from sigscope.upstreams.simulator.speech.callids import openai_id
from sigscope.upstreams.simulator.speech.prose import pieces
from sigscope.upstreams.simulator.speech.voice import (
    DONE,
    Headers,
    SimAnswer,
    Voice,
    document,
    event,
)

Kind = Literal["chat.completion", "chat.completion.chunk"]


class ChatResponder:
    """How a speaker of chat completions says a reply. Stateless.

    As it stands here: as most who copy OpenAI say it, readable reasoning in a field of
    its own and no signatures. A service overrides what it says otherwise.
    """

    piece = 48
    """Characters of text in one delta, about."""
    thoughts = "reasoning_content"
    """The field of readable reasoning."""
    typed = "application/json"
    typed_stream = "text/event-stream"

    def speak(self, voice: Voice) -> SimAnswer:
        """The whole answer, or its stream."""
        if not self.thinks(voice):
            voice = replace(voice, reply=replace(voice.reply, thoughts=()))
        headers = self.headers(voice)
        if not voice.case.judgement.streams:
            body = self.lead(voice) + document(self.whole(voice))
            typed = ("content-type", self.typed)
            return SimAnswer(status=200, headers=(typed, *headers), pieces=(body,))
        typed = ("content-type", self.typed_stream)
        frames = tuple(event(frame) for frame in self.frames(voice))
        said = (*self.waiting(voice), *frames, DONE)
        return SimAnswer(status=200, headers=(typed, *headers), pieces=said)

    def thinks(self, voice: Voice) -> bool:
        """Whether readable reasoning comes at all."""
        return True

    def headers(self, voice: Voice) -> Headers:
        """Response headers besides the content type."""
        return ()

    def lead(self, voice: Voice) -> bytes:
        """What stands before a whole answer."""
        return b""

    def waiting(self, voice: Voice) -> tuple[bytes, ...]:
        """What a stream says while the model thinks."""
        return ()

    def frames(self, voice: Voice) -> Iterator[Json]:
        """The JSON of each event."""
        first = True
        for delta in self.deltas(voice):
            role = {"role": "assistant"} if first else {}
            yield self.frame(voice, {"index": 0, "delta": {**role, **delta}})
            first = False
        last = {"index": 0, "delta": {}, "finish_reason": self.finish(voice)}
        yield self.frame(voice, last)
        options = as_dict(as_dict(voice.case.request).get("stream_options"))
        if options.get("include_usage"):
            frame = self.frame(voice, {"index": 0, "delta": {}})
            yield {**frame, "usage": self.usage(voice)}

    def deltas(self, voice: Voice) -> Iterator[dict[str, Json]]:
        """Reasoning, text, calls; never two of them at once."""
        for text in voice.reply.thoughts:
            yield {self.thoughts: text}
        for piece in pieces(voice.reply.text, self.piece):
            yield {"content": piece}
        for call in self.calls(voice):
            yield {"tool_calls": [call]}

    def calls(self, voice: Voice) -> list[dict[str, Json]]:
        """The calls of the reply, each whole."""
        ids = self.call_ids(voice)
        return [
            {
                "index": n,
                "function": {"arguments": voice.arguments(n), "name": call.name},
                "id": ids[n],
                "type": "function",
            }
            for n, call in enumerate(voice.reply.calls)
        ]

    def call_ids(self, voice: Voice) -> list[str]:
        """Their ids, as the service or the vendor behind it makes them."""
        return voice.call_ids(openai_id)

    def whole(self, voice: Voice) -> Json:
        """The body of an unstreamed answer."""
        message = self.message(voice)
        choice = {"finish_reason": self.finish(voice), "index": 0, "message": message}
        frame = self.frame(voice, choice, "chat.completion")
        return {**frame, "usage": self.usage(voice)}

    def message(self, voice: Voice) -> dict[str, Json]:
        """The message of an unstreamed answer."""
        message: dict[str, Json] = {
            "role": "assistant",
            "content": voice.reply.text or None,
        }
        if calls := self.calls(voice):
            message["tool_calls"] = calls
        if thoughts := "".join(voice.reply.thoughts):
            message[self.thoughts] = thoughts
        return message

    def finish(self, voice: Voice) -> str:
        """The reason it ended."""
        return "tool_calls" if voice.reply.calls else "stop"

    def frame(
        self, voice: Voice, choice: Json, kind: Kind = "chat.completion.chunk"
    ) -> dict[str, Json]:
        """What stands around a choice."""
        asked = as_text(as_dict(voice.case.request).get("model"))
        return {
            "id": voice.draws.child("id").urlsafe(23),
            "created": voice.created,
            "model": asked or voice.model.name,
            "object": kind,
            "choices": [choice],
        }

    def usage(self, voice: Voice) -> Json:
        """Token counts."""
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
