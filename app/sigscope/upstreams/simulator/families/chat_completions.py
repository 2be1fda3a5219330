"""Chat completions: their path, lists, and what is refused and said by default."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sigscope.upstreams.simulator.arrival import Incoming
from sigscope.upstreams.simulator.checks.case import Case
from sigscope.upstreams.simulator.checks.chat_checks import ChatChecks
from sigscope.upstreams.simulator.families.base import (
    Inquiry,
    Route,
    SimulatedService,
)
from sigscope.upstreams.simulator.models import OFFERED
from sigscope.upstreams.simulator.records import Json
from sigscope.upstreams.simulator.speech.chat import ChatResponder
from sigscope.upstreams.simulator.speech.voice import Answer, Voice

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

    def find(self, path: str, *, is_pinned: bool) -> Route | None:
        is_own = path.endswith("/chat/completions") if is_pinned else path in self.paths
        return Route(service=self) if is_own else None

    def examine(self, inquiry: Inquiry) -> Case:
        return self.checks.examine(inquiry)

    def speak(self, voice: Voice, incoming: Incoming) -> Answer:
        return self.responder.speak(voice)

    def models(self) -> Json:
        data = [self.list_model(name) for name in self.offered]
        return {"object": "list", "data": data}
