"""The ready-made edits of each dialect: one file of its stem, and a line here."""

from __future__ import annotations

from sigscope.readymade.dialects import (
    anthropic,
    copilot_chat,
    deepseek,
    gemini,
    gemini_openai,
    litellm,
    openrouter,
    responses,
)
from sigscope.readymade.repertoire import Repertoire

REPERTOIRES: tuple[Repertoire, ...] = (
    copilot_chat.REPERTOIRE,
    openrouter.REPERTOIRE,
    litellm.REPERTOIRE,
    gemini.REPERTOIRE,
    anthropic.REPERTOIRE,
    responses.REPERTOIRE,
    gemini_openai.REPERTOIRE,
    deepseek.REPERTOIRE,
)
"""In the order in which they are offered."""
_BY_NAME = {repertoire.dialect: repertoire for repertoire in REPERTOIRES}


def repertoire_of(dialect: str) -> Repertoire | None:
    """That of the dialect of this name; None where there is none."""
    return _BY_NAME.get(dialect)
