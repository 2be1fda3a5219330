"""How Gemini words its errors."""

from __future__ import annotations

from sigscope.refusals.words import Wording

WORDING = Wording(name="gemini", prefix="GEM-")
