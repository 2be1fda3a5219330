"""Messages: Anthropic's path, Vertex's and Bedrock's, their errors and lists."""

from __future__ import annotations

import re

from sigscope.records import dataclass
from sigscope.upstreams.simulator.arrival import Incoming
from sigscope.upstreams.simulator.checks.anthropic import AnthropicChecks
from sigscope.upstreams.simulator.checks.binding import Before, binds
from sigscope.upstreams.simulator.checks.case import JudgedRequest
from sigscope.upstreams.simulator.families.base import (
    Inquiry,
    Route,
    SimulatedService,
    print_error,
)
from sigscope.upstreams.simulator.records import Json, Judgement, as_dict, as_text
from sigscope.upstreams.simulator.speech import anthropic as speech
from sigscope.upstreams.simulator.speech.voice import SimAnswer, Voice, document

_COUNT = "/count_tokens"
_VERTEX = re.compile(
    r"/publishers/anthropic/models/(?P<model>[^/:]+):(?P<call>(?:streamR|r)awPredict)$"
)
_BEDROCK = re.compile(
    r"/model/(?P<model>.+)/(?P<call>invoke(?:-with-response-stream)?)$"
)
_CHECKS = AnthropicChecks()
_STREAMS = ("streamRawPredict", "invoke-with-response-stream")


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesService(SimulatedService):
    """A speaker of Messages."""

    offered: tuple[str, ...]
    """Names in its model list; others are answered too."""

    def bind(self, request: Json) -> str:
        body = as_dict(request)
        return str(Before.of(body)) if binds(as_text(body.get("model"))) else ""

    def find(self, path: str, *, is_pinned: bool) -> Route | None:
        bare = path.removesuffix(_COUNT)
        if bare.endswith("/messages") if is_pinned else bare == "/v1/messages":
            call = "count_tokens" if bare != path else "messages"
            return Route(service=self, call=call)
        found = _VERTEX.search(path) or _BEDROCK.search(path)
        if found is None:
            return None
        call = found["call"]
        return Route(
            service=self, call=call, model=found["model"], streams=call in _STREAMS
        )

    def examine(self, inquiry: Inquiry) -> JudgedRequest:
        return _CHECKS.examine(inquiry)

    def speak(self, voice: Voice, incoming: Incoming) -> SimAnswer:
        if incoming.path.endswith(_COUNT):
            body = document({"input_tokens": voice.usage()[0]})
            headers = (("content-type", "application/json"),)
            return SimAnswer(status=200, headers=headers, pieces=(body,))
        in_frames = _BEDROCK.search(incoming.path) is not None
        return speech.speak(voice, incoming, in_frames=in_frames)

    def refuse(self, judgement: Judgement, incoming: Incoming) -> SimAnswer:
        """Bedrock has words of its own around the message."""
        if _BEDROCK.search(incoming.path) is None:
            return print_error(judgement.status, judgement.body)
        error = as_dict(as_dict(judgement.body).get("error"))
        answer = print_error(judgement.status, {"message": error.get("message")})
        kind = ("x-amzn-errortype", "ValidationException")
        return SimAnswer(
            status=answer.status, headers=(*answer.headers, kind), pieces=answer.pieces
        )

    def models(self) -> Json:
        found = [
            {"type": "model", "id": name, "display_name": name} for name in self.offered
        ]
        return {"data": found, "has_more": False}
