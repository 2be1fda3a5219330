"""The Responses API, as SDKs, Codex and Copilot's clients ask it."""

from __future__ import annotations

from sigscope.converse.families.base import KEY, Ask
from sigscope.converse.families.responses import ResponsesSpeech
from sigscope.converse.policy import Policy
from sigscope.dialects.services import AZURE, CODEX, COPILOT, OPENAI
from sigscope.exchange import Headers
from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnResponsesSpeech(ResponsesSpeech):
    """With the headers of each service."""

    def own_headers(self, ask: Ask, policy: Policy) -> Headers:
        bearer = ("authorization", f"Bearer {KEY}")
        if policy.service == AZURE.name:
            return (("api-key", KEY),)
        if policy.service == COPILOT.name:
            return (
                bearer,
                ("copilot-integration-id", "vscode-chat"),
                ("x-initiator", "user" if ask.is_first else "agent"),
                ("x-request-id", ask.request_id),
            )
        if policy.service == CODEX.name:
            return (bearer, ("chatgpt-account-id", KEY), ("originator", "codex_cli_rs"))
        return (bearer,)


SPEECH = OwnResponsesSpeech(
    name="responses",
    urls={
        OPENAI.name: "https://api.openai.com/v1/responses",
        AZURE.name: "https://example.openai.azure.com/openai/v1/responses",
        CODEX.name: "https://chatgpt.com/backend-api/codex/responses",
        COPILOT.name: "https://api.githubcopilot.com/responses",
    },
)
