"""How a LiteLLM proxy words its errors."""

from __future__ import annotations

from sigscope.refusals.words import MISSING, Wording, marks

WORDING = Wording(
    name="litellm",
    prefix="LLM-",
    marks=marks(r"\blitellm\.|LiteLLM: model group|Received Model Group="),
    behind=dict.fromkeys(MISSING, "LLM-2"),
)
