"""OpenRouter."""

from __future__ import annotations

from sigscope.converse.families.chat_completions import ChatSpeech

SPEECH = ChatSpeech(
    name="openrouter",
    url="https://openrouter.ai/api/v1/chat/completions",
    own_paces=(
        (b": OPENROUTER", (40, 90)),
        (b"reasoning.encrypted", (120, 240)),
        (b"reasoning.text", (260, 520)),
    ),
)
