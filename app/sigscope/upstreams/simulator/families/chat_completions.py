"""Chat completions: what is refused and said where a service does nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sigscope.upstreams.simulator.checks.chat_checks import ChatChecks
from sigscope.upstreams.simulator.families.body import BodyService
from sigscope.upstreams.simulator.speech.chat import ChatResponder

_CHECKS, _RESPONDER = ChatChecks(), ChatResponder()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatService(BodyService):
    """A speaker of chat completions."""

    checks: ChatChecks = _CHECKS
    responder: ChatResponder = _RESPONDER

    ending: ClassVar[str] = "/chat/completions"
