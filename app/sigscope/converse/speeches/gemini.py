"""Gemini on AI Studio, and on Vertex where the policy says so."""

from __future__ import annotations

from sigscope.converse.families.gemini import GeminiSpeech

SPEECH = GeminiSpeech(
    name="gemini",
    base="https://generativelanguage.googleapis.com/v1beta",
    vertex="https://aiplatform.googleapis.com/v1/projects/my-project/locations/global"
    "/publishers/google",
)
