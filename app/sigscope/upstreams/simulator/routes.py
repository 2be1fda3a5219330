"""Which path means what, as the real services lay them out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from sigscope.upstreams.simulator.config import Dialect, Pinned, Surface

Action = Literal["chat", "responses", "generate", "count", "models", "log", "root"]

_GENERATE = re.compile(
    r"(?:/(?P<version>v1(?:alpha|beta1?)?))?"
    r"(?:/projects/[^/]+/locations/[^/]+)?(?P<vertex>/publishers/google)?"
    r"/models/(?P<model>[^/:]+):(?P<method>[A-Za-z]+)"
)
_METHODS: dict[str, Action] = {
    "generateContent": "generate",
    "streamGenerateContent": "generate",
    "countTokens": "count",
}
_CHAT: dict[str, Dialect] = {
    "/chat/completions": "copilot-chat",
    "/api/v1/chat/completions": "openrouter",
    "/v1/chat/completions": "litellm",
}
_MODELS: dict[str, Dialect] = {
    "/models": "copilot-chat",
    "/api/v1/models": "openrouter",
    "/v1/models": "litellm",
    "/v1beta/models": "gemini",
}
PATHS = (
    *_CHAT,
    "/responses",
    "/v1beta/models/MODEL:generateContent",
    "/v1/projects/P/locations/L/publishers/google/models/MODEL:generateContent",
    *_MODELS,
    "/_sim/log",
)
"""For the user who asked for another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """What a path asks for."""

    action: Action
    dialect: Dialect | None = None
    """None for the simulator's own pages."""
    method: str = "POST"
    """The HTTP method it takes."""
    model: str = ""
    """Gemini: the model in the path."""
    call: str = ""
    """Gemini: generateContent or streamGenerateContent."""
    version: str = ""
    """Gemini: the API version in the path."""
    surface: Surface = "ai-studio"
    """Gemini: the surface the path belongs to."""


def find_route(path: str, pinned: Pinned) -> Route | None:
    """The route of a path, or None.

    With `any` a path must be a service's own; a pinned dialect is asked by the end of
    the path only, since users put base URLs of many forms in front of it.
    """
    if path == "/_sim/log":
        return Route(action="log", method="GET")
    if path == "/":
        return Route(action="root", method="GET")
    if found := _GENERATE.fullmatch(path):
        action = _METHODS.get(found["method"])
        if action is None or pinned not in ("any", "gemini"):
            return None
        return Route(
            action=action,
            dialect="gemini",
            model=found["model"],
            call=found["method"],
            version=found["version"] or "v1",
            surface="vertex" if found["vertex"] else "ai-studio",
        )
    if pinned == "any":
        return _exact(path)
    if pinned != "gemini" and path.endswith("/chat/completions"):
        return Route(action="chat", dialect=pinned)
    if pinned == "copilot-chat" and path.endswith("/responses"):
        return Route(action="responses", dialect=pinned)
    if path.endswith("/models"):
        return Route(action="models", dialect=pinned, method="GET")
    return None


def _exact(path: str) -> Route | None:
    if path in _CHAT:
        return Route(action="chat", dialect=_CHAT[path])
    if path == "/responses":
        return Route(action="responses", dialect="copilot-chat")
    if path in _MODELS:
        return Route(action="models", dialect=_MODELS[path], method="GET")
    return None
