"""Every rule: a line for each package of rules; those that speak last come last."""

from __future__ import annotations

from sigscope.rules import (
    anthropic,
    copilot_chat,
    deepseek,
    gemini,
    gemini_openai,
    litellm,
    openrouter,
    refusal,
    responses,
    session,
)
from sigscope.rules.base import Rule

RULES: tuple[Rule, ...] = (
    *gemini.RULES,
    *openrouter.RULES,
    *copilot_chat.RULES,
    *litellm.RULES,
    *anthropic.RULES,
    *responses.RULES,
    *gemini_openai.RULES,
    *deepseek.RULES,
    *session.RULES,
    *refusal.RULES,
)


def rule_named(code: str) -> Rule | None:
    """The rule with this code, whatever the case; None if there is none."""
    return _BY_CODE.get(code.upper())


_BY_CODE = {rule.code: rule for rule in RULES}
