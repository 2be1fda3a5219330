"""Gemini through its OpenAI-compatible endpoint (docs/wire/gemini-openai.md)."""

from __future__ import annotations

import re
from dataclasses import replace

from sigscope.conversation import Json, Reply, Role, SignatureKind
from sigscope.dialects.assembly import Assembler
from sigscope.dialects.base import Match, Probe
from sigscope.dialects.carriers import Carrier
from sigscope.dialects.chat import ChatDialect
from sigscope.dialects.chat_carriers import chat_carrier, chat_misplaced
from sigscope.dialects.chat_stream import ChatAssembler
from sigscope.dialects.homes import OnCall
from sigscope.dialects.services import AI_STUDIO, VERTEX, surest

NAMESPACES = ("google", "vertex")
"""Words under `extra_content`; the first where none is known."""


def _path(namespace: str) -> str:
    return f"extra_content/{namespace}/thought_signature"


def carrier_of(namespace: str) -> str:
    """Name of the carrier on calls."""
    return f"gemini-openai.{namespace}.thought_signature"


CARRIERS = (
    *(
        chat_carrier(carrier_of(word), f"tool_calls/*/{_path(word)}")
        for word in NAMESPACES
    ),
    *(  # of a whole message: Gemini 2.5 in early summer 2025
        chat_carrier(f"gemini-openai.message.{path.replace('/', '.')}", path)
        for path in (*map(_path, NAMESPACES), "thought_signature")
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
    Carrier(
        name="gemini-openai.misplaced.function.extra_content",
        kind=SignatureKind.SIGNATURE,
        request=tuple(
            f"/messages/*/tool_calls/*/function/{_path(name)}" for name in NAMESPACES
        ),
        is_read=False,
    ),
)


class GeminiOpenAIAssembler(ChatAssembler):
    """Chunks whose calls have no `index`, and in old streams an id of no length: each
    comes whole (docs/wire/gemini-openai.md#carriers)."""

    def _slot(self, calls: list[Json], call: dict[str, Json], at: str) -> int:
        function = call.get("function")
        is_whole = isinstance(function, dict) and bool(function.get("name"))
        if call.get("index") is None and not call.get("id") and is_whole:
            calls.append({})
            return len(calls) - 1
        return super()._slot(calls, call, at)


class GeminiOpenAI(ChatDialect):
    """`/v1beta/openai/chat/completions`, and Vertex's `/endpoints/openapi/`."""

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
    home = OnCall(
        path=_path(NAMESPACES[0]),
        paths={carrier_of(name): _path(name) for name in NAMESPACES},
    )
    joined_roles = frozenset({Role.TOOL})

    def could_be(self, probe: Probe) -> bool:
        """Vertex serves models of its users too, at `/endpoints/NUMBER/`."""
        if not super().could_be(probe):
            return False
        known, match = surest(self.services, probe)
        if known is None or known.path is None or match is Match.PATH:
            return True
        return not probe.path or known.path.search(probe.path) is not None

    def answers_so(self, probe: Probe) -> bool:
        """Also by Google's error in a list of one."""
        return super().answers_so(probe) or (
            isinstance(probe.response, list)
            and len(probe.response) == 1
            and any(_is_google_error(answer.get("error")) for answer in probe.answers)
        )

    def asks_so(self, probe: Probe) -> bool:
        request = probe.request if isinstance(probe.request, dict) else {}
        return _has_namespace(request.get("extra_body")) or super().asks_so(probe)

    def is_marked(self, entry: dict[str, Json]) -> bool:
        calls = entry.get("tool_calls")
        holders = [entry, *(calls if isinstance(calls, list) else ())]
        return any(
            isinstance(holder, dict) and _has_namespace(holder.get("extra_content"))
            for holder in holders
        )

    def assembler(self) -> Assembler:
        return GeminiOpenAIAssembler()

    def reply(self, body: Json) -> Reply:
        """Errors come in a list of one."""
        is_list = isinstance(body, list) and len(body) == 1
        return super().reply(body[0] if is_list else body)


def _has_namespace(value: Json) -> bool:
    return isinstance(value, dict) and any(key in value for key in NAMESPACES)


def _is_google_error(error: Json) -> bool:
    return isinstance(error, dict) and isinstance(error.get("status"), str)
