"""A LiteLLM proxy, which everybody runs at an address of their own."""

from __future__ import annotations

from sigscope.converse.families.chat_completions import ChatSpeech

SPEECH = ChatSpeech(
    name="litellm", url="https://litellm.example.com/v1/chat/completions"
)
