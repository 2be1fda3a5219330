"""The Responses API of OpenAI, Azure, Codex, GitHub Copilot and those like them."""

from __future__ import annotations

import re
from dataclasses import replace

from sigscope.records import dataclass
from sigscope.upstreams.simulator.arrival import Incoming
from sigscope.upstreams.simulator.checks.case import JudgedRequest
from sigscope.upstreams.simulator.checks.responses import ResponsesChecks, wrap
from sigscope.upstreams.simulator.config import SimConfig
from sigscope.upstreams.simulator.families.base import Inquiry, Route, SimulatedService
from sigscope.upstreams.simulator.families.chat_completions import plain_model
from sigscope.upstreams.simulator.records import Json
from sigscope.upstreams.simulator.speech.responses import ResponsesResponder, compacted
from sigscope.upstreams.simulator.speech.stored_responses import StoredAnswer
from sigscope.upstreams.simulator.speech.voice import SimAnswer, Voice
from sigscope.upstreams.simulator.texts import responses as texts
from sigscope.upstreams.simulator.texts import rules_of

_PATHS = {
    "/v1/responses": "openai",
    "/openai/v1/responses": "azure",
    "/backend-api/codex/responses": "codex",
    "/responses": "copilot",
}
_COMPACT = "/compact"
_STORED = re.compile(
    r"^(?P<base>.*/responses)/(?P<name>resp_[^/]+)(?P<items>/input_items)?$"
)
_CHECKS = ResponsesChecks()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponsesService(SimulatedService):
    """One record for all: whose API is asked, the settings, the path or a header
    tell."""

    def find(self, path: str, *, is_pinned: bool) -> Route | None:
        if named := _STORED.search(path):
            stored = StoredAnswer(name=named["name"])
            shows = stored.input_items if named["items"] else stored.whole
            is_own = is_pinned or named["base"] in _PATHS
            return Route(service=self, method="GET", shows=shows) if is_own else None
        asked = path.removesuffix(_COMPACT)
        is_own = asked.endswith("/responses") if is_pinned else asked in _PATHS
        call = _COMPACT if path != asked else ""
        surface = next((s for p, s in _PATHS.items() if asked == p), "openai")
        return Route(service=self, call=call, surface=surface) if is_own else None

    def examine(self, inquiry: Inquiry) -> JudgedRequest:
        name = _whose(inquiry.config, inquiry.incoming, inquiry.route.surface)
        config = replace(inquiry.config, service=name)
        return _CHECKS.examine(replace(inquiry, config=config))

    def speak(self, voice: Voice, incoming: Incoming) -> SimAnswer:
        if incoming.path.endswith(_COMPACT):
            return compacted(voice)
        return ResponsesResponder(voice, voice.origin.service).speak()

    def models(self) -> Json:
        data = [plain_model(name) for name in ("gpt-5.2", "gpt-5.3-codex", "gpt-4.1")]
        return {"object": "list", "data": data}


def _whose(config: SimConfig, incoming: Incoming, by_path: str) -> str:
    if config.service:
        return config.service
    if "copilot-integration-id" in incoming.headers:
        return "copilot"
    if "chatgpt-account-id" in incoming.headers:
        return "codex"
    return by_path


SERVICE = ResponsesService(
    name="responses",
    paths=tuple(_PATHS),
    models_path="/v1/models",
    provider="copilot",
    no_key=wrap(texts.NO_KEY.refuse()),
    rules=rules_of(texts) | {"RSP-9", "CPC-4", "XAI-1"},
    value_rules=frozenset({"RSP-3", "RSP-5", "RSP-12", "XAI-1"}),
)
