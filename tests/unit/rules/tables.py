"""The cases of every dialect's rules."""

from __future__ import annotations

from tests.unit.rules import (
    anthropic_cases,
    copilot_chat_cases,
    deepseek_cases,
    gemini_cases,
    gemini_openai_cases,
    litellm_cases,
    openrouter_cases,
    responses_cases,
)

DIALECT_TABLES = (
    gemini_cases,
    openrouter_cases,
    copilot_chat_cases,
    litellm_cases,
    anthropic_cases,
    responses_cases,
    gemini_openai_cases,
    deepseek_cases,
)
"""Those of one dialect each, in the order in which they are tried."""
