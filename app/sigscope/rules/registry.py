"""Every rule, in the order of dialects.md."""

from __future__ import annotations

from sigscope.rules.base import Rule

RULES: tuple[Rule, ...] = ()


def rule_named(code: str) -> Rule | None:
    """The rule with this code, whatever the case; None if there is none."""
    wanted = code.upper()
    return next((rule for rule in RULES if rule.code == wanted), None)
