"""Gemini's OpenAI-compatible endpoint, on AI Studio and on Vertex."""

from __future__ import annotations

from dataclasses import dataclass

from sigscope.converse.families.base import Ask
from sigscope.converse.families.chat_completions import ChatSpeech
from sigscope.converse.policy import Policy

_VERTEX = (
    "https://aiplatform.googleapis.com/v1/projects/my-project/locations/global"
    "/endpoints/openapi/chat/completions"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GeminiOpenAISpeech(ChatSpeech):
    """At the surface that the policy names."""

    def url_of(self, ask: Ask, policy: Policy) -> str:
        return _VERTEX if policy.surface == "vertex" else self.url


SPEECH = GeminiOpenAISpeech(
    name="gemini-openai",
    url="https://generativelanguage.googleapis.com/v1beta/openai/chat/completions",
)
