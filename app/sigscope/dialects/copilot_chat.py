"""GitHub Copilot chat completions (dialects.md 4)."""

from __future__ import annotations

from sigscope.conversation import Json, SignatureKind
from sigscope.dialects.assembling import Assembler
from sigscope.dialects.base import Match, Probe
from sigscope.dialects.carriers import Carrier
from sigscope.dialects.chat import (
    ChatDialect,
    first_entries,
    has_chat_shape,
    request_messages,
)
from sigscope.dialects.chat_stream import ChatAssembler
from sigscope.dialects.misplaced import chat_misplaced

_HEADERS = ("copilot-integration-id", "copilot-vision-request")
"""Request headers that no other service is sent (dialects.md 4(a))."""

WRONG_API = "unsupported_api_for_model"
"""The code of an error that no other service is known to give (CPC-4)."""

CARRIERS = (
    Carrier(
        name="copilot.reasoning_opaque",
        kind=SignatureKind.ENVELOPE,
        request=("/messages/*/reasoning_opaque",),
        response=("/choices/*/message/reasoning_opaque",),
        event=(
            "/choices/*/delta/reasoning_opaque",
            "/choices/*/message/reasoning_opaque",
        ),
        only_roles=("assistant",),
    ),
    Carrier(  # Azure-flavoured pair, the same roles
        name="copilot.cot_id",
        kind=SignatureKind.ENVELOPE,
        request=("/messages/*/cot_id",),
        response=("/choices/*/message/cot_id",),
        event=("/choices/*/delta/cot_id",),
        only_roles=("assistant",),
    ),
    Carrier(  # Anthropic-flavoured pair, read by VS Code in the same place
        name="copilot.signature",
        kind=SignatureKind.SIGNATURE,
        request=("/messages/*/signature",),
        response=("/choices/*/message/signature",),
        event=("/choices/*/delta/signature",),
        only_roles=("assistant",),
    ),
    *chat_misplaced(
        "copilot",
        call=(
            "thought_signature",
            "thoughtSignature",
            "reasoning_opaque",
            "reasoningOpaque",
            "extra_content/google/thought_signature",
            "provider_specific_fields/thought_signature",
        ),
        message=("thought_signature", "thoughtSignature", "reasoningOpaque"),
    ),
)


class CopilotAssembler(ChatAssembler):
    """Chat chunks whose delta carries `reasoning_text` and `reasoning_opaque`.

    Of several envelopes in one response the last stays in the assembled message, as
    VS Code does it (dialects.md 4(e)); every one of them is still sighted.
    """

    signature_keys = ("reasoning_opaque", "cot_id", "signature")


class CopilotChat(ChatDialect):
    """`/chat/completions` on api.githubcopilot.com and its siblings."""

    name = "copilot-chat"
    title = "GitHub Copilot chat completions"
    is_gateway = True
    carriers = CARRIERS
    thought_fields: tuple[str, ...] = ("cot_summary", "reasoning_text", "thinking")

    def match(self, probe: Probe, beaten: Match = Match.NO) -> Match:
        if not _is_chat_path(probe.path) or (
            not probe.path and not has_chat_shape(probe)
        ):
            return Match.NO
        if any(probe.request_header(name) for name in _HEADERS):
            return Match.HEADER
        if _is_copilot(probe.host):
            return Match.HOST
        if beaten >= Match.ANSWERED:
            return Match.NO
        if any(_is_marked(entry) for entry in first_entries(probe)):
            return Match.ANSWERED
        return Match.ASKED if _asks(probe) else Match.NO

    def is_beside(self, probe: Probe) -> bool:
        """`/responses` of the same service (dialects.md 4(a), 5); behind another host
        its own word for a model that does not speak it tells (CPC-4)."""
        if not probe.path.rstrip("/").endswith("/responses"):
            return False
        if _is_copilot(probe.host) or any(map(probe.request_header, _HEADERS)):
            return True
        errors = (answer.get("error") for answer in probe.answers)
        codes = (error.get("code") for error in errors if isinstance(error, dict))
        return WRONG_API in codes

    def assembler(self) -> Assembler:
        return CopilotAssembler()


def _is_copilot(host: str) -> bool:
    """github.com's hosts, and `copilot-api.` before the domain of an enterprise that
    has its own (source: opencode's Copilot plugin and its ports)."""
    return (
        host == "githubcopilot.com"
        or host.endswith(".githubcopilot.com")
        or host.startswith("copilot-api.")
    )


def _is_chat_path(path: str) -> bool:
    return path in ("", "/") or path.rstrip("/").endswith("/chat/completions")


def _asks(probe: Probe) -> bool:
    """Fields in the request that are meant for this API alone."""
    request = probe.request
    if isinstance(request, dict) and "copilot_thread_id" in request:
        return True
    return any(_is_marked(entry) for entry in request_messages(probe))


def _is_marked(entry: dict[str, Json]) -> bool:
    return "reasoning_opaque" in entry or "copilot_cache_control" in entry
