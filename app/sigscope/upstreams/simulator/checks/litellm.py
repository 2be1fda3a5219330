"""A LiteLLM proxy: what it passes on, and what comes back (docs/wire/litellm.md#rules).

Unknown fields are ignored, so acceptance proves nothing: the judgement's `upstream`
shows what Google would have received.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from sigscope.upstreams.simulator.checks.case import Docket, Wrap
from sigscope.upstreams.simulator.checks.chat import translate
from sigscope.upstreams.simulator.checks.chat_checks import (
    ChatChecks,
    leave_unsigned,
)
from sigscope.upstreams.simulator.checks.continuity import lost_turns
from sigscope.upstreams.simulator.checks.google import Google
from sigscope.upstreams.simulator.checks.litellm_translation import (
    NEWER,
    Proxy,
    Translation,
)
from sigscope.upstreams.simulator.checks.thinking import (
    GatewayThought,
    judge_blocks,
    refuse_blocks,
)
from sigscope.upstreams.simulator.config import SimConfig, parse_version
from sigscope.upstreams.simulator.contents import Content
from sigscope.upstreams.simulator.models import read_model
from sigscope.upstreams.simulator.records import (
    Json,
    Refusal,
    as_dict,
    as_list,
    as_text,
)
from sigscope.utf8 import to_bytes


class LiteLLMChecks(ChatChecks):
    """What a proxy makes of a request, and what the vendor behind it refuses."""

    is_gateway = True

    def surface_of(self, body: dict[str, Json], config: SimConfig) -> str:
        """The proxy's own prefixes say where a model is, else the configuration."""
        asked = as_text(body.get("model"))
        if asked.startswith("vertex_ai"):
            return "vertex"
        if asked.startswith("gemini/"):
            return "ai-studio"
        return config.surface or "ai-studio"

    def weigh(
        self, docket: Docket, body: dict[str, Json]
    ) -> tuple[list[Content], Refusal | None]:
        """Translate for the vendor behind, and hear what it refuses."""
        model, origin, keyring = docket.model, docket.origin, docket.keyring
        assert origin is not None
        messages = body["messages"]
        if model.vendor != "google":
            docket.is_gateway = False
            contents = translate(messages, leave_unsigned)
            if model.vendor != "anthropic":
                return contents, None
            blocks = _blocks(messages, contents)
            docket.signatures = judge_blocks(blocks, keyring, origin)
            return contents, refuse_blocks(blocks, keyring, origin, "ANT-1")
        proxy = Proxy(
            version=parse_version(docket.config.litellm_version),
            target=model,
            is_alias=read_model(as_text(body.get("model"))) is None,
        )
        made = proxy.translate(messages)
        docket.notes = _remarks(made)
        docket.lost_turns = lost_turns(made.contents, keyring, origin, silence=True)
        heard = Google.hear(docket, made.contents, {"GEM-1": "LLM-2", "GEM-2": "LLM-2"})
        return made.contents, made.failure or heard

    def wrapper(self, docket: Docket) -> Wrap:
        return _wrapper(
            as_text(as_dict(docket.request).get("model")),
            docket.surface,
            parse_version(docket.config.litellm_version),
            streams=docket.streams,
        )


def _remarks(made: Translation) -> tuple[str, ...]:
    if not made.dummies:
        return ()
    return (f"the proxy stamped its dummy on {made.dummies} call(s): LLM-1",)


def _blocks(messages: Json, contents: Sequence[Content]) -> list[GatewayThought]:
    """`thinking_blocks` go to Claude as they are."""
    places = {content.pointer: index for index, content in enumerate(contents)}
    return [
        GatewayThought(
            text=as_text(as_dict(block).get("thinking")),
            signature=as_text(as_dict(block).get("signature")),
            pointer=f"/messages/{index}/thinking_blocks/{number}/signature",
            message=places.get(f"/messages/{index}", index),
            number=number,
        )
        for index, message in enumerate(map(as_dict, as_list(messages)))
        for number, block in enumerate(as_list(message.get("thinking_blocks")))
        if as_dict(block).get("type") == "thinking"
    ]


def _wrapper(
    asked: str, surface: str, version: tuple[int, ...], *, streams: bool
) -> Wrap:
    """Wraps a refusal the way the proxy prints exceptions.

    1.106 and newer: the class of the exception and of the provider, the body, and what
    became of the model group; before a stream begins the body alone, as Python bytes
    [executed]. Older: `GeminiException`, or `Vertex_ai_betaException` for Vertex and
    any stream, and no type [issue report: litellm #16893, #25322].
    """
    is_new = version >= NEWER
    group = (
        f"\n\nLiteLLM: model group '{asked}' failed with the error above. No fallback"
        " was attempted."
        if is_new
        else f". Received Model Group={asked}\nAvailable Model Group Fallbacks=None"
    )

    def wrap(refusal: Refusal) -> Json:
        kind = "invalid_request_error" if is_new else None
        if refusal.status == 500:
            message = f"litellm.APIConnectionError: {refusal.message}"
            message += "" if is_new else group
            kind = "internal_server_error" if is_new else None
        elif refusal.rule.startswith("ANT"):
            inner = {"type": "invalid_request_error", "message": refusal.message}
            body = json.dumps({"type": "error", "error": inner})
            message = f"litellm.BadRequestError: AnthropicException - {body}{group}"
        elif refusal.code:
            body = json.dumps({"error": _google(refusal)}, indent=2) + "\n"
            if streams:
                body = repr(to_bytes(body))
            said = f"litellm.BadRequestError: {_provider()}Exception BadRequestError - "
            message = f"{'' if streams and is_new else said}{body}{group}"
        else:
            message = refusal.message
        return {
            "error": {
                "message": message,
                "type": kind,
                "param": None,
                "code": str(refusal.status),
            }
        }

    def _provider() -> str:
        if is_new:
            return "Vertex_ai" if surface == "vertex" else "Gemini"
        return "Vertex_ai_beta" if streams or surface == "vertex" else "Gemini"

    return wrap


def _google(refusal: Refusal) -> dict[str, Json]:
    return {
        "code": refusal.status,
        "message": refusal.message,
        "status": refusal.code,
    }
