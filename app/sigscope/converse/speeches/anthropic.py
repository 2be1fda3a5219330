"""Anthropic itself."""

from __future__ import annotations

from sigscope.converse.families.messages import MessagesSpeech

SPEECH = MessagesSpeech(name="anthropic", url="https://api.anthropic.com/v1/messages")
