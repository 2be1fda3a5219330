"""Speakers of chat completions that want readable reasoning back with every call."""

from __future__ import annotations

from abc import abstractmethod

from sigscope.upstreams.simulator.checks.case import Docket
from sigscope.upstreams.simulator.checks.chat_checks import ChatChecks
from sigscope.upstreams.simulator.contents import Content
from sigscope.upstreams.simulator.models import Model
from sigscope.upstreams.simulator.records import Json, Refusal, as_dict, as_list
from sigscope.upstreams.simulator.speech.chat import ChatResponder
from sigscope.upstreams.simulator.speech.voice import Voice
from sigscope.upstreams.simulator.texts import ErrorText


class ThoughtChecks(ChatChecks):
    """The field, an empty one too, on each message with calls, of whatever turn."""

    key = "reasoning_content"
    """The field: what is wanted, and what an answer brings."""
    forced: ErrorText | None = None
    """What is said where a thinking model is told which tool to call."""

    @abstractmethod
    def thinks(self, body: dict[str, Json]) -> bool:
        """Whether a request has the model think."""

    @abstractmethod
    def missing(self, model: Model) -> ErrorText:
        """What this model says of a message without the field."""

    def turn_away(self, docket: Docket, body: dict[str, Json]) -> Refusal | None:
        is_forced = body.get("tool_choice") not in (None, "auto", "none")
        if self.forced and is_forced and self.thinks(body):
            return self.forced.refuse(pointer="/tool_choice")
        return super().turn_away(docket, body)

    def weigh(
        self, docket: Docket, body: dict[str, Json]
    ) -> tuple[list[Content], Refusal | None]:
        contents, refusal = super().weigh(docket, body)
        text = self.missing(docket.model)
        messages = as_list(body["messages"]) if self.thinks(body) else []
        for index, message in enumerate(map(as_dict, messages)):
            if message.get("tool_calls") and not isinstance(message.get(self.key), str):
                missing = text.refuse(pointer=f"/messages/{index}", position=index)
                return contents, refusal or missing
        return contents, refusal


class ThoughtResponder(ChatResponder):
    """Thoughts where the request has the model think."""

    def __init__(self, checks: ThoughtChecks) -> None:
        self._checks = checks
        self.thoughts = checks.key

    def thinks(self, voice: Voice) -> bool:
        return self._checks.thinks(as_dict(voice.case.request))
