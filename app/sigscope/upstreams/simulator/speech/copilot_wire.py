"""A reply as GitHub Copilot gives it (docs/wire/copilot-chat.md#carriers; recorded
stream)."""

from __future__ import annotations

from sigscope.upstreams.simulator.config import Anchor
from sigscope.upstreams.simulator.minting.draws import HEX
from sigscope.upstreams.simulator.records import Json
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
    """Thoughts, then text, then one chunk with the calls, the envelope, the end."""
    request_id = voice.draws.child("request").word(32, HEX)
    headers = (("x-request-id", request_id), ("x-github-request-id", request_id))
    if not voice.case.judgement.streams:
        typed = ("content-type", "application/json; charset=utf-8")
        return Answer(
            status=200, headers=(typed, *headers), pieces=(document(_whole(voice)),)
        )
    typed = ("content-type", "text/event-stream")
    return Answer(status=200, headers=(typed, *headers), pieces=(*_stream(voice), DONE))


def _calls(voice: Voice) -> tuple[list[Json], str]:
    """Plain tool calls, and the envelope of the message."""
    style = {"anthropic": "claude", "openai": "openai"}.get(
        voice.model.vendor, "copilot"
    )
    ids = voice.call_ids(style)
    calls = [
        {
            "function": {"arguments": voice.arguments(n), "name": call.name},
            "id": ids[n],
            "index": n,
            "type": "function",
        }
        for n, call in enumerate(voice.reply.calls)
    ]
    if not voice.reply.signed or voice.model.vendor not in ("google", "anthropic"):
        return calls, ""
    anchor = Anchor(kind="text", text=voice.reply.text)
    return calls, voice.sign(voice.call_anchor(0, ids[0]) if ids else anchor)


def _finish(voice: Voice) -> str:
    if voice.reply.finish:
        return "error"
    return "tool_calls" if voice.reply.calls else "stop"


def _usage(voice: Voice, *, done: bool) -> Json:
    prompt, visible, thought = voice.usage() if done else (0, 0, 0)
    return {
        "completion_tokens": visible,
        "prompt_tokens": prompt,
        "prompt_tokens_details": {"cached_tokens": 0},
        "total_tokens": prompt + visible + thought,
        "reasoning_tokens": thought,
    }


def _frame(voice: Voice, choice: Json, *, done: bool) -> Json:
    return {
        "choices": [choice],
        "created": voice.created,
        "id": voice.draws.child("id").urlsafe(23),
        "usage": _usage(voice, done=done),
        "model": voice.model.name,
    }


def _thoughts(voice: Voice) -> tuple[str, ...]:
    return () if voice.model.vendor == "openai" else voice.reply.thoughts


def _stream(voice: Voice) -> list[bytes]:
    deltas: list[dict[str, Json]] = [
        {"content": None, "role": "assistant", "reasoning_text": text}
        for text in _thoughts(voice)
    ]
    deltas += [
        {"content": piece, "role": "assistant"}
        for piece in pieces(voice.reply.text, _PIECE)
    ]
    calls, envelope = _calls(voice)
    last: dict[str, Json] = {"content": None, "role": "assistant"}
    if calls:
        last["tool_calls"] = calls
    if envelope:
        last["reasoning_opaque"] = envelope
    frames = [
        _frame(voice, {"index": 0, "delta": delta}, done=False) for delta in deltas
    ]
    choice = {"finish_reason": _finish(voice), "index": 0, "delta": last}
    return [event(frame) for frame in (*frames, _frame(voice, choice, done=True))]


def _whole(voice: Voice) -> Json:
    calls, envelope = _calls(voice)
    message: dict[str, Json] = {
        "content": voice.reply.text or None,
        "role": "assistant",
    }
    if thoughts := _thoughts(voice):
        message["reasoning_text"] = "".join(thoughts)
    if calls:
        message["tool_calls"] = [
            {key: value for key, value in call.items() if key != "index"}
            for call in calls
        ]
    if envelope:
        message["reasoning_opaque"] = envelope
    choice = {"finish_reason": _finish(voice), "index": 0, "message": message}
    return _frame(voice, choice, done=True)
