"""Gemini, on AI Studio and on Vertex."""

from __future__ import annotations

from sigscope.upstreams.simulator.checks.gemini import wrap
from sigscope.upstreams.simulator.families.gemini import GeminiService
from sigscope.upstreams.simulator.texts import google as texts
from sigscope.upstreams.simulator.texts import rules_of

SERVICE = GeminiService(
    name="gemini",
    paths=(
        "/v1beta/models/MODEL:generateContent",
        "/v1/projects/P/locations/L/publishers/google/models/MODEL:generateContent",
    ),
    models_path="/v1beta/models",
    # GEM-14 has the text of GEM-4.
    rules=rules_of(texts) | {"GEM-14"},
    value_rules=frozenset({"GEM-4", "GEM-5", "GEM-6", "GEM-14", "GOC-2"}),
    no_key=wrap(texts.NO_KEY_GOOGLE.refuse()),
)
