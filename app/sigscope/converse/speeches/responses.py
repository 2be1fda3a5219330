"""The Responses API, as SDKs, Codex and Copilot's clients ask it."""

from __future__ import annotations

from sigscope.converse.families.base import KEY, Ask
from sigscope.converse.families.responses import ResponsesHost, ResponsesSpeech
from sigscope.dialects.services import AZURE, CODEX, COPILOT, OPENAI
from sigscope.exchange import Headers

_BEARER = ("authorization", f"Bearer {KEY}")


def _copilot(ask: Ask) -> Headers:
    return (
        _BEARER,
        ("copilot-integration-id", "vscode-chat"),
        ("x-initiator", "user" if ask.is_first else "agent"),
        ("x-request-id", ask.request_id),
    )


def _codex(ask: Ask) -> Headers:
    return (_BEARER, ("chatgpt-account-id", KEY), ("originator", "codex_cli_rs"))


SPEECH = ResponsesSpeech(
    name="responses",
    hosts={
        OPENAI.name: ResponsesHost(
            "https://api.openai.com/v1/responses", lambda ask: (_BEARER,)
        ),
        AZURE.name: ResponsesHost(
            "https://example.openai.azure.com/openai/v1/responses",
            lambda ask: (("api-key", KEY),),
        ),
        CODEX.name: ResponsesHost(
            "https://chatgpt.com/backend-api/codex/responses", _codex
        ),
        COPILOT.name: ResponsesHost(
            "https://api.githubcopilot.com/responses", _copilot
        ),
    },
)
