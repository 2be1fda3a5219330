"""GitHub Copilot, as editors ask it."""

from __future__ import annotations

from sigscope.converse.families.base import KEY, Ask
from sigscope.converse.families.chat_completions import ChatSpeech
from sigscope.converse.policy import Policy
from sigscope.exchange import Headers
from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CopilotSpeech(ChatSpeech):
    """With the headers that tell the editor, and who began the request."""

    def own_headers(self, ask: Ask, policy: Policy) -> Headers:
        return (
            ("authorization", f"Bearer {KEY}"),
            ("editor-version", "vscode/1.106.2"),
            ("editor-plugin-version", "copilot-chat/0.33.2"),
            ("copilot-integration-id", "vscode-chat"),
            ("openai-intent", "conversation-agent"),
            ("x-github-api-version", "2025-05-01"),
            ("x-initiator", "user" if ask.is_first else "agent"),
            ("x-request-id", ask.request_id),
        )


SPEECH = CopilotSpeech(
    name="copilot-chat",
    url="https://api.githubcopilot.com/chat/completions",
    own_paces=((b"reasoning_opaque", (140, 290)), (b"reasoning_text", (260, 520))),
)
