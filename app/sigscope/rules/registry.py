"""Every rule: a line for each package of rules; those that speak last come last."""

from __future__ import annotations

import re

from sigscope import extensions
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
from sigscope.rules.base import Confidence, Rule, Severity

_OWN: tuple[Rule, ...] = (
    *gemini.RULES,
    *openrouter.RULES,
    *copilot_chat.RULES,
    *litellm.RULES,
    *anthropic.RULES,
    *responses.RULES,
    *gemini_openai.RULES,
    *deepseek.RULES,
)
_LAST: tuple[Rule, ...] = (*session.RULES, *refusal.RULES)


def _refuse(rule: Rule) -> str:
    """Why a rule of others cannot be taken; "" if it can."""
    if any(rule.code.upper() == own.code for own in (*_OWN, *_LAST)):
        return f"there is a rule {rule.code} already"
    if not _CODE.fullmatch(rule.code):
        return f"{rule.code!r} is no rule's id: three letters, - and a number"
    if rule.is_last_word or not rule.dialects:
        return f"{rule.code} names no dialect, or wants the last word"
    if rule.severity is Severity.ERROR and rule.confidence is Confidence.INFERRED:
        return f"{rule.code} is inferred: such a rule warns at most"
    return ""


_CODE = re.compile(r"[A-Z]{3}-[0-9]{1,3}")
RULES: tuple[Rule, ...] = (
    *_OWN,
    *extensions.loaded("rules", Rule, _refuse),
    *_LAST,
)


def rule_named(code: str) -> Rule | None:
    """The rule with this code, whatever the case; None if there is none."""
    return _BY_CODE.get(code.upper())


_BY_CODE = {rule.code: rule for rule in RULES}
