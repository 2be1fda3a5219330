"""Gemini through its OpenAI-compatible endpoint (docs/wire/gemini-openai.md)."""

from __future__ import annotations

import re
from dataclasses import replace

from sigscope.conversation import Role
from sigscope.dialects.base import Probe
from sigscope.dialects.carriers import stray
from sigscope.dialects.chat import ChatDialect
from sigscope.dialects.chat_carriers import chat_carrier, chat_misplaced
from sigscope.dialects.homes import OnCall
from sigscope.dialects.services import AI_STUDIO, VERTEX

_WORDS = ("google", "vertex")
"""Under `extra_content`; the first where none is known."""
_PATHS = {
    f"gemini-openai.{word}.thought_signature": f"extra_content/{word}/thought_signature"
    for word in _WORDS
}
"""Carrier on a call → its place there."""

CARRIERS = (
    *(chat_carrier(name, f"tool_calls/*/{path}") for name, path in _PATHS.items()),
    *(  # of a whole message: Gemini 2.5 in early summer 2025
        chat_carrier(f"gemini-openai.message.{path.replace('/', '.')}", path)
        for path in (*_PATHS.values(), "thought_signature")
    ),
    *chat_misplaced(
        "gemini-openai",
        call=(
            "thought_signature",
            "thoughtSignature",
            "provider_specific_fields/thought_signature",
        ),
        message=("thoughtSignature", "reasoning_opaque"),
    ),
    stray(
        "gemini-openai.misplaced.function.extra_content",
        *(f"/messages/*/tool_calls/*/function/{path}" for path in _PATHS.values()),
    ),
)


class GeminiOpenAI(ChatDialect):
    """`/v1beta/openai/chat/completions`, and Vertex's `/endpoints/openapi/`; at
    `/endpoints/NUMBER/` Vertex serves models of its users."""

    name = "gemini-openai"
    title = "Gemini's OpenAI-compatible endpoint"
    services = (
        replace(
            AI_STUDIO, key_header="authorization", path=re.compile(r"/v1beta/openai/")
        ),
        replace(VERTEX, path=re.compile(r"/endpoints/openapi/")),
    )
    carriers = CARRIERS
    default_path = "/v1beta/openai/chat/completions"
    thought_fields = ()
    """Summaries come inside `content` (docs/wire/gemini-openai.md#si-2)."""
    home = OnCall(path=next(iter(_PATHS.values())), paths=_PATHS)
    joined_roles = frozenset({Role.TOOL})
    marks = tuple(
        f"{above}extra_content/{word}"
        for above in ("", "tool_calls/*/")
        for word in _WORDS
    )
    request_marks = tuple(f"extra_body/{word}" for word in _WORDS)

    def answers_so(self, probe: Probe) -> bool:
        """Also by Google's error in a list of one."""
        is_one = isinstance(probe.response, list) and len(probe.response) == 1
        errors = (answer.get("error") for answer in probe.answers if is_one)
        return super().answers_so(probe) or any(
            isinstance(error, dict) and isinstance(error.get("status"), str)
            for error in errors
        )
