"""Gemini on AI Studio, and on Vertex where the policy says so."""

from __future__ import annotations

from sigscope.converse.families.base import KEY, Ask
from sigscope.converse.families.gemini import GeminiSpeech
from sigscope.converse.policy import Policy
from sigscope.exchange import Headers
from sigscope.records import dataclass

_VERTEX = (
    "https://aiplatform.googleapis.com/v1/projects/my-project/locations/global"
    "/publishers/google"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GoogleSpeech(GeminiSpeech):
    """Google itself, on both surfaces."""

    def base_of(self, policy: Policy) -> str:
        return _VERTEX if policy.surface == "vertex" else self.base

    def own_headers(self, ask: Ask, policy: Policy) -> Headers:
        if policy.surface == "vertex":
            return (("authorization", f"Bearer {KEY}"),)
        return (("x-goog-api-key", KEY),)


SPEECH = GoogleSpeech(
    name="gemini", base="https://generativelanguage.googleapis.com/v1beta"
)
