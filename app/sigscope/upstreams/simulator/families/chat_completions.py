"""Chat completions: their path, lists, and what is refused and said by default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace

from sigscope.records import dataclass
from sigscope.upstreams.simulator.arrival import Incoming
from sigscope.upstreams.simulator.checks.case import JudgedRequest
from sigscope.upstreams.simulator.checks.chat_checks import ChatChecks
from sigscope.upstreams.simulator.config import Surface
from sigscope.upstreams.simulator.families.base import (
    Inquiry,
    Route,
    SimulatedService,
)
from sigscope.upstreams.simulator.models import OFFERED
from sigscope.upstreams.simulator.records import Json
from sigscope.upstreams.simulator.speech.chat import ChatResponder
from sigscope.upstreams.simulator.speech.voice import SimAnswer, Voice

_CHECKS, _RESPONDER = ChatChecks(), ChatResponder()


def plain_model(name: str) -> Json:
    """An entry of a model list as OpenAI gives it."""
    return {"id": name, "object": "model", "owned_by": "sigscope"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatService(SimulatedService):
    """A speaker of chat completions."""

    checks: ChatChecks = _CHECKS
    """What it refuses."""
    responder: ChatResponder = _RESPONDER
    """How it puts a reply on the wire."""
    list_model: Callable[[str], Json] = plain_model
    """An entry of its model list."""
    offered: tuple[str, ...] = OFFERED
    """Names in its model list; others are answered too."""
    surfaces: Mapping[str, Surface] = field(default_factory=dict)
    """End of a path → the surface it belongs to; "" ends all. Empty: it has none."""

    def surface_at(self, path: str) -> Surface | None:
        """That of the longest end that fits."""
        ends = [end for end in self.surfaces if path.endswith(end)]
        return self.surfaces[max(ends, key=len)] if ends else None

    def find(self, path: str, *, is_pinned: bool) -> Route | None:
        is_own = path.endswith("/chat/completions") if is_pinned else path in self.paths
        if not is_own and not any(end and path.endswith(end) for end in self.surfaces):
            return None
        return Route(service=self, surface=self.surface_at(path) or "")

    def examine(self, inquiry: Inquiry) -> JudgedRequest:
        config, path = inquiry.config, inquiry.incoming.path
        config = replace(config, surface=config.surface or self.surface_at(path))
        return self.checks.examine(replace(inquiry, config=config))

    def speak(self, voice: Voice, incoming: Incoming) -> SimAnswer:
        return self.responder.speak(voice)

    def models(self) -> Json:
        data = [self.list_model(name) for name in self.offered]
        return {"object": "list", "data": data}
