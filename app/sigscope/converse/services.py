"""How a client addresses each service: URL, headers, the frame of the body.

Facts: docs/wire/*.md#endpoints. Keys are written as the redactor writes them, so
that a session looks the same whether it was rehearsed or recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sigscope.converse.policy import DialectName, Policy
from sigscope.converse.tools import DECLARED
from sigscope.exchange import Headers

KEY = "[removed]"
_PATHS = {
    "copilot-chat": "https://api.githubcopilot.com/chat/completions",
    "openrouter": "https://openrouter.ai/api/v1/chat/completions",
    "litellm": "https://litellm.example.com/v1/chat/completions",
}
_STUDIO = "https://generativelanguage.googleapis.com/v1beta"
_VERTEX = (
    "https://aiplatform.googleapis.com/v1/projects/my-project/locations/global"
    "/publishers/google"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What is asked for in one request."""

    dialect: DialectName
    model: str
    stream: bool
    is_first: bool
    """Whether the user, not the tool loop, caused it."""
    request_id: str
    tools: bool = True


def url_of(ask: Ask, policy: Policy) -> str:
    """Where a client of the real service sends this."""
    if ask.dialect != "gemini":
        return _PATHS[ask.dialect]
    base = _VERTEX if policy.surface == "vertex" else _STUDIO
    method = "streamGenerateContent?alt=sse" if ask.stream else "generateContent"
    return f"{base}/models/{ask.model}:{method}"


def headers_of(ask: Ask, policy: Policy) -> Headers:
    """The service's headers, then the client's own; the same name replaces."""
    common = [("content-type", "application/json")]
    named = [*common, *_HEADERS[ask.dialect](ask, policy)]
    own = {name.lower(): (name, value) for name, value in policy.client.headers.items()}
    kept = [own.pop(name.lower(), (name, value)) for name, value in named]
    return (*kept, *own.values())


def _copilot(ask: Ask, policy: Policy) -> Sequence[tuple[str, str]]:
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


def _bearer(ask: Ask, policy: Policy) -> Sequence[tuple[str, str]]:
    return (("authorization", f"Bearer {KEY}"),)


def _google(ask: Ask, policy: Policy) -> Sequence[tuple[str, str]]:
    if policy.surface == "vertex":
        return _bearer(ask, policy)
    return (("x-goog-api-key", KEY),)


_HEADERS: Mapping[DialectName, Callable[[Ask, Policy], Sequence[tuple[str, str]]]] = {
    "copilot-chat": _copilot,
    "openrouter": _bearer,
    "litellm": _bearer,
    "gemini": _google,
}


def chat_body(
    ask: Ask, policy: Policy, messages: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Body of a chat completions request."""
    body: dict[str, Any] = {
        "model": ask.model,
        "messages": list(messages),
        "stream": ask.stream,
    }
    if ask.tools:
        body["tools"] = [{"type": "function", "function": one} for one in DECLARED]
        body["tool_choice"] = "auto"
        body |= policy.client.body
    return body


def gemini_body(
    ask: Ask, policy: Policy, contents: Sequence[Mapping[str, Any]], system: str
) -> dict[str, Any]:
    """Body of a generateContent request. Thoughts are asked for: without that none
    come, which is not a loss (docs/wire/gemini.md#silent)."""
    body: dict[str, Any] = {
        "contents": list(contents),
        "systemInstruction": {"parts": [{"text": system}]},
    }
    if ask.tools:
        body["tools"] = [{"functionDeclarations": list(DECLARED)}]
        body["generationConfig"] = {"thinkingConfig": {"includeThoughts": True}}
        body |= policy.client.body
    return body
