"""GitHub Copilot chat completions (docs/wire/copilot-chat.md)."""

from __future__ import annotations

from sigscope.conversation import SignatureKind
from sigscope.dialects.carriers import Carrier
from sigscope.dialects.chat import ChatDialect
from sigscope.dialects.chat_carriers import chat_carrier, chat_misplaced
from sigscope.dialects.homes import OnMessage
from sigscope.dialects.services import COPILOT, COPILOT_COUNTS

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
    # Azure-flavoured pair, the same roles
    chat_carrier("copilot.cot_id", "cot_id", SignatureKind.ENVELOPE),
    # Anthropic-flavoured pair, read by VS Code in the same place
    chat_carrier("copilot.signature", "signature"),
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


class CopilotChat(ChatDialect):
    """`/chat/completions` on api.githubcopilot.com and its siblings."""

    name = "copilot-chat"
    title = "GitHub Copilot chat completions"
    services = (COPILOT,)
    is_gateway = True
    carriers = CARRIERS
    default_path = "/chat/completions"
    thought_fields = ("cot_summary", "reasoning_text", "thinking")
    thought_key = "reasoning_text"
    signature_keys = ("reasoning_opaque", "cot_id", "signature")
    home = OnMessage(
        key="reasoning_opaque",
        keys={"copilot.cot_id": "cot_id", "copilot.signature": "signature"},
    )
    marks = ("reasoning_opaque", "copilot_cache_control")
    request_marks = ("copilot_thread_id",)
    answer_marks = (COPILOT_COUNTS,)
