"""How OpenRouter words its errors."""

from __future__ import annotations

from sigscope.refusals.words import MISSING, Wording, marks

WORDING = Wording(
    name="openrouter",
    prefix="ORT-",
    marks=marks(r"OpenRouter reasoning details|openrouter\.ai/|provider_name"),
    behind={
        **dict.fromkeys(MISSING, "ORT-1"),
        "ANT-1": "ORT-5",
        "ANT-3": "ORT-5",
        "RSP-4": "ORT-4",
    },
    in_stream="ORT-8",
)
