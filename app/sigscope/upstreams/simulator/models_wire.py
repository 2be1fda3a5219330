"""Model lists and the front page: what clients ask before they talk."""

from __future__ import annotations

from sigscope.upstreams.simulator.config import Dialect, SimConfig
from sigscope.upstreams.simulator.models import read_model
from sigscope.upstreams.simulator.records import Json
from sigscope.upstreams.simulator.routes import PATHS

_NAMES = (
    "gemini-3-pro-preview",
    "gemini-3-flash-preview",
    "gemini-3.1-pro-preview",
    "gemini-3.5-flash",
    "gemini-3.7-flash",
    "gemini-2.5-pro",
    "gemini-2.5-flash",
    "claude-sonnet-4.5",
    "gpt-5.2",
    "gpt-5.3-codex",
    "grok-4.1-fast",
)
"""A few of each family; other names of these families are answered too."""


def listing(dialect: Dialect | None) -> Json:
    """The answer to a request for models."""
    if dialect == "gemini":
        return {"models": [_gemini(name) for name in _NAMES if "gemini" in name]}
    spell = {"openrouter": _openrouter, "copilot-chat": _copilot}
    build = spell.get(dialect or "", _plain)
    return {"object": "list", "data": [build(name) for name in _NAMES]}


def greeting(config: SimConfig) -> Json:
    """What the simulator says of itself."""
    return {
        "service": "sigscope simulator",
        "dialect": config.dialect,
        "model": config.model,
        "enforce": config.enforce,
        "paths": list(PATHS),
    }


def _gemini(name: str) -> Json:
    methods = ["generateContent", "streamGenerateContent", "countTokens"]
    return {
        "name": f"models/{name}",
        "displayName": name,
        "supportedGenerationMethods": methods,
        "thinking": True,
    }


def _copilot(name: str) -> Json:
    """Which APIs a model speaks is listed here
    (docs/wire/copilot-chat.md#endpoints)."""
    model = read_model(name)
    chat = model is None or not model.speaks_responses_only
    endpoints = ["/chat/completions"] if chat else []
    if model and model.speaks_responses:
        endpoints.append("/responses")
    return {
        "id": name,
        "name": name,
        "object": "model",
        "vendor": model.vendor if model else "",
        "supported_endpoints": endpoints,
    }


def _openrouter(name: str) -> Json:
    model = read_model(name)
    vendor = {"xai": "x-ai"}.get(model.vendor, model.vendor) if model else "other"
    return {"id": f"{vendor}/{name}", "name": name}


def _plain(name: str) -> Json:
    return {"id": name, "object": "model", "owned_by": "sigscope"}
