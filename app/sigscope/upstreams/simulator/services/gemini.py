"""Gemini, on AI Studio and on Vertex."""

from __future__ import annotations

from sigscope.upstreams.simulator import texts
from sigscope.upstreams.simulator.checks.gemini import wrap
from sigscope.upstreams.simulator.families.gemini import GeminiService

SERVICE = GeminiService(
    name="gemini",
    paths=(
        "/v1beta/models/MODEL:generateContent",
        "/v1/projects/P/locations/L/publishers/google/models/MODEL:generateContent",
    ),
    models_path="/v1beta/models",
    default_path="/v1beta/models/{model}:{method}",
    no_key=wrap(texts.NO_KEY_GOOGLE.refuse()),
)
