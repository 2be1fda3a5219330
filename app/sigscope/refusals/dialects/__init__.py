"""How each API words its errors: one file each, of the dialect's stem, and a line here.

A service's error may pass through a gateway: then the gateway's own rule is meant as
well as the service's.
"""

from __future__ import annotations

from sigscope.refusals.dialects import copilot_chat, gemini, litellm, openrouter
from sigscope.refusals.dialects.others import AZURE, BEDROCK, GEMINI_OPENAI
from sigscope.refusals.words import Wording

WORDINGS: tuple[Wording, ...] = (
    litellm.WORDING,
    openrouter.WORDING,
    copilot_chat.WORDING,
    gemini.WORDING,
    GEMINI_OPENAI,
    BEDROCK,
    AZURE,
)
"""In the order in which a text is asked what it passed through."""
_BY_NAME = {wording.name: wording for wording in WORDINGS}
_UNKNOWN = Wording(name="")


def wording_of(name: str) -> Wording:
    """How an API words its errors; nothing is told of one that is not known."""
    return _BY_NAME.get(name, _UNKNOWN)
