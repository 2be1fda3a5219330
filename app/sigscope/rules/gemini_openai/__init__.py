"""Rules about Gemini's OpenAI-compatible endpoint (docs/wire/gemini-openai.md)."""

from sigscope.rules.base import Rule
from sigscope.rules.gemini_openai import (
    goc_1_extra_content_dropped,
    goc_2_wrong_extra_content,
    goc_3_other_namespace,
    goc_4_calls_apart,
)

RULES: tuple[Rule, ...] = (
    goc_1_extra_content_dropped.RULE,
    goc_2_wrong_extra_content.RULE,
    goc_3_other_namespace.RULE,
    goc_4_calls_apart.RULE,
)
