"""How each API words its errors: one file each, of the dialect's stem, and a line here.

A service's error may pass through a gateway: then the gateway's own rule is meant as
well as the service's.
"""

from __future__ import annotations

from sigscope import extensions
from sigscope.refusals.dialects import (
    anthropic,
    copilot_chat,
    deepseek,
    gemini,
    gemini_openai,
    litellm,
    openrouter,
    others,
    responses,
)
from sigscope.refusals.words import Wording

WORDINGS: tuple[Wording, ...] = (
    litellm.WORDING,
    openrouter.WORDING,
    gemini.WORDING,
    copilot_chat.WORDING,
    anthropic.WORDING,
    responses.WORDING,
    gemini_openai.WORDING,
    others.BEDROCK,
    others.AZURE,
    deepseek.WORDING,
    others.KIMI,
    others.XAI,
    *extensions.stage("refusals", Wording),
)
"""Gateways first: their words stand outside of those of the services behind them."""
_BY_NAME = {wording.name: wording for wording in WORDINGS}
_UNKNOWN = Wording(name="")


def wording_of(name: str) -> Wording:
    """How an API words its errors; nothing is told of one that is not known."""
    return _BY_NAME.get(name, _UNKNOWN)
