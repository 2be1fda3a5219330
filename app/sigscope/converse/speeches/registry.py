"""Which dialects the client speaks."""

from __future__ import annotations

from sigscope import extensions
from sigscope.converse.families.base import Speech
from sigscope.converse.speeches import (
    anthropic,
    copilot_chat,
    deepseek,
    gemini,
    gemini_openai,
    litellm,
    openrouter,
    responses,
)

SPEECHES: tuple[Speech, ...] = (
    copilot_chat.SPEECH,
    openrouter.SPEECH,
    litellm.SPEECH,
    gemini.SPEECH,
    responses.SPEECH,
    anthropic.SPEECH,
    gemini_openai.SPEECH,
    deepseek.SPEECH,
    *extensions.stage("converse", Speech),  # type: ignore[type-abstract]
)
"""The first is spoken where neither policy nor user names one."""


def names() -> tuple[str, ...]:
    """Their dialects."""
    return tuple(speech.name for speech in SPEECHES)


def named(name: str) -> Speech:
    """The one of this dialect. Raises KeyError where none is spoken."""
    for speech in SPEECHES:
        if speech.name == name:
            return speech
    raise KeyError(name)
